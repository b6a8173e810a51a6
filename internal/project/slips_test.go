package project

import (
	"context"
	"os"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

func TestD21_CounterThatHoldsNoID(t *testing.T) {
	t.Parallel()
	for _, last := range []string{"9223372036854775807", "-4", "1000000000000000", "99999999999999999999999", `"x"`} {
		t.Run(last, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.create(tasks.NewTask{Title: "One"})
			w.write(".baton/local/shared/claims.json", `{"fence": 3, "last_id": `+last+`, "claims": {}}`)
			out, err := w.as("agent-1").Tasks.NewTasks(context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Two"}}})
			if err != nil || out.Tasks[0].ID != "2" {
				t.Fatalf("%+v %v", out, err)
			}
			if !hasCode(out.Warnings, "counter_invalid") {
				t.Errorf("no warning: %+v", out.Warnings)
			}
			if again, err := w.as("agent-1").Tasks.NewTasks(
				context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Three"}}},
			); err != nil || again.Tasks[0].ID != "3" || hasCode(again.Warnings, "counter_invalid") {
				t.Errorf("the counter is not repaired: %+v %v", again, err)
			}
		})
	}
}

func TestD21_NoNumberAfterTheHighest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(tasks.NewTask{ID: "999999999999999", Title: "Last"})
	_, err := w.as("agent-1").Tasks.NewTasks(context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Two"}}})
	if report.CodeOf(err) != "id_exhausted" {
		t.Errorf("error %v", err)
	}
}

func TestCheckRunWithABlankCommand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.create(tasks.NewTask{Title: "One", Criteria: []create.Criterion{{Text: "a"}}})
	_, err := w.as("agent-1").Tasks.Check(context.Background(), tasks.CheckRequest{ID: string(id), Selector: "1", Run: "  \t"})
	if report.KindOf(err) != report.Usage || report.CodeOf(err) != "command_empty" {
		t.Errorf("error %v", err)
	}
}

// If a log was emptied, its numbers continue after those of the archive and of the ledger (D7, D44).
func TestD7_AnEmptiedFileContinuesAfterTheArchive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.create(tasks.NewTask{Title: "One"})
	log := func(want int) {
		t.Helper()
		out, err := w.as("agent-1").Tasks.Log(context.Background(), tasks.LogRequest{ID: string(id), Entry: task.Entry{Did: []string{"a"}}})
		if err != nil || out.Session != want {
			t.Fatalf("session %d, want %d (%v)", out.Session, want, err)
		}
		shown := w.show(id).Sessions
		if n := shown[len(shown)-1].Number; n != want {
			t.Fatalf("shown as %d, want %d", n, want)
		}
	}
	archive := func() {
		t.Helper()
		if _, err := w.as("agent-1").Tasks.Archive(context.Background(), tasks.ArchiveRequest{ID: string(id), Keep: 1}); err != nil {
			t.Fatal(err)
		}
	}
	for n := 1; n <= 4; n++ {
		log(n)
	}
	archive()
	w.write(".baton/tasks/task-1-state.md", "")
	r := loss.LostAcceptRequest{IDs: []string{"task-1-state.md"}} // otherwise baton does not write it (F-28)
	if _, err := w.as("agent-1").Loss.AcceptLost(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	for n := 5; n <= 7; n++ { // the ledger knows of session 4 (D44)
		log(n)
	}
	archive()
	log(8)
}

func TestShowWithEvidenceThatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.create(tasks.NewTask{Title: "One", Criteria: []create.Criterion{{Text: "a"}}})
	w.mkdir(".baton/archive/task-1-evidence.jsonl")
	out, err := w.as("agent-1").Tasks.Show(context.Background(), tasks.ShowRequest{ID: string(id)})
	if err != nil || len(out.Criteria) != 1 || !hasCode(out.Warnings, "evidence_unreadable") {
		t.Errorf("%+v %v", out.Warnings, err)
	}
	if _, err := w.as("agent-1").Tasks.Check(
		context.Background(), tasks.CheckRequest{ID: string(id), Selector: "1", Evidence: "seen"},
	); err == nil {
		t.Error("evidence was kept in a folder")
	}
}

func TestInvalidTasksFolder(t *testing.T) {
	t.Parallel()
	t.Run("named but not there", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.create(tasks.NewTask{Title: "One"})
		w.env["BATON_TASKS_DIR"] = "/nonexistent"
		p, err := w.tryOpen(workspace.Options{As: "agent-1"})
		if err == nil {
			_, err = p.Tasks.List(context.Background(), tasks.ListRequest{})
		}
		if report.KindOf(err) != report.NotFound || !strings.Contains(report.As(err).Error(), "/nonexistent") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a file", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.mkdir(".baton")
		if err := os.WriteFile(w.path(".baton/tasks"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := w.tryOpen(workspace.Options{As: "agent-1"})
		if err == nil {
			_, err = p.Tasks.List(context.Background(), tasks.ListRequest{})
		}
		if report.KindOf(err) != report.Refused || !strings.Contains(report.As(err).Error(), ".baton/tasks is not a folder") {
			t.Errorf("error %v", err)
		}
	})
}
