package hook

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/usecase/agents"
	"baton/internal/workspace"
)

// fake answers in the place of a project.
type fake struct {
	answer func(ctx context.Context, e agentsession.Event) (agentsession.Answer, error)
	absent bool // there is no project in the folder
	events []agentsession.Event
	opened []workspace.Options
	notes  []agents.HookNote

	attended []string
	fault    error // of Attend
}

func (f *fake) Agent(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	f.events = append(f.events, e)
	if f.answer == nil {
		return everything(), nil
	}
	return f.answer(ctx, e)
}

func (f *fake) LogHook(n agents.HookNote) error { f.notes = append(f.notes, n); return nil }
func (f *fake) Attend(_ context.Context, session string) error {
	f.attended = append(f.attended, session)
	return f.fault
}
func (f *fake) Watched() bool { return !f.absent }
func (f *fake) Close() error  { return nil }

func (f *fake) open(_ context.Context, o workspace.Options) (asker, error) {
	f.opened = append(f.opened, o)
	return f, nil
}

type said struct {
	code        int
	out, errors string
}

// play runs one event in the folder /work.
func (f *fake) play(ctx context.Context, stdin io.Reader, vars map[string]string, args ...string) said {
	var out, errors bytes.Buffer
	code := run(ctx, report.Env{
		Stdin: stdin, Stdout: &out, Stderr: &errors, Dir: "/work", Getenv: func(name string) string { return vars[name] },
	}, args, f.open)
	return said{code, out.String(), errors.String()}
}

const claudeStart = `{"session_id":"s","cwd":"/p","hook_event_name":"SessionStart","source":"startup"}`

func TestAnEventIsAnswered(t *testing.T) {
	t.Parallel()
	f := &fake{}
	got := f.play(t.Context(), strings.NewReader("\xef\xbb\xbf"+claudeStart+"\n"), nil, "--verbose", "--agent", "claude", "--future=1")
	if got != (said{out: `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"facts <b>"}}` + "\n"}) {
		t.Errorf("%+v", got)
	}
	o := f.opened[0]
	if len(f.opened) != 1 || o.Dir != filepath.FromSlash("/p") || o.Session != "s" || o.Command != "hook" ||
		o.Wait != 300*time.Millisecond {
		t.Errorf("opened with %+v", f.opened)
	}
	if len(f.notes) != 1 ||
		f.notes[0] != (agents.HookNote{Client: "claude", Event: "session-start", Session: "s", Outcome: "note", Text: "line"}) {
		t.Errorf("log: %+v", f.notes)
	}
}

// Whatever happens inside, the client sees its neutral output and success, and the log has a line (D15).
func TestD15_AHookFailsOpen(t *testing.T) {
	t.Parallel()
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	for name, c := range map[string]struct {
		ctx     context.Context
		answer  func(context.Context, agentsession.Event) (agentsession.Answer, error)
		outcome string
		text    string
	}{
		"an error": {t.Context(), func(context.Context, agentsession.Event) (agentsession.Answer, error) {
			return agentsession.Answer{}, errors.New("disk")
		}, "failed", "disk"},
		"a panic": {t.Context(), func(context.Context, agentsession.Event) (agentsession.Answer, error) {
			panic("secret of the session")
		}, "failed", "panic: unexpected"},
		"one of the kind": {t.Context(), func(_ context.Context, e agentsession.Event) (agentsession.Answer, error) {
			return agentsession.Answer{Context: e.Calls[7].Tool}, nil
		}, "failed", "panic: runtime error: index out of range [7] with length 0"},
		"no answer in time": {cancelled, func(context.Context, agentsession.Event) (agentsession.Answer, error) {
			<-never
			return everything(), nil
		}, "late", "no answer within 2s"},
	} {
		for agent, neutral := range map[string]string{
			claude: "", codex: "", gemini: "{}\n", cursor: "{}\n", kiro: "", opencode: "", copilot: "", qwen: "", vscode: "",
		} {
			f := &fake{answer: c.answer}
			payload := claudeStart
			switch agent {
			case cursor:
				payload = `{"conversation_id":"s","cwd":"/p","hook_event_name":"sessionStart"}`
			case gemini:
				payload = `{"session_id":"s","cwd":"/p","hook_event_name":"BeforeAgent"}`
			case vscode:
				payload = `{"sessionId":"s","cwd":"/p","hookEventName":"SessionStart"}`
			}
			got := f.play(c.ctx, strings.NewReader(payload), nil, "--agent", agent)
			if got != (said{out: neutral}) {
				t.Errorf("%s, %s: %+v", name, agent, got)
			}
			if c.outcome == "late" && len(f.notes) == 0 {
				continue // the limit was over before the project was open
			}
			if len(f.notes) != 1 || f.notes[0].Outcome != c.outcome || f.notes[0].Text != c.text {
				t.Errorf("%s, %s: log %+v", name, agent, f.notes)
			}
		}
	}
}

// Kiro knows a refusal by the exit code alone; its command string makes 2 of 42, and 0 of everything else (agents.md 2.1).
func TestKiroIsRefusedByExitCode(t *testing.T) {
	t.Parallel()
	f := &fake{}
	got := f.play(t.Context(), strings.NewReader(`{"cwd":"/p","tool_name":"fs_write"}`), nil, "--agent", "kiro", "--event", "PreToolUse")
	if got != (said{code: 42, errors: "not here\n"}) {
		t.Errorf("%+v", got)
	}
	if len(f.notes) != 1 || f.notes[0].Outcome != "denied" || f.notes[0].Text != "line" {
		t.Errorf("log %+v", f.notes)
	}
}

// The event's folder is looked at first, then the one where the agent was started; a person's word goes before both
// (agents.md 2.2, D28).
func TestWhereTheProjectIsLookedFor(t *testing.T) {
	t.Parallel()
	const nowhere = `{"session_id":"s","hook_event_name":"SessionStart","source":"startup"}`
	turn := strings.Replace(claudeStart, `"source"`, `"turn_id":"t","source"`, 1)
	roots := `{"conversation_id":"s","cwd":"/elsewhere","workspace_roots":["/first","/second"],"hook_event_name":"sessionStart"}`
	for name, c := range map[string]struct {
		payload string
		vars    map[string]string
		args    []string
		want    []string
	}{
		"the event's":               {claudeStart, nil, nil, []string{"/p"}},
		"then the start's":          {claudeStart, map[string]string{"CLAUDE_PROJECT_DIR": "/launch"}, nil, []string{"/p", "/launch"}},
		"which others only inherit": {turn, map[string]string{"CLAUDE_PROJECT_DIR": "/launch"}, nil, []string{"/p"}},
		"and which is absolute":     {claudeStart, map[string]string{"CLAUDE_PROJECT_DIR": "launch"}, nil, []string{"/p"}},
		"the process's":             {nowhere, nil, nil, []string{"/work"}},
		"a relative one":            {strings.Replace(claudeStart, "/p", "sub", 1), nil, nil, []string{"/work/sub"}},
		"with a NUL":                {strings.Replace(claudeStart, "/p", `/p\u0000`, 1), nil, nil, []string{"/work"}},
		"Cursor's first":            {roots, nil, nil, []string{"/first"}},
		"-C":                        {claudeStart, map[string]string{"BATON_ROOT": "/r"}, []string{"-C", "sub"}, []string{"/work/sub"}},
		"BATON_ROOT": {
			claudeStart, map[string]string{"BATON_ROOT": "/r", "CLAUDE_PROJECT_DIR": "/launch"}, nil, []string{""},
		},
	} {
		f := &fake{absent: true}
		if got := f.play(t.Context(), strings.NewReader(c.payload), c.vars, append(c.args, "--agent", "claude")...); got.code != 0 ||
			strings.TrimSpace(got.out) != "" && got.out != "{}\n" || got.errors != "" {
			t.Errorf("%s: %+v", name, got)
		}
		var dirs []string
		for _, o := range f.opened {
			dirs = append(dirs, filepath.ToSlash(o.Dir))
		}
		if strings.Join(dirs, " ") != strings.Join(c.want, " ") || len(f.events)+len(f.notes) != 0 {
			t.Errorf("%s: looked in %q", name, dirs)
		}
	}
}

// Where the project is not found from the event's folder, files stay those of that folder.
func TestRelativeFilesBelongToTheEventsFolder(t *testing.T) {
	t.Parallel()
	f := &fake{}
	f.play(t.Context(), strings.NewReader(
		`{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"a/b"}}`,
	), map[string]string{"BATON_ROOT": "/r"}, "--agent", "claude")
	if got := filepath.ToSlash(f.events[0].Calls[0].Edits[0].Path); got != "/p/a/b" {
		t.Errorf("%s", got)
	}
}
