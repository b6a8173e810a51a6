package project

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/tasks"
)

func TestOutput_WritesAndReads(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Title: "Schema"})
	p := s.as("a")
	if got := must(p.Tasks.Output(t.Context(), tasks.OutputRequest{ID: "1"}))(t); got.State != "empty" || got.Summary != "" || got.Changed {
		t.Errorf("an output that is not written: %+v", got)
	}
	set := tasks.OutputRequest{
		ID: "1", Write: true, Set: map[task.Part]string{task.PartSummary: "One table.", task.PartNotes: "Run the migration first."},
	}
	got := must(p.Tasks.Output(t.Context(), set))(t)
	if !got.Changed || got.State != "written" || got.Parts["summary"] != "One table." || got.Parts["notes"] != "Run the migration first." {
		t.Errorf("got %+v", got)
	}
	files := s.tracked()
	if again := must(p.Tasks.Output(t.Context(), set))(t); again.Changed {
		t.Error("writing the same output twice changed something")
	}
	if diff := cmp.Diff(files, s.tracked()); diff != "" {
		t.Error(diff)
	}
	read := must(p.Tasks.Output(t.Context(), tasks.OutputRequest{ID: "1"}))(t)
	if read.Task != "1" || read.Title != "Schema" || !strings.Contains(read.Summary, "### Integration Notes") ||
		read.Timestamp != "2026-03-02T08:30:00Z" {
		t.Errorf("got %+v", read)
	}
	whole := must(p.Tasks.Output(t.Context(), tasks.OutputRequest{ID: "1", Write: true, Whole: "## Summary\nTwo tables.\n\n# Loud\n"}))(t)
	if whole.Parts["summary"] == "" || strings.Contains(whole.Summary, "One table") || len(s.task("1").Sections) != 4 {
		t.Errorf("got %+v", whole)
	}
}

func TestOutput_Refusals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	before := s.tracked()
	tests := []struct {
		name string
		req  tasks.OutputRequest
		kind report.Kind
		code report.Code
	}{
		{"nothing", tasks.OutputRequest{ID: "1", Write: true}, report.Usage, "output_unclear"},
		{"both", tasks.OutputRequest{
			ID: "1", Write: true, Whole: "x", Set: map[task.Part]string{task.PartNotes: "y"},
		}, report.Usage, "output_unclear"},
		{"unclosed fence", tasks.OutputRequest{ID: "1", Write: true, Whole: "```\nopen"}, report.Usage, "unclosed_fence"},
		{"unknown task", tasks.OutputRequest{ID: "9"}, report.NotFound, "task_unknown"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := s.as("a").Tasks.Output(t.Context(), tt.req)
			refused(t, err, tt.kind, tt.code)
		})
	}
	if diff := cmp.Diff(before, s.tracked()); diff != "" {
		t.Error(diff)
	}
}

func TestD3_OutputOfANonHolderIsADraft(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	must(s.as("holder").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"}))(t)
	before := s.read(statePath("1"))
	r := tasks.OutputRequest{ID: "1", Write: true, Whole: "What I found."}
	got := must(s.as("stranger").Tasks.Output(t.Context(), r))(t)
	if got.Draft != ".baton/archive/task-1-output-draft-20260302T083000Z.md" || got.Changed || got.State != "empty" ||
		!hasCode(got.Warnings, "claimed_by_other") {
		t.Errorf("got %+v", got)
	}
	if text := s.read(got.Draft); !strings.Contains(text, "What I found.") || !strings.Contains(text, "stranger") {
		t.Errorf("draft:\n%s", text)
	}
	if s.read(statePath("1")) != before {
		t.Error("the task file was changed")
	}
	files := s.tracked()
	if again := must(s.as("stranger").Tasks.Output(t.Context(), r))(t); again.Draft != got.Draft {
		t.Errorf("the same text became a second draft %s", again.Draft)
	}
	if diff := cmp.Diff(files, s.tracked()); diff != "" {
		t.Error(diff)
	}
	other := must(s.as("stranger").Tasks.Output(t.Context(), tasks.OutputRequest{ID: "1", Write: true, Whole: "Something else."}))(t)
	if other.Draft == got.Draft || !strings.Contains(s.read(got.Draft), "What I found.") {
		t.Error("a second draft of the same second took the place of the first")
	}
}

// A changed output of a complete task reaches the tasks that depend on it (5.11.4).
func TestOutput_ChangedAfterCompletion(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Title: "Up"})
	s.plant(create.Request{ID: "2", Dependencies: []task.ID{"1"}})
	s.finish("1", "First")
	got := must(s.as("a").Tasks.Output(
		t.Context(), tasks.OutputRequest{ID: "1", Write: true, Set: map[task.Part]string{task.PartSummary: "Second"}},
	))(t)
	if !hasCode(got.Warnings, "output_changed") {
		t.Errorf("warnings %v", got.Warnings)
	}
	again := must(s.as("a").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1"}))(t)
	if again.Changed || again.HandedTo[0].Change != "replaced" || !strings.Contains(s.read(statePath("2")), "> Second\n") {
		t.Errorf("completing again: %+v", again)
	}
}

// 5.9: the names that --set uses are read as headings too. Other headings are reported, because their text is not
// passed on.
func TestOutput_HeadingsThatAreNotHandedOn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Title: "Up"})
	s.plant(create.Request{ID: "2", Dependencies: []task.ID{"1"}})
	whole := "### Summary\nA server.\n\n### API\nGET /\n\n### Config\nPORT\n\n### Integration\nStart it first.\n\n" +
		"### Deployment\nBy hand.\n"
	got := must(s.as("a").Tasks.Output(t.Context(), tasks.OutputRequest{ID: "1", Write: true, Whole: whole}))(t)
	if got.Parts["api"] != "GET /" || got.Parts["configuration"] != "PORT" || got.Parts["notes"] != "Start it first." {
		t.Errorf("parts %v", got.Parts)
	}
	reported := ""
	for _, f := range got.Warnings {
		if f.Code == "part_unknown" {
			reported = f.Text
		}
	}
	if !strings.Contains(reported, "Deployment") || !strings.Contains(reported, "API Contract") {
		t.Errorf("warnings %+v", got.Warnings)
	}
	again := must(
		s.as("a").Tasks.Output(t.Context(), tasks.OutputRequest{ID: "1", Write: true, Set: map[task.Part]string{task.PartAPI: "POST /"}}),
	)(t)
	if text := s.read(statePath("1")); again.Parts["api"] != "POST /" || strings.Count(text, "### API") != 1 ||
		strings.Contains(text, "GET /") {
		t.Errorf("setting a part again gives %v in\n%s", again.Parts, text)
	}
	must(s.as("a").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1"}))(t)
	if in := s.task("2").Inputs[0].Text; !strings.Contains(in, "POST /") || !strings.Contains(in, "Start it first.") ||
		strings.Contains(in, "By hand") {
		t.Errorf("handed on:\n%s", in)
	}
}
