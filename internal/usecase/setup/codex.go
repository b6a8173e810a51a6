package setup

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/tasks"
)

// Codex silently skips hooks that are not trusted. Only Codex itself can list and change which
// hooks are trusted (agents.md 9).

// codexPatience limits the time for Codex in all.
const codexPatience = 5 * time.Second

// mostCodexLine is the longest line that is read from Codex, in bytes.
const mostCodexLine = 4 << 20

// codexHook is one hook as Codex reports it.
type codexHook struct {
	Key     string `json:"key"`
	Event   string `json:"eventName"`
	Command string `json:"command"`
	Hash    string `json:"currentHash"`
	Trust   string `json:"trustStatus"` // managed, untrusted, trusted or modified
	Enabled bool   `json:"enabled"`
}

// codexTalk is a conversation with `codex app-server`: JSON-RPC, one object per line.
type codexTalk struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	asked  int
	cancel context.CancelFunc
}

// askCodex starts the program. The caller ends it.
func (s *AgentSetup) askCodex(ctx context.Context) (*codexTalk, error) {
	program := s.program("codex")
	if program == "" {
		return nil, exec.ErrNotFound
	}
	limited, cancel := context.WithTimeout(ctx, codexPatience)
	cmd := exec.CommandContext(limited, program, "app-server")
	cmd.Dir, cmd.Env, cmd.WaitDelay = s.P.Root, s.P.Env.Environ, tasks.CommandGrace
	tasks.Group(cmd)
	in, err := cmd.StdinPipe()
	var out io.ReadCloser
	if err == nil {
		out, err = cmd.StdoutPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, err
	}
	t := &codexTalk{cmd: cmd, in: in, out: bufio.NewScanner(out), cancel: cancel}
	t.out.Buffer(nil, mostCodexLine)
	hello := map[string]any{
		"clientInfo":   map[string]string{"name": "baton", "title": "baton", "version": "1"},
		"capabilities": map[string]bool{"experimentalApi": true},
	}
	if err := t.ask("initialize", hello, nil); err != nil {
		t.end()
		return nil, err
	}
	return t, t.say(map[string]any{"method": "initialized"})
}

func (t *codexTalk) end() {
	_ = t.in.Close()
	t.cancel()
	_ = t.cmd.Wait() // the exit code does not matter, because it was told to stop
	tasks.EndGroup(t.cmd)
}

func (t *codexTalk) say(message any) error {
	data, err := json.Marshal(message)
	if err == nil {
		_, err = t.in.Write(append(data, '\n'))
	}
	return err
}

// ask sends a request and reads up to its answer.
func (t *codexTalk) ask(method string, params, result any) error {
	t.asked++
	if err := t.say(map[string]any{"id": t.asked, "method": method, "params": params}); err != nil {
		return err
	}
	for t.out.Scan() {
		var answer struct {
			ID     int             `json:"id"`
			Method string          `json:"method"`
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if json.Unmarshal(t.out.Bytes(), &answer) != nil || answer.ID != t.asked || answer.Method != "" {
			continue // a notification, or a request from Codex
		}
		if answer.Error != nil {
			return errors.New(safetext.Line(answer.Error.Message))
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(answer.Result, result)
	}
	if err := t.out.Err(); err != nil {
		return err
	}
	return errors.New("it ended or took too long to answer")
}

// hooks returns baton's hooks in a folder as Codex reports them.
func (t *codexTalk) hooks(root string) ([]codexHook, error) {
	var result struct {
		Data []struct {
			Hooks []codexHook `json:"hooks"`
		} `json:"data"`
	}
	if err := t.ask("hooks/list", map[string]any{"cwds": []string{root}}, &result); err != nil {
		return nil, err
	}
	var out []codexHook
	for _, folder := range result.Data {
		for _, h := range folder.Hooks {
			if strings.Contains(h.Command, "baton hook --agent") {
				out = append(out, h)
			}
		}
	}
	return out, nil
}

// trusted reports whether Codex runs the hook.
func (h codexHook) trusted() bool { return h.Trust == "trusted" || h.Trust == "managed" }

// checkCodex reports whether baton's hooks are trusted. Without the program, a person has to check
// it.
func (s *AgentSetup) checkCodex(ctx context.Context) agentconfig.Item {
	item := agentconfig.Item{Client: agentconfig.Codex, Name: "trust", Status: agentconfig.Pending}
	talk, err := s.askCodex(ctx)
	if errors.Is(err, exec.ErrNotFound) {
		item.Text = "codex is not on PATH, so baton cannot check what it trusts"
		return item
	}
	var hooks []codexHook
	if err == nil {
		defer talk.end()
		hooks, err = talk.hooks(s.P.Root)
	}
	open := slices.DeleteFunc(slices.Clone(hooks), codexHook.trusted)
	switch {
	case err != nil:
		item.Text = "codex app-server did not answer: " + safetext.Line(err.Error())
	case len(hooks) == 0:
		item.Status = agentconfig.Missing
		item.Text = "Codex sees none of baton's hooks here, because it does not trust the folder yet"
	case len(open) > 0:
		item.Status = agentconfig.Missing
		item.Text = safetext.Count(len(open), "hook") +
			" not trusted: open /hooks in Codex, or run `baton init --agent codex --trust-codex`"
	default:
		item.Status, item.Text = agentconfig.OK, safetext.Count(len(hooks), "hook")+" trusted"
	}
	return item
}

// trust makes Codex trust baton's hooks if that was requested, and reports them.
func (s *AgentSetup) trust(ctx context.Context) error {
	if !s.R.TrustCodex || s.R.Mode != AgentsWrite {
		return nil
	}
	if err := s.trustable(); err != nil {
		return err
	}
	talk, err := s.askCodex(ctx)
	if err != nil {
		return codexFault(err)
	}
	defer talk.end()
	hooks, err := talk.hooks(s.P.Root)
	if err != nil {
		return codexFault(err)
	}
	hooks = slices.DeleteFunc(
		hooks, func(h codexHook) bool { return !agentconfig.WroteHook(agentconfig.Codex, h.Command) },
	)
	if len(hooks) == 0 {
		return codexFault(errors.New("it sees none of baton's hooks here; start codex in the folder once and trust it"))
	}
	state := map[string]any{}
	for _, h := range hooks {
		item := agentconfig.Item{Client: agentconfig.Codex, Name: "trust " +
			safetext.Line(h.Key), Status: agentconfig.OK, Text: safetext.Line(h.Hash)}
		s.Out.Checks = append(s.Out.Checks, item)
		if !h.trusted() {
			state[h.Key] = map[string]string{"trusted_hash": h.Hash}
		}
	}
	s.Out.Notices = slices.DeleteFunc(s.Out.Notices, func(n string) bool { return n == trustOf(agentconfig.Codex) })
	if len(state) == 0 {
		return nil
	}
	edit := map[string]any{"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"}
	if err := talk.ask("config/batchWrite", map[string]any{"edits": []any{edit}}, nil); err != nil {
		return codexFault(err)
	}
	return nil
}

// trustable refuses to trust hooks of baton that somebody edited, because Codex does not show all
// of a hook, and the edited part could do anything.
func (s *AgentSetup) trustable() error {
	for _, f := range s.Out.Files {
		for _, i := range f.Items {
			if i.Client != agentconfig.Codex || i.Status != agentconfig.Modified || s.R.Force {
				continue
			}
			return &report.Error{
				Op: "init", Kind: report.Violation, Code: report.CodeCodexEdited, Path: f.Path, Line: i.Line,
				Message: "the settings are written, but nothing was trusted: " + i.Name + " in " + f.Path +
					" was edited",
				Hint: "review it and trust it in Codex (/hooks), or replace it with --force",
			}
		}
	}
	return nil
}

func codexFault(err error) error {
	why := safetext.Line(err.Error())
	if errors.Is(err, exec.ErrNotFound) {
		why = "codex is not on PATH"
	}
	return &report.Error{
		Op: "init", Kind: report.Unavailable, Code: report.CodeCodexUnavailable, Err: err,
		Message: "the settings are written, but Codex could not be made to trust the hooks: " + why,
		Hint:    "open /hooks in Codex and trust them there",
	}
}
