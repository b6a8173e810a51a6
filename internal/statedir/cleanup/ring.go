package cleanup

import (
	"cmp"
	"slices"
	"strings"

	"baton/internal/sorting"
	"baton/internal/statedir"
)

// asked reports whether snapshots of this kind belong to the ring of those that a person requested.
// The other ring contains the automatic ones (SD-D8).
func asked(s statedir.Sweep) bool {
	return s == statedir.SweepReset || s == statedir.SweepCleanup || s == statedir.SweepRestore
}

// Ring returns the snapshots that exceed the allowed number of runs in the ring of s, oldest first
// (5.9, SD-D8). names are the folders in the archive; those without a stamp belong to no ring. The
// caller leaves out snapshots of unfinished sweeps. runs below 1 counts as 1. The snapshots in made
// stay however old their stamps look, so that a new snapshot is not removed because a clock was set
// back.
//
// Snapshots are ordered by the moment in their names, then by suffix. The names themselves cannot
// be compared, because the kind comes before the moment (SD-K1).
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

// NewestFirst returns the snapshots among the names in the archive in the order in which people see
// them, the newest first.
func NewestFirst(names []string) []Snapshot {
	found := make([]Snapshot, 0, len(names))
	for _, name := range names {
		if one, ok := ParseSnapshot(name); ok {
			found = append(found, one)
		}
	}
	return sorting.By(found, func(a, b Snapshot) int { return older(b, a) })
}

// older compares two snapshots by age, oldest first.
func older(a, b Snapshot) int {
	return cmp.Or(a.Moment.Compare(b.Moment), cmp.Compare(a.Suffix, b.Suffix), strings.Compare(a.Name, b.Name))
}
