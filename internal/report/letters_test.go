package report

import (
	"testing"

	"pgregory.net/rapid"
)

func TestLetters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		most int
		want int
	}{
		{"", "", 2, 0},
		{"status", "status", 2, 0},
		{"Status", "status", 2, 1},
		{"statu", "status", 2, 1},
		{"statuss", "status", 2, 1},
		{"stetus", "status", 2, 1},
		{"sttaus", "status", 2, 2},
		{"", "ab", 2, 2},
		{"", "abc", 2, 3},
		{"abc", "xyz", 2, 3},
		{"abcdef", "xyz", 9, 6},
		{"kitten", "sitting", 3, 3},
	} {
		if got := Letters(c.a, c.b, c.most); got != c.want {
			t.Errorf("%q to %q, at most %d: %d, want %d", c.a, c.b, c.most, got, c.want)
		}
	}
}

// The way back is as long, only a word itself is no way off, and no detour is shorter.
func TestLettersIsADistance(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching("[ab]{0,5}")
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		ab := Letters(a, b, 5)
		if back := Letters(b, a, 5); ab != back || (ab == 0) != (a == b) {
			t.Fatalf("%q to %q: %d, back %d", a, b, ab, back)
		}
		if direct := Letters(a, c, 5); direct > ab+Letters(b, c, 5) {
			t.Fatalf("%q to %q: %d, by way of %q: %d", a, c, direct, b, ab+Letters(b, c, 5))
		}
	})
}
