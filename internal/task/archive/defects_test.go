package archive

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"baton/internal/task"
	"baton/internal/task/inputs"
	"baton/internal/task/tasktest"
)

// The tests in this file cover defects that an implementation of this format once had (docs/dev/rules.md, section 7).

func TestDefect_SummarySurvivesTheNextAppend(t *testing.T) {
	t.Parallel()
	l := logged{t: t, s: tasktest.NewTask(task.V2), limits: task.DefaultLimits()}
	for n := 1; n <= 9; n++ {
		l.log(bulky(n, 12<<10), tasktest.Clock())
	}
	block := string(l.s.Summary.Span.Of(l.s.Bytes()))
	for n := 10; n <= 11; n++ {
		l.log(task.Entry{Did: []string{"small"}}, tasktest.Clock())
	}
	if got := string(l.s.Summary.Span.Of(l.s.Bytes())); got != block {
		t.Errorf("the summary changed:\n%s\n%s", block, got)
	}
}

func TestDefect_V1SessionsSurviveAnAppend(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"v1a.md", "v1b.md", "v1c.md"} {
		s := task.Parse(tasktest.FixtureIDs()[name], tasktest.Fixture(t, name))
		next := tasktest.Must(s.Append(s.NextNumber(nil, 0), tasktest.Clock(), task.Entry{Did: []string{"new"}}))
		for _, session := range tasktest.SessionBytes(s) {
			if !bytes.Contains(next.Bytes(), []byte(session)) {
				t.Errorf("%s: lost %q", name, session)
			}
		}
	}
}

func TestDefect_HumanSectionIsNotArchived(t *testing.T) {
	t.Parallel()
	src := bytes.Replace(tasktest.LogFile("### Session 1 - 2026-01-01 10:00\n**Did:** a\n\n**Next:** go on\n"),
		[]byte("\n## 4."), []byte("\n## Notes of agent-1\n\nmine\n\n## 4."), 1)
	s := task.Parse("7", src)
	if next := s.Sessions[0].Next; len(next) != 1 || next[0] != "go on" {
		t.Errorf("next %q", next)
	}
	archived := tasktest.Must(Sessions(s, 0, "x", tasktest.Clock(), "a.md", Facts{}))
	if bytes.Contains(archived.Batch, []byte("mine")) ||
		!bytes.Contains(archived.State.Bytes(), []byte("\n## Notes of agent-1\n\nmine\n\n## 4.")) {
		t.Errorf("agent-1's section moved:\n%s", archived.State.Bytes())
	}
}

func TestDefect_NumbersDoNotComeFromMetadata(t *testing.T) {
	t.Parallel()
	s := task.Parse("7", tasktest.LogFile("### Session 2 - 2026-01-01 10:00\n**Did:** a\n"))
	s, _ = s.SetMeta(task.KeyValue{Key: "total_sessions", JSON: "0"})
	change := tasktest.Must(Log(s, LogRequest{
		Entry: task.Entry{Did: []string{"b"}}, Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: task.DefaultLimits(),
	}))
	if change.Session != 3 || change.State.Meta.Total != 2 {
		t.Errorf("session %d, total %d", change.Session, change.State.Meta.Total)
	}
}

func TestDefect_AppendToAV2FileErasesNothing(t *testing.T) {
	t.Parallel()
	src := tasktest.Fixture(t, "v2.md")
	change := tasktest.Must(Log(task.Parse("35", src), LogRequest{
		Entry: task.Entry{Did: []string{"b"}}, Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: task.DefaultLimits(),
	}))
	without := bytes.ReplaceAll(src, []byte(`"total_sessions": 3`), []byte(`"total_sessions": 4`))
	if lost := tasktest.Removed(without, change.State.Bytes()); lost != "" {
		t.Errorf("lost %q", lost)
	}
}

func TestDefect_InvalidMetadataStopsNothing(t *testing.T) {
	t.Parallel()
	src := bytes.Replace(tasktest.LogFile("(No sessions yet)\n"), []byte(`"task_id": 7,`), []byte(`"task_id" 7,`), 1)
	change := tasktest.Must(Log(task.Parse("7", src), LogRequest{
		Entry: task.Entry{Did: []string{"b"}}, Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: task.DefaultLimits(),
	}))
	if change.Session != 1 || !bytes.Contains(change.State.Bytes(), []byte(`"task_id" 7,`)) ||
		!strings.Contains(tasktest.Codes(change.State), "metadata_invalid") {
		t.Errorf("%q\n%s", tasktest.Codes(change.State), change.State.Bytes())
	}
}

func TestDefect_ArchivingIsNotOneAppendLate(t *testing.T) {
	t.Parallel()
	s := sizedLog(t, 6, 74<<10)
	change := tasktest.Must(Log(s, LogRequest{
		Entry: bulky(7, 4<<10), Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: task.DefaultLimits(), ArchivePath: "a.md",
	}))
	if size := len(change.State.Bytes()); size > 75<<10 || len(change.Archived) != 2 {
		t.Errorf("%d bytes, archived %v", size, change.Archived)
	}
}

func TestDefect_SummaryHoldsMoreThanThreeItems(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	for n := 1; n <= 6; n++ {
		fmt.Fprintf(&log, "### Session %d - 2026-01-01 10:00\n**Did:** thing %d\n**Commits:** abc000%d\n\n", n, n, n)
	}
	text := summaryOf(t, task.V2, log.String())
	if !strings.Contains(text, "thing 1; thing 2; thing 3; thing 4; thing 5; thing 6\n") ||
		!strings.Contains(text, "abc0001, abc0002, abc0003, abc0004, abc0005, abc0006\n") {
		t.Errorf("%s", text)
	}
}

func TestDefect_InputKeepsConfigurationAndFence(t *testing.T) {
	t.Parallel()
	body := inputs.BuildInput(task.Parse("35", tasktest.Fixture(t, "v2.md")), "x.md").Body
	if strings.Count(body, "> ```") < 2 || !strings.Contains(body, "**API Contract:**") {
		t.Errorf("%s", body)
	}
}

func TestDefect_StampIsOneClock(t *testing.T) {
	t.Parallel()
	// 23:30 UTC on the 3rd is already the 4th in the writer's zone. Date and time must agree (TS-D8).
	at := tasktest.Clock().Add(-15*60*60*1e9 + 24*60*1e9) // 00:30 on the 4th in a zone two hours east
	s := tasktest.Must(tasktest.NewTask(task.V2).Append(1, at, task.Entry{Did: []string{"a"}}))
	if got := s.Sessions[0].Stamp; got != "2026-03-04 00:30" {
		t.Errorf("%q", got)
	}
}
