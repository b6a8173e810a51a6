package digest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestMinus(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ all, gone, want string }{
		"nothing at all":            {"", "", ""},
		"nothing goes":              {"a b", "", "a b"},
		"all of it":                 {"a b", "b a", ""},
		"one of two that are alike": {"a b a", "a", "b a"},
		"what is not there":         {"a b", "c", "a b"},
		"more than there are":       {"a", "a a", ""},
		"by its key":                {"A b", "a", "b"},
	} {
		if diff := cmp.Diff(strings.Fields(c.want), append([]string{}, Minus(strings.Fields(c.all), strings.Fields(c.gone),
			strings.ToLower)...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Each value is left as often as it occurs more often in all, and the order is kept.
func TestMinusCounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(0, 4), 0, 12)
		all, gone := values.Draw(t, "all"), values.Draw(t, "gone")
		same := func(v int) int { return v }
		left := Minus(all, gone, same)
		count := map[int]int{}
		for _, v := range all {
			count[v]++
		}
		for _, v := range gone {
			count[v] = max(count[v]-1, 0)
		}
		rest := all
		for _, v := range left {
			count[v]--
			for len(rest) > 0 && rest[0] != v {
				rest = rest[1:]
			}
			if len(rest) == 0 {
				t.Fatalf("%v is not in the order of %v", left, all)
			}
			rest = rest[1:]
		}
		for v, n := range count {
			if n != 0 {
				t.Fatalf("%d of %d: %v of %v without %v", n, v, left, all, gone)
			}
		}
	})
}
