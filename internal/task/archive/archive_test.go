package archive

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/inputs"
	"baton/internal/task/tasktest"

	"github.com/google/go-cmp/cmp"
)

const archivePath = ".baton/archive/task-101-archive.md"

// logged is a task file and its archive after a series of logs.
type logged struct {
	t       *testing.T
	s       *task.State
	archive []byte
	limits  task.Limits
}

// log logs one entry as the use case does.
func (l *logged) log(e task.Entry, at time.Time) Change {
	l.t.Helper()
	change, err := Log(l.s, LogRequest{
		Entry: e, Stamp: at, Now: at, Limits: l.limits, ArchivePath: archivePath, Archive: factsOf(l.archive),
	})
	if err != nil {
		l.t.Fatal(err)
	}
	l.s = change.State
	l.archive = append(l.archive, change.Batch...)
	return change
}

// bulky returns an entry of about the given size.
func bulky(n, size int) task.Entry {
	line := strings.Repeat("words that fill a line ", 4)
	return task.Entry{
		Did:    []string{fmt.Sprintf("step %d", n), strings.Repeat(line, size/len(line)+1)[:size]},
		Issues: []string{fmt.Sprintf("trouble %d", n)}, State: []string{"halfway"}, Next: []string{fmt.Sprintf("step %d", n+1)},
		Commits: []task.Commit{{Hash: fmt.Sprintf("%07x", 0xabc0000+n), Subject: fmt.Sprintf("change %d", n)}},
	}
}

// Section 8, item 2: after each of forty sessions of 12 KB the file has at most 75 KB, and no byte of any session is
// lost.
func TestAcceptance2_FortySessions(t *testing.T) {
	t.Parallel()
	for _, d := range tasktest.BothDialects() {
		t.Run(string(d), func(t *testing.T) {
			t.Parallel()
			l := logged{t: t, s: tasktest.NewTask(d), limits: task.DefaultLimits()}
			original := map[int]string{}
			for n := 1; n <= 40; n++ {
				change := l.log(bulky(n, 12<<10), tasktest.Clock().Add(time.Duration(n)*time.Hour))
				if size := len(l.s.Bytes()); size > 75<<10 {
					t.Fatalf("after session %d the file has %d bytes", n, size)
				}
				if change.Session != n {
					t.Fatalf("session %d is numbered %d", n, change.Session)
				}
				last := l.s.Sessions[len(l.s.Sessions)-1]
				original[n] = string(last.Span.Of(l.s.Bytes()))
			}
			for n, want := range original {
				text := ""
				for _, session := range l.s.Sessions {
					if session.Number == n {
						text = string(session.Span.Of(l.s.Bytes()))
					}
				}
				if text == "" {
					text = string(tasktest.Must(ReadBack(l.s, l.archive, n, n)))
				}
				if text != want {
					t.Errorf("session %d is not what it was", n)
				}
			}
			first := l.s.Sessions[0].Number
			if l.s.Summary == nil || l.s.Summary.First != 1 || l.s.Summary.Last != first-1 {
				t.Fatalf("summary %+v, live from %d", l.s.Summary, first)
			}
			if size := l.s.Summary.Span.Len(); size > summaryBytes {
				t.Errorf("summary of %d bytes", size)
			}
			if l.s.Meta.Total != 40 || l.s.Meta.Archived != first-1 || l.s.Meta.ArchivePath != archivePath {
				t.Errorf("metadata %+v", l.s.Meta)
			}
			if d == task.V1C && len(l.s.History) > historyKeep+5 {
				t.Errorf("%d lines of history", len(l.s.History))
			}
			for n := 1; n <= 40; n++ {
				if hash := fmt.Sprintf("%07x", 0xabc0000+n); !bytes.Contains(append(bytes.Clone(l.archive), l.s.Bytes()...), []byte(hash)) {
					t.Errorf("commit %s is lost", hash)
				}
			}
		})
	}
}

func TestArchiveLayout(t *testing.T) {
	t.Parallel()
	l := logged{t: t, s: tasktest.NewTask(task.V2), limits: task.DefaultLimits()}
	for n := 1; n <= 4; n++ {
		l.log(task.Entry{Did: []string{fmt.Sprint("step ", n)}}, tasktest.Clock())
	}
	one := tasktest.Must(Sessions(l.s, 2, "two reasons\nin two lines", tasktest.Clock(), archivePath, Facts{}))
	session := func(mark string, n int) string {
		return fmt.Sprintf("%s Session %d - 2026-03-04 15:06\n**Did:** step %d\n\n**Issues:** None\n\n**Next:** None\n\n", mark, n, n)
	}
	footer := "---\nArchived on: 2026-03-04 15:06\nReason: two reasons in two lines\nSessions archived: "
	want := "# Task #101 Archive - Full Session History\n\n" + session("##", 1) + session("##", 2) + footer + "1-2\n"
	if diff := cmp.Diff(want, string(one.Batch)); diff != "" {
		t.Errorf("new archive (-want +got)\n%s", diff)
	}
	two := tasktest.Must(Sessions(one.State, 1, "two reasons in two lines", tasktest.Clock(), archivePath, factsOf(one.Batch)))
	if diff := cmp.Diff("\n"+session("##", 3)+footer+"3\n", string(two.Batch)); diff != "" {
		t.Errorf("second batch (-want +got)\n%s", diff)
	}
	service := []byte("# Task #101 Archive\r\n\r\n## Full Session History\r\n\r\n### Session 1\r\n\r\nold")
	other := tasktest.Must(Sessions(one.State, 1, "x", tasktest.Clock(), archivePath, factsOf(service)))
	if got := string(other.Batch); !strings.HasPrefix(got, "\r\n\r\n### Session 3 - ") || !strings.Contains(got, "---\r\nArchived on:") {
		t.Errorf("service layout: %q", got)
	}
}

func TestTS48_BulletsAreArchived(t *testing.T) {
	t.Parallel()
	s := task.Parse("PROJ-42", tasktest.Fixture(t, "bare.md"))
	change := tasktest.Must(Sessions(s, 1, "x", tasktest.Clock(), "a.md", Facts{}))
	want := "### Archived Summary (Sessions 1-1)\n**Duration:** 2025-03-10 09:00 - 09:00\n**Accomplishments:** Read the old " +
		"importer\n[Full details: a.md]\n\n" +
		"- [2025-03-10T10:30:00Z] Wrote a new one; Issues: slow on large files; Next: measure\n"
	if got := tasktest.SectionText(t, change.State, task.ProgressLog) + "\n"; got != want {
		t.Errorf("%s", got)
	}
	next := tasktest.Must(Log(change.State, LogRequest{
		Entry: task.Entry{Did: []string{"third"}}, Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: task.DefaultLimits(),
		Archive: factsOf(change.Batch),
	}))
	if next.Session != 3 || next.State.Dialect != task.Bare {
		t.Errorf("session %d", next.Session)
	}
	two := tasktest.Must(Sessions(next.State, 0, "x", tasktest.Clock(), "a.md", factsOf(change.Batch)))
	archive := append(bytes.Clone(change.Batch), two.Batch...)
	if got := string(tasktest.Must(ReadBack(s, archive, 2, 2))); got != "- [2025-03-10T10:30:00Z] Wrote a new one; Issues: slow on large "+
		"files; Next: measure\n" {
		t.Errorf("%q", got)
	}
	for _, old := range task.ParseArchive(archive).Sessions {
		if old.Number == 2 && (!cmp.Equal(old.Did, []string{"Wrote a new one"}) ||
			!cmp.Equal(old.Issues, []string{"slow on large files"}) || !cmp.Equal(old.Next, []string{"measure"})) {
			t.Errorf("read back: %+v", old)
		}
	}
	rebuilt := tasktest.Must(RebuildSummary(two.State, archive, "a.md", tasktest.Clock()))
	if diff := cmp.Diff(two.State.Summary.Body, rebuilt.Summary.Body); diff != "" ||
		!strings.Contains(rebuilt.Summary.Body, "Wrote a new one; third") {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTSD10_NothingToArchive(t *testing.T) {
	t.Parallel()
	s := tasktest.NewTask(task.V2)
	change := tasktest.Must(Sessions(s, 5, "x", tasktest.Clock(), archivePath, Facts{}))
	if change.Batch != nil || change.State != s || len(change.Archived) != 0 {
		t.Errorf("%+v", change)
	}
	_, err := Sessions(s, -1, "x", tasktest.Clock(), archivePath, Facts{})
	tasktest.WantError(t, err, report.Usage, "value_invalid")
}

func TestTS31_ArchiveTwice(t *testing.T) {
	t.Parallel()
	l := logged{t: t, s: tasktest.NewTask(task.V2), limits: task.DefaultLimits()}
	for n := 1; n <= 7; n++ {
		l.log(bulky(n, 100), tasktest.Clock())
	}
	one := tasktest.Must(Sessions(l.s, 5, "x", tasktest.Clock(), archivePath, Facts{}))
	two := tasktest.Must(Sessions(one.State, 5, "x", tasktest.Clock(), archivePath, factsOf(one.Batch)))
	if two.Batch != nil || !bytes.Equal(one.State.Bytes(), two.State.Bytes()) {
		t.Error("the second archiving changed something")
	}
}

func TestTS40_SummaryThatStands(t *testing.T) {
	t.Parallel()
	block := "### Archived Summary (Sessions 1-2)\n**Duration:** 2026-01-01 10:00 - 11:00\n**Accomplishments:** first; second\n" +
		"**Commits:** abc1234\n**Decided by:** the team\nA remark of a person.\n[Full details: old/place.md]\n"
	log := block + "\n### Session 3 - 2026-01-02 09:00\n**Did:** third\n**Issues:** FIRST trouble\n**Next:** x\n\n### Session 4 - " +
		"2026-01-02 10:00\n**Did:** Second\n\n### Session 5 - 2026-01-02 12:00\n**Did:** last\n"
	s := task.Parse("7", tasktest.LogFile(log))
	change := tasktest.Must(Sessions(s, 1, "x", tasktest.Clock(), "new/place.md", Facts{Exists: false}))
	want := "### Archived Summary (Sessions 1-4)\n**Duration:** 2026-01-01 10:00 - 2026-01-02 10:00\n**Accomplishments:** first; " +
		"second; third\n" +
		"**Issues:** FIRST trouble\n**Commits:** abc1234\n\n**Decided by:** the team\nA remark of a person.\n\n[Full details: " +
		"new/place.md]\n"
	got := string(change.State.Summary.Span.Of(change.State.Bytes()))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := tasktest.CodesOf(change.Findings); got != "summary_edited" {
		t.Errorf("findings %q", got)
	}
	again := tasktest.Must(Sessions(change.State, 0, "x", tasktest.Clock(), "new/place.md", factsOf(change.Batch)))
	got = string(again.State.Summary.Span.Of(again.State.Bytes()))
	for _, keep := range []string{"(Sessions 1-5)", "**Decided by:** the team\nA remark of a person.\n\n", "first; second; third; last"} {
		if !strings.Contains(got, keep) {
			t.Errorf("%q is gone:\n%s", keep, got)
		}
	}
	if strings.Count(string(again.State.Bytes()), "### Archived Summary") != 1 {
		t.Error("there are two summaries")
	}
}

// sizedLog returns a log of n sessions whose file has exactly size bytes.
func sizedLog(t *testing.T, sessions, size int) *task.State {
	t.Helper()
	var b strings.Builder
	for n := 1; n <= sessions; n++ {
		fmt.Fprintf(&b, "### Session %d - 2026-01-01 10:00\n**Did:** FILL%d\n\n", n, n)
	}
	src := string(tasktest.LogFile(b.String()))
	fill := size - len(src)
	for n := 1; n <= sessions; n++ {
		part := fill / sessions
		if n == sessions {
			part = fill - fill/sessions*(sessions-1)
		}
		name := fmt.Sprintf("FILL%d\n", n)
		src = strings.Replace(src, name, name[:len(name)-1]+strings.Repeat("x", part)+"\n", 1)
	}
	if len(src) != size {
		t.Fatalf("%d bytes, want %d", len(src), size)
	}
	return task.Parse("101", []byte(src))
}

func TestTS41_Limits(t *testing.T) {
	t.Parallel()
	l := task.DefaultLimits()
	for _, c := range []struct {
		size int
		want string
	}{{50<<10 - 1, ""}, {50 << 10, "large"}, {75 << 10, "large"}, {75<<10 + 1, "task_may_be_too_large"}} {
		if got := tasktest.CodesOf(sizedLog(t, 1, c.size).SizeFindings(l, 1)); got != c.want {
			t.Errorf("%d bytes: %q, want %q", c.size, got, c.want)
		}
	}
	entry := task.Entry{Did: []string{"a"}}
	request := LogRequest{Entry: entry, Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: l, ArchivePath: archivePath}
	grown := tasktest.Must(Log(sizedLog(t, 5, 60<<10), request))
	cost := len(grown.State.Bytes()) - 60<<10

	// A file that would have exactly 75 KB is not above the limit; one more byte is, even if only the metadata adds it.
	at := tasktest.Must(Log(sizedLog(t, 5, 75<<10-cost), request))
	if len(at.State.Bytes()) != 75<<10 || at.Batch != nil || tasktest.CodesOf(at.Findings) != "large" {
		t.Errorf("exactly 75 KB: %d bytes, %q, archived %v", len(at.State.Bytes()), tasktest.CodesOf(at.Findings), at.Archived)
	}
	over := tasktest.Must(Log(sizedLog(t, 5, 75<<10-cost+1), request))
	if diff := cmp.Diff([]int{1}, over.Archived); diff != "" || len(over.State.Bytes()) > 75<<10 {
		t.Errorf("one byte more: %s, %d bytes", diff, len(over.State.Bytes()))
	}
	one := tasktest.Must(Log(sizedLog(t, 1, 80<<10), request))
	if one.Batch != nil || tasktest.CodesOf(one.Findings) != "task_may_be_too_large" {
		t.Errorf("one large session: %q", tasktest.CodesOf(one.Findings))
	}
	five := tasktest.Must(Log(sizedLog(t, 6, 150<<10), request))
	if diff := cmp.Diff([]int{1, 2}, five.Archived); diff != "" || tasktest.CodesOf(five.Findings) != "over_limit_irreducible" ||
		!strings.Contains(five.Findings[0].Text, "Progress Log") {
		t.Errorf("five large sessions: %s %+v", diff, five.Findings)
	}
}

// D25: where older descriptions contradict each other, one reading applies. A count on the border of two classes
// belongs to the lower one (TS-D31), and v2's table is the default (TS-D32).
func TestD25_SizeClassesHaveOneReading(t *testing.T) {
	t.Parallel()
	s := tasktest.NewTask(task.V2)
	for _, c := range []struct {
		sizing   string
		sessions int
		want     string
	}{
		{"v2", 8, ""},
		{"v2", 9, "consider_splitting"},
		{"v2", 15, "consider_splitting"},
		{"v2", 16, "must_split"},
		{"v1", 10, ""},
		{"v1", 11, "consider_splitting"},
		{"v1", 20, "consider_splitting"},
		{"v1", 21, "must_split"},
	} {
		l := task.DefaultLimits()
		l.Sizing = c.sizing
		if got := tasktest.CodesOf(s.SizeFindings(l, c.sessions)); got != c.want {
			t.Errorf("%s, %d sessions: %q, want %q", c.sizing, c.sessions, got, c.want)
		}
	}
}

func TestTS49_NextNumberOverGaps(t *testing.T) {
	t.Parallel()
	log := "### Archived Summary (Sessions 1-4)\n**Accomplishments:** x\n\n### Session 3 - 2026-01-01 10:00\n**Did:** c\n\n### Session 5 " +
		"- 2026-01-01 11:00\n**Did:** e\n"
	s := task.Parse("7", tasktest.LogFile(log))
	archive := []byte("# Task #7 Archive - Full Session History\n\n## Session 1\na\n\n## Session 2\nb\n\n## Session " +
		"4\nd\n\n---\nArchived on: 2026-01-01 10:30\nReason: x\nSessions archived: 1-2, 4\n")
	change := tasktest.Must(Log(s, LogRequest{
		Entry: task.Entry{Did: []string{"f"}}, Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: task.DefaultLimits(),
		Archive: factsOf(archive),
	}))
	if change.Session != 6 {
		t.Fatalf("session %d, want 6", change.Session)
	}
	moved := tasktest.Must(Sessions(change.State, 1, "x", tasktest.Clock(), "a.md", factsOf(archive)))
	if !strings.HasSuffix(string(moved.Batch), "Sessions archived: 3, 5\n") {
		t.Errorf("footer: %q", moved.Batch[len(moved.Batch)-60:])
	}
	whole := append(bytes.Clone(archive), moved.Batch...)
	got := string(tasktest.Must(ReadBack(s, whole, 1, 5)))
	if want := "### Session 1\na\n\n### Session 2\nb\n\n### Session 3 - 2026-01-01 10:00\n**Did:** c\n\n### Session 4\nd\n\n### Session " +
		"5 - 2026-01-01 11:00\n**Did:** e\n"; got != want {
		t.Errorf("in number order: %q", got)
	}
	_, err := ReadBack(s, whole, 7, 9)
	tasktest.WantError(t, err, report.NotFound, "session_unknown")
}

func TestD7_LogReadsOnlyTheTail(t *testing.T) {
	t.Parallel()
	tail := []byte("middle of a line\n\n## Session 41\n**Did:** x\n\n---\nArchived on: 2026-01-01 10:30\nReason: x\nSessions " +
		"archived: 36-41\n")
	s := tasktest.NewTask(task.V2)
	change := tasktest.Must(Log(s, LogRequest{
		Entry: task.Entry{Did: []string{"a"}}, Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: task.DefaultLimits(),
		ArchivePath: archivePath,
		Archive:     Facts{Exists: true, Size: 1 << 30, Tail: tail},
	}))
	if change.Session != 42 {
		t.Errorf("session %d, want 42", change.Session)
	}
}

func TestTS57_V1FileKeepsAllItHas(t *testing.T) {
	t.Parallel()
	l := logged{t: t, s: tasktest.NewTask(task.V1C), limits: task.DefaultLimits()}
	for n := 1; n <= 20; n++ {
		l.log(bulky(n, 8<<10), tasktest.Clock().Add(time.Duration(n)*time.Minute))
		s := l.s
		if s.Dialect != task.V1C || len(s.Criteria) != 2 || s.Criteria[0].Feature != 0 || !s.Meta.Valid || s.Meta.Total != n {
			t.Fatalf("after session %d: %s, %d criteria, %+v", n, s.Dialect, len(s.Criteria), s.Meta)
		}
		if _, ok := s.Find(task.GitHistory); !ok || len(s.History) == 0 {
			t.Fatalf("after session %d: no history", n)
		}
	}
	s := tasktest.Must(l.s.SetCriterion(1, true, tasktest.Clock()))
	s = tasktest.Must(inputs.SetOutput(s, map[task.Part]string{task.PartSummary: "done"}, ""))
	if s.Dialect != task.V1C || !s.Criteria[0].Checked || s.Output.State != task.OutputWritten || len(s.History) == 0 {
		t.Errorf("%s", s.Bytes())
	}
	if !bytes.Contains(l.archive, []byte("\n## Git History\n\n- `abc0001` - change 1\n")) {
		t.Errorf("old history lines are not in the archive")
	}
}

// The cost of logging does not depend on the size of the archive (D7).
func BenchmarkLog75KB(b *testing.B) {
	s := sizedLogFor(b)
	request := LogRequest{
		Entry: bulky(7, 1000), Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: task.DefaultLimits(), ArchivePath: archivePath,
	}
	b.ResetTimer()
	for b.Loop() {
		if _, err := Log(s, request); err != nil {
			b.Fatal(err)
		}
	}
}

// sizedLogFor returns a file just below the limit.
func sizedLogFor(b *testing.B) *task.State {
	b.Helper()
	s := tasktest.NewTask(task.V2)
	for n := 1; n <= 6; n++ {
		s = tasktest.Must(s.Append(n, tasktest.Clock(), bulky(n, 11<<10)))
	}
	return s
}
