// Package sorting sorts lists of any type with one copy of the algorithm. The compiler generates a
// copy of slices.SortFunc for each element type; sixty of them took half a megabyte of the program.
package sorting

import (
	"iter"
	"slices"
)

// By sorts list in place and returns it. Elements that compare as equal keep their order.
func By[E any](list []E, compare func(a, b E) int) []E {
	sorted := true // as most lists are that come from a sorted one
	for i := 1; i < len(list) && sorted; i++ {
		sorted = compare(list[i-1], list[i]) <= 0
	}
	if sorted {
		return list
	}
	before := append([]E(nil), list...)
	for place, index := range order(len(list), func(i, j int) int { return compare(before[i], before[j]) }) {
		list[place] = before[index]
	}
	return list
}

// Collected returns the elements of seq, sorted by compare.
func Collected[E any](seq iter.Seq[E], compare func(a, b E) int) []E {
	return By(slices.Collect(seq), compare)
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
