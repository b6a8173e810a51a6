package archive

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"baton/internal/task"
	"baton/internal/task/tasktest"
)

// summaryOf archives all sessions of a log and returns the resulting summary.
func summaryOf(t *testing.T, d task.Dialect, log string) string {
	t.Helper()
	s := task.Parse("7", tasktest.LogFile(log))
	s.Dialect = d
	change := tasktest.Must(Sessions(s, 0, "x", tasktest.Clock(), "a.md", Facts{}))
	if change.State.Summary == nil {
		t.Fatalf("no summary:\n%s", change.State.Bytes())
	}
	return string(change.State.Summary.Span.Of(change.State.Bytes()))
}

// session writes one session of style C.
func session(n int, did, issues string) string {
	return fmt.Sprintf("### Session %d - 2026-01-01 %02d:00\n**Did:** %s\n**Issues:** %s\n**Next:** x\n\n", n, n%24, did, issues)
}

func TestD4_SummaryShapes(t *testing.T) {
	t.Parallel()
	log := session(1, "Set up; tools", "None") + session(2, "set  UP; tools", "Slow disk, see 1a2b3c4") + session(3, "Tests", "-")
	want := "### Archived Summary (Sessions 1-3)\n**Duration:** 2026-01-01 01:00 - 03:00\n**Accomplishments:** Set up, tools; Tests\n" +
		"**Issues:** Slow disk, see 1a2b3c4\n**Commits:** 1a2b3c4\n[Full details: a.md]\n"
	if diff := cmp.Diff(want, summaryOf(t, task.V2, log)); diff != "" {
		t.Errorf("v2 (-want +got)\n%s", diff)
	}
	want = "### Archived Summary (Sessions 1-3)\n\n**Duration:** 2026-01-01 01:00 - 2026-01-01 03:00\n**Key Accomplishments:**\n- Set " +
		"up; tools\n- Tests\n\n" +
		"**Issues Resolved:**\n- Slow disk, see 1a2b3c4\n\n**Commits:** 1a2b3c4\n\n[Full session details: a.md]\n"
	if diff := cmp.Diff(want, summaryOf(t, task.V1C, log)); diff != "" {
		t.Errorf("v1 (-want +got)\n%s", diff)
	}
}

func TestD4_Bounds(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	for n := 1; n <= 40; n++ {
		did := fmt.Sprintf("**Did:**\n- item %d %s\n- second of %d\n", n, strings.Repeat("🙂 wide ", 60), n)
		fmt.Fprintf(&log, "### Session %d - 2026-01-01 10:00\n%s\n**Issues:** issue %d %s\n\n**Commits:** %07x\n\n", n, did, n,
			strings.Repeat("long ", 80), 0xfff000+n)
	}
	for _, d := range tasktest.BothDialects() {
		text := summaryOf(t, d, log.String())
		if len(text) > summaryBytes {
			t.Errorf("%s: %d bytes", d, len(text))
		}
		if !utf8.ValidString(text) {
			t.Errorf("%s: a character is torn", d)
		}
		if !strings.Contains(text, "(Sessions 1-40)") || !strings.Contains(text, fmt.Sprintf("%07x, +20 more", 0xfff000+40)) ||
			strings.Contains(text, fmt.Sprintf("%07x", 0xfff000+20)) {
			t.Errorf("%s: range or commits:\n%s", d, text)
		}
	}
	// The first twelve items fit into the 3 KB and stay. The others are only counted.
	short := strings.Builder{}
	for n := 1; n <= 20; n++ {
		short.WriteString(session(n, fmt.Sprint("thing ", n), fmt.Sprint("trouble ", n)))
	}
	text := summaryOf(t, task.V2, short.String())
	for _, want := range []string{"thing 1; ", "thing 12; +8 more\n", "trouble 12; +8 more\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
}

func TestD4_CountGrowsOverBatches(t *testing.T) {
	t.Parallel()
	l := logged{t: t, s: tasktest.NewTask(task.V2), limits: task.DefaultLimits()}
	for n := 1; n <= 30; n++ {
		l.log(task.Entry{Did: []string{fmt.Sprint("thing ", n)}}, tasktest.Clock())
		change := tasktest.Must(Sessions(l.s, 1, "x", tasktest.Clock(), archivePath, factsOf(l.archive)))
		l.s, l.archive = change.State, append(l.archive, change.Batch...)
	}
	if body := l.s.Summary.Body; !strings.Contains(body, "thing 12; +17 more") {
		t.Errorf("%s", body)
	}
	rebuilt := tasktest.Must(RebuildSummary(l.s, l.archive, archivePath, tasktest.Clock()))
	if diff := cmp.Diff(l.s.Summary.Body, rebuilt.Summary.Body); diff != "" {
		t.Errorf("made again from the archive it differs (-want +got)\n%s", diff)
	}
}

func TestTS50_NoStampsNoDuration(t *testing.T) {
	t.Parallel()
	text := summaryOf(t, task.V2, "### Session 1\n**Did:** a\n\n### Session 2\n**Did:** b\n")
	if strings.Contains(text, "Duration") || !strings.Contains(text, "a; b") {
		t.Errorf("%s", text)
	}
	text = summaryOf(t, task.V2, "### Session 1 - 2026-01-02\n**Did:** a\n")
	if !strings.Contains(text, "**Duration:** 2026-01-02 - 2026-01-02\n") {
		t.Errorf("a date alone: %s", text)
	}
}

func TestRebuildSummaryNeedsAnArchive(t *testing.T) {
	t.Parallel()
	_, err := RebuildSummary(tasktest.NewTask(task.V2), nil, "a.md", tasktest.Clock())
	tasktest.WantError(t, err, "not_found", "archive_missing")
}

func TestSummaryEditedByHand(t *testing.T) {
	t.Parallel()
	var items strings.Builder
	for n := 1; n <= 15; n++ {
		fmt.Fprintf(&items, "- by hand %d\n", n)
	}
	log := "### Archived Summary (Sessions 1-3)\n\n**Duration:** the whole of March\n**Key Accomplishments:**\n" + items.String() +
		"\n#### Notes\n\n| a | b |\n|---|---|\n\n**Commits:** abc1234 (fix), def5678\n\n### Session 4 - 2026-01-01 10:00\n**Did:** new\n"
	text := summaryOf(t, task.V1C, log)
	for _, want := range []string{
		"- by hand 15\n- +1 more\n", "**Duration:** the whole of March\n", "#### Notes\n\n| a | b |\n|---|---|\n",
		"**Commits:** abc1234 (fix), def5678\n", "(Sessions 1-4)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
}

func TestHexTokens(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"fixed in abc1234.": "abc1234", "see `abc123`": "abc123", "abc123 is too short": "", "word deadbeefs": "",
		"550e8400-e29b-41d4-a716-446655440000": "", "x_abc1234": "", strings.Repeat("a1", 20): strings.Repeat("a1", 20),
		strings.Repeat("a1", 21): "", "`abcde`": "", "abc1234, def5678": "abc1234 def5678",
	} {
		if got := strings.Join(hexTokens([]byte(in)), " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestBatchRanges(t *testing.T) {
	t.Parallel()
	for want, in := range map[string][]int{
		"1-7": {1, 2, 3, 4, 5, 6, 7}, "1-4, 6-9": {6, 1, 2, 3, 4, 7, 8, 9}, "3": {3, 3}, "2, 4": {2, 4},
	} {
		if got := task.WriteRanges(in); got != want {
			t.Errorf("%v: %q, want %q", in, got, want)
		}
	}
}
