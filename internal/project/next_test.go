package project

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/usecase/work"
)

// next takes up what to do now.
func (w *world) next(as string) work.Result {
	w.t.Helper()
	out, err := w.as(as).Work.Next(w.t.Context(), work.NextRequest{})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// Workers that ask at the same time get different tasks, and one that asks again goes on with its own.
func TestNextGivesEachWorkerATaskOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const many = 6
	for i := range many {
		w.create(tasks.NewTask{Title: fmt.Sprint("Task ", i), Criteria: []create.Criterion{{Text: "c"}}})
	}
	got := make([]work.Result, many)
	var workers sync.WaitGroup
	for i := range many {
		workers.Go(func() {
			out, err := w.as(fmt.Sprint("worker-", i)).Work.Next(t.Context(), work.NextRequest{})
			if err != nil {
				t.Error(err)
			}
			got[i] = out
		})
	}
	workers.Wait()
	seen := map[string]bool{}
	for i, out := range got {
		if seen[string(out.Task)] || out.What != work.Claimed || out.Claim == nil || out.Claim.By != fmt.Sprint("worker-", i) {
			t.Errorf("worker %d: %+v", i, out)
		}
		seen[string(out.Task)] = true
		if again := w.next(fmt.Sprint("worker-", i)); again.What != work.Continued || again.Task != out.Task || again.Number != 1 {
			t.Errorf("worker %d again: %+v", i, again)
		}
	}
}

// Of several tasks that a holder has, next goes on with the one used last.
func TestNextGoesOnWithTheTaskUsedLast(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 3 {
		w.create(tasks.NewTask{Title: "T", Criteria: []create.Criterion{{Text: "c"}}})
	}
	for _, id := range []string{"1", "3", "2"} {
		w.claim("a", tasks.ClaimRequest{ID: id})
	}
	if out := w.next("a"); out.Task != "2" || out.What != work.Claimed && out.What != work.Continued {
		t.Errorf("%+v", out)
	}
	w.pass(time.Hour) // all claims have expired, and the task of the last session comes first
	if out := w.next("b"); out.Task != "2" || !strings.Contains(out.Text, "Task #2") {
		t.Errorf("%+v", out)
	}
}

// D1: where claims cannot be stored, next begins a session without one and says so.
func TestD1_NextWithoutClaims(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".baton/tasks/task-1-state.md", plain("1", "One"))
	w.locked(".baton/local/shared")
	out := w.next("a")
	if out.What != work.Started || out.Task != "1" || out.Claim != nil || out.Session == "" ||
		!hasCode(out.Warnings, "claims_unavailable") {
		t.Errorf("%+v", out)
	}
	if again := w.next("a"); again.What != work.Continued || again.Task != "1" {
		t.Errorf("%+v", again)
	}
	_, err := w.as("a").Work.Begin(t.Context(), work.BeginRequest{ID: "1"})
	if report.KindOf(err) != report.Refused {
		t.Errorf("a claim that was asked for: %v", err)
	}
}

// Each open task is named with what would make it ready.
func TestNextSaysWhatEachTaskWaitsFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(tasks.NewTask{Title: "Held", Criteria: []create.Criterion{{Text: "c"}}})
	w.create(tasks.NewTask{Title: "Waits", After: []string{"1"}, Criteria: []create.Criterion{{Text: "c"}}})
	w.claim("other", tasks.ClaimRequest{ID: "1"})
	for i, status := range []string{"backlog", "in_review", "blocked"} {
		id := task.ID(fmt.Sprint(3 + i))
		text := plain(id, "T")
		w.write(".baton/tasks/task-"+string(id)+"-state.md", strings.Replace(text, `"status": "ready"`, `"status": "`+status+`"`, 1))
	}
	_, err := w.as("a").Work.Next(t.Context(), work.NextRequest{})
	e := wantError(t, err, report.NotFound, "nothing_ready")
	for _, part := range []string{"#1 is held by other", "#2 waits for #1", "#3 is in the backlog", "#4 is in review", "#5 is blocked"} {
		if !strings.Contains(e.Message, part) {
			t.Errorf("%q is not in %s", part, e.Message)
		}
	}
	for _, part := range []string{"baton task claim 3 --force", "baton task complete 4", "baton task reopen 5"} {
		if !strings.Contains(e.Hint, part) {
			t.Errorf("%q is not in %s", part, e.Hint)
		}
	}
	_, begun := w.as("a").Work.Begin(t.Context(), work.BeginRequest{})
	if report.As(begun).Message != e.Message {
		t.Errorf("%v", begun)
	}
}

// Claiming a task again continues its session and keeps its scope.
func TestBeginKeepsTheScopeAndTheSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(tasks.NewTask{Title: "One", Criteria: []create.Criterion{{Text: "c"}}})
	out, err := w.as("a").Work.Begin(t.Context(), work.BeginRequest{ID: "1", Scope: []string{"src/"}, Lease: time.Hour})
	if err != nil || out.Claim == nil || len(out.Claim.Scope) != 1 || out.Claim.Until != "2026-03-01T10:00:00Z" {
		t.Fatalf("%+v %v", out, err)
	}
	must(w.as("a").Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"half"}}}))(t)
	again, err := w.as("a").Work.Begin(t.Context(), work.BeginRequest{ID: "1"})
	if err != nil || again.What != work.Continued || again.Session != out.Session || len(again.Claim.Scope) != 1 || again.Number != 2 {
		t.Errorf("%+v %v", again, err)
	}
	must(w.as("a").Sessions.EndSession(t.Context(), sessions.SessionEndRequest{Name: out.Session}))(t)
}
