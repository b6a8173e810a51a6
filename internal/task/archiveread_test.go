package task_test

import (
	"strings"
	"testing"

	"baton/internal/task"
	"baton/internal/task/tasktest"
)

func numbersIn(sessions []task.Session) string {
	var all []string
	for _, session := range sessions {
		all = append(all, session.Label)
	}
	return strings.Join(all, " ")
}

func TestArchiveLayouts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src string
		level     int
		title     string
		sessions  string
		footers   string // the ranges of the footers
		last      string // text of the last session
	}{
		{
			"first description, one footer at the end",
			"# Task #9 Archive - Full Session History\n\n## Session 1 - 2025-03-04 09:10\n**Did:** a\n\n## Session 2\n**Did:** " +
				"b\n\n---\nArchived on: 2025-03-05 10:00\nReason: large\nSessions archived: 1-2\n",
			2, "Task #9 Archive - Full Session History", "1 2", "1-2", "## Session 2\n**Did:** b\n",
		},
		{
			"one footer per batch, with gaps and history",
			"# Task #9 Archive - Full Session History\n\n## Session 1\na\n\n---\nArchived on: x\nReason: y\nSessions archived: 1\n\n## " +
				"Session 3\nb\n\n### A heading\n\nof its own\n\n## Git History\n\n- `abc1234` - one\n\n---\nArchived on: x\nReason: " +
				"y\nSessions archived: 1, 3\n",
			2, "Task #9 Archive - Full Session History", "1 3", "1;1, 3", "## Session 3\nb\n\n### A heading\n\nof its own\n",
		},
		{
			"service",
			"# Task #9 Archive\n\n## Full Session History\n\n### Session 2\nb\n\n#### Detail\nx\n\n### Session 1\na\n",
			3, "Task #9 Archive", "2 1", "", "### Session 1\na\n",
		},
		{
			"rule right below the text",
			"# Task #9 Archive\n\n## Session 1\nlast line\n---\nArchived on: x\nReason: y\nSessions archived: 1\n\n## Session 2\nb\n",
			2, "Task #9 Archive", "1 2", "1", "## Session 2\nb\n",
		},
		{
			"a rule, a fence and a replaced input",
			"# Task #9 Archive\n\n## Session 1\na\n\n---\n\nb\n\n```\n---\nArchived on: x\n## Session 7\n```\n\n## Replaced input from " +
				"Task #8 (until session 1)\n\n> old\n",
			2, "Task #9 Archive", "1", "", "## Session 1\na\n\n---\n\nb\n\n```\n---\nArchived on: x\n## Session 7\n```\n",
		},
		{
			"bullets",
			"# Task 9 Archive\n\n- [2025-03-04T09:10:00Z] a\n- [2025-03-04T09:20:00Z] b\n\n---\nArchived on: x\nReason: y\nSessions " +
				"archived: 1-2\n",
			2, "Task 9 Archive", " ", "1-2", "- [2025-03-04T09:20:00Z] b\n",
		},
		{"empty", "", 2, "", "", "", ""},
	}
	for _, test := range tests {
		for _, ends := range []string{"LF", "CRLF"} {
			t.Run(test.name+"/"+ends, func(t *testing.T) {
				t.Parallel()
				src, last := []byte(test.src), test.last
				if ends == "CRLF" {
					src, last = tasktest.CRLF(src), string(tasktest.CRLF([]byte(last)))
				}
				a := task.ParseArchive(src)
				var footers []string
				for _, footer := range a.Footers {
					footers = append(footers, footer.Range)
				}
				if a.Level != test.level || a.Title != test.title || numbersIn(a.Sessions) != test.sessions ||
					strings.Join(footers, ";") != test.footers {
					t.Errorf("level %d, title %q, sessions %q, footers %q", a.Level, a.Title, numbersIn(a.Sessions), footers)
				}
				if n := len(a.Sessions); n > 0 && string(a.Sessions[n-1].Span.Of(src)) != last {
					t.Errorf("last session %q", a.Sessions[n-1].Span.Of(src))
				}
			})
		}
	}
}

func TestArchiveInOrder(t *testing.T) {
	t.Parallel()
	a := task.ParseArchive([]byte("# A\n\n## Session 3\n\n## Session 1\n\n## Session 3b\n\n## Session 2\n"))
	if got := numbersIn(a.InOrder()); got != "1 2 3 3b" {
		t.Errorf("order %s", got)
	}
	if got := numbersIn(a.Sessions); got != "3 1 3b 2" {
		t.Errorf("file order %s", got)
	}
}

func TestArchiveHistory(t *testing.T) {
	t.Parallel()
	a := task.ParseArchive([]byte("# A\n\n## Session 1\n- `fff1111` - no history\n\n## Git History\n\n- `abc1234` - one\n\n---\nArchived " +
		"on: x\nSessions archived: 1\n\n## Git History\n- `def5678` - two\n"))
	if len(a.History) != 2 || a.History[0].Hash != "abc1234" || a.History[1].Subject != "two" {
		t.Errorf("history %+v", a.History)
	}
	if a.Footers[0].On != "x" || a.Footers[0].Reason != "" {
		t.Errorf("footer %+v", a.Footers[0])
	}
}

func TestLastArchivedReadsRanges(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"1-7": 7, "1-4, 6-9": 9, "5": 5, "9-1": 9, "x": 0, "": 0, "1 – 3": 3, "0": 0, "1-99999999999": 0,
	} {
		got := task.LastArchived([]byte("Sessions archived: " + text + "\n"))
		if got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}
