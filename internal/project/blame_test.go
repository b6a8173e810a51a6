package project

import (
	"strings"
	"testing"
	"time"

	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/task/create"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/history"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// blamed returns the entries of a document as "line source by command label".
func (w *world) blamed(r history.BlameRequest) []string {
	w.t.Helper()
	got, err := w.as("a").History.Blame(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	out := []string{}
	for _, e := range got.Entries {
		out = append(out, strings.TrimSpace(
			strings.Join([]string{e.Kind, e.Label, e.Source, e.By, e.Command, strings.TrimPrefix(e.At, "2026-03-01T")}, "|"),
		))
	}
	return out
}

// TestBlame checks that blame distinguishes entries from before, those that baton wrote, and those that somebody wrote
// by hand. An entry keeps its origin when it moves to an archive.
func TestBlame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(
		".specflow/STATE.md",
		"# SpecFlow State\n\n## Decisions\n\n| Date | Specification | Decision |\n|---|---|---|\n| 2026-01-01 | — | Stood there |\n\n"+
			"## Warnings\n\n- Mind the gap\n",
	)
	add := func(as, text string) {
		t.Helper()
		w.pass(time.Hour)
		if _, err := w.open(workspace.Options{As: as, Command: "decision add"}).Digests.AddDecision(
			t.Context(), digests.DecisionRequest{Text: text},
		); err != nil {
			t.Fatal(err)
		}
	}
	want := func(r history.BlameRequest, lines ...string) {
		t.Helper()
		if got := w.blamed(r); strings.Join(got, "\n") != strings.Join(lines, "\n") {
			t.Errorf("%+v:\n%s\nwant\n%s", r, strings.Join(got, "\n"), strings.Join(lines, "\n"))
		}
	}
	want(history.BlameRequest{Document: "STATE.md"}, "decision|Stood there|before|||", "blocker|Mind the gap|before|||")
	add("ann", "Came first")
	w.write(".specflow/STATE.md", strings.Replace(
		w.read(".specflow/STATE.md"), "| 2026-01-01 |", "| 2026-01-01 | — | By hand |\n| 2026-01-01 |", 1,
	))
	want(history.BlameRequest{Document: ".specflow/STATE.md", Section: "DECISIONS"},
		"decision|By hand|outside|||", "decision|Stood there|before|||10:00:00Z", "decision|Came first|change|ann|decision add|10:00:00Z")
	add("bob", "Came second")
	rest := []string{"decision|Came second|change|bob|decision add|11:00:00Z"}
	old := []string{
		"decision|By hand|outside|||11:00:00Z", "decision|Stood there|before|||10:00:00Z",
		"decision|Came first|change|ann|decision add|10:00:00Z",
	}
	want(history.BlameRequest{Document: w.path(".specflow/STATE.md"), Section: "decis"}, append(old, rest...)...)
	one := 1
	w.pass(time.Hour)
	if _, err := w.open(workspace.Options{As: "eve", Command: "state rotate"}).Digests.StateRotate(
		t.Context(), digests.RotateRequest{Keep: &one},
	); err != nil {
		t.Fatal(err)
	}
	want(history.BlameRequest{Document: "STATE.md", Section: "decisions"}, rest...)
	want(history.BlameRequest{Document: "DECISIONS_ARCHIVE.md"}, old...)

	w.write(".specflow/DECISIONS_ARCHIVE.md", "# Archive\n")
	got, err := w.as("a").History.Blame(t.Context(), history.BlameRequest{Document: "DECISIONS_ARCHIVE.md"})
	if err != nil || got.Missing != 3 || len(got.Entries) != 0 || got.Since != "2026-03-01T10:00:00Z" {
		t.Errorf("wiped: %+v, %v", got, err)
	}
	before := w.files()
	w.blamed(history.BlameRequest{Document: "STATE.md"})
	for name, text := range w.files() {
		if before[name] != text {
			t.Errorf("a read wrote %s", name)
		}
	}
}

func TestBlameFindsDocuments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", "# Project State\n\n## Decisions\n\n- Use one lock\n")
	w.write(".baton/STATE.md", "# State\n")
	id := w.create(tasks.NewTask{Title: "T", Criteria: []create.Criterion{{Text: "It works"}}})
	for _, name := range []string{string(id), "#" +
		string(id), "task-1-state.md", ".baton/tasks/task-1-state.md", "./tasks/task-1-state.md"} {
		got, err := w.as("a").History.Blame(t.Context(), history.BlameRequest{Document: name, Section: "acceptance criteria"})
		if err != nil || got.Document != ".baton/tasks/task-1-state.md" || len(got.Entries) != 1 || got.Entries[0].Line == 0 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for name, code := range map[string]report.Code{
		"STATE.md": "document_ambiguous", "99": "task_unknown", "#99": "task_unknown", "README.md": "document_unknown",
		"": "document_unknown", "task-1-archive.md": "document_unknown",
	} {
		_, err := w.as("a").History.Blame(t.Context(), history.BlameRequest{Document: name})
		if report.CodeOf(err) != code || report.As(err).Op != "blame" && code != "task_unknown" {
			t.Errorf("%q: %v (%s)", name, err, report.CodeOf(err))
		}
	}
	_, err := w.as("a").History.Blame(t.Context(), history.BlameRequest{Document: ".planning/STATE.md", Section: "Queue"})
	if e := wantError(t, err, report.NotFound, "section_unknown"); !strings.Contains(e.Hint, "Decisions") {
		t.Errorf("hint %q", e.Hint)
	}
	empty := newWorld(t)
	if _, err := empty.as("a").History.Blame(t.Context(), history.BlameRequest{Document: "STATE.md"}); report.CodeOf(err) != "no_project" {
		t.Error(err)
	}
}

// TestLedgerKeep checks that nothing is recorded with `ledger.keep: false`, and that a project without kept versions
// still has its ledger.
func TestLedgerKeep(t *testing.T) {
	t.Parallel()
	for config, source := range map[string]string{
		"ledger:\n  keep: false\n": loss.BlameBefore, "snapshots:\n  max_mb: 0\n": loss.BlameChange,
	} {
		w := newWorld(t)
		w.write(".baton/config.yaml", config)
		w.write(".planning/STATE.md", "# Project State\n\n## Decisions\n\nNone yet.\n")
		if _, err := w.open(workspace.Options{As: "a", Command: "decision add"}).Digests.AddDecision(
			t.Context(), digests.DecisionRequest{Text: "Use one lock"},
		); err != nil {
			t.Fatal(err)
		}
		got, err := w.as("a").History.Blame(t.Context(), history.BlameRequest{Document: "STATE.md"})
		if err != nil || len(got.Entries) != 1 || got.Entries[0].Source != source {
			t.Errorf("%q: %+v, %v", config, got, err)
		}
	}
}

// TestBlameFindsFeaturesAboveBoxes checks a task file with its sections in an unusual order.
func TestBlameFindsFeaturesAboveBoxes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(statePath(
		"1",
	), "# Task #1: T\n\n## 2. Feature Checklist\n\n```json\n{\n  \"features\": [\n"+
		"    {\"id\": \"F1\", \"description\": \"It grows\", \"passes\": false}\n  ]\n}\n```\n\n"+
		"## 1. Context\n\n### Acceptance Criteria\n\n- [ ] It works\n")
	if got := strings.Join(w.blamed(history.BlameRequest{Document: "1"}), "\n"); got !=
		"criterion|It grows|before|||\ncriterion|It works|before|||" {
		t.Errorf("%s", got)
	}
}

// A label that was cut ends with a mark that says so.
func TestLabelsShowThatTheyAreCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("nine more ", 9)
	for text, want := range map[string]string{"Use one lock": "Use one lock", long: long[:60-1] +
		"…", strings.Repeat("x", 70): strings.Repeat("x", 60) + "…"} {
		if got := loss.LabelShown(ledger.NewEntry(ledger.Decision, text).Label); !strings.EqualFold(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
