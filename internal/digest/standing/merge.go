package standing

import (
	"bytes"

	"baton/internal/threeway"
)

// Merge merges three versions of a digest: the block by its own rule, everything else by rest. Both
// sides may have created and completed tasks, so their changes of the counts are added up. The
// other lines are those of the side with the newer entry. A block that one side removed stays away.
func Merge(
	base, ours, theirs []byte, rest func(base, ours, theirs []byte) threeway.Result,
) threeway.Result {
	if bytes.Equal(base, ours) || bytes.Equal(base, theirs) || bytes.Equal(ours, theirs) {
		return rest(base, ours, theirs)
	}
	b, inBase := Read(base)
	o, inOurs := Read(ours)
	t, inTheirs := Read(theirs)
	if !inBase && !inOurs && !inTheirs {
		return rest(base, ours, theirs)
	}
	with := Without
	if !inBase || inOurs && inTheirs {
		merged := merge(b, o, t)
		with = func(src []byte) []byte { return Put(src, merged) }
	}
	return rest(with(base), with(ours), with(theirs))
}

func merge(base, ours, theirs Facts) Facts {
	out := ours
	if newer(theirs, ours) {
		out = theirs
	}
	total := max(0, ours.Total+theirs.Total-base.Total)
	out.Counted(min(total, max(0, ours.Complete+theirs.Complete-base.Complete)), total)
	return out
}

// newer reports whether a side's entry is newer. Of equal ones, the texts decide, so that it does
// not matter which side is ours.
func newer(a, b Facts) bool {
	if a.Last.Newer(b.Last) || b.Last.Newer(a.Last) {
		return a.Last.Newer(b.Last)
	}
	return text(a) > text(b)
}

func text(f Facts) string {
	var out string
	for _, w := range f.Words()[min(1, len(f.Words())):] {
		out += w[1] + "\n"
	}
	return out
}
