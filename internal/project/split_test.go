package project

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/tasks"
)

// nouns returns n criteria with different first words, so that they are grouped by number.
func nouns(n int) []create.Criterion {
	var out []create.Criterion
	for i := range n {
		out = append(out, create.Criterion{Text: fmt.Sprintf("Thing%d works", i+1)})
	}
	return out
}

func TestTS53_SplitByNumberOfCriteria(t *testing.T) {
	t.Parallel()
	tests := []struct {
		open  int
		sizes []int
	}{{1, nil}, {2, nil}, {3, nil}, {7, []int{3, 2, 2}}}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.open), func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.plant(create.Request{ID: "PROJ-42", Criteria: nouns(tt.open)})
			before := s.tracked()
			got := must(s.as("a").Tasks.Split(t.Context(), tasks.SplitRequest{ID: "PROJ-42"}))(t)
			var sizes []int
			for _, sub := range got.Suggested {
				sizes = append(sizes, len(sub.Criteria))
			}
			if diff := cmp.Diff(tt.sizes, sizes); diff != "" || got.Box == "" || got.Applied {
				t.Errorf("got %+v: %s", got, diff)
			}
			if diff := cmp.Diff(before, s.tracked()); diff != "" {
				t.Errorf("a proposal changed something:\n%s", diff)
			}
			if got.Open != tt.open {
				t.Errorf("%d open criteria, want %d", got.Open, tt.open)
			}
			if tt.sizes == nil {
				_, err := s.as("a").Tasks.Split(t.Context(), tasks.SplitRequest{ID: "PROJ-42", Apply: true})
				refused(t, err, report.Violation, "nothing_to_split")
			}
		})
	}
}

func TestTS53_SplitAppliesInOneTransaction(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Title: "Base"})
	s.finish("1", "The base stands")
	s.plant(
		create.Request{ID: "PROJ-42", Title: "Big", EpicID: "10", EpicTitle: "Accounts", Criteria: nouns(7), Dependencies: []task.ID{"1"}},
	)
	s.plant(create.Request{ID: "after", Dependencies: []task.ID{"PROJ-42"}})
	s.write(statePath("PROJ-42B"), "# Task PROJ-42B: Taken, but for its case\n")
	p := s.as("a")
	s.start("a", "PROJ-42")
	must(p.Tasks.Log(
		t.Context(), tasks.LogRequest{ID: "PROJ-42", Entry: task.Entry{Did: []string{"Began"}, Next: []string{"Mind the gap"}}},
	))(t)
	got := must(p.Tasks.Split(t.Context(), tasks.SplitRequest{ID: "PROJ-42", Apply: true}))(t)
	var ids []task.ID
	for _, c := range got.Created {
		ids = append(ids, c.ID)
	}
	if diff := cmp.Diff([]task.ID{"PROJ-42a", "PROJ-42c", "PROJ-42d"}, ids); diff != "" || !got.Applied {
		t.Fatalf("created %s", diff)
	}
	if !got.Created[0].Ready || got.Created[1].Ready || !cmp.Equal(got.Created[0].Inputs, []task.ID{"PROJ-42", "1"}) {
		t.Errorf("created %+v", got.Created)
	}
	parent := s.task("PROJ-42")
	if parent.Status() != task.StatusDecomposed || !cmp.Equal(parent.Meta.Children, ids) || len(parent.Criteria) != 7 {
		t.Errorf("parent %s, children %v, %d criteria", parent.Status(), parent.Meta.Children, len(parent.Criteria))
	}
	first := s.task("PROJ-42a")
	if !cmp.Equal(first.Meta.Dependencies, []task.ID{"1"}) || first.Meta.Parent != "PROJ-42" || len(first.Inputs) != 2 ||
		!strings.Contains(first.Inputs[0].Text, "Mind the gap") {
		t.Errorf("first child: %+v, inputs %+v", first.Meta, first.Inputs)
	}
	if second := s.task("PROJ-42c"); !cmp.Equal(second.Meta.Dependencies, []task.ID{"PROJ-42a"}) ||
		second.Context.Epic != "Accounts (#10)" {
		t.Errorf("second child: %+v", second.Meta)
	}
	if held, _ := p.ClaimOf(t.Context(), "PROJ-42"); held.Claim != nil {
		t.Error("the parent is still claimed")
	}
	files := s.tracked()
	_, err := p.Tasks.Split(t.Context(), tasks.SplitRequest{ID: "PROJ-42", Apply: true})
	refused(t, err, report.Violation, "already_split")
	if diff := cmp.Diff(files, s.tracked()); diff != "" {
		t.Errorf("splitting again changed something:\n%s", diff)
	}
}

// 5.15: the parent can be completed when its children are complete; criteria that they checked count for it.
func TestSplit_ParentWaitsForChildren(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: nouns(4)})
	p := s.as("a")
	got := must(p.Tasks.Split(t.Context(), tasks.SplitRequest{ID: "1", Apply: true}))(t)
	s.output("1", "All of it")
	_, err := p.Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"})
	if e := refused(t, err, report.Violation, "task_not_ready"); !strings.Contains(e.Hint, "1a, 1b") {
		t.Errorf("hint %q", e.Hint)
	}
	_, err = p.Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1"})
	if e := refused(t, err, report.Violation, "not_complete"); !strings.Contains(e.Message, "1a") || !strings.Contains(e.Message, "1b") {
		t.Errorf("message %q", e.Message)
	}
	for i, c := range got.Created {
		for n := range s.task(string(c.ID)).Criteria {
			must(p.Tasks.Check(t.Context(), tasks.CheckRequest{ID: string(c.ID), Selector: fmt.Sprint(n + 1), By: "index"}))(t)
		}
		done := s.finish(string(c.ID), "Part done")
		rows := must(p.Tasks.List(t.Context(), tasks.ListRequest{Status: "decomposed"}))(t).Tasks
		if want := fmt.Sprintf("parts 1a, 1b (%d/2 complete)", i+1); rows[0].Note != want {
			t.Errorf("note %q, want %q", rows[0].Note, want)
		}
		if last := i == len(got.Created)-1; hasCode(done.Warnings, "parts_complete") != last || (done.Parent == "1") != last {
			t.Errorf("part %d of %d: %+v", i+1, len(got.Created), done.Warnings)
		}
	}
	if done := must(p.Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1"}))(t); !done.Changed || done.Forced {
		t.Errorf("got %+v", done)
	}
}

func TestSplit_DismissIsQuietForFiveSessions(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".baton/config.yaml", "tasks:\n  notice_sessions: 2\n")
	s.plant(create.Request{ID: "1", Criteria: nouns(3)})
	for n := range 2 {
		if got := s.log("a", "1", fmt.Sprint("step ", n)); got.Notice != "" {
			t.Errorf("notice after %d sessions", n+1)
		}
	}
	if got := s.log("a", "1", "third"); !strings.Contains(got.Notice, "--dismiss") {
		t.Errorf("no notice after three sessions: %q", got.Notice)
	}
	files := s.tracked()
	for range 2 {
		if got := must(s.as("a").Tasks.Split(t.Context(), tasks.SplitRequest{ID: "1", Dismiss: true}))(t); !got.Dismissed {
			t.Errorf("got %+v", got)
		}
	}
	if diff := cmp.Diff(files, s.tracked()); diff != "" {
		t.Error(diff)
	}
	for n := range 4 {
		if got := s.log("a", "1", fmt.Sprint("more ", n)); got.Notice != "" {
			t.Errorf("notice %d sessions after it was dismissed", n+1)
		}
	}
	if got := s.log("a", "1", "eighth"); got.Notice == "" {
		t.Error("no notice five sessions after it was dismissed")
	}
	_, err := s.as("a").Tasks.Split(t.Context(), tasks.SplitRequest{ID: "1", Dismiss: true, Apply: true})
	refused(t, err, report.Usage, "split_unclear")
}

func TestD40_ConvertIsADryRun(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Title: "Old", Dialect: task.V1C, Criteria: criteria("One")})
	s.log("a", "1", "Kept")
	before := s.tracked()
	p := s.as("a")
	dry := must(p.Tasks.Convert(t.Context(), tasks.ConvertRequest{ID: "1", To: "v2"}))(t)
	if dry.From != "v1c" || dry.To != "v2" || dry.Applied || !strings.Contains(dry.Diff, "+ ## 1. Context") {
		t.Errorf("got %+v", dry)
	}
	if diff := cmp.Diff(before, s.tracked()); diff != "" {
		t.Errorf("a dry run changed something:\n%s", diff)
	}
	if got := must(p.Tasks.Convert(t.Context(), tasks.ConvertRequest{ID: "1", To: "v2", Apply: true}))(t); !got.Applied ||
		got.Diff != dry.Diff {
		t.Errorf("got %+v", got)
	}
	st := s.task("1")
	if st.Dialect != task.V2 || len(st.Criteria) != 1 || len(st.Sessions) != 1 {
		t.Errorf("dialect %s, %d criteria, %d sessions", st.Dialect, len(st.Criteria), len(st.Sessions))
	}
	files := s.tracked()
	if again := must(p.Tasks.Convert(t.Context(), tasks.ConvertRequest{ID: "1", To: "v2", Apply: true}))(t); again.Applied ||
		again.Diff != "" {
		t.Errorf("converting again: %+v", again)
	}
	if diff := cmp.Diff(files, s.tracked()); diff != "" {
		t.Error(diff)
	}
	_, err := p.Tasks.Convert(t.Context(), tasks.ConvertRequest{ID: "1", To: "v9"})
	refused(t, err, report.Usage, "dialect_unknown")
	s.write(statePath("2"), strings.Replace(s.text(create.Request{ID: "2"}), `"status": "ready"`, `"status" = ready`, 1))
	_, err = p.Tasks.Convert(t.Context(), tasks.ConvertRequest{ID: "2", To: "v1", Apply: true})
	refused(t, err, report.Violation, "opaque_section")
}

// 5.15: criteria of a split task that its parts have checked count: in show with their evidence, in lists by number.
// The file of the split task stays as it is.
func TestTS53_CriteriaOfPartsCountForTheWhole(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("Server a", "Server b", "Server c", "Server d", "Client e", "Client f")})
	p := s.as("a")
	must(p.Tasks.Split(t.Context(), tasks.SplitRequest{ID: "1", Apply: true}))(t)
	must(p.Tasks.Split(t.Context(), tasks.SplitRequest{ID: "1a", Apply: true}))(t)
	before := s.read(statePath("1"))
	must(p.Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1aa", Selector: "1", By: "index", Evidence: "seen"}))(t)
	must(p.Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1b", Selector: "2", By: "index"}))(t)
	for id, want := range map[string]string{"1": "word - - - - claim", "1a": "word - - -", "1b": "- claim"} {
		var got []string
		for _, c := range must(p.Tasks.Show(t.Context(), tasks.ShowRequest{ID: id}))(t).Criteria {
			switch {
			case !c.Checked:
				got = append(got, "-")
			case c.Evidence != nil:
				got = append(got, c.Evidence.Kind)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("task %s: %q, not %q", id, got, want)
		}
	}
	for _, row := range must(p.Tasks.List(t.Context(), tasks.ListRequest{}))(t).Tasks {
		if want := map[task.ID]int{"1": 2, "1a": 1, "1aa": 1, "1b": 1}[row.ID]; row.CriteriaDone != want {
			t.Errorf("row of %s: %d checked, not %d", row.ID, row.CriteriaDone, want)
		}
	}
	if s.read(statePath("1")) != before {
		t.Error("looking changed the file of the split task")
	}
}
