package specflow

import (
	"slices"
	"strconv"

	"baton/internal/sorting"
)

// numbers are the cells of the column that numbers the rows of a queue: #, Position, or a Priority
// with nothing but integers (5.5.3). They are all different.
type numbers struct {
	column int
	values []int // of the real rows in file order
}

// numbers reads the numbering column. ok is false if there is none, if a cell is not an integer, or
// if two are equal.
func (t *table) numbers() (numbers, bool) {
	k := t.column(colPosition)
	if k < 0 {
		k = t.column(colPriority)
	}
	rows := t.real()
	if k < 0 || len(rows) == 0 {
		return numbers{}, false
	}
	n := numbers{column: k}
	seen := make(map[int]bool, len(rows))
	for _, r := range rows {
		if k >= len(r.cells) {
			return numbers{}, false
		}
		v, err := strconv.Atoi(r.cells[k])
		if err != nil || seen[v] {
			return numbers{}, false
		}
		seen[v] = true
		n.values = append(n.values, v)
	}
	return n, true
}

// order returns the indexes of the rows by number.
func (n numbers) order() []int {
	out := make([]int, len(n.values))
	for i := range out {
		out[i] = i
	}
	sorting.By(out, func(a, b int) int { return n.values[a] - n.values[b] })
	return out
}

// ascending reports whether the rows are in the order of their numbers.
func (n numbers) ascending() bool { return slices.IsSorted(n.values) }

// counting reports whether the numbers are 1 to n in order. Only then are gaps closed.
func (n numbers) counting() bool {
	for i, v := range n.values {
		if v != i+1 {
			return false
		}
	}
	return true
}
