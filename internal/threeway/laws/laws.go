// Package laws checks what must hold for every three-way merge. The tests of all packages that
// merge use it.
package laws

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Merge is the function under test. conflicts is the number of places that it left to a person.
type Merge func(base, ours, theirs []byte) (text []byte, conflicts int)

// Edit is a change that a side makes. word is unique, so that the text of the edit can be found
// again.
type Edit func(t *rapid.T, text, word string) string

// Check draws histories of two sides and checks the laws of a merge. If one side changed nothing,
// the result is the other side, byte for byte. Both orders give the same result. Every word of
// either side is in the result, even after merging with one side again. problems, if not nil, lists
// what is wrong with a text; a merge may have no problem that neither side has.
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
					break // a person must decide first
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

// CheckSettled checks one more law: merge(o,merge(o,a,b),a) and merge(o,merge(o,a,b),b) equal
// merge(o,a,b). This happens if commits were picked before their branch is merged. Not every form
// can obey it, because prose that both sides wrote in one place conflicts with either side.
func CheckSettled(t *testing.T, merge Merge, base string, edits ...Edit) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawSide(t, "a", base, edits), drawSide(t, "b", base, edits)
		ab, n := merge([]byte(base), []byte(a), []byte(b))
		if n > 0 {
			return // a person must decide first
		}
		for _, side := range [...]string{a, b} {
			if got, more := merge([]byte(base), ab, []byte(side)); more != 0 || string(got) != string(ab) {
				t.Fatalf("%d conflicts\n=== ours\n%s\n=== theirs\n%s\n=== merged\n%s\n=== once more\n%s", more, a, b,
					ab, got)
			}
		}
	})
}

// drawSide lets one side edit the base.
func drawSide(t *rapid.T, name, base string, edits []Edit) string {
	text := base
	for i := range rapid.IntRange(0, 5).Draw(t, "edits of "+name) {
		edit := rapid.SampledFrom(edits).Draw(t, "edit")
		text = edit(t, text, fmt.Sprintf("word%s%dx", name, i))
	}
	return text
}

// content returns the sorted lines of a text, without conflict markers.
func content(text []byte) string {
	lines := strings.Split(string(text), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool {
		return line == "" || strings.HasPrefix(line, "<<<<<<<") || line == "=======" ||
			strings.HasPrefix(line, ">>>>>>>")
	})
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// pick draws one of the lines that match, or returns -1 if there is none.
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

// onLine returns an edit of one line that matches a pattern.
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

// Behind returns an edit that inserts lines after a matching one. %s in them becomes the word.
func Behind(pattern string, more ...string) Edit {
	return onLine(pattern, func(line, word string) []string {
		out := []string{line}
		for _, one := range more {
			out = append(out, strings.ReplaceAll(one, "%s", word))
		}
		return out
	})
}

// Before returns an edit that inserts lines before a matching one.
func Before(pattern string, more ...string) Edit {
	return onLine(pattern, func(line, word string) []string {
		var out []string
		for _, one := range more {
			out = append(out, strings.ReplaceAll(one, "%s", word))
		}
		return append(out, line)
	})
}

// Remove returns an edit that removes a matching line.
func Remove(pattern string) Edit {
	return onLine(pattern, func(_, _ string) []string { return nil })
}

// Replace returns an edit that replaces a match. $1 and so on refer to its groups; %s becomes the
// word.
func Replace(pattern, with string) Edit {
	match := regexp.MustCompile(pattern)
	return onLine(pattern, func(line, word string) []string {
		return []string{match.ReplaceAllString(line, strings.ReplaceAll(with, "%s", word))}
	})
}
