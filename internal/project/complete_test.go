package project

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

func TestComplete_RefusesWithAllReasons(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("First", "Second")})
	s.plant(create.Request{ID: "2", Dependencies: []task.ID{"1"}})
	before := s.tracked()
	_, err := s.as("a").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1"})
	e := refused(t, err, report.Violation, "not_complete")
	reasons, _ := e.Details["reasons"].([]string)
	if len(reasons) != 3 || !strings.Contains(e.Message, "First") || !strings.Contains(e.Message, "Second") ||
		!strings.Contains(e.Message, "output") {
		t.Errorf("reasons %q in %q", reasons, e.Message)
	}
	_, err = s.as("a").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1", Force: true, Reason: " \n"})
	refused(t, err, report.Usage, "reason_missing")
	if diff := cmp.Diff(before, s.tracked()); diff != "" {
		t.Error(diff)
	}
}

func TestComplete_PassesOutputOnAndSaysWhatIsReady(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "100", Title: "Schema"})
	s.plant(create.Request{ID: "101", Title: "Tokens", Dependencies: []task.ID{"100"}})
	s.plant(create.Request{ID: "102", Title: "Endpoints", Dependencies: []task.ID{"100", "101"}})
	s.plant(create.Request{ID: "103", Title: "Apart"})
	must(s.as("a").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "100"}))(t)
	got := s.finish("100", "Table users is there.\n\nIt has an index.")
	if !got.Changed || got.Forced || got.Status != "complete" || got.Title != "Schema" {
		t.Errorf("got %+v", got)
	}
	want := []tasks.InputReceipt{{Task: "101", Title: "Tokens", Change: "inserted"}, {Task: "102", Title: "Endpoints", Change: "inserted"}}
	if diff := cmp.Diff(want, got.HandedTo); diff != "" {
		t.Error(diff)
	}
	if len(got.Ready) != 1 || got.Ready[0].ID != "101" || !got.Ready[0].Ready {
		t.Errorf("ready %+v", got.Ready)
	}
	text := s.read(statePath("101"))
	if !strings.Contains(text, "## 2. Chain Inputs\n\n### From Task #100: Schema\n> Table users is there.\n>\n> It has an index.\n") {
		t.Errorf("the input is not there:\n%s", text)
	}
	if held, _ := s.as("a").ClaimOf(t.Context(), "100"); held.Claim != nil {
		t.Error("the claim of the completed task is still held")
	}
	files := s.tracked()
	again := must(s.as("a").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "100"}))(t)
	if again.Changed || len(again.Ready) != 0 || len(again.HandedTo) != 2 || again.HandedTo[0].Change != "unchanged" {
		t.Errorf("completing again: %+v", again)
	}
	if diff := cmp.Diff(files, s.tracked()); diff != "" {
		t.Errorf("completing again changed something:\n%s", diff)
	}
}

func TestTS51_MinimalOutput(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, id := range []task.ID{"1", "2"} {
		s.write(statePath(
			string(id),
		), strings.Replace(s.text(create.Request{ID: id}), "(To be completed)", "(Small fix - minimal output needed)", 1))
	}
	s.plant(create.Request{ID: "3", Dependencies: []task.ID{"2"}})
	if got := must(s.as("a").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1"}))(t); !got.Changed || got.Forced {
		t.Errorf("got %+v", got)
	}
	_, err := s.as("a").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "2"})
	refused(t, err, report.Violation, "not_complete")
}

func TestTS52_ForcedThenReopenedThenComplete(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("Open")})
	s.plant(create.Request{ID: "2", Criteria: criteria("Other")})
	got := must(s.as("a").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1", Force: true, Reason: "superseded"}))(t)
	if !got.Forced || len(got.Overridden) != 1 {
		t.Errorf("got %+v", got)
	}
	if st := s.task("1"); !st.Meta.Forced || st.Status() != task.StatusComplete {
		t.Errorf("forced %v, status %s", st.Meta.Forced, st.Status())
	}
	if !strings.Contains(s.read(evidencePath("1")), `"superseded"`) {
		t.Error("the reason is not kept")
	}
	must(s.as("a").Tasks.Reopen(t.Context(), tasks.TaskRequest{ID: "1"}))(t)
	if st := s.task("1"); st.Status() != task.StatusInProgress {
		t.Errorf("status %s after reopen", st.Status())
	}
	must(s.as("a").Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "1"}))(t)
	s.finish("1", "Done properly")
	if strings.Contains(s.read(statePath("1")), "completed_forced") {
		t.Error("completed_forced is still there after a normal completion")
	}
	// If there is nothing to override, force completes the task normally.
	must(s.as("a").Tasks.Check(t.Context(), tasks.CheckRequest{ID: "2", Selector: "1"}))(t)
	s.output("2", "Written")
	if got := must(s.as("a").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "2", Force: true, Reason: "to be sure"}))(t); got.Forced {
		t.Errorf("got %+v", got)
	}
}

// 5.12.2: if a downstream file cannot be written, the task is still complete, and the downstream task gets its input
// later.
func TestComplete_UnwritableDownstream(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.plant(create.Request{ID: "3", Dependencies: []task.ID{"1"}})
	torn := s.text(create.Request{ID: "2", Dependencies: []task.ID{"1"}})
	s.write(statePath("2"), torn+"<<<<<<< ours\nleft\n=======\nright\n>>>>>>> theirs\n")
	got := s.finish("1", "Ready for all")
	if !got.Changed || len(got.HandedTo) != 1 || got.HandedTo[0].Task != "3" || !hasCode(got.Warnings, "conflict_markers") {
		t.Errorf("got %+v", got)
	}
	s.write(statePath("2"), torn)
	s.mkdir(statePath("4"))
	if again := must(s.as("a").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1"}))(t); len(again.HandedTo) != 2 {
		t.Errorf("completing again: %+v", again)
	}
	s.write(statePath("2"), torn)
	if started := s.start("a", "2"); len(started.Inputs) != 1 || started.Inputs[0].Change != "inserted" {
		t.Errorf("inputs %+v", started.Inputs)
	}
}

func TestComplete_WithoutCriteriaOrMetadata(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	if got := s.finish("1", "Nothing to check"); !hasCode(got.Warnings, "no_criteria") {
		t.Errorf("warnings %v", got.Warnings)
	}
	s.write(statePath("2"), "# Task 2 State\n\n## Progress Log\n\n- [2026-01-01T10:00:00Z] began\n\n## Chain Output\n\nAll is said.\n")
	must(s.as("a").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "2"}))(t) // its status is kept beside it (F-66)
	s.write(statePath("3"), strings.Replace(s.text(create.Request{ID: "3"}), `"status": "ready"`, `"status" = ready`, 1))
	s.output("3", "Said")
	_, err := s.as("a").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "3"})
	if e := refused(t, err, report.Corrupt, "metadata_invalid"); e.Line == 0 {
		t.Error("the error names no line")
	}
}

func TestD3_EveryCallOfANonHolderIsRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("One", "Two")})
	must(s.as("holder").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"}))(t)
	before := s.tracked()
	p := s.as("stranger")
	uses := map[string]func() error{
		"complete": func() error {
			_, err := p.Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1", Force: true, Reason: "x"})
			return err
		},
		"block": func() error {
			_, err := p.Tasks.Block(t.Context(), tasks.TaskRequest{ID: "1", Reason: "x"})
			return err
		},
		"reopen": func() error { _, err := p.Tasks.Reopen(t.Context(), tasks.TaskRequest{ID: "1"}); return err },
		"split": func() error {
			_, err := p.Tasks.Split(t.Context(), tasks.SplitRequest{ID: "1", Apply: true})
			return err
		},
		"start": func() error {
			_, err := p.Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"})
			return err
		},
	}
	for name, use := range uses {
		t.Run(name, func(t *testing.T) {
			e := refused(t, use(), report.Conflict, "claim_held")
			if !strings.Contains(e.Message, "holder") || !strings.Contains(e.Message, "until 10:00") ||
				e.Details["until"] != "2026-03-02T09:00:00Z" || !strings.Contains(e.Hint, "--steal") {
				t.Errorf("%q, hint %q: want holder, expiry and the way out", e.Message, e.Hint)
			}
		})
	}
	if diff := cmp.Diff(before, s.tracked()); diff != "" {
		t.Error(diff)
	}
}

func TestD17_BlockAndReopen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	p := s.as("a")
	must(p.Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"}))(t)
	_, err := p.Tasks.Block(t.Context(), tasks.TaskRequest{ID: "1"})
	refused(t, err, report.Usage, "reason_missing")
	got := must(p.Tasks.Block(t.Context(), tasks.TaskRequest{ID: "1", Reason: "no keys"}))(t)
	if !got.Changed || got.Status != "blocked" {
		t.Errorf("got %+v", got)
	}
	if held, _ := p.ClaimOf(t.Context(), "1"); held.Claim != nil {
		t.Error("blocking keeps the claim")
	}
	_, err = p.Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"})
	refused(t, err, report.Violation, "task_not_ready")
	files := s.tracked()
	if again := must(p.Tasks.Block(t.Context(), tasks.TaskRequest{ID: "1", Reason: "no keys"}))(t); again.Changed {
		t.Error("blocking twice changed something")
	}
	if diff := cmp.Diff(files, s.tracked()); diff != "" {
		t.Error(diff)
	}
	if got := must(p.Tasks.Reopen(t.Context(), tasks.TaskRequest{ID: "1"}))(t); !got.Changed || got.Status != "in_progress" {
		t.Errorf("got %+v", got)
	}
	files = s.tracked()
	if again := must(p.Tasks.Reopen(t.Context(), tasks.TaskRequest{ID: "1"}))(t); again.Changed {
		t.Error("reopening twice changed something")
	}
	if diff := cmp.Diff(files, s.tracked()); diff != "" {
		t.Error(diff)
	}
	s.finish("1", "Done")
	_, err = p.Tasks.Block(t.Context(), tasks.TaskRequest{ID: "1", Reason: "x"})
	refused(t, err, report.Violation, "task_closed")
}

// Every command that writes a task also updates its metadata (5.6.4).
func TestEveryWriteUpdatesTheMetadata(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("Open")})
	s.write(statePath("1"), strings.Replace(s.read(statePath("1")), `"task_id": 1,`,
		`"task_id": 1, "started_at": null, "completed_at": null,`, 1))
	p := s.as("a")
	must(p.Tasks.Block(t.Context(), tasks.TaskRequest{ID: "1", Reason: "no keys"}))(t)
	if text := s.read(statePath("1")); !strings.Contains(text, `"started_at": null`) {
		t.Errorf("blocking started the task:\n%s", text)
	}
	must(p.Tasks.Reopen(t.Context(), tasks.TaskRequest{ID: "1"}))(t)
	if text := s.read(statePath("1")); strings.Contains(text, `"started_at": null`) {
		t.Errorf("in progress and never started:\n%s", text)
	}
	must(p.Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1", Force: true, Reason: "superseded"}))(t)
	if text := s.read(statePath("1")); strings.Contains(text, `"completed_at": null`) {
		t.Errorf("complete without a time:\n%s", text)
	}
	must(p.Tasks.Reopen(t.Context(), tasks.TaskRequest{ID: "1"}))(t)
	if text := s.read(statePath("1")); !strings.Contains(text, `"completed_at": null`) {
		t.Errorf("reopened, and complete since:\n%s", text)
	}
}
