//go:build agents && linux

package agents

import (
	"bufio"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Codex runs a hook only after somebody trusted exactly this hook: before, none runs; then all do. Setting up the
// project again changes no hook, so all stay trusted (agents.md 9, and 12.6, item 10).
func TestCodexRunsTrustedHooksOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, codex(), spied)
	w.prepare("codex")
	w.play()
	args := []string{"exec", "--json", "do the thing"}
	if r := w.agentWith(args); r.code != 0 || len(w.hooks()) != 0 {
		t.Fatalf("exit %d, untrusted hooks ran: %v", r.code, w.hooks())
	}
	server := w.appServer()
	for _, h := range server.hooks() {
		if h.Trust != "untrusted" {
			t.Errorf("%s is %s before anybody trusted it", h.Key, h.Trust)
		}
	}
	server.trust()
	if r := w.agentWith(args); r.code != 0 || len(w.hooks("SessionStart")) != 1 || len(w.hooks("Stop")) != 1 {
		t.Fatalf("exit %d, trusted hooks that ran: %v", r.code, w.hooks())
	}
	w.baton("init", "--agent", "codex")
	hooks := server.hooks()
	if len(hooks) == 0 {
		t.Error("no hooks are listed")
	}
	for _, h := range hooks {
		if h.Trust != "trusted" {
			t.Errorf("%s is %s after the project was set up again", h.Key, h.Trust)
		}
	}
}

// A check sees what Codex trusts, and `--trust-codex` trusts baton's hooks as a person would (agents.md 8.3 and 9).
func TestBatonTrustsItsHooksInCodex(t *testing.T) {
	t.Parallel()
	w := newWorld(t, codex(), spied)
	w.prepare("codex")
	w.play()
	if check := w.setUp("--check"); !strings.Contains(check, "not trusted") {
		t.Errorf("nothing is pending before anybody trusted the hooks:\n%s", check)
	}
	w.setUp("--trust-codex")
	if check := w.setUp("--check"); strings.Contains(check, "not trusted") {
		t.Errorf("something is pending after that:\n%s", check)
	}
	if r := w.agentWith([]string{"exec", "--json", "do the thing"}); r.code != 0 || len(w.hooks("SessionStart")) != 1 {
		t.Errorf("exit %d, hooks that ran: %v", r.code, w.hooks())
	}
}

// setUp runs `baton init --agent codex` with Codex on PATH.
func (w *world) setUp(flag string) string {
	w.t.Helper()
	cmd := w.command(filepath.Join(w.dir, "real", "baton"), "init", "--agent", "codex", flag)
	for i, entry := range cmd.Env {
		if path, found := strings.CutPrefix(entry, "PATH="); found {
			cmd.Env[i] = "PATH=" + filepath.Dir(w.argv[len(w.argv)-1]) + ":" + path
		}
	}
	r := w.run(cmd, time.Minute)
	if r.code != 0 && !(flag == "--check" && r.code == 6) { // something is pending
		w.t.Fatalf("baton init %s: exit %d\n%s%s", flag, r.code, r.out, r.err)
	}
	return r.out + r.err
}

// appServer is Codex's interface for other programs: one JSON object per line.
type appServer struct {
	w    *world
	in   io.Writer
	out  *bufio.Scanner
	last int
}

// codexHook is a hook as Codex sees it.
type codexHook struct {
	Key   string `json:"key"`
	Hash  string `json:"currentHash"`
	Trust string `json:"trustStatus"`
}

func (w *world) appServer() *appServer {
	w.t.Helper()
	cmd := w.command(append(w.argv, "app-server")...)
	in, err := cmd.StdinPipe()
	w.must(err)
	out, err := cmd.StdoutPipe()
	w.must(err)
	w.must(cmd.Start())
	timer := time.AfterFunc(w.client.limit, func() { cmd.Process.Kill() })
	w.t.Cleanup(func() {
		in.Close()
		cmd.Wait()
		timer.Stop()
	})
	s := &appServer{w: w, in: in, out: bufio.NewScanner(out)}
	s.out.Buffer(nil, 16<<20)
	s.ask("initialize", map[string]any{
		"clientInfo": map[string]any{"name": "test", "version": "1"}, "capabilities": map[string]any{"experimentalApi": true},
	}, nil)
	s.send(map[string]any{"method": "initialized"})
	return s
}

func (s *appServer) send(v any) {
	s.w.t.Helper()
	_, err := io.WriteString(s.in, text(v)+"\n")
	s.w.must(err)
}

// ask sends a request and decodes its result.
func (s *appServer) ask(method string, params, result any) {
	s.w.t.Helper()
	s.last++
	s.send(map[string]any{"id": s.last, "method": method, "params": params})
	for s.out.Scan() {
		var answer struct {
			ID     any             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if json.Unmarshal(s.out.Bytes(), &answer) != nil || answer.ID != float64(s.last) {
			continue
		}
		if answer.Error != nil {
			s.w.t.Fatalf("%s: %s", method, answer.Error)
		}
		if result != nil {
			s.w.must(json.Unmarshal(answer.Result, result))
		}
		return
	}
	s.w.t.Fatalf("%s: no answer", method)
}

// hooks returns baton's hooks in the project.
func (s *appServer) hooks() []codexHook {
	s.w.t.Helper()
	var result struct {
		Data []struct {
			Hooks []codexHook `json:"hooks"`
		} `json:"data"`
	}
	s.ask("hooks/list", map[string]any{"cwds": []string{s.w.project}}, &result)
	var all []codexHook
	for _, folder := range result.Data {
		for _, h := range folder.Hooks {
			if strings.HasPrefix(h.Key, s.w.project) {
				all = append(all, h)
			}
		}
	}
	return all
}

// trust does what a person does in /hooks.
func (s *appServer) trust() {
	s.w.t.Helper()
	trusted := map[string]any{}
	for _, h := range s.hooks() {
		trusted[h.Key] = map[string]any{"trusted_hash": h.Hash}
	}
	s.ask("config/batchWrite", map[string]any{
		"edits": []any{map[string]any{"keyPath": "hooks.state", "value": trusted, "mergeStrategy": "upsert"}},
	}, nil)
}
