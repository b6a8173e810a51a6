package project

import (
	"os"
	"strings"
	"testing"

	"baton/internal/task/create"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
	"github.com/google/go-cmp/cmp"
)

// other returns a project in which two folders have a task 1 each, with different titles.
func other(t *testing.T) (*world, string) {
	t.Helper()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	w.create(tasks.NewTask{Title: "Pier", Criteria: []create.Criterion{{Text: "It stands"}}})
	other := strings.NewReplacer("Pier", "Rail", "It stands", "It lies").Replace(w.read(".baton/tasks/task-1-state.md"))
	w.write(".specflux/task-states/task-1-state.md", other)
	return w, other
}

// A new number changes files, evidence and references, together with other fixes, in one change of the documents.
func TestD40_DoctorRenumbersInOneChange(t *testing.T) {
	t.Parallel()
	w, other := other(t)
	w.write(".specflux/archives/task-1-evidence.jsonl", "{\"criterion\":\"x\"}\n")
	w.write(".specflux/task-states/task-8-state.md", string(create.New(create.Request{
		ID: "8", Title: "Deck", Criteria: []create.Criterion{{Text: "Planks lie"}}, Parent: "1", Now: w.time,
	})))
	w.write(".specflux/task-states/task-1-state.md", strings.Replace(other, `"task_id": 1`, `"task_id": 1, "children": [8]`, 1))
	before := w.files()
	planned := w.doctor(workspace.DoctorRequest{DryRun: true})
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Error(diff)
	}
	w.aged()
	p := w.as("agent-1")
	out, err := p.Doctor.Doctor(t.Context(), workspace.DoctorRequest{Fix: true})
	if err != nil || len(out.Fixes) != 1 || len(planned.Fixes) != 1 || out.Fixes[0] != planned.Fixes[0] {
		t.Fatal(planned.Fixes, out.Fixes, err)
	}
	if _, still := diagnosed(out, "task_doubled"); still {
		t.Errorf("%+v", out.Findings)
	}
	if text := w.read(".specflux/task-states/task-9-state.md"); !strings.Contains(text, "# Task #9: Rail") ||
		!strings.Contains(text, `"children": [8]`) {
		t.Error(text)
	}
	if text := w.read(".specflux/task-states/task-8-state.md"); !strings.Contains(text, `"parent": 9`) {
		t.Error(text)
	}
	if text := w.read(".specflux/archives/task-9-evidence.jsonl"); text != "{\"criterion\":\"x\"}\n" {
		t.Error(text)
	}
	files := w.files()
	for _, gone := range []string{".specflux/task-states/task-1-state.md", ".specflux/archives/task-1-evidence.jsonl"} {
		if workspace.Exists(w.path(gone)) {
			t.Errorf("%s is still there: %v", gone, files)
		}
	}
	if text := w.read(".baton/tasks/task-1-state.md"); !strings.Contains(text, "# Task #1: Pier") {
		t.Error(text)
	}
}

// If baton cannot know whose the sessions of one archive are, a person has to decide, and no byte is written.
func TestD40_DoctorLeavesASharedArchiveToAPerson(t *testing.T) {
	t.Parallel()
	w, _ := other(t)
	const archive = ".baton/archive/task-1-archive.md"
	text := strings.Replace(w.read(".baton/tasks/task-1-state.md"), `"task_id": 1`, `"task_id": 1, "archived_sessions": 1`, 1)
	rail := strings.NewReplacer("Pier", "Rail", "It stands", "It lies").Replace(text)
	if err := os.RemoveAll(w.path(".specflux")); err != nil {
		t.Fatal(err)
	}
	w.write(".baton/tasks/task-1-state.md", "<<<<<<< ours\n"+text+"=======\n"+rail+">>>>>>> theirs\n")
	w.write(archive, "# Task #1 Archive - Full Session History\n\n## Session 1 - 2026-01-01 10:00\n**Did:** a\n")
	w.aged()
	before := w.files()
	r := w.doctor(workspace.DoctorRequest{Fix: true})
	f, found := diagnosed(r, "task_doubled")
	if !found || f.Fixable || f.Command != "" || !strings.Contains(f.Advice, archive) || len(r.Fixes) > 0 {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Error(diff)
	}
}
