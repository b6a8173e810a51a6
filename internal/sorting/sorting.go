// Package sorting sorts lists of any type with one copy of the algorithm. The compiler generates a
// copy of slices.SortFunc for each element type; sixty of them took half a megabyte of the program.
package sorting

import (
	"iter"
	"reflect"
	"slices"
)

// By sorts list in place and returns it. Elements that compare as equal keep their order.
func By[E any](list []E, compare func(a, b E) int) []E {
	arrange(list, len(list), func(i, j int) int { return compare(list[i], list[j]) })
	return list
}

// Collected returns the elements of seq, sorted by compare.
func Collected[E any](seq iter.Seq[E], compare func(a, b E) int) []E {
	return By(slices.Collect(seq), compare)
}

// arrange sorts a slice of n elements, which it compares by their indexes.
func arrange(list any, n int, compare func(i, j int) int) {
	sorted := true // as most lists are that come from a sorted one
	for i := 1; i < n && sorted; i++ {
		sorted = compare(i-1, i) <= 0
	}
	if sorted {
		return
	}
	from, swap := order(n, compare), reflect.Swapper(list)
	for start := range from { // one cycle of the permutation after the other
		place := start
		for from[place] != start {
			next := from[place]
			swap(place, next)
			from[place] = place
			place = next
		}
		from[place] = place
	}
}

// order returns the indexes below n in the order of compare. Equal ones stay in ascending order.
func order(n int, compare func(i, j int) int) []int {
	indexes := make([]int, n)
	for i := range indexes {
		indexes[i] = i
	}
	slices.SortFunc(indexes, func(i, j int) int {
		if c := compare(i, j); c != 0 {
			return c
		}
		return i - j
	})
	return indexes
}
