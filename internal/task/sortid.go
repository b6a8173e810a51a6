package task

import (
	"slices"

	"baton/internal/sorting"
)

// SortByID sorts by id. Ids are numbers as a rule, and numbers with their places are sorted several
// times as fast as values of any other type.
func SortByID[T any](list []T, id func(T) ID) {
	const places, most = 20, 1 << 42
	if len(list) >= 1<<places {
		sorting.By(list, func(a, b T) int { return CompareIDs(id(a), id(b)) })
		return
	}
	keys, sorted := make([]int64, len(list)), true
	for i, one := range list {
		n, ok := id(one).Number()
		if !ok || n >= most {
			sorting.By(list, func(a, b T) int { return CompareIDs(id(a), id(b)) })
			return
		}
		keys[i] = n<<places | int64(i)
		sorted = sorted && (i == 0 || keys[i-1] < keys[i])
	}
	if sorted {
		return
	}
	slices.Sort(keys)
	old := slices.Clone(list)
	for i, key := range keys {
		list[i] = old[key&(1<<places-1)]
	}
}
