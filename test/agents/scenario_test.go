//go:build agents && linux

package agents

import (
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The texts of the task in every project here.
const (
	title     = "Make the parser faster"
	criterion = "It parses a megabyte in a second"
	nextStep  = "Measure the tokenizer"
)

// The events in which the digest is given and a stop may be held, as the clients name them.
var (
	starts  = []string{"SessionStart", "sessionStart", "session-start", "session.created"}
	stops   = []string{"Stop", "agentStop", "AfterAgent"}
	befores = []string{"PreToolUse", "preToolUse", "BeforeTool", "pre-tool"}
)

// prepare creates the project of somebody who has used baton for a while and now sets up agents: a task in progress,
// with one open criterion and older sessions in its archive.
func (w *world) prepare(agents string) (archive string) {
	w.t.Helper()
	w.baton("init")
	w.baton("task", "new", title, "--accept", criterion, "--accept", "Nothing else changes")
	w.baton("session", "start", "1")
	w.baton("task", "log", "1", "--new", "--did", "Read the parser", "--next", "Find the slow part")
	w.baton("task", "log", "1", "--new", "--did", "Found the slow part", "--next", nextStep)
	w.baton("session", "end", "1")
	w.baton("task", "archive", "1", "--keep", "1")
	found, err := filepath.Glob(filepath.Join(w.project, ".baton", "archive", "*.md"))
	w.must(err)
	if len(found) != 1 {
		w.t.Fatalf("archives: %v", found)
	}
	if agents != "" {
		w.baton("init", "--agent", agents)
	}
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "baton")
	return found[0]
}

// standard returns the script of agents.md 12.5: a shell call, a call that the guard must refuse, a file write, a call
// of an MCP tool, a final text, and a second one for the continuation. Denied is the number of the request that shows
// the refusal.
func (w *world) standard(archive string) (turns []turn, denied int) {
	c := w.client
	turns = []turn{{text: "A shell call.", calls: []call{c.shell("echo hello")}}}
	if c.read != nil {
		turns = append(turns, turn{calls: []call{*c.read(archive)}})
	}
	turns = append(turns, turn{calls: []call{c.write(archive, "rewritten\n")}})
	denied = len(turns)
	turns = append(turns,
		turn{calls: []call{c.write(filepath.Join(w.project, "new.txt"), "new\n")}},
		turn{calls: []call{c.mcp("task_check", map[string]any{"id": "1", "criterion": "1"})}},
		turn{text: "All finished."}, turn{text: "Really finished."})
	return turns, denied
}

// Every client, from the first request to the last stop (agents.md 12.6, items 1 to 5 and 9).
func TestAgentsWorkWithBaton(t *testing.T) {
	t.Parallel()
	clients := []client{claude(), codex(), copilot(), geminiCLI(), qwen()}
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c, spied)
			archive := w.prepare(c.name)
			before := w.content(".baton/archive/" + filepath.Base(archive))
			turns, denied := w.standard(archive)
			m := w.play(turns...)
			r := w.agent()
			if r.code != 0 {
				t.Errorf("exit %d\n%s\n%s", r.code, tail(r.out), tail(r.err))
			}
			if n := len(m.mains()); n != len(turns) {
				t.Fatalf("the model was asked %d times, the script has %d turns\n%s\n%s", n, len(turns), tail(r.out), tail(r.err))
			}
			w.digestOnce()
			w.denied(denied)
			if now := w.content(".baton/archive/" + filepath.Base(archive)); now != before {
				t.Errorf("the archive was changed:\n%s", now)
			}
			if w.content("new.txt") != "new\n" {
				t.Error("the file that may be written is not there")
			}
			w.checked(denied + 2)
			w.heldOnce()
			w.sessions(1)
			w.quietHooks()
			w.drafted()
		})
	}
}

// The stop of a session that logs its work is not held, and no draft is written for it (agents.md 2.3).
func TestASessionThatLogsIsNotHeld(t *testing.T) {
	t.Parallel()
	for _, c := range []client{claude(), codex(), copilot()} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c, spied)
			w.prepare(c.name)
			m := w.play(
				turn{calls: []call{c.write(filepath.Join(w.project, "new.txt"), "new\n")}},
				turn{calls: []call{
					c.mcp("task_log", map[string]any{"id": "1", "did": []string{"Measured it"}, "next": []string{"Write it"}}),
				}},
				turn{text: "All finished."})
			if r := w.agent(); r.code != 0 || len(m.mains()) != 3 {
				t.Fatalf("exit %d, the model was asked %d times", r.code, len(m.mains()))
			}
			if stopped := w.hooks(stops...); len(stopped) != 1 || stopped[0].Out != "" {
				t.Errorf("stops: %v", stopped)
			}
			state := w.content(".baton/tasks/task-1-state.md")
			if !strings.Contains(state, "Measured it") || strings.Contains(state, "Drafted by baton") {
				t.Errorf("the log was answered %q:\n%s", w.lastResult(2), state)
			}
		})
	}
}

// digestOnce checks that one session start gave a text, and that this text is in the first request exactly once, in its
// place.
func (w *world) digestOnce() {
	w.t.Helper()
	var digests []string
	for _, h := range w.hooks(starts...) {
		if text := h.context(); text != "" {
			digests = append(digests, text)
		}
	}
	if len(digests) != 1 {
		w.t.Fatalf("%d digests were given", len(digests))
	}
	for _, word := range []string{title, criterion, nextStep} {
		if !strings.Contains(digests[0], word) {
			w.t.Errorf("the digest does not say %q:\n%s", word, digests[0])
		}
	}
	w.landed(w.model.mains()[0], digests[0])
}

// landed checks that a request has the digest once, in a message of the client's role, after the client's own text.
func (w *world) landed(a asked, digest string) {
	w.t.Helper()
	found := 0
	for _, s := range w.model.said(a.body) {
		text := w.client.lands.plain(s.text)
		n := strings.Count(text, strings.TrimSpace(digest))
		if n == 0 {
			continue
		}
		found += n
		if s.role != w.client.lands.role || !strings.Contains(s.text, w.client.lands.digest) {
			w.t.Errorf("the digest is said by %q: %.200s", s.role, s.text)
		}
	}
	if found != 1 {
		w.t.Errorf("the digest is %d times in the request", found)
	}
}

// plain removes the client's escapes from a text.
func (l lands) plain(text string) string {
	if l.escape {
		return html.UnescapeString(text)
	}
	return text
}

// denied checks that the last result in this request has baton's reason and the command to use instead.
func (w *world) denied(request int) {
	w.t.Helper()
	var reasons []string
	for _, h := range w.hooks(befores...) {
		if reason := h.reason(); reason != "" {
			reasons = append(reasons, reason)
		}
	}
	if len(reasons) != 1 {
		w.t.Fatalf("%d calls were denied: %q", len(reasons), reasons)
	}
	if !strings.Contains(reasons[0], "baton ") {
		w.t.Errorf("the reason names no command: %s", reasons[0])
	}
	if result := w.lastResult(request); !strings.HasPrefix(result, w.client.lands.denied+reasons[0]) {
		w.t.Errorf("the denied call answered %q, want %q", result, w.client.lands.denied+reasons[0])
	}
}

// checked checks that this request has the answer of the MCP tool, and that the task file has its change.
func (w *world) checked(request int) {
	w.t.Helper()
	if state := w.content(".baton/tasks/task-1-state.md"); !strings.Contains(state, "- [x] "+criterion) {
		w.t.Errorf("the criterion is not checked; the tool answered %q\nthe server was sent %v", w.lastResult(request), w.served())
	}
	if result := w.lastResult(request); !strings.Contains(result, criterion) {
		w.t.Errorf("the tool answered %q", result)
	}
	if served := w.served(); len(served) == 0 || served[0] != w.client.protocol {
		w.t.Errorf("the server was sent %v, want %s first", served, w.client.protocol)
	}
}

// heldOnce checks that the first stop was held, that its reason was the next prompt, and that the second stop was not
// held.
func (w *world) heldOnce() {
	w.t.Helper()
	hooks := w.hooks(stops...)
	if len(hooks) != 2 {
		w.t.Fatalf("%d stops", len(hooks))
	}
	reason := hooks[0].reason()
	if reason == "" || hooks[1].reason() != "" {
		w.t.Fatalf("the stops answered %q and %q", hooks[0].Out, hooks[1].Out)
	}
	if hooks[0].in["stop_hook_active"] == true || hooks[1].in["stop_hook_active"] != true {
		w.t.Errorf("stop_hook_active is %v, then %v", hooks[0].in["stop_hook_active"], hooks[1].in["stop_hook_active"])
	}
	mains := w.model.mains()
	for _, s := range w.model.said(mains[len(mains)-1].body) {
		if s.role == "user" && strings.Contains(w.client.lands.plain(s.text), reason) && strings.HasPrefix(s.text, w.client.lands.stop) {
			return
		}
	}
	w.t.Errorf("the reason is not in the last request: %s", reason)
}

// drafted checks that nobody logged the session, so that baton wrote a draft: at its end or, if the client does not
// report that, when the next session starts.
func (w *world) drafted() {
	w.t.Helper()
	state := w.content(".baton/tasks/task-1-state.md")
	if len(w.hooks("SessionEnd", "sessionEnd")) == 0 {
		if strings.Contains(state, "Drafted by baton") {
			w.t.Error("an entry is drafted before the session is over")
		}
		w.agent()
		state = w.content(".baton/tasks/task-1-state.md")
	}
	for _, fact := range []string{"Drafted by baton", "Files edited: new.txt\n", "echo hello", criterion} {
		if !strings.Contains(state, fact) {
			w.t.Errorf("the drafted entry does not say %q:\n%s", fact, state)
		}
	}
}

// sessions checks the number of recorded sessions.
func (w *world) sessions(want int) {
	w.t.Helper()
	found, err := filepath.Glob(filepath.Join(w.project, ".baton", "local", "agents", "*.json"))
	w.must(err)
	if len(found) != want {
		w.t.Errorf("%d sessions are on record, want %d", len(found), want)
	}
	for _, path := range found {
		var record struct {
			Client, Session string
			Injected        struct{ Times int }
		}
		data, err := os.ReadFile(path)
		w.must(err)
		w.must(json.Unmarshal(data, &record))
		if record.Client != w.client.name || record.Injected.Times == 0 {
			w.t.Errorf("on record: %s", data)
		}
	}
}

// quietHooks checks that no hook failed, printed an error or was slow.
func (w *world) quietHooks() {
	w.t.Helper()
	for _, h := range w.hooks() {
		if h.Exit != 0 || h.Err != "" || h.Took > 2000 {
			w.t.Errorf("hook %s: exit %d, %d ms, %s", h.event(), h.Exit, h.Took, h.Err)
		}
	}
	for _, row := range lines(filepath.Join(w.project, ".baton", "local", "hook.log")) {
		if words := strings.Fields(row); len(words) < 5 || !within(words[4], []string{"denied", "held", "note"}) {
			w.t.Errorf("hook.log: %s", row)
		}
	}
}

// lastResult returns the last tool result in the request with this number.
func (w *world) lastResult(request int) string {
	w.t.Helper()
	result := ""
	for _, s := range w.model.said(w.model.mains()[request].body) {
		if s.result {
			result = s.text
		}
	}
	return result
}

// reason returns why the hook refused a call or held a stop.
func (h hooked) reason() string {
	for _, v := range []any{
		member(h.out["hookSpecificOutput"], "permissionDecisionReason"), h.out["permissionDecisionReason"], h.out["deny"], h.out["reason"],
	} {
		if s := word(v); s != "" {
			return s
		}
	}
	return ""
}
