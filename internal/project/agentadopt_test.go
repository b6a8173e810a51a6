package project

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"baton/internal/agentsession"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/agents"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// unboundEntry writes the entry of a session without a task, and returns its id.
func (a *agentStage) unboundEntry(t *testing.T, session string, into task.ID) string {
	t.Helper()
	u := agentsession.Unbound{
		ID: agentsession.UnboundID(session), Session: session, Client: "claude", From: workspace.Stamp(a.time),
		To: workspace.Stamp(a.time), Into: into,
		Did: []string{"Drafted by baton from facts; the claude session " + session + " from x", "Files edited: a.go"},
	}
	data, err := workspace.Encoded(u, "")
	if err != nil {
		t.Fatal(err)
	}
	a.write(".baton/local/unbound/"+u.ID+".json", string(data))
	return u.ID
}

// TestD54_AdoptedOnce checks that an entry is moved into one task once, also if several calls do it at the same time, or
// one was killed before it removed the entry.
func TestD54_AdoptedOnce(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.plant(create.Request{ID: "1", Criteria: criteria("Signs")})
	a.plant(create.Request{ID: "2", Criteria: criteria("Signs")})
	id := a.unboundEntry(t, "s-1", "")
	var all sync.WaitGroup
	for i := range 4 {
		p := a.as("dev")
		all.Go(func() {
			// all but one find nothing to adopt
			_, _ = p.Agents.AdoptSession(t.Context(), agents.AdoptRequest{ID: id, Task: fmt.Sprint(1 + i%2)})
		})
	}
	all.Wait()
	if n := len(a.entries("1")) + len(a.entries("2")); n != 1 {
		t.Fatalf("%d entries", n)
	}
	into := task.ID("1")
	if len(a.entries("1")) == 0 {
		into = "2"
	}
	a.unboundEntry(t, "s-1", into) // as if the call was killed before it removed this
	got := must(a.as("dev").Agents.AdoptSession(t.Context(), agents.AdoptRequest{ID: id, Task: "1"}))(t)
	if n := len(a.entries("1")) + len(a.entries("2")); n != 1 || got.Task != into || got.Session != 1 || len(got.Unbound) != 0 {
		t.Errorf("%d entries, %+v", n, got)
	}
}

// TestD54_AllAreListed checks that every entry without a task is listed, also among many files that are none.
func TestD54_AllAreListed(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.plant(create.Request{ID: "1", Criteria: criteria("Signs")})
	for i := range 80 {
		a.unboundEntry(t, fmt.Sprint("s-", i), "")
		a.write(fmt.Sprintf(".baton/local/unbound/%02d", i), "no entry")
	}
	a.write(".baton/local/unbound/00000000.json", strings.Repeat("x", 100))
	if n := len(a.as("dev").Sessions.Unbound(false)); n != 80 {
		t.Errorf("%d of 80 entries", n)
	}
}

// TestD54_EntriesOfOthersHandOverNothing checks that a session's work is drafted although others added entries to its
// task meanwhile.
func TestD54_EntriesOfOthersHandOverNothing(t *testing.T) {
	t.Parallel()
	for name, add := range map[string]func(a *agentStage){
		"adopted": func(a *agentStage) {
			id := a.unboundEntry(t, "s-0", "")
			must(a.as("dev").Agents.AdoptSession(t.Context(), agents.AdoptRequest{ID: id, Task: "1"}))(t)
		},
		"a person": func(a *agentStage) { a.log("dev", "1", "By hand") },
	} {
		a := leftover(t)
		must(a.hook("s-1").Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
		add(a)
		a.event("s-1", agentsession.End)
		if list := a.entries("1"); len(list) != 3 || !strings.Contains(a.lastDid("1"), "src/a.go, src/b.go") {
			t.Errorf("%s: entries %+v", name, list)
		}
	}
}

// TestF35_NamesThatGitWritesOtherwise checks that a file counts although its name has characters that no text shows.
func TestF35_NamesThatGitWritesOtherwise(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"two  spaces.go", "right\u202eto left.go", " first"} {
		a := newAgents(t)
		a.plant(create.Request{ID: "1", Criteria: criteria("Signs")})
		a.repository()
		a.begin("s-1", "1")
		a.wrote("s-1", name, "x")
		a.event("s-1", agentsession.End)
		if list := a.entries("1"); len(list) != 1 || !strings.Contains(a.lastDid("1"), "Files edited: "+safetext.Line(name)) {
			t.Errorf("%q: entries %+v", name, list)
		}
	}
}
