package project

import (
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store/disk"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// person opens the project as in a terminal, without a name and without an agent among the parent processes.
func (w *world) person() *Project {
	return w.open(workspace.Options{Process: func(int) disk.ProcessInfo { return disk.ProcessInfo{} }})
}

// D24: you take a task and start an agent in the same checkout. The agent continues this task and says whose claim it
// was.
func TestD24_AnAgentTakesOverTheTaskOfThePersonWhoStartsIt(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	ctx := t.Context()
	must(w.person().Sessions.StartSession(ctx, sessions.SessionStartRequest{ID: "1"}))(t)
	must(w.person().Tasks.Claim(ctx, tasks.ClaimRequest{ID: "1", Scope: []string{"jwt/**"}}))(t)
	began := w.person().Session("1", "agent-1@host").Started
	w.pass(time.Minute)

	p, out := w.start("s1", "startup")
	if !strings.Contains(out.Context, "the claim of task #1 belonged to agent-1@host, the user of this session") || out.Log != "" {
		t.Errorf("%s\nlog %q", out.Context, out.Log)
	}
	claim := w.show("1").Claim
	if claim == nil || claim.By != "s1" || !slices.Equal(claim.Scope, []string{"jwt/**"}) {
		t.Fatalf("%+v", claim)
	}
	if text := w.read(".baton/local/shared/claims.json"); !strings.Contains(text, sessions.TakenUp) ||
		!strings.Contains(text, `"from": "agent-1@host"`) {
		t.Error(text)
	}
	if rec := p.Session("1", "s1"); rec == nil || rec.Started != began || p.Session("1", "agent-1@host") != nil {
		t.Errorf("the person's session is not the agent's: %+v", rec)
	}
	must(p.Tasks.Check(ctx, tasks.CheckRequest{ID: "1", Selector: "1"}))(t)
	if _, again := w.start("s1", "compact"); strings.Contains(again.Context, "belonged to") || w.claimant("1") != "s1" {
		t.Errorf("%s", again.Context)
	}

	_, err := w.person().Tasks.Check(ctx, tasks.CheckRequest{ID: "1", Selector: "2"})
	e := report.As(err)
	if e == nil || e.Code != "claim_held" || !strings.Contains(e.Message, "s1 until ") || !strings.HasSuffix(
		e.Message, ", who took it over from you: "+sessions.TakenUp,
	) || !strings.Contains(e.Hint, "--as") || !strings.Contains(e.Hint, "baton task claim 1 --steal --reason TEXT") {
		t.Errorf("%+v", e)
	}

	// A second session takes nothing from the first.
	if _, out = w.start("s2", "startup"); strings.Contains(out.Context, "belonged to") || w.claimant("1") != "s1" {
		t.Errorf("%s is at work:\n%s", w.claimant("1"), out.Context)
	}

	// If you take the task back, it stays yours while that session lives.
	must(w.person().Tasks.Claim(ctx, tasks.ClaimRequest{ID: "1", Steal: true, Reason: "I do it myself"}))(t)
	for _, source := range []string{"compact", "startup"} {
		if w.start("s1", source); w.claimant("1") != "agent-1@host" {
			t.Errorf("after %s it is with %s", source, w.claimant("1"))
		}
	}
}

func TestD24_ClaimsThatAnAgentDoesNotTakeOver(t *testing.T) {
	t.Parallel()
	begin := func(o workspace.Options, id string) func(w *world) {
		return func(w *world) {
			must(w.open(o).Sessions.StartSession(w.t.Context(), sessions.SessionStartRequest{ID: id}))(w.t)
			w.pass(time.Minute)
		}
	}
	for name, c := range map[string]struct {
		do   []func(w *world)
		vars map[string]string
		want string
	}{
		"another name": {do: []func(w *world){begin(workspace.Options{As: "ann"}, "1")}, want: "ann"},
		"another host": {do: []func(w *world){begin(workspace.Options{As: "agent-1@elsewhere"}, "1")}, want: "agent-1@elsewhere"},
		"a session with a name": {
			do: []func(w *world){begin(workspace.Options{}, "1")}, vars: map[string]string{"BATON_AS": "bot"}, want: "agent-1@host",
		},
		"somebody began after": {
			do: []func(w *world){begin(workspace.Options{}, "1"), begin(workspace.Options{As: "ann"}, "3")}, want: "agent-1@host",
		},
		"the person went on": {
			do: []func(w *world){begin(workspace.Options{}, "1"), begin(workspace.Options{}, "3")}, want: "agent-1@host",
		},
	} {
		w := agentTasks(t)
		w.create(tasks.NewTask{ID: "3", Title: "Docs"})
		for _, do := range c.do {
			do(w)
		}
		for k, v := range c.vars {
			w.env[k] = v
		}
		w.start("s1", "startup")
		if got := w.claimant("1"); got != c.want {
			t.Errorf("%s: held by %s", name, got)
		}
	}
}

// Two sessions see the person's claim at the same time, and the second one is too late to take it over.
func TestD3_AClaimIsTakenOverFromTheNamedHolderOnly(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	ctx := t.Context()
	must(w.person().Sessions.StartSession(ctx, sessions.SessionStartRequest{ID: "1"}))(t)
	seen := w.open(workspace.Options{Session: "s2"})
	active := seen.Sessions.ActiveFor(ctx, seen.AgentRecordOf("s2"), workspace.AskKeep)
	w.start("s1", "startup")
	if reported, err := seen.Sessions.TakeUp(ctx, active); active.Person != "agent-1@host" || reported != "" ||
		report.CodeOf(err) != "claim_held" || w.claimant("1") != "s1" {
		t.Errorf("%+v: %q, %v, %s", active, reported, err, w.claimant("1"))
	}
	_, err := w.as("s3").Tasks.Claim(ctx, tasks.ClaimRequest{ID: "1", Steal: true, From: "agent-1@host", Reason: "x"})
	if report.KindOf(err) != report.Conflict {
		t.Error(err)
	}
}
