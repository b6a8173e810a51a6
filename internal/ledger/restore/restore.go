// Package restore puts entries that a document lost back into it: it takes entries and a document,
// and returns a document with these entries. It does not use files, the clock or the environment.
// The caller's Format knows how a kind of document is read.
//
// An entry goes next to a neighbour that the ledger knows, or to the end of its section, or into a
// section of its own. Each attempt is checked before it counts: every old line and entry must still
// be there, and the restored text must be read as an entry again. Entries without a place that
// passes the check are returned to the caller.
package restore

import (
	"slices"
	"strings"
	"time"

	"baton/internal/digest/decision"
	"baton/internal/ledger"
	"baton/internal/markdown"
)

// Format provides the operations on a kind of document.
type Format struct {
	Read     func(data []byte) []ledger.Entry               // returns the entries of a document
	Fresh    func() []byte                                  // returns a document without entries
	Sections func(data []byte, back []*ledger.Entry) []byte // adds the sections that the entries need
	Count    func(data []byte) []byte                       // updates the counters that follow from the entries

	Form decision.Form // of the decisions
	Sign int           // direction of the decisions: 1 oldest first, -1 newest first, 0 unknown
	// Home returns the heading of the section where decisions are, or "". It may be nil.
	Home func(data []byte) string
	// Seen returns when the ledger saw an entry first, or the zero time if it has not seen it yet.
	// It is nil if nothing is known about the time.
	Seen func(key string) time.Time
}

// Limits of the search for places. Each try reads the document once.
const (
	leastTries = 40       // tries for the longest document
	triedBytes = 16 << 20 // bytes that all further tries may read together
)

const byteOrderMark = "\uFEFF"

// Into returns doc with the entries whose keys are in back. known lists everything that the ledger
// has of the document, in order. The content of doc stays, except for placeholders that say that
// there is nothing, and for counters. An empty doc is replaced by a fresh one. An entry that doc
// already holds is not added again. left are the entries without a place.
func Into(doc []byte, f Format, known []ledger.Entry, back map[string]bool) (next []byte, left []*ledger.Entry) {
	r := newRestorer(f, known)
	start := doc
	if text := strings.TrimPrefix(string(doc), byteOrderMark); strings.TrimSpace(text) == "" {
		start = append(slices.Clone(doc[:len(doc)-len(text)]), f.Fresh()...)
	}
	there := f.Read(start)
	var wanted []int
	seen := keysOf(there)
	for i := range known {
		if key := known[i].Key; back[key] && !seen[key] {
			seen[key] = true
			wanted = append(wanted, i)
		}
	}
	if len(wanted) == 0 {
		return doc, nil
	}
	r.order(numberedTwice(there, known, wanted) || byDate(there))
	next, missing := start, wanted
	if closed := closeBlock(start); len(closed) > len(start) && keeps(start, there, closed, f.Read(closed), mayGo) {
		next, missing = r.restore(closed, wanted)
	}
	if len(missing) > 0 {
		if other, fewer := r.restore(start, wanted); len(fewer) < len(missing) {
			next, missing = other, fewer
		}
	}
	if len(missing) == len(wanted) {
		next = doc
	} else if counted := f.Count(next); keeps(next, f.Read(next), counted, f.Read(counted), IsCounter) {
		next = counted
	}
	return next, r.entries(missing)
}

// restorer puts entries into one document.
type restorer struct {
	Format
	known      []ledger.Entry
	shapes     []shape
	ranks      []rank
	unnumbered bool  // the numbers of sessions tell no order
	directions []int // of the list in which the ledger has the entry
	lists      []int // number of the entry's list: same kind, section and shape
	levels     []int // number of the entry's group: same kind and level of heading
	tries      int   // tries that are left
}

func newRestorer(f Format, known []ledger.Entry) *restorer {
	r := &restorer{Format: f, known: known, shapes: shapesOf(known)}
	r.lists = numbered(known, func(i int) any {
		return listName{known[i].Kind, known[i].Section, r.shapes[i]}
	})
	r.levels = numbered(known, func(i int) any {
		level, _ := headingName(known[i].Section)
		return [...]any{known[i].Kind, level}
	})
	return r
}

// order computes how the entries of the ledger are ordered.
func (r *restorer) order(unnumbered bool) {
	r.unnumbered = unnumbered
	r.ranks = r.ranksOf(r.known)
	r.directions = directionsOf(r.known, r.ranks)
}

// numbered gives entries with the same name the same number.
func numbered(known []ledger.Entry, name func(i int) any) []int {
	numbers, out := map[any]int{}, make([]int, len(known))
	for i := range known {
		n, ok := numbers[name(i)]
		if !ok {
			n = len(numbers)
			numbers[name(i)] = n
		}
		out[i] = n
	}
	return out
}

func (r *restorer) entries(indexes []int) []*ledger.Entry {
	out := make([]*ledger.Entry, len(indexes))
	for i, at := range indexes {
		out[i] = &r.known[at]
	}
	return out
}

// restore inserts entries all at once. If that fails the check, it inserts them in parts, so that
// an entry without a good place costs the others little. Entries that fail on their own are tried
// last, by one rule after the other.
func (r *restorer) restore(data []byte, wanted []int) (next []byte, left []int) {
	there := r.Read(data)
	roomy := r.Sections(data, r.entries(wanted))
	if now := r.Read(roomy); keeps(data, there, roomy, now, mayGo) {
		data, there = roomy, now
	}
	size := len(data) + 1
	for i := range r.known {
		size += len(r.known[i].Raw)
	}
	r.tries = leastTries + triedBytes/size
	o := r.outline(data, there)
	var hard []int
	for parts := [][]int{wanted}; len(parts) > 0; parts = parts[1:] {
		part := parts[0]
		next, unread := r.try(o, part, nextToNeighbour)
		switch {
		case next != nil:
			o = next
		case len(part) == 1:
			hard = append(hard, part[0])
		case len(unread) > 0 && len(unread) < len(part):
			read := slices.DeleteFunc(slices.Clone(part), func(at int) bool { return slices.Contains(unread, at) })
			parts = append(parts, read, unread)
		default:
			parts = append(parts, part[:len(part)/2], part[len(part)/2:])
		}
	}
	slices.Sort(hard)
	for _, at := range hard {
		var next *outline
		for by := nextToNeighbour; next == nil && int(by) <= len(o.sectionsNamed(r.known[at].Section))+1; by++ {
			next, _ = r.try(o, []int{at}, by)
		}
		if next == nil {
			left = append(left, at)
		} else {
			o = next
		}
	}
	return o.doc.Bytes(), left
}

// try inserts entries, each by the first rule that applies to it, starting with first. It returns
// nil if the result fails the check. If everything else is right, unread are the entries that are
// not read in the result.
func (r *restorer) try(o *outline, wanted []int, first rule) (next *outline, unread []int) {
	if r.tries--; r.tries < 0 {
		return nil, nil
	}
	var puts []insertion
	for _, at := range wanted {
		if p, ok := o.place(at, first); ok {
			puts = append(puts, p)
		}
	}
	data, err := markdown.Apply(o.doc.Bytes(), o.edits(puts)...)
	if err != nil {
		return nil, nil
	}
	now := r.Read(data)
	if !keeps(o.doc.Bytes(), o.entries, data, now, mayGo) {
		return nil, nil
	}
	keys := keysOf(now)
	for _, at := range wanted {
		if !keys[r.known[at].Key] {
			unread = append(unread, at)
		}
	}
	if len(unread) > 0 {
		return nil, unread
	}
	return r.outline(data, now), nil
}

// closeBlock closes an unclosed fence or comment, because nothing can be inserted after it.
func closeBlock(data []byte) []byte {
	doc := markdown.Parse(data)
	end := ""
	if _, ok := doc.UnclosedComment(); ok {
		end = "-->"
	}
	if f, ok := doc.Unclosed(); ok {
		line := string(doc.Text(f.Open))
		at := strings.IndexAny(line, "`~")
		end = strings.Repeat(" ", at) + line[at:len(line)-len(strings.TrimLeft(line[at:], line[at:at+1]))]
	}
	if end == "" {
		return data
	}
	eol := doc.EOL(len(data))
	if !strings.HasSuffix(string(data), "\n") {
		end = eol + end
	}
	return append(slices.Clone(data), (end + eol)...)
}
