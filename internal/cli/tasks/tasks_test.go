package tasks

import (
	"strings"
	"testing"

	"baton/internal/cli/app"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

func TestDifferencesOfInputsHaveNoMarksOfQuotation(t *testing.T) {
	t.Parallel()
	diff := "- > old\n+ > new\n  >\n  > > quoted by hand\n+ >\n  [Full chain output](x.md)\n"
	want := "- old\n+ new\n\n  > quoted by hand\n+\n  [Full chain output](x.md)\n"
	if got := unquoted(diff); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestCommitsHaveSevenDigitsOnPages(t *testing.T) {
	t.Parallel()
	got := shortened([]string{"3f2c1aa8d00f", "77aa001", "3f2c1aa8d00f00000000 Sign tokens", "defaced by hand", "none"})
	want := "3f2c1aa, 77aa001, 3f2c1aa Sign tokens, defaced by hand, none"
	if len(got) != 1 || got[0] != want {
		t.Errorf("%q, want %q", got, want)
	}
	p := &app.Page{}
	commits(p, []workspace.CommitView{{Hash: "3f2c1aa8d00f"}})
	// The line to copy has the full hash, because seven digits may one day name several commits.
	if text := string(p.Bytes()); text != "Commits\n  3f2c1aa\n    git revert 3f2c1aa8d00f\n" {
		t.Errorf("commit without a subject: %q", text)
	}
}

// TestTheExampleForFromIsRight checks that tasks of one file may depend on each other (D20).
func TestTheExampleForFromIsRight(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for line := range strings.SplitSeq(newCommand((&app.App{})).Long, "\n") {
		if strings.HasPrefix(line, "  ") {
			b.WriteString(line)
		}
	}
	tasks, err := tasks.ParseNew([]byte(b.String()), "")
	if err != nil || len(tasks) != 2 || tasks[0].ID != "100" || len(tasks[1].After) != 1 || tasks[1].After[0] != tasks[0].ID {
		t.Errorf("%v, %+v", err, tasks)
	}
}

// TestNextStep checks that the next step follows from the task as it is after the command.
func TestNextStep(t *testing.T) {
	t.Parallel()
	open := []tasks.CriterionView{{N: 1, Checked: true}, {N: 2}}
	done := open[:1]
	cases := []struct {
		name string
		task tasks.TaskDetail
		want step
	}{
		{"criterion", tasks.TaskDetail{
			ID: "1", Criteria: open, Claim: &workspace.Claim{},
		}, step{command: "baton task prove 1 2 -- CMD", held: true}},
		{"output", tasks.TaskDetail{
			ID: "1", Criteria: done, ChainOutput: tasks.OutputView{State: "empty"},
		}, step{command: "baton task output 1 --summary TEXT", needsOutput: true}},
		{"nothing", tasks.TaskDetail{
			ID: "1", Criteria: done, ChainOutput: tasks.OutputView{State: "written"},
		}, step{command: "baton task complete 1", last: true}},
		{"complete", tasks.TaskDetail{ID: "1", Status: "complete"}, step{}},
		{"blocked", tasks.TaskDetail{ID: "1", Status: "blocked", Criteria: open}, step{}},
	}
	for _, c := range cases {
		if got := stepOf(nil, c.task); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// If the answer already has what the next step depends on, the task is not read again, and the result is the same.
func TestStepAfterALog(t *testing.T) {
	t.Parallel()
	task := tasks.TaskDetail{ID: "1", Criteria: []tasks.CriterionView{{N: 1, Checked: true}, {N: 2}}, Claim: &workspace.Claim{}}
	known := stepAfter(t.Context(), nil, tasks.LogResult{Task: "1", Open: 2, Held: true}) // without a project
	if asked := stepOf(nil, task); asked != known {
		t.Errorf("%+v, not %+v", asked, known)
	}
}
