package cleanup

import (
	"cmp"
	"slices"
	"strings"

	"baton/internal/sorting"
	"baton/internal/statedir"
)

// asked reports whether snapshots of this kind form the ring of what a person asked for; the other
// ring holds what came by itself (SD-D8).
func asked(s statedir.Sweep) bool {
	return s == statedir.SweepReset || s == statedir.SweepCleanup || s == statedir.SweepRestore
}

// Ring returns the snapshots that lie beyond the newest runs of the ring that s belongs to, oldest
// first (5.9, SD-D8). names are the folders in the archive; those without a stamp belong to no
// ring. A snapshot whose sweep is not finished is none yet, and the caller leaves it out. runs
// below 1 counts as 1. made are snapshots that stay however old their stamps look: what a sweep has
// just moved does not leave because a clock was set back.
//
// The newest are those with the latest moment in the name, then with the highest suffix: names
// alone do not tell, since the kind stands before the moment (SD-K1).
func Ring(names []string, s statedir.Sweep, runs int, made ...string) []string {
	var ring []Snapshot
	for _, name := range names {
		if one, ok := ParseSnapshot(name); ok && asked(one.Sweep) == asked(s) {
			ring = append(ring, one)
		}
	}
	var beyond []string
	for _, one := range sorting.By(ring, older)[:max(len(ring)-max(runs, 1), 0)] {
		if !slices.Contains(made, one.Name) {
			beyond = append(beyond, one.Name)
		}
	}
	return beyond
}

// NewestFirst returns the snapshots among the names in the archive in the order in which people are
// shown them: that of the rings, turned round.
func NewestFirst(names []string) []Snapshot {
	found := make([]Snapshot, 0, len(names))
	for _, name := range names {
		if one, ok := ParseSnapshot(name); ok {
			found = append(found, one)
		}
	}
	return sorting.By(found, func(a, b Snapshot) int { return older(b, a) })
}

// older orders snapshots by age, the oldest first.
func older(a, b Snapshot) int {
	return cmp.Or(a.Moment.Compare(b.Moment), cmp.Compare(a.Suffix, b.Suffix), strings.Compare(a.Name, b.Name))
}
