package threeway

import "sort"

// change maps units o0 to o1 of the base to units x0 to x1 of a side.
type change struct{ o0, o1, x0, x1 int }

// index returns the position of every key.
func index(list []unit) map[string]int {
	at := make(map[string]int, len(list))
	for i := range list {
		at[list[i].key] = i
	}
	return at
}

// matches pairs the units of two lists that have the same key. The pairs ascend in both lists. It
// finds a longest such sequence in n log n steps.
func matches(o, x []unit) [][2]int {
	at := index(x)
	var pairs [][2]int
	for i := range o {
		if j, ok := at[o[i].key]; ok {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	var ends []int // ends[n] is the pair with the lowest position in x that ends a sequence of n+1 pairs
	before := make([]int, len(pairs))
	for k, p := range pairs {
		n := sort.Search(len(ends), func(n int) bool { return pairs[ends[n]][1] >= p[1] })
		before[k] = -1
		if n > 0 {
			before[k] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, k)
		} else {
			ends[n] = k
		}
	}
	out := make([][2]int, len(ends))
	for k, n := -1, len(ends)-1; n >= 0; n-- {
		if k < 0 {
			k = ends[n]
		}
		out[n] = pairs[k]
		k = before[k]
	}
	return out
}

// changes returns the parts between the matches.
func changes(o, x []unit) []change {
	var out []change
	i, j := 0, 0
	for _, p := range append(matches(o, x), [2]int{len(o), len(x)}) {
		if p[0] > i || p[1] > j {
			out = append(out, change{i, p[0], j, p[1]})
		}
		i, j = p[0]+1, p[1]+1
	}
	return out
}

// touches reports whether a change overlaps the region from lo to hi. Two replacements that are
// merely adjacent do not overlap.
func (c change) touches(lo, hi int) bool {
	return c.o0 < hi || c.o0 == hi && (c.o0 == c.o1 || lo == hi)
}

// side goes through the changes of one side.
type side struct {
	list  []unit
	left  []change
	shift int // position in list minus position in base, after the changes so far
}

// take removes the first n changes from left and returns the side's units for the region. changed
// is false if n is 0.
func (s *side) take(lo, hi int, n int) (units []unit, changed bool) {
	from := lo + s.shift
	for _, c := range s.left[:n] {
		s.shift = c.x1 - c.o1
	}
	s.left = s.left[n:]
	return s.list[from : hi+s.shift], n > 0
}
