package project

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

func TestNewTasksAreListedInOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	if _, err := w.as("agent-1").Setup.Init(ctx, setup.InitRequest{}); err != nil {
		t.Fatal(err)
	}
	first := w.create(tasks.NewTask{
		ID: "100", Title: "Database schema", Epic: "User accounts (#10)", Criteria: []create.Criterion{{Text: "Tables exist"}},
	})
	second := w.create(tasks.NewTask{Title: "Token service", After: []string{"100"}, Epic: "User accounts (#10)"})
	w.create(tasks.NewTask{ID: "PROJ-7", Title: "Side road"})
	if second != "101" {
		t.Errorf("second id %s, want 101", second)
	}
	list, err := w.as("agent-1").Tasks.List(ctx, tasks.ListRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var ids []task.ID
	for _, row := range list.Tasks {
		ids = append(ids, row.ID)
	}
	if diff := cmp.Diff([]task.ID{"100", "101", "PROJ-7"}, ids); diff != "" {
		t.Error(diff)
	}
	if row := list.Tasks[1]; row.Ready || !cmp.Equal(row.WaitingFor, []task.ID{first}) || row.Epic != "User accounts (#10)" {
		t.Errorf("row %+v", row)
	}
	if row := list.Tasks[0]; !row.Ready || row.CriteriaTotal != 1 || row.Sessions != 0 || row.SizeBytes == 0 || row.Claim != nil {
		t.Errorf("row %+v", row)
	}
	ready, err := w.as("agent-1").Tasks.Ready(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(ready.Tasks) != 2 || ready.Tasks[0].ID != "100" || ready.Tasks[1].ID != "PROJ-7" {
		t.Errorf("ready %+v", ready.Tasks)
	}
}

func TestD3_ClaimHoldsAgainstOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	id := w.create(tasks.NewTask{Title: "Parser"})
	got, err := w.as("agent-1").Tasks.Claim(ctx, tasks.ClaimRequest{ID: string(id)})
	if err != nil {
		t.Fatal(err)
	}
	want := workspace.Claim{By: "agent-1", Until: "2026-03-01T09:30:00Z", Fence: 1}
	if !reflect.DeepEqual(got.Claim, want) {
		t.Errorf("claim %+v, want %+v", got.Claim, want)
	}
	if d := w.show(id); d.Status != "in_progress" || d.Claim == nil || !reflect.DeepEqual(*d.Claim, want) {
		t.Errorf("shown %s %+v", d.Status, d.Claim)
	}
	_, err = w.as("agent-2").Tasks.Claim(ctx, tasks.ClaimRequest{ID: string(id)})
	e := wantError(t, err, report.Conflict, "claim_held")
	if e.Hint == "" || e.Details["by"] != "agent-1" {
		t.Errorf("error %+v", e)
	}
	_, err = w.as("agent-2").Tasks.Claim(ctx, tasks.ClaimRequest{ID: string(id), Steal: true})
	wantError(t, err, report.Usage, "reason_missing")
	stolen, err := w.as("agent-2").Tasks.Claim(ctx, tasks.ClaimRequest{ID: string(id), Steal: true, Reason: "agent-1 went home"})
	if err != nil {
		t.Fatal(err)
	}
	if stolen.Stolen != "agent-1" || stolen.Claim.Fence != 2 || stolen.Claim.By != "agent-2" {
		t.Errorf("stolen %+v", stolen)
	}
	w.pass(31 * time.Minute)
	if d := w.show(id); d.Claim != nil || d.Status != "in_progress" {
		t.Errorf("after the lease: %s %+v", d.Status, d.Claim)
	}
	again, err := w.as("agent-1").Tasks.Claim(ctx, tasks.ClaimRequest{Next: true})
	if err != nil {
		t.Fatal(err)
	}
	if again.Task != id || again.Claim.Fence != 3 {
		t.Errorf("claimed %+v", again)
	}
}
