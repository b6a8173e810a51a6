package project

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/usecase/digests"
)

const formADigest = `# SpecFlow State

## Current Position

- **Active Specification:** none
- **Status:** idle
- **Next Step:** /sf:new

## Queue

| # | ID | Title | Priority | Status |
|---|----|-------|----------|--------|
| 1 | SPEC-001 | Export | high | draft |
| 2 | SPEC-002 | Import | low | draft |

## Decisions

| Date | Specification | Decision |
|------|---------------|----------|
| 2026-01-05 | SPEC-001 | keep the names |

---
*Last updated: 2026-01-05 (by hand)*
`

func specflowWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.write(".specflow/STATE.md", formADigest)
	return w
}

func (w *world) digest() string { return w.read(".specflow/STATE.md") }

// SF-D37: the changes of a workflow step, one command each; every change sets the date in the footer (5.6.5).
func TestSFD37_AStepThroughTheWorkflow(t *testing.T) {
	t.Parallel()
	w := specflowWorld(t)
	next := must(w.as("a").Digests.QueueNext(t.Context()))(t)
	if len(next.Queue) != 1 || next.Queue[0].ID != "SPEC-001" {
		t.Fatalf("next: %+v", next.Queue)
	}
	change := must(w.as("a").Digests.ActiveChange(
		t.Context(), digests.ActiveRequest{Verb: "add", ID: "SPEC-001", Status: "drafting", Next: "/sf:audit"},
	))(t)
	if len(change.Changed) != 4 || len(change.Lines) != 4 {
		t.Errorf("changed %+v, lines %v", change.Changed, change.Lines)
	}
	want := strings.NewReplacer(
		"Specification:** none", "Specification:** SPEC-001", "idle", "drafting", "/sf:new", "/sf:audit", "updated: 2026-01-05",
		"updated: 2026-03-01",
	).Replace(formADigest)
	if diff := cmp.Diff(want, w.digest()); diff != "" {
		t.Fatal(diff)
	}
	again := must(w.as("a").Digests.ActiveChange(
		t.Context(), digests.ActiveRequest{Verb: "add", ID: "SPEC-001", Status: "drafting", Next: "/sf:audit"},
	))(t)
	if len(again.Changed) > 0 || w.digest() != want {
		t.Errorf("SF-31: the same again changes %+v", again.Changed)
	}
	_, err := w.as("a").Digests.ActiveChange(t.Context(), digests.ActiveRequest{Verb: "add", ID: "SPEC-002", Status: "drafting"})
	if e := refused(t, err, report.Violation, "single_active"); e.Path != ".specflow/STATE.md" || e.Op != "state.active.add" {
		t.Errorf("%+v", e)
	}
	must(w.as("a").Digests.QueueChange(t.Context(), digests.QueueRequest{Verb: "add", ID: "SPEC-003", Title: "Search", After: "SPEC-001"}))(
		t,
	)
	must(w.as("a").Digests.QueueChange(t.Context(), digests.QueueRequest{Verb: "move", ID: "SPEC-002", To: 1}))(t)
	must(w.as("a").Digests.QueueChange(t.Context(), digests.QueueRequest{Verb: "remove", ID: "SPEC-001"}))(t)
	list := must(w.as("a").Digests.QueueList(t.Context()))(t)
	if len(list.Queue) != 2 || list.Queue[0].ID != "SPEC-002" || list.Queue[1].ID != "SPEC-003" || list.Queue[1].Position != "2" ||
		len(list.Columns) != 5 {
		t.Errorf("queue: %+v", list)
	}
	must(w.as("a").Digests.ActiveChange(t.Context(), digests.ActiveRequest{Verb: "set", ID: "spec-001", Status: "review"}))(t)
	active := must(w.as("a").Digests.ActiveList(t.Context()))(t)
	if active.Form != "A" || len(active.Active) != 1 || active.Active[0].Status != "review" || active.Active[0].Next != "/sf:audit" {
		t.Errorf("active: %+v", active)
	}
	if plan := must(w.as("a").Digests.Migrate(t.Context(), false))(t); plan.Rotation.ActiveRows != 1 {
		t.Errorf("%d active", plan.Rotation.ActiveRows)
	}
	must(w.as("a").Digests.ActiveChange(t.Context(), digests.ActiveRequest{Verb: "remove", ID: "SPEC-001"}))(t)
	_, err = w.as("a").Digests.ActiveChange(t.Context(), digests.ActiveRequest{Verb: "remove", ID: "SPEC-001"})
	refused(t, err, report.NotFound, "spec_not_active")
	_, err = w.as("a").Digests.QueueChange(t.Context(), digests.QueueRequest{Verb: "remove", ID: "SPEC-001"})
	refused(t, err, report.NotFound, "spec_not_queued")
	_, err = w.as("a").Digests.QueueChange(t.Context(), digests.QueueRequest{Verb: "shuffle"})
	refused(t, err, report.Usage, "verb_unknown")
}

func TestActiveResolveAnswersAsTheOriginal(t *testing.T) {
	t.Parallel()
	w := specflowWorld(t)
	for _, c := range []struct {
		digest, id string
		want       digests.ActiveResolved
	}{
		{formADigest, "", digests.ActiveResolved{Action: "error", Code: "NO_ACTIVE_SPEC"}},
		{smallSpecflow, "", digests.ActiveResolved{Action: "use", ID: "SPEC-007"}},
		{smallSpecflow, "SPEC-1", digests.ActiveResolved{Action: "error", Code: "SPEC_NOT_ACTIVE", ID: "SPEC-1"}},
	} {
		w.write(".specflow/STATE.md", c.digest)
		if diff := cmp.Diff(c.want, must(w.as("a").Digests.ActiveResolve(t.Context(), c.id))(t)); diff != "" {
			t.Error(diff)
		}
	}
	w.write(".specflow/STATE.md", strings.Replace(smallSpecflow, "/sf:run |\n", "/sf:run |\n| SPEC-008 | review | x |\n", 1))
	if got := must(w.as("a").Digests.ActiveResolve(t.Context(), ""))(t); got.Action != "ask" || len(got.Options) != 2 {
		t.Errorf("%+v", got)
	}
}

// SF-D33: nothing is migrated without --apply, and the dry run takes no lock and writes nothing.
func TestSFD33_MigrateIsADryRunUntilApply(t *testing.T) {
	t.Parallel()
	w := specflowWorld(t)
	before := w.files()
	plan := must(w.as("a").Digests.Migrate(t.Context(), false))(t)
	if plan.From != "A" || plan.Applied || len(plan.Changed) != 1 || len(plan.Lines) == 0 {
		t.Errorf("%+v", plan)
	}
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Errorf("a dry run writes:\n%s", diff)
	}
	done := must(w.as("a").Digests.Migrate(t.Context(), true))(t)
	if list := must(w.as("a").Digests.ActiveList(t.Context()))(t); !done.Applied || list.Form != "C" {
		t.Errorf("%+v, form %s", done, list.Form)
	}
	after := w.digest()
	again := must(w.as("a").Digests.Migrate(t.Context(), true))(t)
	if again.From != "C" || len(again.Changed) > 0 || w.digest() != after {
		t.Errorf("a second migration: %+v", again)
	}
}

// SF-D7: a change without a decision also brings a digest that is over its limit back below it, in the same
// transaction.
func TestSFD7_QueueAddRotates(t *testing.T) {
	t.Parallel()
	w := specflowWorld(t)
	rows := strings.Repeat("| 2026-01-05 | SPEC-001 | a decision like others |\n", 78)
	w.write(".specflow/STATE.md", strings.Replace(formADigest, "| 2026-01-05 | SPEC-001 | keep the names |\n", rows, 1))
	if n := strings.Count(w.digest(), "\n"); n != 100 {
		t.Fatalf("the digest has %d lines, the test wants exactly 100", n)
	}
	change := must(w.as("a").Digests.QueueChange(t.Context(), digests.QueueRequest{Verb: "add", ID: "SPEC-009", Title: "One too many"}))(t)
	if !change.Rotation.Rotated || change.Rotation.Moved != 73 || change.Rotation.After.Lines != 28 {
		t.Errorf("%+v", change.Rotation)
	}
	if n := strings.Count(w.read(".specflow/DECISIONS_ARCHIVE.md"), "a decision like others"); n != 73 {
		t.Errorf("%d rows in the archive", n)
	}
}

func TestPauseAndResumeInSpecflow(t *testing.T) {
	t.Parallel()
	w := specflowWorld(t)
	out := must(w.as("a").Digests.Transition(t.Context(), digests.TransitionRequest{Event: "pause", Text: "tests are red"}))(t)
	if out.Event != "pause" || !strings.Contains(w.digest(), "- **Last Pause:** PAUSE-20260301-090000 — tests are red\n") {
		t.Errorf("%+v\n%s", out, w.digest())
	}
	must(w.as("a").Digests.Transition(t.Context(), digests.TransitionRequest{Event: "resume"}))(t)
	want := strings.Replace(formADigest, "updated: 2026-01-05", "updated: 2026-03-01", 1)
	if diff := cmp.Diff(want, w.digest()); diff != "" {
		t.Error(diff)
	}
	_, err := w.as("a").Digests.Transition(t.Context(), digests.TransitionRequest{Event: "begin", Phase: "1"})
	refused(t, err, report.Usage, "not_supported")
}

func TestSF43_SyncOfExecutions(t *testing.T) {
	t.Parallel()
	w := specflowWorld(t)
	w.write(
		".specflow/execution/SPEC-001-state.json",
		"{\"mode\": \"orchestrated\", // by hand\n \"waves\": [{\"status\": \"complete\"}, {\"status\": \"pending\"},], }\n",
	)
	w.write(".specflow/execution/SPEC-002-state.json", "broken")
	w.write(".specflow/execution/archive/SPEC-000-state.json", "{}")
	before := w.files()
	check, err := w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{Check: true})
	refused(t, err, report.Violation, "out_of_sync")
	if len(check.Changed) != 2 || !hasCode(check.Warnings, "execution_invalid") {
		t.Errorf("%+v", check)
	}
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Errorf("--check writes:\n%s", diff)
	}
	must(w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{}))(t)
	if !strings.Contains(w.digest(), "| SPEC-001 | orchestrated | 1/2 waves | — |\n| SPEC-002 | — | — | — |\n") {
		t.Errorf("%s", w.digest())
	}
	if _, err := w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{Check: true}); err != nil {
		t.Errorf("after a sync: %v", err)
	}
	w.write(".specflow/execution/SPEC-001-state.json", "{}")
	valid := must(w.as("a").Digests.StateValidate(t.Context()))(t)
	if hasCode(valid.Findings, "execution_file_without_row") || !hasCode(valid.Findings, "execution_invalid") {
		t.Errorf("%+v", valid.Findings)
	}
}

func TestSF44_ContinueHereAndPauses(t *testing.T) {
	t.Parallel()
	w := specflowWorld(t)
	w.write(".specflow/.continue-here", "{\"spec_id\": \"SPEC-001\", \"state_file\": \".specflow/execution/SPEC-001-state.json\"}")
	for _, second := range []string{"00", "00b", "01", "02", "03", "04"} {
		w.write(".specflow/sessions/PAUSE-20260301-0900"+second+".md", "# Pause\n")
	}
	valid := must(w.as("a").Digests.StateValidate(t.Context()))(t)
	if !hasCode(valid.Findings, "continue_missing") || !hasCode(valid.Findings, "many_pauses") || !valid.Valid {
		t.Errorf("%+v", valid.Findings)
	}
	w.write(".specflow/execution/SPEC-001-state.json", "{}")
	if valid = must(w.as("a").Digests.StateValidate(t.Context()))(t); hasCode(valid.Findings, "continue_missing") {
		t.Errorf("%+v", valid.Findings)
	}
	w.write(".specflow/.continue-here", "{\"state_file\": \"../../elsewhere.json\"}")
	if valid = must(w.as("a").Digests.StateValidate(t.Context()))(t); !hasCode(valid.Findings, "continue_missing") {
		t.Errorf("%+v", valid.Findings)
	}
	if w.files()[".specflow/sessions/PAUSE-20260301-090000.md"] != "# Pause\n" {
		t.Error("validate touched a pause")
	}
}

// A dry run is refused for the same reasons as the change itself, in SpecFlow as in the GSD schema.
func TestDryRunsRefuseUnsafeDigests(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"conflict_markers": "<<<<<<< ours\n" + formADigest + "=======\n>>>>>>> theirs\n",
		"nul":              formADigest + "\x00",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specflowWorld(t)
			w.write(".specflow/STATE.md", text)
			before := w.files()
			for _, apply := range []bool{false, true} {
				_, err := w.as("a").Digests.Migrate(t.Context(), apply)
				refused(t, err, report.Corrupt, report.Code(name))
			}
			for _, check := range []bool{true, false} {
				_, err := w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{Check: check})
				refused(t, err, report.Corrupt, report.Code(name))
			}
			if diff := cmp.Diff(before, w.files()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSpecflowCommandsInAnotherLayout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", smallDigest)
	ctx := t.Context()
	_, err := w.as("a").Digests.ActiveList(ctx)
	refused(t, err, report.Usage, "not_supported")
	_, err = w.as("a").Digests.QueueChange(ctx, digests.QueueRequest{Verb: "add", ID: "SPEC-1"})
	refused(t, err, report.Usage, "not_supported")
	_, err = w.as("a").Digests.Migrate(ctx, false)
	refused(t, err, report.Usage, "not_supported")
	_, err = w.as("a").Digests.History(ctx, digests.HistoryRequest{ID: "SPEC-1"})
	if e := refused(t, err, report.Usage, "not_supported"); !strings.Contains(e.Hint, "baton history") {
		t.Errorf("hint %q", e.Hint)
	}
}

// A row whose file is gone goes to the archive, with a header by which it can be read. A placeholder creates no archive
// (SF-D12).
func TestSFD12_SyncArchivesRowsButNoPlaceholders(t *testing.T) {
	t.Parallel()
	w := specflowWorld(t)
	w.write(".specflow/STATE.md", formADigest+"\n## Execution Status\n\n| Spec ID | Mode |\n|---|---|\n| — | — |\n")
	w.write(".specflow/execution/SPEC-001-state.json", "{\"mode\": \"fast\"}\n")
	must(w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{}))(t)
	if text, ok := w.files()[".specflow/DECISIONS_ARCHIVE.md"]; ok {
		t.Fatalf("a placeholder made an archive:\n%s", text)
	}
	for _, id := range []string{"SPEC-001", "SPEC-002"} {
		name := ".specflow/execution/" + id + "-state.json"
		w.write(name, "{\"mode\": \"fast\"}\n")
		must(w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{}))(t)
		if err := os.Remove(w.path(name)); err != nil {
			t.Fatal(err)
		}
		must(w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{}))(t)
	}
	want := "## Archived Execution Status\n\n| Spec ID | Mode |\n|---|---|\n| SPEC-001 | fast |\n| SPEC-002 | fast |\n" +
		"\n## Archived Decisions\n\n| Date | Specification | Decision |\n|------|---------------|----------|\n"
	if got := w.read(".specflow/DECISIONS_ARCHIVE.md"); !strings.HasSuffix(got, want) {
		t.Errorf("%s", got)
	}
}
