package project

import (
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"baton/internal/agentsession"
	"baton/internal/task/create"
	"baton/internal/usecase/tasks"
)

// TestAgents23_WhenAStopIsHeld checks every rule about stops: what a session must have done for its stop to be held,
// and what prevents that.
func TestAgents23_WhenAStopIsHeld(t *testing.T) {
	t.Parallel()
	edit := func(a *agentStage) { a.edited("s-1", "a.go") }
	for _, c := range []struct {
		name string
		do   func(a *agentStage)
		stop func(e *agentsession.Event)
		held bool
	}{
		{name: "nothing was done"},
		{name: "a file was edited", do: edit, held: true},
		{name: "a stop after one that was held", do: edit, stop: func(e *agentsession.Event) { e.StopActive = true }},
		{name: "work runs in the background", do: edit, stop: func(e *agentsession.Event) { e.Background = true }},
		{name: "a sub-agent stops", do: edit, stop: func(e *agentsession.Event) { e.SubAgent = "sub-1" }},
		{name: "an edit, then an entry", do: func(a *agentStage) { edit(a); a.pass(time.Minute); a.logAs("s-1", "1", "x") }},
		{name: "an entry, then an edit", do: func(a *agentStage) { a.logAs("s-1", "1", "x"); edit(a) }, held: true},
		{name: "an entry under another name", do: func(a *agentStage) { edit(a); a.log("somebody", "1", "x") }},
		{name: "the task is complete", do: func(a *agentStage) {
			edit(a)
			must(a.as("s-1").Tasks.Check(a.t.Context(), tasks.CheckRequest{ID: "1", Selector: "1", By: "index"}))(a.t)
			a.finish("1", "Done")
		}},
		{name: "the task file is gone", do: func(a *agentStage) { edit(a); _ = os.Remove(a.path(statePath("1"))) }, held: true},
		{
			name: "no task was told", held: true,
			do: func(a *agentStage) { edit(a); a.record("s-1", func(r *agentsession.Record) { r.Task = "" }) },
		},
		{
			name: "a record that names no task",
			do:   func(a *agentStage) { edit(a); a.record("s-1", func(r *agentsession.Record) { r.Task = "../../1" }) },
			held: true,
		},
		{name: "another task was taken up", do: func(a *agentStage) {
			a.plant(create.Request{ID: "2", Criteria: criteria("Works")})
			must(a.hook("s-1").Tasks.Claim(a.t.Context(), tasks.ClaimRequest{ID: "2"}))(a.t)
			edit(a)
		}, held: true},
	} {
		a := newAgents(t)
		a.plant(create.Request{ID: "1", Criteria: criteria("Works")})
		a.begin("s-1", "1")
		if c.do != nil {
			c.do(a)
		}
		set := func(e *agentsession.Event) { e.Prompt = "p-1" }
		if c.stop != nil {
			set = c.stop
		}
		got := a.event("s-1", agentsession.Stop, set).Hold
		if got != "" != c.held {
			t.Errorf("%s: held %q", c.name, got)
		}
		if c.held && (!strings.Contains(got, "baton task log") || utf8.RuneCountInString(got) > 1000) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// TestF37_HowOftenAStopIsHeld checks that a stop is held once for each prompt and twice in a session. If prompts cannot
// be told apart, it is held once until there is an entry.
func TestF37_HowOftenAStopIsHeld(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.plant(create.Request{ID: "1", Criteria: criteria("Works")})
	a.begin("s-1", "1")
	a.edited("s-1", "a.go")
	steps := []struct {
		prompt string
		held   bool
	}{{"p-1", true}, {"p-1", false}, {"p-2", true}, {"p-2", false}, {"p-3", false}, {"", false}}
	for i, s := range steps {
		a.pass(time.Minute)
		if got := a.event("s-1", agentsession.Stop, prompt(s.prompt)).Hold; got != "" != s.held {
			t.Errorf("stop %d in %q: %q", i, s.prompt, got)
		}
	}
	a.logAs("s-1", "1", "x")
	if got := a.event("s-1", agentsession.Stop, prompt("p-5")).Hold; got != "" {
		t.Errorf("after an entry: %q", got)
	}
	a.edited("s-1", "b.go")
	if got := a.event("s-1", agentsession.Stop, prompt("p-6")).Hold; got != "" {
		t.Errorf("a third time: %q", got)
	}
	if got := a.record("s-1", nil); got.Injected.Times != 2 || got.Injected.Characters == 0 || got.Injected.Tokens == 0 {
		t.Errorf("counted %+v", got.Injected)
	}
	a.begin("s-2", "1")
	a.edited("s-2", "c.go")
	for i, held := range []bool{true, false} {
		if got := a.event("s-2", agentsession.Stop).Hold; got != "" != held {
			t.Errorf("stop %d without a prompt: %q", i, got)
		}
	}
}

// TestAgents26_AStopIsAnsweredOnce checks that a copy of the event gets no answer.
func TestAgents26_AStopIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.plant(create.Request{ID: "1", Criteria: criteria("Works")})
	a.begin("s-1", "1")
	a.edited("s-1", "a.go")
	key := func(e *agentsession.Event) { e.Prompt, e.Key = "p-1", "p-1 false" }
	if a.event("s-1", agentsession.Stop, key).Hold == "" {
		t.Error("not held")
	}
	if got := a.event("s-1", agentsession.Stop, key); got != (agentsession.Answer{}) {
		t.Errorf("the copy says %+v", got)
	}
}

// TestAgents23_StopLooksAtGit checks that commits count even without an edit that a hook saw, and so do files that a
// command changed.
func TestAgents23_StopLooksAtGit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		do   func(a *agentStage)
		held bool
	}{
		{name: "nothing", do: func(*agentStage) {}},
		{name: "a commit", do: func(a *agentStage) { a.commit("Second") }, held: true},
		{name: "a commit while another session lives", do: func(a *agentStage) { a.begin("s-2", "1"); a.commit("Second") }},
		{
			name: "a commit of a session that ran a command",
			do:   func(a *agentStage) { a.begin("s-2", "1"); a.ran("s-1", "git commit"); a.commit("Second") }, held: true,
		},
		{
			name: "a command that changed a file",
			do:   func(a *agentStage) { a.ran("s-1", "sed -i"); a.write("a.go", "new"); a.touch("a.go") },
			held: true,
		},
		{name: "a command beside a file that was changed before", do: func(a *agentStage) {
			a.ran("s-1", "ls")
			a.write("a.go", "new")
			a.pass(-time.Hour)
			a.touch("a.go")
			a.pass(time.Hour)
		}},
		{name: "a file that a person changed", do: func(a *agentStage) { a.write("a.go", "new"); a.touch("a.go") }},
		{name: "back to an older commit", do: func(a *agentStage) { a.git("checkout", "-q", "HEAD~1") }},
	} {
		a := newAgents(t)
		a.plant(create.Request{ID: "1", Criteria: criteria("Works")})
		a.repository()
		a.commit("Another")
		a.begin("s-1", "1")
		a.pass(time.Minute)
		c.do(a)
		if got := a.event("s-1", agentsession.Stop, prompt("p")).Hold; got != "" != c.held {
			t.Errorf("%s: held %q", c.name, got)
		}
	}
}

// touch sets a file's time to that of the project.
func (a *agentStage) touch(name string) {
	a.t.Helper()
	if err := os.Chtimes(a.path(name), a.time, a.time); err != nil {
		a.t.Fatal(err)
	}
}

// TestAgents23_NothingIsHeldThatCannotBeRemembered checks that no stop is held if the record is locked or cannot be
// written, because the session would be held again and again.
func TestAgents23_NothingIsHeldThatCannotBeRemembered(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.plant(create.Request{ID: "1", Criteria: criteria("Works")})
	a.begin("s-1", "1")
	a.edited("s-1", "a.go")
	free := a.locked("s-1")
	if got := a.event("s-1", agentsession.Stop, prompt("p")).Hold; got != "" {
		t.Errorf("with the lock taken: %q", got)
	}
	free()
	if os.Getuid() != 0 {
		readOnly(t, a.path(".baton/local/agents"))
		got, _ := a.hook("s-1").Agents.Agent(
			t.Context(), agentsession.Event{Client: "claude", Event: agentsession.Stop, Session: "s-1", Prompt: "p"},
		)
		if got.Hold != "" {
			t.Errorf("where nothing can be written: %q", got.Hold)
		}
		_ = os.Chmod(a.path(".baton/local/agents"), 0o777)
	}
	if got := a.event("s-1", agentsession.Stop, prompt("p")).Hold; got == "" {
		t.Error("not held when it can be")
	}
}

func readOnly(t *testing.T, dir string) {
	t.Helper()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o777) })
}

// Holding a stop and drafting an entry can each be switched off (agents.md 10).
func TestHoldAndDraftHaveSwitches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		config  string
		held    bool
		drafted int
	}{
		{"", true, 1},
		{"hooks:\n  hold: false\n", false, 1},
		{"hooks:\n  draft: false\n", true, 0},
	} {
		a := newAgents(t)
		a.plant(create.Request{ID: "1", Criteria: criteria("Works")})
		if c.config != "" {
			a.write(".baton/config.yaml", c.config)
		}
		a.begin("s-1", "1")
		a.edited("s-1", "a.go")
		if got := a.event("s-1", agentsession.Stop, prompt("p-1")).Hold; got != "" != c.held {
			t.Errorf("%q: held %q", c.config, got)
		}
		a.event("s-1", agentsession.End)
		if got := len(a.entries("1")); got != c.drafted {
			t.Errorf("%q: %d entries", c.config, got)
		}
	}
}

// TestHostileRecordsOfSessions checks that for every event, a record that is torn, huge, a link, a folder or of another
// session is treated as missing.
func TestHostileRecordsOfSessions(t *testing.T) {
	t.Parallel()
	events := []string{agentsession.Stop, agentsession.SubStart, agentsession.SubStop, agentsession.End}
	for name, prepare := range map[string]func(a *agentStage){
		"torn":        func(a *agentStage) { a.raw("s-1", `{"session":"s-1","edits":3,"files":["a`) },
		"other types": func(a *agentStage) { a.raw("s-1", `{"session":"s-1","edits":"many","task":{}}`) },
		"an array":    func(a *agentStage) { a.raw("s-1", `[1,2]`) },
		"5 MB": func(a *agentStage) {
			a.raw("s-1", `{"session":"s-1","edits":3,"summary":"`+strings.Repeat("x", 5<<20)+`"}`)
		},
		"somebody elses": func(a *agentStage) {
			a.raw("s-1", `{"session":"s-2","task":"1","edits":3,"started":"2026-03-02T08:00:00Z"}`)
		},
		"a folder": func(a *agentStage) { a.mkdir(".baton/local/" + agentsession.RecordFile("s-1")) },
		"a link": func(a *agentStage) {
			a.write("secret", `{"session":"s-1","task":"1","edits":3,"started":"2026-03-02T08:00:00Z"}`)
			a.mkdir(".baton/local/agents")
			if os.Symlink(a.path("secret"), a.path(".baton/local/"+agentsession.RecordFile("s-1"))) != nil {
				t.Skip("needs links")
			}
		},
		"the folder is a file": func(a *agentStage) { a.write(".baton/local/agents", "x") },
	} {
		a := newAgents(t)
		a.plant(create.Request{ID: "1", Criteria: criteria("Works")})
		prepare(a)
		before := a.read(statePath("1"))
		for _, e := range events {
			got, _ := a.hook("s-1").Agents.Agent(t.Context(), agentsession.Event{Client: "claude", Event: e, Session: "s-1"})
			if got.Hold != "" || got.Deny != "" || got.Context != "" {
				t.Errorf("%s, %s: %+v", name, e, got)
			}
		}
		_ = a.hook("s-2").Agents.DraftLeftovers(t.Context())
		if a.read(statePath("1")) != before {
			t.Errorf("%s: the task file was changed", name)
		}
		if name == "a link" && !strings.Contains(a.read("secret"), `"edits":3`) {
			t.Errorf("the link was followed: %s", a.read("secret"))
		}
	}
}
