// Package laws holds what every merge of three versions must keep, for the tests of all rooms that
// have one.
package laws

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Merge is the function under test; conflicts is how many places it left to a person.
type Merge func(base, ours, theirs []byte) (text []byte, conflicts int)

// Edit is one change that a side makes. word occurs nowhere else, so that what was written with it
// can be found again.
type Edit func(t *rapid.T, text, word string) string

// Check draws histories of two sides and holds the merge to its laws: a side that did nothing gives
// way byte for byte, both orders agree, and every word of either side is in the result, also where
// a side is merged once more. problems, if given, names what is wrong with a text; a merge may add
// nothing to what its sides have.
func Check(t *testing.T, merge Merge, base string, problems func([]byte) []string, edits ...Edit) {
	t.Helper()
	words := regexp.MustCompile(`word[ab][0-9]+x`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawSide(t, "a", base, edits), drawSide(t, "b", base, edits)
		for _, p := range [...]struct{ name, o, x, y, want string }{
			{"merge(o,a,a)=a", base, a, a, a},
			{"merge(o,a,o)=a", base, a, base, a},
			{"merge(o,o,b)=b", base, base, b, b},
		} {
			if got, n := merge([]byte(p.o), []byte(p.x), []byte(p.y)); string(got) != p.want || n != 0 {
				t.Fatalf("%s does not hold:\n%s", p.name, got)
			}
		}
		ab, n := merge([]byte(base), []byte(a), []byte(b))
		ba, m := merge([]byte(base), []byte(b), []byte(a))
		story := fmt.Sprintf("\n=== ours\n%s\n=== theirs\n%s\n=== merged\n%s\n=== the other way\n%s", a, b, ab, ba)
		if n != m || content(ab) != content(ba) || n == 0 && string(ab) != string(ba) {
			t.Fatalf("the orders disagree, %d and %d conflicts%s", n, m, story)
		}
		more := [...][]byte{ab, once(merge, base, ab, a), once(merge, base, ab, b)}
		for _, word := range words.FindAllString(a+b, -1) {
			for i, text := range more {
				if i > 0 && n > 0 {
					break // what a person has to decide first is merged no further
				}
				if !strings.Contains(string(text), word) {
					t.Fatalf("%s is lost%s\n=== once more, %d\n%s", word, story, i, text)
				}
			}
		}
		if problems != nil && n == 0 {
			known := append(problems([]byte(a)), problems([]byte(b))...)
			for _, problem := range problems(ab) {
				if !slices.Contains(known, problem) {
					t.Fatalf("the merge makes a problem: %s%s", problem, story)
				}
			}
		}
	})
}

func once(merge Merge, base string, ab []byte, side string) []byte {
	text, _ := merge([]byte(base), ab, []byte(side))
	return text
}

// CheckSettled holds a merge to one law more, which not every form can keep:
// merge(o,merge(o,a,b),a) and merge(o,merge(o,a,b),b) are merge(o,a,b), as where commits were
// picked before their branch is merged. Lines without meaning cannot: what both sides wrote in one
// place is a conflict with either.
func CheckSettled(t *testing.T, merge Merge, base string, edits ...Edit) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawSide(t, "a", base, edits), drawSide(t, "b", base, edits)
		ab, n := merge([]byte(base), []byte(a), []byte(b))
		if n > 0 {
			return // a person decides first
		}
		for _, side := range [...]string{a, b} {
			if got, more := merge([]byte(base), ab, []byte(side)); more != 0 || string(got) != string(ab) {
				t.Fatalf("%d conflicts\n=== ours\n%s\n=== theirs\n%s\n=== merged\n%s\n=== once more\n%s", more, a, b,
					ab, got)
			}
		}
	})
}

// drawSide lets one side work on the base.
func drawSide(t *rapid.T, name, base string, edits []Edit) string {
	text := base
	for i := range rapid.IntRange(0, 5).Draw(t, "edits of "+name) {
		edit := rapid.SampledFrom(edits).Draw(t, "edit")
		text = edit(t, text, fmt.Sprintf("word%s%dx", name, i))
	}
	return text
}

// content is the lines of a text whatever their order, without conflict markers.
func content(text []byte) string {
	lines := strings.Split(string(text), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool {
		return line == "" || strings.HasPrefix(line, "<<<<<<<") || line == "=======" ||
			strings.HasPrefix(line, ">>>>>>>")
	})
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// pick draws one of the lines that match; -1 if there is none.
func pick(t *rapid.T, lines []string, match func(string) bool) int {
	var at []int
	for i, line := range lines {
		if match(line) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return -1
	}
	return rapid.SampledFrom(at).Draw(t, "line")
}

// onLine makes an edit of one line that matches a pattern.
func onLine(pattern string, change func(line, word string) []string) Edit {
	match := regexp.MustCompile(pattern)
	return func(t *rapid.T, text, word string) string {
		lines := strings.Split(text, "\n")
		i := pick(t, lines, match.MatchString)
		if i < 0 {
			return text
		}
		return strings.Join(slices.Replace(lines, i, i+1, change(lines[i], word)...), "\n")
	}
}

// After puts lines after one that matches; %s in them is the word.
func Behind(pattern string, more ...string) Edit {
	return onLine(pattern, func(line, word string) []string {
		out := []string{line}
		for _, one := range more {
			out = append(out, strings.ReplaceAll(one, "%s", word))
		}
		return out
	})
}

// Before puts lines before one that matches.
func Before(pattern string, more ...string) Edit {
	return onLine(pattern, func(line, word string) []string {
		var out []string
		for _, one := range more {
			out = append(out, strings.ReplaceAll(one, "%s", word))
		}
		return append(out, line)
	})
}

// Remove takes a line out.
func Remove(pattern string) Edit {
	return onLine(pattern, func(_, _ string) []string { return nil })
}

// Replace writes another text in place of what matches; $1 and the like are parts of it, %s is the
// word.
func Replace(pattern, with string) Edit {
	match := regexp.MustCompile(pattern)
	return onLine(pattern, func(line, word string) []string {
		return []string{match.ReplaceAllString(line, strings.ReplaceAll(with, "%s", word))}
	})
}
