package markdown

import (
	"strings"
	"testing"
)

func TestHasAll(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lines, others string
		want          bool
	}{
		{"b|a", "a|b", true},
		{"a", "a|b", false},
		{"a, b, c", "c, a", true},
		{"a, b|c, d", "a, c", false},
		{"a, b", "b", true},
		{"b", "a, b", false},
		{"a b", "a", false},
		{"a", "", false},
		{"a|", "|a", true},
	} {
		if HasAll(strings.Split(c.lines, "|"), strings.Split(c.others, "|")) != c.want {
			t.Errorf("%q has all of %q: not %v", c.lines, c.others, c.want)
		}
	}
}
