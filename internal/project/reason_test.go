package project

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

func TestReasonOfABlockIsSeen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Title: "Keys"})
	must(s.as("a").Tasks.Block(t.Context(), tasks.TaskRequest{ID: "1", Reason: "The key server is down"}))(t)
	if got := s.show("1"); got.Reason != "The key server is down" || got.Ready {
		t.Errorf("show: %q, ready %v", got.Reason, got.Ready)
	}
	if rows := must(s.as("a").Tasks.List(t.Context(), tasks.ListRequest{}))(t).Tasks; rows[0].Note != "The key server is down" {
		t.Errorf("list: %+v", rows[0])
	}
	want := []sessions.BlockedRow{{Task: "1", Title: "Keys", Reason: "The key server is down"}}
	if diff := cmp.Diff(want, must(s.as("a").Sessions.Status(t.Context()))(t).Blocked); diff != "" {
		t.Errorf("status: %s", diff)
	}
}

func TestReasonOfAForcedCompletionIsSeen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("Ends"), Title: "Keys"})
	done := must(s.as("agent-1").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1", Force: true, Reason: "Moved to 2"}))(t)
	want := &tasks.Forced{Reason: "Moved to 2", Overridden: done.Overridden, By: "agent-1", At: "2026-03-02T08:30:00Z"}
	if diff := cmp.Diff(want, s.show("1").Forced); diff != "" || len(done.Overridden) == 0 {
		t.Errorf("%s (overridden %v)", diff, done.Overridden)
	}
}

func TestD17_WaitingIsDerived(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.plant(create.Request{ID: "2", Dependencies: []task.ID{"1", "9"}})
	ids := func(status string) []task.ID {
		out := []task.ID{}
		for _, row := range must(s.as("a").Tasks.List(t.Context(), tasks.ListRequest{Status: status}))(t).Tasks {
			out = append(out, row.ID)
		}
		return out
	}
	if diff := cmp.Diff([]task.ID{"2"}, ids("waiting")); diff != "" {
		t.Errorf("waiting: %s", diff)
	}
	if diff := cmp.Diff([]task.ID{"1"}, ids("ready")); diff != "" {
		t.Errorf("ready leaves out what waits (F-10): %s", diff)
	}
	first, second := s.show("1"), s.show("2")
	if !first.Ready || first.WaitingFor != nil || second.Ready || !cmp.Equal(second.WaitingFor, []task.ID{"1", "9"}) ||
		second.Status != "ready" {
		t.Errorf("show: %v %v, %v %v", first.Ready, first.WaitingFor, second.Ready, second.WaitingFor)
	}
	if d := first.Dependents[0]; d.Ready || !cmp.Equal(d.WaitingFor, []task.ID{"1", "9"}) {
		t.Errorf("dependent %+v", d)
	}
	if got := must(s.as("a").Sessions.Status(t.Context()))(t); got.Waiting != 1 || got.Ready != 1 {
		t.Errorf("status: %d waiting, %d ready", got.Waiting, got.Ready)
	}
}

// If a criterion is checked without the command that the file proposes, the answer names that command.
func TestCheckNamesTheProposedCommand(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: []create.Criterion{{Text: "Ends", Verify: "test 1 -gt 0 && echo 'it''s'"}, {Text: "Stays"}}})
	reported := func(got tasks.CheckResult) string {
		for _, f := range got.Warnings {
			if f.Code == "verify_proposed" {
				return f.Text
			}
		}
		return ""
	}
	p := s.as("a")
	text := reported(must(p.Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "1", By: "index"}))(t))
	if !strings.HasSuffix(text, `baton did not run it: test 1 -gt 0 && echo 'it''s'`) {
		t.Errorf("text %q", text)
	}
	for _, r := range []tasks.CheckRequest{
		{
			ID: "1", Selector: "2", By: "index",
		}, {ID: "1", Selector: "1", By: "index", Uncheck: true}, {ID: "1", Selector: "1", By: "index", Run: "true"},
	} {
		if text := reported(must(p.Tasks.Check(t.Context(), r))(t)); text != "" {
			t.Errorf("%+v: %q", r, text)
		}
	}
}

// Evidence is also for people: the command is in it as it was given.
func TestD6_EvidenceReadsAsItWasGiven(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("Ends")})
	must(s.as("a <b>").Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "1", By: "index", Run: "true && true > /dev/null"}))(
		t,
	)
	if text := s.read(evidencePath("1")); !strings.Contains(text, `"true && true > /dev/null"`) || !strings.Contains(text, "a <b>") {
		t.Errorf("evidence %s", text)
	}
	must(s.as("a <b>").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"}))(t)
	if text := s.read(".baton/local/shared/claims.json"); !strings.Contains(text, "a <b>") {
		t.Errorf("claims %s", text)
	}
}

func TestLogOnAClosedTask(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	if got := s.log("a", "1", "Open"); hasCode(got.Warnings, "task_closed") {
		t.Errorf("an open task: %+v", got.Warnings)
	}
	s.finish("1", "All")
	if got := s.log("a", "1", "Late"); !hasCode(got.Warnings, "task_closed") || len(s.task("1").Sessions) != 2 ||
		s.task("1").Status() != task.StatusComplete {
		t.Errorf("a complete task: %+v", got.Warnings)
	}
}

func TestCompleteBeforeItsDependency(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.plant(create.Request{ID: "2", Dependencies: []task.ID{"1"}})
	if got := s.finish("2", "First"); !got.Changed || !hasCode(got.Warnings, "dependency_open") {
		t.Errorf("%+v", got)
	}
	if got := s.finish("1", "Second"); hasCode(got.Warnings, "dependency_open") {
		t.Errorf("%+v", got.Warnings)
	}
}
