package sorting

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

type pair struct{ key, place int }

// TestF85_ByIsAStableSort compares By with the sort of the standard library.
func TestF85_ByIsAStableSort(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		list := make([]pair, n)
		for i := range list {
			list[i] = pair{key: random.IntN(1 + n/3), place: i}
		}
		want := slices.Clone(list)
		byKey := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
		slices.SortStableFunc(want, byKey)
		if By(list, byKey); !slices.Equal(list, want) {
			t.Fatalf("%d elements: %v, want %v", n, list, want)
		}
	}
}

func TestCollectedSortsWhatAnIteratorYields(t *testing.T) {
	t.Parallel()
	got := Collected(maps.Keys(map[string]bool{"b": true, "C": true, "a": true}), func(a, b string) int {
		return strings.Compare(strings.ToLower(a), strings.ToLower(b))
	})
	if !slices.Equal(got, []string{"a", "b", "C"}) {
		t.Errorf("got %q", got)
	}
}
