package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
)

// runs plays a command of a session's tool and the hook after it.
func (a *agentStage) runs(session, command string) agentsession.Answer {
	a.t.Helper()
	return a.event(session, agentsession.PostTool, func(e *agentsession.Event) {
		e.Calls = []agentsession.ToolCall{{Tool: "Bash", Command: command}}
	})
}

// dated writes a file that has the time of the stage, and not that of the machine.
func (a *agentStage) dated(name, text string) {
	a.t.Helper()
	a.write(name, text)
	must0(a.t, os.Chtimes(filepath.Join(a.dir, name), a.time, a.time))
}

// twoAtWork starts two sessions in one checkout, s-1 on task 1 and s-2 on task 2.
func twoAtWork(t *testing.T) *agentStage {
	t.Helper()
	a := newAgents(t)
	a.plant(create.Request{ID: "1", Criteria: criteria("Signs")})
	a.plant(create.Request{ID: "2", Criteria: criteria("Verifies")})
	a.repository()
	for session, id := range map[string]string{"s-1": "1", "s-2": "2"} {
		a.event(session, agentsession.Start)
		must(a.hook(session).Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: id}))(t)
	}
	a.time = a.time.Add(time.Minute)
	return a
}

// TestF2_CommitsBelongToTheSessionThatMadeThem checks that neither a log nor a draft nor a question has the commits of a
// session beside it, whatever the order in which the two look.
func TestF2_CommitsBelongToTheSessionThatMadeThem(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]func(a *agentStage, session, id string){
		"drafted": func(a *agentStage, session, _ string) { a.event(session, agentsession.End) },
		"logged":  func(a *agentStage, session, id string) { a.logAs(session, id, "By hand") },
	} {
		a := twoAtWork(t)
		commands := [...]string{"git commit -am x", "sh -c 'git commit'", "git add -A; git commit; ls"}
		for i, session := range []string{"s-2", "s-1", "s-2"} {
			a.write(session+".go", strings.Repeat("x", i))
			a.commit("By " + session)
			a.runs(session, commands[i])
			a.runs("s-1", "ls")
		}
		a.time = a.time.Add(time.Minute)
		asked := a.event("s-1", agentsession.Stop)
		if strings.Contains(asked.Hold, "By s-2") || !strings.Contains(asked.Hold, "1 commit, the last “By s-1”") {
			t.Errorf("%s: asked %q", name, asked.Hold)
		}
		ends(a, "s-1", "1")
		ends(a, "s-2", "2")
		for session, id := range map[string]string{"s-1": "1", "s-2": "2"} {
			var subjects []string
			for _, e := range a.entries(id) {
				for _, c := range e.Commits {
					subjects = append(subjects, strings.TrimSpace(a.git("show", "-s", "--format=%s", c)))
				}
			}
			want := map[string]string{"s-1": "By s-1", "s-2": "By s-2,By s-2"}[session]
			if got := strings.Join(subjects, ","); got != want {
				t.Errorf("%s: %s has %q", name, session, got)
			}
		}
	}
}

// TestF2_FilesOfAnotherSessionAreNotNamed checks that a draft does not name a file as the other session's tool left it.
func TestF2_FilesOfAnotherSessionAreNotNamed(t *testing.T) {
	t.Parallel()
	a := twoAtWork(t)
	a.dated("a.go", "a")
	a.afterWrite("s-1", "a.go", "a")
	a.dated("b.go", "b")
	a.afterWrite("s-1", "b.go", "b")
	a.runs("s-2", "make")
	a.dated("b.go", "changed by make")
	a.event("s-2", agentsession.End)
	if did := a.lastDid("2"); strings.Contains(did, "a.go") || !strings.Contains(did, "Changed in the checkout: b.go") {
		t.Errorf("s-2: %q", did)
	}
	a.event("s-1", agentsession.End)
	if did := a.lastDid("1"); !strings.Contains(did, "Files edited: a.go, b.go") {
		t.Errorf("s-1: %q", did)
	}
}

// TestF35_ARefusedEditInTheFirstSecond checks that a file from before the session is not its edit, even if it was written
// in the second in which the session began.
func TestF35_ARefusedEditInTheFirstSecond(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.plant(create.Request{ID: "1", Criteria: criteria("Signs")})
	a.repository()
	a.time = a.time.Add(700 * time.Millisecond)
	a.event("s-1", agentsession.Start)
	edits := func(name string, written time.Duration) int {
		a.write(name, "x")
		at := a.time.Add(written)
		must0(t, os.Chtimes(filepath.Join(a.dir, name), at, at))
		a.event("s-1", agentsession.PostTool, func(e *agentsession.Event) {
			text := "y"
			e.Calls = []agentsession.ToolCall{{Tool: "Write", Edits: []agentsession.FileEdit{{Path: name, Content: &text}}}}
		})
		return a.record("s-1", nil).Edits
	}
	if n := edits("old.go", -400*time.Millisecond); n != 0 {
		t.Errorf("a refused edit counts: %d", n)
	}
	if n := edits("new.go", 100*time.Millisecond); n != 1 {
		t.Errorf("an edit does not count: %d", n)
	}
}

// TestD54_UnboundAndStartedInOneSecond checks that a session that unbinds itself works on the task that it starts at once,
// even if it is the same one.
func TestD54_UnboundAndStartedInOneSecond(t *testing.T) {
	t.Parallel()
	for _, next := range []string{"1", "2"} {
		a := twoAtWork(t)
		a.event("s-2", agentsession.End)
		must(a.hook("s-1").Agents.UnbindSession(t.Context(), ""))(t)
		a.event("s-1", agentsession.Stop)
		if rec := a.record("s-1", nil); rec.Task != "" {
			t.Errorf("it still works on %s", rec.Task)
		}
		must(a.hook("s-1").Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: next}))(t)
		a.event("s-1", agentsession.Stop)
		if rec := a.record("s-1", nil); string(rec.Task) != next {
			t.Errorf("it works on %q, not on %s", rec.Task, next)
		}
	}
}
