package cleanup

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"baton/internal/sorting"
)

// Ring returns the snapshots that exceed the allowed number of runs, oldest first (D48). The caller
// leaves out snapshots of unfinished sweeps. runs below 1 counts as 1. The snapshots in made stay
// however old their stamps look, so that a new snapshot is not removed because a clock was set
// back.
//
// Snapshots are ordered by their moments, then by suffix. The names themselves cannot be compared,
// because in those of an earlier version the kind comes before the moment (SD-K1).
func Ring(all []Snapshot, runs int, made ...string) []string {
	var beyond []string
	ring := sorting.By(slices.Clone(all), older)
	for _, one := range ring[:max(len(ring)-max(runs, 1), 0)] {
		if !slices.Contains(made, one.Name) {
			beyond = append(beyond, one.Name)
		}
	}
	return beyond
}

// Dated returns a snapshot whose moment is not in the future: a stamp of a clock that was ahead
// would push out everything that is made until then (SD-22). modified is the time of its folder.
func (s Snapshot) Dated(modified, now time.Time) Snapshot {
	if s.Moment.After(now) {
		s.Moment = modified
	}
	if s.Moment.After(now) {
		s.Moment = now
	}
	return s
}

// SortsLast reports whether a snapshot has a name of an earlier version, with the kind in front. It
// sorts after every stamp, so the original tool, which removes the first names beyond its ring,
// removes a snapshot that it has just made, and never this one.
func (s Snapshot) SortsLast() bool { return s.Name[0] < '0' || s.Name[0] > '9' }

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
