package project

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/task"
)

func TestReasonOfABlockIsSeen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(task.NewTask{ID: "1", Title: "Keys"})
	must(s.as("a").Block(t.Context(), TaskRequest{ID: "1", Reason: "The key server is down"}))(t)
	if got := s.show("1"); got.Reason != "The key server is down" || got.Ready {
		t.Errorf("show: %q, ready %v", got.Reason, got.Ready)
	}
	if rows := must(s.as("a").List(t.Context(), ListRequest{}))(t).Tasks; rows[0].Note != "The key server is down" {
		t.Errorf("list: %+v", rows[0])
	}
	want := []BlockedRow{{Task: "1", Title: "Keys", Reason: "The key server is down"}}
	if diff := cmp.Diff(want, must(s.as("a").Status(t.Context()))(t).Blocked); diff != "" {
		t.Errorf("status: %s", diff)
	}
}

func TestReasonOfAForcedCompletionIsSeen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(task.NewTask{ID: "1", Criteria: criteria("Ends"), Title: "Keys"})
	done := must(s.as("ann").Complete(t.Context(), TaskRequest{ID: "1", Force: true, Reason: "Moved to 2"}))(t)
	want := &Forced{Reason: "Moved to 2", Overridden: done.Overridden, By: "ann", At: "2026-03-02T08:30:00Z"}
	if diff := cmp.Diff(want, s.show("1").Forced); diff != "" || len(done.Overridden) == 0 {
		t.Errorf("%s (overridden %v)", diff, done.Overridden)
	}
}

func TestD17_WaitingIsDerived(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(task.NewTask{ID: "1"})
	s.plant(task.NewTask{ID: "2", Dependencies: []task.ID{"1", "9"}})
	ids := func(status string) []task.ID {
		out := []task.ID{}
		for _, row := range must(s.as("a").List(t.Context(), ListRequest{Status: status}))(t).Tasks {
			out = append(out, row.ID)
		}
		return out
	}
	if diff := cmp.Diff([]task.ID{"2"}, ids("waiting")); diff != "" {
		t.Errorf("waiting: %s", diff)
	}
	if diff := cmp.Diff([]task.ID{"1", "2"}, ids("ready")); diff != "" {
		t.Errorf("ready is the word in the file: %s", diff)
	}
	first, second := s.show("1"), s.show("2")
	if !first.Ready || first.WaitingFor != nil || second.Ready || !cmp.Equal(second.WaitingFor, []task.ID{"1", "9"}) || second.Status != "ready" {
		t.Errorf("show: %v %v, %v %v", first.Ready, first.WaitingFor, second.Ready, second.WaitingFor)
	}
	if d := first.Dependents[0]; d.Ready || !cmp.Equal(d.WaitingFor, []task.ID{"1", "9"}) {
		t.Errorf("dependent %+v", d)
	}
	if got := must(s.as("a").Status(t.Context()))(t); got.Waiting != 1 || got.Ready != 1 {
		t.Errorf("status: %d waiting, %d ready", got.Waiting, got.Ready)
	}
}
