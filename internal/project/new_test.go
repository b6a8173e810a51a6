package project

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
)

func TestNewTaskFileIsTheDocumentedOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(tasks.NewTask{
		ID: "100", Title: "Token  service", Epic: "User accounts (#10)", Repository: "api", PRD: "docs/prd.md", Agent: "backend",
		Requirements: "Issue tokens.", Criteria: []create.Criterion{{Text: "Tokens expire"}},
	})
	want := `# Task #100: Token service

## 0. Metadata
` + "```json" + `
{
  "task_id": 100,
  "epic_id": 10,
  "status": "ready",
  "total_sessions": 0
}
` + "```" + `

## 1. Context

**PRD:** docs/prd.md
**Epic:** User accounts (#10)
**Repository:** api
**Agent:** backend

### Requirements
Issue tokens.

### Acceptance Criteria
- [ ] Tokens expire

## 3. Progress Log

(No sessions yet)

## 4. Chain Output

(To be completed)
`
	if diff := cmp.Diff(want, w.read(".baton/tasks/task-100-state.md")); diff != "" {
		t.Error(diff)
	}
}

func TestD2_FirstWriteWithoutInit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".git")
	w.mkdir("deep")
	out, err := w.open(workspace.Options{Dir: "deep"}).Tasks.NewTasks(
		context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "One"}}},
	)
	if err != nil || out.Tasks[0].Path != ".baton/tasks/task-1-state.md" {
		t.Fatal(out, err)
	}
	if got := w.read(".baton/local/.gitignore"); got != "*\n" {
		t.Errorf(".gitignore %q", got)
	}
	want := map[string]string{".baton/tasks/task-1-state.md": w.read(".baton/tasks/task-1-state.md")}
	if diff := cmp.Diff(want, w.tracked()); diff != "" {
		t.Error(diff)
	}
}

func TestNewTaskRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		tasks []tasks.NewTask
		kind  report.Kind
		code  report.Code
		says  string
	}{
		{"no task", nil, report.Usage, "title_missing", ""},
		{"no title", []tasks.NewTask{{Title: " \n"}}, report.Usage, "title_missing", ""},
		{"bad id", []tasks.NewTask{{Title: "x", ID: "a/b"}}, report.Usage, "id_invalid", ""},
		{"id that climbs", []tasks.NewTask{{Title: "x", ID: "a..b"}}, report.Usage, "id_invalid", ""},
		{"id with a control character", []tasks.NewTask{{Title: "x", ID: "a\x1b[1m"}}, report.Usage, "id_invalid", ""},
		{"bad dependency", []tasks.NewTask{{Title: "x", After: []string{"../1"}}}, report.Usage, "id_invalid", ""},
		{"unknown dialect", []tasks.NewTask{{Title: "x", Dialect: "v3"}}, report.Usage, "dialect_unknown", "v3"},
		{"taken", []tasks.NewTask{{Title: "x", ID: "1"}}, report.Conflict, "id_taken", "#1"},
		{"D21 taken but for its case", []tasks.NewTask{{Title: "x", ID: "proj-a"}}, report.Conflict, "id_taken", "PROJ-A"},
		{"D21 an archive has it", []tasks.NewTask{{Title: "x", ID: "55"}}, report.Conflict, "id_taken", "#55"},
		{"twice in one request", []tasks.NewTask{{Title: "x", ID: "9"}, {Title: "y", ID: "9"}}, report.Conflict, "id_taken", "#9"},
		{"unknown dependency", []tasks.NewTask{{Title: "x", After: []string{"77"}}}, report.NotFound, "dependency_missing", "#77"},
		{"depends on itself", []tasks.NewTask{
			{Title: "x", ID: "9", After: []string{"9"}},
		}, report.Violation, "dependency_cycle", "#9 → #9"},
		{
			"TS-42 a circle in one request",
			[]tasks.NewTask{{
				Title: "x", ID: "9", After: []string{"10"},
			}, {Title: "y", ID: "10", After: []string{"11"}}, {Title: "z", ID: "11", After: []string{"9"}}},
			report.Violation, "dependency_cycle", "#9 → #10 → #11 → #9",
		},
		{
			"TS-42 a circle with a task that waited for the id",
			[]tasks.NewTask{{Title: "x", ID: "40", After: []string{"2"}}},
			report.Violation, "dependency_cycle", "#40 → #2 → #40",
		},
		{"NUL in a text", []tasks.NewTask{{Title: "x", Requirements: "a\x00b"}}, report.Usage, "text_invalid", ""},
		{"not UTF-8", []tasks.NewTask{{Title: "x", Criteria: []create.Criterion{{Text: "\xff"}}}}, report.Usage, "text_invalid", ""},
		{"the same dependency twice", []tasks.NewTask{{Title: "x", After: []string{"#1", "1"}}}, report.Usage, "dependency_twice", "#1"},
		{"one of two is bad", []tasks.NewTask{
			{Title: "fine"}, {Title: "x", After: []string{"77"}},
		}, report.NotFound, "dependency_missing", "task \"x\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(".baton/tasks/task-1-state.md", plain("1", "One"))
			w.write(".baton/tasks/task-2-state.md", plain("2", "Two", "40"))
			w.write(".baton/tasks/task-PROJ-A-state.md", plain("PROJ-A", "Three"))
			w.write(".baton/archive/task-55-archive.md", "# Task #55 Archive\n")
			before := w.files()
			_, err := w.as("agent-1").Tasks.NewTasks(context.Background(), tasks.NewRequest{Tasks: tt.tasks})
			e := wantError(t, err, tt.kind, tt.code)
			if e.Hint == "" || !strings.Contains(e.Message, tt.says) {
				t.Errorf("message %q, hint %q", e.Message, e.Hint)
			}
			if diff := cmp.Diff(before, w.files()); diff != "" {
				t.Errorf("something was written: %s", diff)
			}
		})
	}
}

func TestD21_NextNumber(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		file string
		text string
		want task.ID
	}{
		{"nothing", "x", "", "1"},
		{"state file", ".baton/tasks/task-41-state.md", plain("41", "x"), "42"},
		{"archive", ".baton/archive/task-41-archive.md", "", "42"},
		{"evidence", ".baton/archive/task-41-evidence.jsonl", "", "42"},
		{"archive of the other layout", ".specflux/archives/task-41-archive.md", "", "42"},
		{"named as a dependency", ".baton/tasks/task-2-state.md", plain("2", "x", "41"), "42"},
		{"leading zero is a text", ".baton/tasks/task-041-state.md", plain("041", "x"), "1"},
		{"texts do not count", ".baton/tasks/task-PROJ-41-state.md", plain("PROJ-41", "x"), "1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.mkdir(".baton/tasks")
			w.write(tt.file, tt.text)
			out, err := w.open(workspace.Options{Layout: "baton"}).Tasks.NewTasks(
				context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "x"}}},
			)
			if err != nil || out.Tasks[0].ID != tt.want {
				t.Errorf("id %v, %v, want %s", out.Tasks, err, tt.want)
			}
		})
	}
}

func TestD21_CounterOutlivesTheFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(tasks.NewTask{Title: "One"})
	second := w.create(tasks.NewTask{Title: "Two"})
	if err := os.Remove(w.path(".baton/tasks/task-2-state.md")); err != nil {
		t.Fatal(err)
	}
	if got := w.create(tasks.NewTask{Title: "Three"}); second != "2" || got != "3" {
		t.Errorf("ids %s, %s", second, got)
	}
}

func TestD20_TasksOfOneRequestReferToEachOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	out, err := w.as("agent-1").Tasks.NewTasks(context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{
		{Title: "Endpoints", ID: "API", After: []string{"DB", "#1"}},
		{Title: "Schema", ID: "DB"},
		{Title: "Numbered"},
	}})
	if code := report.CodeOf(err); code != "dependency_missing" {
		t.Fatalf("a number that is given only now was accepted: %v", err)
	}
	out, err = w.as("agent-1").Tasks.NewTasks(context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{
		{Title: "Endpoints", ID: "API", After: []string{"DB"}}, {Title: "Schema", ID: "DB"}, {Title: "Numbered"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := []tasks.Created{
		{ID: "API", Title: "Endpoints", Path: ".baton/tasks/task-API-state.md", Dependencies: []task.ID{"DB"}, Inputs: []task.ID{}},
		{ID: "DB", Title: "Schema", Path: ".baton/tasks/task-DB-state.md", Ready: true, Dependencies: []task.ID{}, Inputs: []task.ID{}},
		{ID: "1", Title: "Numbered", Path: ".baton/tasks/task-1-state.md", Ready: true, Dependencies: []task.ID{}, Inputs: []task.ID{}},
	}
	if diff := cmp.Diff(want, out.Tasks); diff != "" {
		t.Error(diff)
	}
	if !hasCode(out.Warnings, "no_criteria") {
		t.Errorf("warnings %+v", out.Warnings)
	}
}

func TestNewTaskFindings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	out, err := w.as("agent-1").Tasks.NewTasks(context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{{
		Title: "x", Requirements: "One. Two! Three? Four. Five.\nSix.", Criteria: []create.Criterion{{Text: "c"}},
	}}})
	if err != nil || !hasCode(out.Warnings, "requirements_long") || hasCode(out.Warnings, "no_criteria") {
		t.Errorf("%v, %+v", err, out.Warnings)
	}
}

func TestTS57_NewV1FileByFlagAndByConfiguration(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.create(tasks.NewTask{Title: "Flag", Dialect: "v1", Criteria: []create.Criterion{{Text: "c"}}})
	w.write(config.Name, "tasks: {dialect: v1}\n")
	second := w.create(tasks.NewTask{Title: "Configured"})
	third := w.create(tasks.NewTask{Title: "Flag wins", Dialect: "v2"})
	for id, want := range map[task.ID]string{first: "v1c", second: "v1c", third: "v2"} {
		if got := w.show(id).Dialect; got != want {
			t.Errorf("task %s is %s, want %s", id, got, want)
		}
	}
}

// TestD21_ManyWritersGetDifferentIDs lets eight writers create tasks at once.
func TestD21_ManyWritersGetDifferentIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const writers, each = 8, 5
	ids := make(chan task.ID, writers*each)
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for range each {
				out, err := w.as("agent-1").Tasks.NewTasks(context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "x"}}})
				if err != nil {
					t.Error(err)
					return
				}
				ids <- out.Tasks[0].ID
			}
		})
	}
	wg.Wait()
	close(ids)
	seen := map[task.ID]bool{}
	for id := range ids {
		if seen[id] {
			t.Errorf("id %s was given twice", id)
		}
		seen[id] = true
	}
	if len(seen) != writers*each {
		t.Errorf("%d ids", len(seen))
	}
}

// D20: in a new project, the first list of tasks may refer to its own ids, without a warning.
func TestD20_FirstTasksOfAProjectReferToEachOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := must(w.as("agent-1").Tasks.NewTasks(t.Context(), tasks.NewRequest{Tasks: []tasks.NewTask{
		{ID: "1", Title: "A", Criteria: criteria("x")}, {ID: "2", Title: "B", Criteria: criteria("x"), After: []string{"1"}},
	}}))(t)
	if len(got.Tasks) != 2 || len(got.Warnings) != 1 || got.Warnings[0].Code != report.CodeProjectBegun {
		t.Errorf("got %+v", got)
	}
}

// The hint for a list says how its tasks name each other; the error about an id of a list does not mention a flag.
func TestNew_HintsOfLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".baton/tasks/task-5-state.md", plain("5", "Five"))
	_, err := w.as("agent-1").Tasks.NewTasks(
		context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Base"}, {Title: "Top", After: []string{"1"}}}},
	)
	e := wantError(t, err, report.NotFound, "dependency_missing")
	if !strings.Contains(e.Message, `"Top"`) || !strings.Contains(e.Message, "#1") || strings.Contains(e.Message, "#6") ||
		!strings.Contains(e.Hint, `"id"`) {
		t.Errorf("message %q, hint %q", e.Message, e.Hint)
	}
	_, err = w.as("agent-1").Tasks.NewTasks(context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Base", ID: "5"}}})
	if e := wantError(t, err, report.Conflict, "id_taken"); strings.Contains(e.Hint, "--id") {
		t.Errorf("hint %q", e.Hint)
	}
}
