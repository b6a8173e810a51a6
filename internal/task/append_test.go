package task_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/task/tasktest"

	"github.com/google/go-cmp/cmp"
)

// added returns the lines that new has and old does not. They must be consecutive.
func added(t *testing.T, old, new []byte) string {
	t.Helper()
	start := 0
	for start < len(old) && start < len(new) && old[start] == new[start] {
		start++
	}
	end := 0
	for end < len(old)-start && end < len(new)-start && old[len(old)-1-end] == new[len(new)-1-end] {
		end++
	}
	if start+end < len(old) {
		t.Fatalf("bytes were replaced: %q", old[start:len(old)-end])
	}
	return string(new[start : len(new)-end])
}

func TestStyles(t *testing.T) {
	t.Parallel()
	full := task.Entry{
		Did: []string{"one", "two"}, Issues: []string{"bad"}, State: []string{"half"}, Next: []string{"go on"},
		Commits: []task.Commit{{Hash: "abc1234", Subject: "subject"}},
	}
	least := task.Entry{Did: []string{"one"}}
	head := "### Session 2 - 2026-03-04 15:06\n"
	cases := []struct {
		name string
		log  string
		e    task.Entry
		want string
	}{
		{"A full", "### Session 1 - 2026-01-01 10:00\n**What I did:**\n- x\n\n**Issues encountered:**\n- None\n", full, head +
			"**What I did:**\n- one\n- two\n\n**Issues encountered:**\n- bad\n\n**Current state:**\n- half\n\n**Next steps:**\n- go " +
			"on\n\n**Commits:** abc1234\n"},
		{"A least", "### Session 1 - 2026-01-01 10:00\n**What I did:**\n- x\n\n**Issues encountered:**\n- None\n", least, head +
			"**What I did:**\n- one\n\n**Issues encountered:**\n- None\n\n**Current state:**\n- None\n\n**Next steps:**\n- None\n"},
		{"B", "### Session 1 - 2026-01-01 10:00\n**What I did:**\n- x\n\n**Issues:** None\n\n**Next steps:** y\n", full, head +
			"**What I did:**\n- one\n- two\n\n**Issues:** bad\n\n**Current state:** half\n\n**Next steps:** go " +
			"on\n\n**Commits:** abc1234\n"},
		{"C full", "### Session 1 - 2026-01-01 10:00\n**Did:** x\n**Issues:** None\n**Next:** y\n", full, head +
			"**Did:**\n- one\n- two\n\n**Issues:** bad\n\n**Current state:** half\n\n**Next:** go on\n\n**Commits:** abc1234\n"},
		{"C least", "### Session 1 - 2026-01-01 10:00\n**Did:** x\n", least, head + "**Did:** one\n\n**Issues:** None\n\n**Next:** None\n"},
		{
			"E is passed over", "### Session 1 - 2026-01-01 10:00\n**Did:** x\n\n### Session 1b\n(Full detail)\n", least,
			head + "**Did:** one\n\n**Issues:** None\n\n**Next:** None\n",
		},
		{"placeholder goes", "(No sessions yet)\n", least, head + "**Did:** one\n\n**Issues:** None\n\n**Next:** None\n"},
		{
			"D", "- [2026-01-01T10:00:00Z] x\n", full,
			"- [2026-03-04T15:06:00+02:00] one; two; Issues: bad; Current state: half; Next: go on; Commits: abc1234\n",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := task.Parse("7", tasktest.LogFile(c.log))
			next := tasktest.Must(s.Append(2, tasktest.Clock(), c.e))
			if !strings.Contains(string(next.Bytes()), c.want) {
				t.Fatalf("want\n%s\ngot\n%s", c.want, next.Bytes())
			}
			if c.log != "(No sessions yet)\n" {
				added(t, s.Bytes(), next.Bytes())
			} else if strings.Contains(string(next.Bytes()), "(No sessions yet)") {
				t.Error("the placeholder stands")
			}
		})
	}
}

func TestTS10_FenceHidesSession(t *testing.T) {
	t.Parallel()
	log := "### Session 1 - 2026-01-01 10:00\n**Did:**\n- read a sample:\n\n```markdown\n### Session 9 - 2026-01-01 11:00\n## 4. Chain " +
		"Output\n{\"json\": true}\n```\n"
	s := task.Parse("7", tasktest.LogFile(log))
	if n := s.NextNumber(nil, 0); n != 2 {
		t.Fatalf("next number %d", n)
	}
	next := tasktest.Must(s.Append(2, tasktest.Clock(), task.Entry{Did: []string{"x\n```\n### Session 9\n## 4. Chain Output\n```"}}))
	if len(next.Sections) != len(s.Sections) || next.NextNumber(nil, 0) != 3 || next.Output.State != task.OutputEmpty {
		t.Fatalf("structure changed:\n%s", next.Bytes())
	}
	added(t, s.Bytes(), next.Bytes())
}

func TestTS12_NoEditBehindAnUnclosedFence(t *testing.T) {
	t.Parallel()
	src := append(tasktest.LogFile("### Session 1\n**Did:** x\n\n```\nopen\n"), "```\n"...)
	src = bytes.TrimSuffix(src, []byte("```\n"))
	s := task.Parse("7", src)
	_, err := s.Append(2, tasktest.Clock(), task.Entry{Did: []string{"a"}})
	tasktest.WantError(t, err, report.Violation, "unclosed_fence")
	if report.As(err).Line == 0 {
		t.Error("no line is named")
	}
}

func TestTS20_TextIsWrittenLiterally(t *testing.T) {
	t.Parallel()
	text := "pipe | back-tick ` backslash \\ star * amp &amp; $x"
	next := tasktest.Must(task.Parse("7", tasktest.LogFile("### Session 1\n**Did:** x\n")).Append(2, tasktest.Clock(),
		task.Entry{Did: []string{text}, Next: []string{text}}))
	if n := strings.Count(string(next.Bytes()), text); n != 2 {
		t.Fatalf("found %d times:\n%s", n, next.Bytes())
	}
	if got := next.Sessions[1].Did; len(got) != 1 || got[0] != text {
		t.Errorf("read back %q", got)
	}
}

func TestTS23_WideText(t *testing.T) {
	t.Parallel()
	text := "漢字 👩‍👩‍👧‍👦 é שלום"
	next := tasktest.Must(tasktest.NewTask(task.V2).Append(1, tasktest.Clock(), task.Entry{Did: []string{text}}))
	if got := next.Sessions[0].Did[0]; got != text {
		t.Errorf("read back %q", got)
	}
	long := strings.Repeat("👩‍👩‍👧‍👦", 60)
	cut := safetext.Runes(long, 160)
	if !strings.HasSuffix(cut, "👩‍👩‍👧‍👦…") || len([]rune(cut)) > 160 {
		t.Errorf("cut within a grapheme: %q", cut)
	}
}

func TestTS38_SessionWithHeadingsTableAndFence(t *testing.T) {
	t.Parallel()
	log := "### Session 1 - 2026-01-01 10:00\n**Did:** x\n\n#### Measurements\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\n### Session " +
		"9\n```\n\n### Remarks\ntext\n"
	src := bytes.Replace(tasktest.LogFile(log), []byte("\n## 4."), []byte("\n## A person's section\n\nkeep\n\n## 4."), 1)
	s := task.Parse("7", src)
	next := tasktest.Must(s.Append(2, tasktest.Clock(), task.Entry{Did: []string{"| c | d |\n### Heading\n#### Deeper"}}))
	if len(next.Sessions) != 2 || next.Sessions[1].Number != 2 || len(next.Sections) != len(s.Sections) {
		t.Fatalf("structure changed:\n%s", next.Bytes())
	}
	if text := added(t, src, next.Bytes()); strings.Contains(text, "keep") {
		t.Error("the person's section moved")
	}
	if at, human := bytes.Index(next.Bytes(), []byte("### Session 2")), bytes.Index(next.Bytes(), []byte("## A person's")); at > human {
		t.Error("the session is in the person's section")
	}
}

func TestTS47_SessionBeforeTheSeparator(t *testing.T) {
	t.Parallel()
	src := tasktest.Fixture(t, "v1a.md")
	s := task.Parse("31", src)
	next := tasktest.Must(s.Append(3, tasktest.Clock(), task.Entry{Did: []string{"a"}}))
	text := added(t, src, next.Bytes())
	if strings.Contains(text, "---") || !strings.Contains(text, "### Session 3 - 2026-03-04 15:06\n**What I did:**\n- a\n") {
		t.Fatalf("added %q", text)
	}
	out := string(next.Bytes())
	at := strings.Index(out, "### Session 3")
	if rest := out[at:]; !strings.Contains(rest[:strings.Index(rest, "## 4. Chain Output")], "- None\n\n---\n") {
		t.Errorf("the separator does not follow:\n%s", rest)
	}
}

func TestTS48_DialectUnchanged(t *testing.T) {
	t.Parallel()
	for name, id := range tasktest.FixtureIDs() {
		s := task.Parse(id, tasktest.Fixture(t, name))
		next := tasktest.Must(s.Append(s.NextNumber(nil, 0), tasktest.Clock(), task.Entry{
			Did: []string{"a"}, Commits: []task.Commit{{Hash: "fedcba9", Subject: "subject"}},
		}))
		if next.Dialect != s.Dialect {
			t.Errorf("%s: %s became %s", name, s.Dialect, next.Dialect)
		}
		if len(next.Sessions) != len(s.Sessions)+1 {
			t.Errorf("%s: %d sessions", name, len(next.Sessions))
		}
		if lost := tasktest.Removed(s.Bytes(), next.Bytes()); lost != "" {
			t.Errorf("%s: lost %q", name, lost)
		}
		history := s.Dialect == task.V1B || s.Dialect == task.V1C
		if got := strings.Contains(string(next.Bytes()), "- `fedcba9` - subject\n"); got != history {
			t.Errorf("%s: commit line in the history: %v", name, got)
		}
		if got := strings.Contains(string(next.Bytes()), "Commits:** fedcba9") ||
			strings.Contains(string(next.Bytes()), "Commits: fedcba9"); got == history {
			t.Errorf("%s: commits in the entry: %v", name, got)
		}
	}
}

func TestTS1_2_8_9_LineEnds(t *testing.T) {
	t.Parallel()
	log := "### Session 1\n**Did:** x\n"
	crlfFile := tasktest.CRLF(tasktest.LogFile(log))
	next := tasktest.Must(task.Parse("7", crlfFile).Append(2, tasktest.Clock(), task.Entry{Did: []string{"a\nb"}}))
	if n := bytes.Count(next.Bytes(), []byte("\n")) - bytes.Count(next.Bytes(), []byte("\r\n")); n != 0 {
		t.Errorf("%d lines without CR", n)
	}
	noEnd := []byte("# Task #7: x\n\n## 3. Progress Log\n\n### Session 1\n**Did:** x")
	next = tasktest.Must(task.Parse("7", noEnd).Append(2, tasktest.Clock(), task.Entry{Did: []string{"a"}}))
	if got := added(t, noEnd, next.Bytes()); got != "\n\n### Session 2 - 2026-03-04 15:06\n**Did:** a\n\n**Issues:** "+
		"None\n\n**Next:** None" {
		t.Errorf("no final line end: %q", got)
	}
	blanks := []byte("# Task #7: x\n\n## 3. Progress Log\n\n### Session 1\n**Did:** x\n\n\n\n")
	next = tasktest.Must(task.Parse("7", blanks).Append(2, tasktest.Clock(), task.Entry{Did: []string{"a"}}))
	if got := string(next.Bytes()); !strings.HasSuffix(got, "**Did:** x\n\n### Session 2 - 2026-03-04 15:06\n**Did:** a\n\n**Issues:** "+
		"None\n\n**Next:** None\n\n\n\n") {
		t.Errorf("final blank lines: %q", got)
	}
	mixed := bytes.Replace(tasktest.LogFile(log), []byte("**Did:** x\n"), []byte("**Did:** x\r\n"), 1)
	next = tasktest.Must(task.Parse("7", mixed).Append(2, tasktest.Clock(), task.Entry{Did: []string{"a"}}))
	if !bytes.Contains(next.Bytes(), []byte("### Session 2 - 2026-03-04 15:06\r\n")) {
		t.Error("the inserted line does not take the line end above")
	}
}

func TestTS7_EmptyFileAndMissingSection(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"", "\n\n", "just text",
		"# Task #7: x\n\n## 0. Metadata\n```json\n{\"task_id\": 7}\n```\n\n## 1. Context\n\n## 4. Chain Output\n\n(To be completed)\n",
	} {
		next, err := task.Parse("7", []byte(src)).Append(1, tasktest.Clock(), task.Entry{Did: []string{"a"}})
		if err != nil || len(next.Sessions) != 1 {
			t.Errorf("%q: %v\n%s", src, err, next.Bytes())
		}
	}
}

func TestTS33_StampsAreWrittenInTheirZone(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("", 13*3600)
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{time.Date(2024, 2, 29, 23, 30, 0, 0, time.UTC).In(east), "2024-03-01 12:30"},
		{time.Date(2024, 2, 29, 1, 2, 0, 0, east), "2024-02-29 01:02"},
		{time.Date(2199, 1, 1, 0, 0, 0, 0, time.UTC), "2199-01-01 00:00"},
	} {
		next := tasktest.Must(tasktest.NewTask(task.V2).Append(1, c.at, task.Entry{Did: []string{"a"}}))
		if got := next.Sessions[0].Stamp; got != c.want {
			t.Errorf("stamp %q, want %q", got, c.want)
		}
	}
	// A clock that goes backwards does not change the order of entries.
	s := tasktest.Must(tasktest.NewTask(task.V2).Append(1, tasktest.Clock(), task.Entry{Did: []string{"late"}}))
	s = tasktest.Must(s.Append(s.NextNumber(nil, 0), tasktest.Clock().Add(-time.Hour), task.Entry{Did: []string{"early"}}))
	if s.Sessions[1].Number != 2 || s.Sessions[1].Did[0] != "early" {
		t.Errorf("sessions %+v", s.Sessions)
	}
}

func TestTS29_NumbersFollowTheOrderOfAppending(t *testing.T) {
	t.Parallel()
	s := tasktest.NewTask(task.V2)
	for i := 1; i <= 20; i++ {
		change := tasktest.Must(archive.Log(s, archive.LogRequest{
			Entry: task.Entry{Did: []string{fmt.Sprint("writer ", i%2)}}, Stamp: tasktest.Clock(), Now: tasktest.Clock(),
			Limits: task.DefaultLimits(),
		}))
		if change.Session != i {
			t.Fatalf("session %d, want %d", change.Session, i)
		}
		s = change.State
	}
	if s.Meta.Total != 20 {
		t.Errorf("total_sessions %d", s.Meta.Total)
	}
}

func TestTS22_LogOnTenThousandSessions(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := 1; i <= 10000; i++ {
		fmt.Fprintf(&b, "### Session %d - 2026-01-01 10:00\n**Did:** step %d\n\n**Issues:** None\n\n**Next:** step %d\n\n", i, i, i+1)
	}
	s := task.Parse("7", tasktest.LogFile(b.String()))
	change := tasktest.Must(archive.Log(s, archive.LogRequest{
		Entry: task.Entry{Did: []string{"last"}}, Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: task.DefaultLimits(),
		ArchivePath: "a.md",
	}))
	if change.Session != 10001 || len(change.Archived) != 9996 || len(change.State.Sessions) != 5 || len(change.State.Bytes()) > 75*1024 {
		t.Fatalf("session %d, archived %d, live %d, %d bytes", change.Session, len(change.Archived), len(change.State.Sessions),
			len(change.State.Bytes()))
	}
	got := tasktest.Must(archive.ReadBack(s, change.Batch, 1, 10000))
	if n := bytes.Count(got, []byte("### Session ")); n != 9996 {
		t.Errorf("%d sessions come back", n)
	}
	if diff := cmp.Diff("step 1; step 2; step 3", change.State.Summary.Body[strings.Index(change.State.Summary.Body,
		"step 1"):][:22]); diff != "" {
		t.Error(diff)
	}
}
