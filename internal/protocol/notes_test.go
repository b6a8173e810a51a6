package protocol

import (
	"strings"
	"testing"
)

// The short texts keep their limits for any facts (agents.md 2.3).
func TestAgents23_ShortTextsKeepTheirLimits(t *testing.T) {
	t.Parallel()
	withoutTask := hostile()
	withoutTask.Task = nil
	for name, f := range map[string]Facts{"shop": shop(), "hostile": hostile(), "no task": withoutTask, "nothing": {}} {
		for _, text := range []struct {
			name, text string
			most       int
		}{
			{"pointer", Pointer(f), 300}, {"note", CompactNote(f), 1500}, {"sub-agent", SubTask(f), 600}, {"stop", StopReason(f), 1000},
		} {
			if n := units(text.text); n > text.most || strings.HasPrefix(text.text, "{") {
				t.Errorf("%s, %s: %d characters\n%s", name, text.name, n, text.text)
			}
			harmlessText(t, text.text)
		}
	}
}

// The reason for not stopping names the command, the number of open criteria, and the next one.
func TestStopReason(t *testing.T) {
	t.Parallel()
	f := shop()
	wants(t, StopReason(f), "task #101: “JWT service”", "`baton task log 101 --did", "--next", "2 criteria are still open.",
		"The next open criterion is 2: “Keys rotate”. Verify it with `go test ./keys`.")
	for i := range f.Task.Criteria {
		f.Task.Criteria[i].Checked = true
	}
	wants(t, StopReason(f), "Every criterion is checked; `baton task complete 101`")
	f.Task = nil
	wants(t, StopReason(f), "`baton task log ID --did TEXT --next TEXT`")
	wants(t, StopReason(hostile()), "baton task log ", "300 criteria are still open")
}

func TestSubTask(t *testing.T) {
	t.Parallel()
	f := shop()
	text := SubTask(f)
	wants(t, text, "task #101: “JWT service” (1 of 3 criteria checked). Open:", "- 2. “Keys rotate”", "- 3. “Expired tokens are refused”")
	lacks(t, text, "Tokens are signed")
	for range 20 {
		f.Task.Criteria = append(f.Task.Criteria, Criterion{N: len(f.Task.Criteria) + 1, Text: "One more thing that has to hold"})
	}
	wants(t, SubTask(f), "more: `baton task show 101`")
	f.Task.Holder = "agent-2"
	if SubTask(f) != "" {
		t.Error("the task is another's")
	}
	f.Task.Holder, f.Proposed = "", true
	if SubTask(f) != "" || SubTask(Facts{}) != "" {
		t.Error("no task is active")
	}
}

// The summary must keep task, criterion, next step, and the session's files rather than those of git.
func TestCompactNote(t *testing.T) {
	t.Parallel()
	f := shop()
	wants(t, CompactNote(f), "- task #101: “JWT service” (.baton/tasks/task-101-state.md)", "- open criterion 2: “Keys rotate”",
		"- next step: “Rotate the keys.”", "- files being edited: keys.go")
	f.Touched = []string{"a.go", "b.go"}
	wants(t, CompactNote(f), "- files being edited: b.go, a.go")
	f.Task = nil
	wants(t, CompactNote(f), "- next step of the project: “finish plan 2”")
	if note := CompactNote(Facts{}); note != "" {
		t.Errorf("%q about nothing", note)
	}
}

func TestPointer(t *testing.T) {
	t.Parallel()
	wants(t, Pointer(shop()), "has changed", "`baton context`", "Task #101: “JWT service”, 1 of 3 criteria checked.")
	wants(t, Pointer(Facts{}), "No task is active.")
}

// Every point of the score has a reason. A well described task gets all points, and empty facts get none.
func TestRate(t *testing.T) {
	t.Parallel()
	best := shop()
	for i := range best.Task.Criteria {
		best.Task.Criteria[i].Verify = "make test"
	}
	worst := hostile()
	worst.Task, worst.Git = nil, Git{}
	for _, tt := range []struct {
		name        string
		f           Facts
		least, most int
		wants       string
	}{
		{"best", best, 100, 100, ""},
		{"without commands", shop(), 96, 96, "1 of 3 have a command"},
		{"bare", Facts{Open: 3, Ready: 1}, 20, 40, "`baton task ready` lists tasks"},
		{"worst", worst, 30, 50, "resolve the warnings"},
		{
			"no tasks", Facts{
				NoTasks: true, Open: -1, Ready: -1, Project: Digest{
					Name: "shop", Path: ".planning/STATE.md", Kind: KindGSD, Phase: "3", Next: "plan it",
				}, Git: Git{Known: true, Branch: "main"},
			}, 100, 100, "",
		},
		{
			"no tasks, a bare digest", Facts{
				NoTasks: true, Open: -1, Ready: -1, Project: Digest{Name: "shop", Path: ".specflow/STATE.md", Kind: KindSpecflow},
				Git: Git{Known: true, Branch: "main"},
			}, 50, 70, "`baton state active add ID`",
		},
	} {
		p := Orientation(tt.f, start())
		s := Rate(tt.f, p)
		sum, of, hints := 0, 0, ""
		for _, r := range s.Reasons {
			sum, of, hints = sum+r.Points, of+r.Of, hints+r.Hint+"\n"
			if (r.Points < r.Of) != (r.Hint != "") || r.Text == "" {
				t.Errorf("%s: %+v", tt.name, r)
			}
		}
		if sum != s.Points || of != 100 || s.Points < tt.least || s.Points > tt.most {
			t.Errorf("%s: %d points (%d) of %d, want %d to %d: %+v", tt.name, s.Points, sum, of, tt.least, tt.most, s.Reasons)
		}
		wants(t, hints, tt.wants)
	}
}
