package cli

import (
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"baton/internal/report"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

func TestSizesAreRoundedAsInWarnings(t *testing.T) {
	t.Parallel()
	for size, want := range map[int64]string{0: "0.0 KB", 1: "0.1 KB", 1024: "1.0 KB", 1025: "1.1 KB", 2_662: "2.6 KB", 2_663: "2.7 KB", 75 * 1024: "75.0 KB", 75*1024 + 1: "75.1 KB"} {
		if got := kilobytes(size); got != want {
			t.Errorf("%d bytes: %s, want %s", size, got, want)
		}
	}
}

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
	p := &page{}
	p.commits([]workspace.CommitView{{Hash: "3f2c1aa8d00f"}})
	// The line to copy has the hash as it was recorded: seven digits may name several commits one day.
	if text := p.b.String(); text != "Commits\n  3f2c1aa\n    git revert 3f2c1aa8d00f\n" {
		t.Errorf("commit without a subject: %q", text)
	}
}

// TestALineIsNamedOnce: sentences about files have the line behind the file's name, and not once more.
func TestALineIsNamedOnce(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		f    report.Finding
		want string
	}{
		{
			"configuration",
			report.Finding{Code: "config_invalid", Path: "c.yaml", Line: 3, Text: "c.yaml:3: the YAML is broken"},
			"c.yaml:3: the YAML is broken; the whole file is ignored, and nothing is written until it is right",
		},
		{
			"a value of the wrong type",
			report.Finding{Code: "config_type", Path: "c.yaml", Line: 3, Text: `c.yaml:3: "a" must be a number`},
			`c.yaml:3: "a" must be a number; its default is used, and nothing is written until it is right`,
		},
		{
			"an unknown key",
			report.Finding{Code: "config_key", Path: "c.yaml", Line: 3, Text: "c.yaml:3: there is no setting a"},
			"c.yaml:3: there is no setting a; it is ignored, and nothing is written until it is right",
		},
		{
			"merge conflict",
			report.Finding{Path: "tasks/task-2.md", Line: 53, Text: "task-2.md cannot be changed: line 53 begins a merge conflict"},
			"task-2.md cannot be changed: line 53 begins a merge conflict",
		},
		{"place unknown to the sentence", report.Finding{Path: "tasks/task-2.md", Line: 53, Text: "it is large"}, "it is large (tasks/task-2.md:53)"},
		{"other line", report.Finding{Path: "t.md", Line: 5, Text: "task.md: line 53 is odd"}, "task.md: line 53 is odd (t.md:5)"},
	}
	for _, c := range cases {
		if got := remark(c.f); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	f := canned{err: &report.Error{Kind: report.Corrupt, Path: "t.md", Line: 53, Message: "t.md: line 53 begins a merge conflict", Hint: "settle it"}}
	if got := play(t, f, "task", "show", "1"); got.errors != "baton: t.md: line 53 begins a merge conflict\nhint: settle it\n" {
		t.Errorf("error: %q", got.errors)
	}
	f.err = &report.Error{Kind: report.Corrupt, Code: "config_invalid", Line: 1, Message: "c.yaml:1: broken", Hint: "correct it"}
	if got := play(t, f, "task", "log", "1", "--did", "x"); got.errors != "baton: c.yaml:1: broken; nothing is written until it is right\nhint: correct it\n" {
		t.Errorf("error: %q", got.errors)
	}
}

func TestSettingsFitEightyColumns(t *testing.T) {
	t.Parallel()
	p := &page{}
	pageConfig(p, workspace.ConfigList{Settings: []workspace.Setting{
		{Key: "tasks.notice_sessions", Value: 32768, Default: 32768, Doc: strings.Repeat("some words ", 20)},
	}})
	for line := range strings.SplitSeq(p.b.String(), "\n") {
		if !strings.Contains(line, "No configuration file") && len(line) > helpColumns {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

// No word of a meaning is cut away, however wide the terminal is.
func TestSettingsKeepEveryWordInAnyTerminal(t *testing.T) {
	t.Parallel()
	list := workspace.ConfigList{Path: "x", Settings: []workspace.Setting{
		{Key: "statusline.show_context_tokens", Value: false, Default: false, Doc: strings.Repeat("some words ", 20) + "end"},
		{Key: "state.max_bytes", Value: 32768, Default: 32768, Doc: "bytes that a digest may have"},
	}}
	for _, width := range [...]int{0, 40, 60, 72, 80, 120, 200} {
		p := &page{width: width}
		pageConfig(p, list)
		text := p.b.String()
		if words := strings.Count(text, "some"); words != 20 || strings.Count(text, "words") != 20 || !strings.Contains(text, "end") || strings.Contains(text, "…") {
			t.Errorf("%d columns: %d of 20 words are there:\n%s", width, words, text)
		}
		for line := range strings.SplitSeq(text, "\n") {
			if most := max(width, 52); width > 0 && displaywidth.String(line) > most {
				t.Errorf("a line has more than %d columns: %s", most, line)
			}
		}
	}
}

// TestTheExampleForFromIsRight: tasks of one file may depend on each other (D20).
func TestTheExampleForFromIsRight(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for line := range strings.SplitSeq((&door{}).newCommand().Long, "\n") {
		if strings.HasPrefix(line, "  ") {
			b.WriteString(line)
		}
	}
	tasks, err := tasks.ParseNew([]byte(b.String()), "")
	if err != nil || len(tasks) != 2 || tasks[0].ID != "100" || len(tasks[1].After) != 1 || tasks[1].After[0] != tasks[0].ID {
		t.Errorf("%v, %+v", err, tasks)
	}
}

// TestNextStep: what a task needs is asked of the task as it is after the command.
func TestNextStep(t *testing.T) {
	t.Parallel()
	open := []tasks.CriterionView{{N: 1, Checked: true}, {N: 2}}
	done := open[:1]
	cases := []struct {
		name string
		task tasks.TaskDetail
		want step
	}{
		{"criterion", tasks.TaskDetail{ID: "1", Criteria: open, Claim: &workspace.Claim{}}, step{command: "baton task check 1 2 --run CMD", held: true}},
		{"output", tasks.TaskDetail{ID: "1", Criteria: done, ChainOutput: tasks.OutputView{State: "empty"}}, step{command: "baton task output 1 --summary TEXT"}},
		{"nothing", tasks.TaskDetail{ID: "1", Criteria: done, ChainOutput: tasks.OutputView{State: "written"}}, step{command: "baton task complete 1", last: true}},
		{"complete", tasks.TaskDetail{ID: "1", Status: "complete"}, step{}},
		{"blocked", tasks.TaskDetail{ID: "1", Status: "blocked", Criteria: open}, step{}},
	}
	for _, c := range cases {
		if got := stepOf(c.task); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// What an answer knows of the task is not asked for again, and is what asking would tell.
func TestStepAfterALog(t *testing.T) {
	t.Parallel()
	task := tasks.TaskDetail{ID: "1", Criteria: []tasks.CriterionView{{N: 1, Checked: true}, {N: 2}}, Claim: &workspace.Claim{}}
	known := stepAfter(t.Context(), nil, tasks.LogResult{Task: "1", Open: 2, Held: true}) // without a project
	if asked := stepOf(task); asked != known {
		t.Errorf("%+v, not %+v", asked, known)
	}
}
