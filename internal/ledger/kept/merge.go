package kept

import (
	"slices"

	"baton/internal/ledger"
	"baton/internal/task"
)

// Merge returns an entry that a merge of three versions lost: one that a side added, or that all
// versions have, and that is not in the result. If both sides edited one entry, the result has a
// version of it that at least one of them does not have; then it is not lost. reported says what
// else does not count.
func Merge(
	base, ours, theirs, merged []ledger.Entry, reported func(ledger.Entry) bool,
) (lost ledger.Entry, ok bool) {
	inBase, inOurs, inTheirs, there := keys(base), keys(ours), keys(theirs), keys(merged)
	for _, side := range [...]struct {
		list []ledger.Entry
		has  map[string]bool
		both map[string]bool
	}{{ours, inOurs, inTheirs}, {theirs, inTheirs, inOurs}} {
		for _, e := range side.list {
			if there[e.Key] || inBase[e.Key] && !side.both[e.Key] || reported(e) {
				continue
			}
			if !slices.ContainsFunc(merged, func(f ledger.Entry) bool { return !side.has[f.Key] && version(e, f) }) {
				return e, true
			}
		}
	}
	return lost, false
}

func keys(list []ledger.Entry) map[string]bool {
	out := make(map[string]bool, len(list))
	for i := range list {
		out[list[i].Key] = true
	}
	return out
}

// version reports whether two entries may be versions of one: a task has one output, a session is
// known by its time or number, and others by their words.
func version(a, b ledger.Entry) bool {
	switch {
	case a.Kind != b.Kind:
		return false
	case a.Kind == ledger.Output:
		return true
	case a.Kind == ledger.Session && a.Date+b.Date != "":
		return a.Date == b.Date
	case a.Kind == ledger.Session && a.Number == b.Number:
		return true
	}
	return ledger.Similar(a, b)
}

// LateMerge returns a session that comes after a newer one in a merge, although the sessions of
// both sides are in the order of time. Sessions whose numbers ascend do not count, and neither does
// one that got another number.
func LateMerge(ours, theirs, merged *task.State) (late task.Session, ok bool) {
	if _, late := LateSession(task.Hold(ours.Bytes()).Sessions, nil, nil); late {
		return task.Session{}, false
	}
	if _, late := LateSession(task.Hold(theirs.Bytes()).Sessions, nil, nil); late {
		return task.Session{}, false
	}
	for i := 1; i < len(merged.Sessions); i++ {
		a, b := merged.Sessions[i-1], merged.Sessions[i]
		if a.HasTime && b.HasTime && b.Time.Before(a.Time) && b.Note == "" && b.Number <= a.Number {
			return b, true
		}
	}
	return late, false
}
