package task_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"baton/internal/task"
)

// Whatever an entry says, extending it changes nothing outside of it, and the result reads like one entry with all items.
func TestD53_ExtendingKeepsTheRest(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)
	words := []string{
		"plain", "two\nlines", "# heading", "**Did:** label", "```\nfence", "None", "- dash", "---", "a `tick`", "<!-- open",
		"### Session 9 - 2026-01-01 10:00", "x; y", "\tcode", "| table |", "10. number", "ends in colon:",
	}
	for _, name := range [...]string{"v1a", "v1b", "v1c", "v15", "v2", "v3"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile("tasktest/testdata/" + name + ".md")
			if err != nil {
				t.Fatal(err)
			}
			extended := 0
			rapid.Check(t, func(t *rapid.T) {
				commits := map[string]string{"one": "aaaaaaaaaaaa", "two": "bbbbbbbbbbbb"}
				items := rapid.SliceOfN(rapid.SampledFrom(words), 0, 3)
				entry := func(label string) task.Entry {
					return task.Entry{
						Did: append(items.Draw(t, label+" did"), label), Issues: items.Draw(t, label+" issues"),
						State: items.Draw(t, label+" state"), Next: items.Draw(t, label+" next"),
						Commits: []task.Commit{{Hash: commits[label], Subject: "s"}},
					}
				}
				base := task.Parse("35", src)
				if rapid.Bool().Draw(t, "crlf") {
					base = task.Parse("35", bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n")))
				}
				first, err := base.Append(base.NextNumber(nil, 0), now, entry("one"))
				if err != nil {
					t.Fatal(err)
				}
				next, ok := first.Extend(entry("two"))
				if !ok {
					return
				}
				extended++
				if len(next.Sessions) != len(first.Sessions) {
					t.Fatalf("%d sessions", len(next.Sessions))
				}
				was, is := first.Sessions[len(first.Sessions)-1], next.Sessions[len(next.Sessions)-1]
				if !bytes.Equal(first.Bytes()[:was.Span.Start], next.Bytes()[:is.Span.Start]) {
					t.Fatalf("the text before it changed:\n%s", next.Bytes())
				}
				if is.Number != was.Number || is.Stamp != was.Stamp {
					t.Fatalf("%v %v", is.Number, is.Stamp)
				}
				for _, item := range was.Did {
					if !strings.Contains(strings.Join(is.Did, "\n"), item) {
						t.Fatalf("%q is not in %q", item, is.Did)
					}
				}
				if all := strings.Join(is.Did, "\n"); !strings.Contains(all, "one") || !strings.Contains(all, "two") {
					t.Fatalf("did %q", is.Did)
				}
				if again, ok := next.Extend(entry("two")); ok && len(again.Sessions) != len(next.Sessions) {
					t.Fatalf("%d sessions", len(again.Sessions))
				}
			})
			if extended == 0 {
				t.Error("no entry was extended")
			}
		})
	}
}

// An entry that a person edited into another form is left alone.
func TestD53_AnotherFormIsNotExtended(t *testing.T) {
	t.Parallel()
	src := "# Task #1: x\n\n## Progress Log\n\n### Session 1 - 2026-03-14 10:00\n**Did:** one\nand a line of prose\n"
	if next, ok := task.Parse("1", []byte(src)).Extend(task.Entry{Did: []string{"two"}}); ok {
		t.Errorf("extended:\n%s", next.Bytes())
	}
}
