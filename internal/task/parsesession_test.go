package task_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/task"
	"baton/internal/task/tasktest"
)

// logOf returns a v2 file with the given progress log.
func logOf(text string) *task.State {
	return task.Parse("9", []byte("## 0. Metadata\n\n## 1. Context\n\n## 3. Progress Log\n\n"+text+
		"\n\n## 4. Chain Output\n\n(To be completed)\n"))
}

func TestTS37_SessionHeadings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		heading string
		number  int // 0 if it is not a session
		label   string
		stamp   string
		time    string
	}{
		{"Session 1 - 2025-03-04 09:10", 1, "1", "2025-03-04 09:10", "2025-03-04T09:10:00Z"},
		{"Session 2 – 2025-03-04 09:10", 2, "2", "2025-03-04 09:10", "2025-03-04T09:10:00Z"},
		{"Session 3 — 2025-03-04T09:10:11+02:00", 3, "3", "2025-03-04T09:10:11+02:00", "2025-03-04T07:10:11Z"},
		{"Session 4: 2025-03-04", 4, "4", "2025-03-04", "2025-03-04T00:00:00Z"},
		{"Session 5", 5, "5", "", ""},
		{"session 3b - 2025-03-04 09:10", 3, "3b", "2025-03-04 09:10", "2025-03-04T09:10:00Z"},
		{"SESSION 007", 7, "007", "", ""},
		{"Session #8 - later", 8, "8", "later", ""},
		{"Session 9 (continued)", 9, "9", "(continued)", ""},
		{"Session 10 - 2025-03-04 09:10 (long)", 10, "10", "2025-03-04 09:10 (long)", "2025-03-04T09:10:00Z"},
		{"Session 11 2025-03-04 09:10", 11, "11", "2025-03-04 09:10", "2025-03-04T09:10:00Z"},
		{"Session notes", 0, "", "", ""},
		{"Session", 0, "", "", ""},
		{"Session 0", 0, "", "", ""},
		{"Sessions 1-4", 0, "", "", ""},
		{"Session 4 was hard", 0, "", "", ""},
	}
	for _, test := range tests {
		t.Run(test.heading, func(t *testing.T) {
			t.Parallel()
			s := logOf("### " + test.heading + "\n**Did:** x")
			if test.number == 0 {
				if len(s.Sessions) != 0 {
					t.Errorf("read as session %+v", s.Sessions[0])
				}
				return
			}
			if len(s.Sessions) != 1 {
				t.Fatal("no session")
			}
			got := s.Sessions[0]
			stamp := ""
			if got.HasTime {
				stamp = task.JSONStamp(got.Time)
			}
			if got.Number != test.number || got.Label != test.label || got.Stamp != test.stamp || stamp != test.time {
				t.Errorf("got %d %q %q %q", got.Number, got.Label, got.Stamp, stamp)
			}
		})
	}
}

func TestTS39_Fields(t *testing.T) {
	t.Parallel()
	type fields struct {
		Did, Issues, State, Next, Commits []string
		Style                             string
	}
	tests := []struct {
		name, body string
		want       fields
	}{
		{
			"inline", "**Did:** a\n**Issues:** b\n**Next:** c",
			fields{Did: []string{"a"}, Issues: []string{"b"}, Next: []string{"c"}, Style: "C"},
		},
		{
			"any order and repeated", "**Next:** c\n\n**Did:** a\n\n**Did:**\n- b",
			fields{Did: []string{"a", "b"}, Next: []string{"c"}, Style: "C"},
		},
		{
			"variants of bold", "__Did:__ a\n**issues**: b\n__NEXT STEPS__: c",
			fields{Did: []string{"a"}, Issues: []string{"b"}, Next: []string{"c"}, Style: "C"},
		},
		{"empty", "**Did:**\n\n**Issues:** None\n**Next:** -", fields{Style: "C"}},
		{"none as a list", "**What I did:**\n- a\n\n**Issues encountered:**\n- None\n", fields{Did: []string{"a"}, Style: "A"}},
		{"nested list", "**Did:**\n- a\n  - b\n    - c\n- d", fields{Did: []string{"a\n- b\n  - c", "d"}, Style: "C"}},
		{"numbered", "**Did:**\n1. a\n2) b", fields{Did: []string{"a", "b"}, Style: "C"}},
		{"two paragraphs", "**Did:** a\nb\n\nc", fields{Did: []string{"a\nb", "c"}, Style: "C"}},
		{"inline and list", "**Did:** a:\n- b\n- c", fields{Did: []string{"a:", "b", "c"}, Style: "C"}},
		{
			"fence of its own", "**Did:** a\n\n```\n**Next:** no\n\nx\n```",
			fields{Did: []string{"a", "```\n**Next:** no\n\nx\n```"}, Style: "C"},
		},
		{"unknown label", "**Did:** a\n**Mood:** good\n**Next:** c", fields{Did: []string{"a"}, Next: []string{"c"}, Style: "C"}},
		{
			"commits in a line", "**Did:** a\n**Commits:** `abc1234`, def5678",
			fields{Did: []string{"a"}, Commits: []string{"abc1234", "def5678"}, Style: "C"},
		},
		{
			"commits with subjects", "**Did:** a\n**Commits:**\n- `abc1234` - one, two\n- def5678",
			fields{Did: []string{"a"}, Commits: []string{"abc1234 - one, two", "def5678"}, Style: "C"},
		},
		{
			"style B", "**What I did:**\n- a\n\n**Issues:** None\n\n**Current state:** s\n\n**Next steps:** n",
			fields{Did: []string{"a"}, State: []string{"s"}, Next: []string{"n"}, Style: "B"},
		},
		{
			"style A", "**What I did:**\n- a\n\n**Issues encountered:**\n- i\n\n**Current state:**\n- s\n\n**Next steps:**\n- n",
			fields{Did: []string{"a"}, Issues: []string{"i"}, State: []string{"s"}, Next: []string{"n"}, Style: "A"},
		},
		{"prose", "(Full detail)", fields{Did: []string{"(Full detail)"}, Style: "E"}},
		{"prose with a bold word", "**All** done", fields{Did: []string{"**All** done"}, Style: "E"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, ends := range []string{"\n", "\r\n"} {
				s := logOf("### Session 1\n" + test.body)
				s = s.WithBytes([]byte(strings.ReplaceAll(string(s.Bytes()), "\n", ends)))
				got := s.Sessions[0]
				have := fields{
					Did: got.Did, Issues: got.Issues, State: got.State, Next: got.Next, Commits: got.Commits, Style: string(got.Style),
				}
				for _, list := range []*[]string{&have.Did, &have.Issues, &have.State, &have.Next, &have.Commits} {
					if len(*list) == 0 {
						*list = nil
					}
				}
				if diff := cmp.Diff(test.want, have); diff != "" {
					t.Errorf("%q: %s", ends, diff)
				}
			}
		})
	}
}

func TestTS38_WhatBelongsToASession(t *testing.T) {
	t.Parallel()
	own := "### Session 1 - 2025-03-04 09:10\n**Did:** a\n\n#### Detail\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\n### Session 9\n## 4. " +
		"Chain Output\n```\n"
	s := logOf(own + "\n### A thought\n\nnot a session's\n\n### Session 2\n**Did:** b\n\n\n")
	if len(s.Sessions) != 2 || string(s.Sessions[0].Span.Of(s.Bytes())) != own {
		t.Fatalf("%d sessions; the first is\n%s", len(s.Sessions), s.Sessions[0].Span.Of(s.Bytes()))
	}
	if got := string(s.Sessions[1].Span.Of(s.Bytes())); got != "### Session 2\n**Did:** b\n" {
		t.Errorf("second %q", got)
	}
}

func TestDefect_HumanSectionIsNotReadAsNext(t *testing.T) {
	t.Parallel()
	s := task.Parse("9", []byte("## 0. Metadata\n\n## 1. Context\n\n## 3. Progress Log\n\n### Session 1\n**Next:** go on\n\n## "+
		"Ideas\n\nOne day.\n\n## 4. Chain Output\n\n(To be completed)\n"))
	if diff := cmp.Diff([]string{"go on"}, s.Sessions[0].Next); diff != "" {
		t.Error(diff)
	}
}

func TestTS47_ClosingRuleIsNoSessionText(t *testing.T) {
	t.Parallel()
	s := task.Parse("31", tasktest.Fixture(t, "v1a.md"))
	last := s.Sessions[1]
	if got := string(last.Span.Of(s.Bytes())); !strings.HasSuffix(got, "- Limit the size\n") || last.Next[0] != "Limit the size" {
		t.Errorf("got %q", got)
	}
}

func TestDefect_SummaryIsRead(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string][2]int{
		"Archived Summary (Sessions 1-7)": {1, 7}, "Archived Summary (Sessions 1 – 7)": {1, 7}, "archived summary": {0, 0},
		"Archived Summary (Session 3)": {3, 3}, "Archived Summary (Sessions 1-4, 6-9)": {1, 9},
	} {
		s := logOf("### " + heading + "\n\n**Duration:** x\n\n### Session 8\n**Did:** y")
		if s.Summary == nil || s.Summary.First != want[0] || s.Summary.Last != want[1] || s.Summary.Body != "**Duration:** x" ||
			len(s.Sessions) != 1 {
			t.Errorf("%s: %+v", heading, s.Summary)
		}
	}
}

func TestStyleD(t *testing.T) {
	t.Parallel()
	s := task.Parse("PROJ-42", tasktest.Fixture(t, "bare.md"))
	got := s.Sessions[1]
	if diff := cmp.Diff([][]string{{"Wrote a new one"}, {"slow on large files"}, {"measure"}},
		[][]string{got.Did, got.Issues, got.Next}); diff != "" {
		t.Error(diff)
	}
	if task.JSONStamp(got.Time) != "2025-03-10T10:30:00Z" || got.Number != 0 || s.NextNumber(nil, 0) != 3 {
		t.Errorf("time %s, next %d", got.Time, s.NextNumber(nil, 0))
	}
}

func TestStyleDBehindASummary(t *testing.T) {
	t.Parallel()
	s := task.Parse("9", []byte("## Progress Log\n\n### Archived Summary (Sessions 1-2)\n\n**Accomplishments:** a\n\n[Full details: "+
		"x]\n\n- [2025-03-10 09:00] b\n- no entry\n- [link](x)\n- [ ] box\n"))
	if len(s.Sessions) != 1 || s.Sessions[0].Did[0] != "b" || !strings.HasSuffix(s.Summary.Body, "[Full details: x]") {
		t.Errorf("sessions %+v, summary %q", s.Sessions, s.Summary.Body)
	}
	if s.NextNumber(nil, 0) != 4 {
		t.Errorf("next %d", s.NextNumber(nil, 0))
	}
}

func TestTS22_TenThousandSessionsAreRead(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("## Progress Log\n")
	for i := 1; i <= 10000; i++ {
		b.WriteString("\n### Session " + strconv.Itoa(i) + " - 2025-03-04 09:10\n**Did:**\n- a\n- b\n\n**Issues:** None\n\n**Next:** c\n")
	}
	s := task.Parse("9", []byte(b.String()))
	if len(s.Sessions) != 10000 || s.NextNumber(nil, 0) != 10001 || len(s.Sessions[9999].Did) != 2 {
		t.Errorf("%d sessions", len(s.Sessions))
	}
}

func TestTS21_LongLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("wörd ", 40000)
	s := logOf("### Session 1\n**Did:** " + long + "\n**Next:** y")
	if s.Sessions[0].Did[0] != strings.TrimSpace(long) || s.Sessions[0].Next[0] != "y" {
		t.Error("a long line is not read whole")
	}
}
