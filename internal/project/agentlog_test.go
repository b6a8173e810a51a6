package project

import (
	"os"
	"strings"
	"testing"

	"baton/internal/agentsession"
	"baton/internal/usecase/agents"
	"baton/internal/workspace"
)

func TestD15_TheHooksLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	p := w.open(workspace.Options{})
	for _, n := range []agents.HookNote{
		{Client: "claude", Event: "stop", Session: "session-1", Outcome: "held", Text: "one step\nand another"},
		{Client: "gem\x1b[31mini x", Outcome: "ignored", Text: "a\x07b\u202e" + strings.Repeat("é", 300)},
		{},
	} {
		if err := p.Agents.LogHook(n); err != nil {
			t.Fatal(err)
		}
	}
	want := "2026-03-01T09:00:00Z claude stop " + agentsession.Hash("session-1")[:8] + " held one step\n" +
		"2026-03-01T09:00:00Z gemini - - ignored ab" + strings.Repeat("é", 119) + "…\n" +
		"2026-03-01T09:00:00Z - - - -\n"
	if got := w.read(".baton/local/hook.log"); got != want {
		t.Errorf("%s", got)
	}
}

// The log stays small, however often something goes wrong.
func TestTheHooksLogIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	w.write(".baton/local/hook.log", strings.Repeat("x", agents.MostHookLog))
	if err := w.open(workspace.Options{}).Agents.LogHook(agents.HookNote{Client: "claude", Outcome: "failed"}); err != nil {
		t.Fatal(err)
	}
	if n := len(w.read(".baton/local/hook.log")); n > 100 {
		t.Errorf("%d bytes", n)
	}
	if n := len(w.read(".baton/local/hook.log.1")); n != agents.MostHookLog {
		t.Errorf("%d bytes put aside", n)
	}
}

// Without a project, hooks record nothing. A digest or a state folder alone is a project.
func TestHooksWatchProjectsOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.open(workspace.Options{})
	if p.Agents.Watched() || p.Agents.LogHook(agents.HookNote{Client: "claude"}) != nil {
		t.Error("an empty folder is watched")
	}
	if names, err := os.ReadDir(w.dir); err != nil || len(names) != 0 {
		t.Errorf("%v %v", names, err)
	}
	for _, dir := range []string{".baton/tasks", ".specflux/task-states", ".planning", ".specflow", ".devt/state"} {
		w := newWorld(t)
		w.mkdir(dir)
		w.mkdir("deep/down")
		if p := w.open(workspace.Options{Dir: w.path("deep/down")}); !p.Agents.Watched() {
			t.Errorf("%s is not watched", dir)
		} else if err := p.Agents.LogHook(agents.HookNote{Client: "claude", Outcome: "failed"}); err != nil ||
			!strings.Contains(w.read(".baton/local/hook.log"), "claude - - failed") {
			t.Errorf("%s: %v", dir, err)
		}
	}
}
