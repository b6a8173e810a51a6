// Package order sorts lists by the ids of tasks, and finds tasks in such a list.
package order

import (
	"slices"

	"baton/internal/sorting"
	"baton/internal/task"
)

// ByID sorts by id. Ids are numbers as a rule, and numbers with their places are sorted several
// times as fast as values of any other type.
func ByID[T any](list []T, id func(T) task.ID) {
	const places, most = 20, 1 << 42
	if len(list) >= 1<<places {
		sorting.By(list, func(a, b T) int { return task.CompareIDs(id(a), id(b)) })
		return
	}
	keys, sorted := make([]int64, len(list)), true
	for i, one := range list {
		n, ok := id(one).Number()
		if !ok || n >= most {
			sorting.By(list, func(a, b T) int { return task.CompareIDs(id(a), id(b)) })
			return
		}
		keys[i] = n<<places | int64(i)
		sorted = sorted && (i == 0 || keys[i-1] < keys[i])
	}
	if sorted {
		return
	}
	slices.Sort(keys)
	// Each element moves once. A copy of the list would take as much memory as the list.
	for i := range keys {
		first, to := list[i], i
		for from := int(keys[to] & (1<<places - 1)); from != i; from = int(keys[to] & (1<<places - 1)) {
			list[to], keys[to], to = list[from], int64(to), from
		}
		list[to], keys[to] = first, int64(to)
	}
}
