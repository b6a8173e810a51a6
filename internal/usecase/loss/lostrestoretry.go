package loss

import (
	"slices"

	"baton/internal/ledger"
)

// Limits of the search for places. A try reads the document twice, and what the book has of it; what has no place when there are no more of them
// is left.
const (
	leastTries = 40       // for the longest document
	triedBytes = 16 << 20 // that more tries than these may take
)

// attempt puts entries in: all at once, or, where that does not hold, in parts, so that one without a good place costs the others little. The
// longest part comes first, and single entries when all parts are done.
func (r *Restorer) attempt(now []byte, wanted []int) (next []byte, left []int) {
	if roomy := r.Room(now, wanted); r.keeps(now, r.Read(now), roomy, nil, mayGo) {
		now = roomy
	}
	size := len(now) + 1
	for i := range r.known {
		size += len(r.known[i].Raw)
	}
	r.tries = leastTries + triedBytes/size
	var hard []int
	for parts := [][]int{wanted}; len(parts) > 0; parts = parts[1:] {
		part := parts[0]
		if r.tries <= 0 {
			left = append(left, part...)
			continue
		}
		next, unread, ok := r.together(now, part)
		switch {
		case ok:
			now = next
		case len(part) == 1:
			hard = append(hard, part...)
		case len(unread) > 0 && len(unread) < len(part): // the others stand for themselves
			parts = append(parts, slices.DeleteFunc(slices.Clone(part), func(at int) bool { _, is := slices.BinarySearch(unread, at); return is }), unread)
		default:
			parts = append(parts, part[:len(part)/2], part[len(part)/2:])
		}
	}
	slices.Sort(hard) // as the book has them
	for _, at := range hard {
		next, _, ok := r.together(now, []int{at}) // what came since may be its neighbour
		if !ok {
			next, ok = r.alone(now, at)
		}
		if ok {
			now = next
		} else {
			left = append(left, at)
		}
	}
	slices.Sort(left)
	return now, left
}

// mayTry counts a try.
func (r *Restorer) mayTry() bool {
	r.tries--
	return r.tries >= 0
}

// together puts all entries in at once, each at its best place. unread are those that would not be read there, where nothing else speaks against it.
func (r *Restorer) together(now []byte, wanted []int) (next []byte, unread []int, ok bool) {
	if !r.mayTry() {
		return nil, nil, false
	}
	o := r.outline(now)
	var puts []put
	for _, at := range wanted {
		puts = append(puts, o.place(at))
	}
	next, ok = o.apply(puts)
	if !ok {
		return nil, nil, false
	}
	holds, ok := r.survives(now, o.entries, next, mayGo)
	if !ok {
		return nil, nil, false
	}
	for _, at := range wanted {
		if !holds(&r.known[at]) {
			unread = append(unread, at)
		}
	}
	return next, unread, len(unread) == 0
}

// alone puts one entry in, at the first place where everything is still read.
func (r *Restorer) alone(now []byte, at int) ([]byte, bool) {
	if r.tries <= 0 {
		return now, false
	}
	o := r.outline(now)
	came := []ledger.Entry{r.known[at]}
	if Holding(o.entries)(&came[0]) {
		return now, true
	}
	for _, one := range o.otherPlaces(at) {
		if !r.mayTry() {
			break
		}
		if next, ok := o.apply([]put{one}); ok && r.keeps(now, o.entries, next, came, mayGo) {
			return next, true
		}
	}
	return now, false
}
