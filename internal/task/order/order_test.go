package order

import (
	"slices"
	"strconv"
	"testing"

	"baton/internal/sorting"
	"baton/internal/task"
	"pgregory.net/rapid"
)

type one struct {
	id    task.ID
	place int
}

// list draws a list of ids: numbers with and without gaps, repeated ones, and other texts.
func list(t *rapid.T) []one {
	ids := rapid.SliceOfN(rapid.OneOf(
		rapid.Map(rapid.IntRange(1, 12), strconv.Itoa),
		rapid.SampledFrom([]string{"0", "007", "99999999999999", "123456789012345", "A", "PROJ-2", "PROJ-10", "a"}),
	), 0, 30).Draw(t, "ids")
	out := make([]one, len(ids))
	for i, id := range ids {
		out[i] = one{task.ID(id), i}
	}
	return out
}

func TestPropertyByIDIsAStableSort(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		got := list(t)
		want := sorting.By(slices.Clone(got), func(a, b one) int { return task.CompareIDs(a.id, b.id) })
		if ByID(got, func(o one) task.ID { return o.id }); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func TestPropertyPlacesFindEachId(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := list(t)
		ByID(all, func(o one) task.ID { return o.id })
		all = slices.CompactFunc(all, func(a, b one) bool { return a.id == b.id })
		places := PlacesOf(len(all), func(i int) task.ID { return all[i].id })
		for i, o := range all {
			if at, ok := places.Find(o.id); !ok || at != i {
				t.Fatalf("%s is at %d (%v), want %d", o.id, at, ok, i)
			}
		}
		other := task.ID(rapid.SampledFrom([]string{"", "5", "13", "500", "B", "0", "PROJ-3"}).Draw(t, "other"))
		at, ok := places.Find(other)
		if want := slices.ContainsFunc(all, func(o one) bool { return o.id == other }); ok != want || ok && all[at].id != other {
			t.Fatalf("%q is at %d (%v)", other, at, ok)
		}
	})
}
