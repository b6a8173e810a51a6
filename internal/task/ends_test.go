package task_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/inputs"
)

// entryAdded appends an entry and returns the bytes.
func entryAdded(t *testing.T, src string) string {
	t.Helper()
	next, err := task.Parse("1", []byte(src)).Append(2, time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC), task.Entry{Did: []string{"b"}})
	if err != nil {
		t.Fatal(err)
	}
	return string(next.Bytes())
}

const (
	endsHead  = "# Task #1: T\n\n## 3. Progress Log\n\n### Session 1 - 2026-03-01 09:00\n**Did:** a"
	endsEntry = "\n\n### Session 2 - 2026-03-02 09:30\n**Did:** b\n\n**Issues:** None\n\n**Next:** None"
)

// TS-8: a file without a final newline still has none after an entry at its end, and the same holds for an output.
func TestTS8_NoNewlineIsAddedAtTheEnd(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(endsHead+endsEntry, entryAdded(t, endsHead)); diff != "" {
		t.Error(diff)
	}
	const output = "# Task #1: T\n\n## 4. Chain Output\n\n(To be completed)"
	next, err := inputs.SetOutput(task.Parse("1", []byte(output)), map[task.Part]string{task.PartSummary: "Done"}, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("# Task #1: T\n\n## 4. Chain Output\n\n### Summary\nDone", string(next.Bytes())); diff != "" {
		t.Error(diff)
	}
}

// TS-9: blank lines at the end of the file, or before the next section, are unchanged after a new entry.
func TestTS9_EntryStandsBeforeFinalBlankLines(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"\n", "\n\n", "\n\n\n\n", "\n \t\n\n", "\n\n\n\n## 4. Chain Output\n\n(To be completed)\n\n\n"} {
		if diff := cmp.Diff(endsHead+endsEntry+end, entryAdded(t, endsHead+end)); diff != "" {
			t.Errorf("%q:\n%s", end, diff)
		}
	}
}

// TS-15: if a section occurs twice, an entry goes to the last log and an output to the first section. Both sections are
// read.
func TestTS15_WritesToDuplicateSections(t *testing.T) {
	t.Parallel()
	const second = "\n\n## Between\n\ntext\n\n## 3. Progress Log\n\n(No sessions yet)\n"
	want := endsHead + strings.Replace(second, "(No sessions yet)", strings.TrimLeft(endsEntry, "\n"), 1)
	if diff := cmp.Diff(want, entryAdded(t, endsHead+second)); diff != "" {
		t.Error(diff)
	}
	if s := task.Parse("1", []byte(want)); len(s.Sessions) != 2 {
		t.Errorf("%d sessions are read", len(s.Sessions))
	}
	const outputs = "# Task #1: T\n\n## 4. Chain Output\n\n(To be completed)\n\n## 4. Chain Output\n\n(To be completed)\n"
	next, err := inputs.SetOutput(task.Parse("1", []byte(outputs)), map[task.Part]string{task.PartSummary: "Done"}, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Replace(outputs, "(To be completed)", "### Summary\nDone", 1), string(next.Bytes())); diff != "" {
		t.Error(diff)
	}
}

// TS-23: names in messages are only cut between graphemes.
func TestTS23_NamesInMessagesAreNotTorn(t *testing.T) {
	t.Parallel()
	const family = "\U0001F469\u200d\U0001F469\u200d\U0001F467\u200d\U0001F466"
	if got := safetext.Runes(strings.Repeat(family, 5), 20); got != family+family+"…" {
		t.Errorf("%q", got)
	}
	if got := safetext.Runes("short", 20); got != "short" {
		t.Errorf("%q", got)
	}
}

// TS-19: a new entry goes after a table at the end of the section, whose rows do not change even if they do not match
// its delimiter row.
func TestTS19_EntryStandsBehindATable(t *testing.T) {
	t.Parallel()
	const table = "\n\n| a | b |\n|---|---|\n| 1 | 2 | 3 |\n| ### Session 7 | x |"
	if diff := cmp.Diff(endsHead+table+endsEntry+"\n", entryAdded(t, endsHead+table+"\n")); diff != "" {
		t.Error(diff)
	}
}

// TS-20: marks that do no harm in their place are written without escapes.
func TestTS20_HarmlessMarksStay(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"# heading", "*x* and `y|z`", `\ back\slash`, "<b>", "- [ ] box", "| a | b |", "~~gone~~", "[x](y)"} {
		next, err := task.Parse("1", []byte(endsHead+"\n")).Append(2, time.Time{}, task.Entry{Did: []string{"b"}, Next: []string{text}})
		if err != nil {
			t.Fatal(err)
		}
		want := "**Next:** " + strings.TrimPrefix(text, "- ") + "\n" // an item is passed without its bullet
		if got := string(next.Bytes()); !strings.HasSuffix(got, want) {
			t.Errorf("%q is written as %q", text, got[strings.LastIndex(got, "**Next"):])
		}
	}
}
