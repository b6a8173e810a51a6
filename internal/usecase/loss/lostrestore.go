package loss

import (
	"slices"
	"strings"

	"baton/internal/ledger"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/workspace"
)

// WithEntries puts entries back into a document, each in its section, in the order of the book, as its dialect writes them. known is
// everything that the book has of this document, in its order; back names the keys to put back. What the document holds stays, byte for byte,
// but for counters that follow from its entries, and for a placeholder that says that there is nothing where something comes back. Where now is
// empty, the entries come into a new document of its kind. Entries for which no place is found go to the end, under the heading that they had.
// An entry that is there already is not put in twice. left are those for which no place is found at which all that is there, and all that comes
// back, would be read.
//
// Corrupt when the document must not be written.
func (p Loss) WithEntries(name string, now []byte, known []ledger.Entry, back map[string]bool) (next []byte, left []*ledger.Entry, err error) {
	if err := workspace.UnsafeError(name, now); err != nil {
		return nil, nil, workspace.InOp(err, "lost.restore")
	}
	r := Restorer{
		Read:  func(data []byte) []ledger.Entry { return p.EntriesOf(name, data) },
		Fresh: func() []byte { return p.freshDocument(name, known) },
		Room:  func(data []byte, wanted []int) []byte { return withRoom(name, data, known, wanted) },
		Count: func(data []byte) []byte { return recounted(name, data) },
	}
	next, left = r.Restore(now, known, back)
	return next, left, nil
}

// Unplaceable is the error for an entry without a place.
func Unplaceable(name string, left *ledger.Entry) *report.Error {
	return &report.Error{
		Op: "lost.restore", Kind: report.Violation, Code: "lost_unplaceable", Path: name,
		Message: workspace.Quote(left.Label) + " cannot be put back into " + workspace.OneLine(name) + " without changing how something else in it is read",
		Hint:    "look for a code fence or comment that is never closed; `baton lost --json` has the text",
	}
}

// Restorer puts entries back into one document.
type Restorer struct {
	Read  func([]byte) []ledger.Entry            // what the document holds
	Fresh func() []byte                          // a new document of its kind
	Room  func(data []byte, wanted []int) []byte // adds the sections that entries of the book need
	Count func([]byte) []byte                    // brings counters in step with the entries
	known []ledger.Entry                         // what the book has, in its order

	shapes  []shape // of known, as all that follows
	ranks   []rank
	ways    []int // see waysOf
	classes []int // those of one kind, section and shape have one number
	tries   int   // how many more may be made
}

// take begins with what a book has of a document.
func (r *Restorer) take(known []ledger.Entry) {
	r.known, r.shapes, r.ranks = known, shapesOf(known), ranksOf(known)
	r.ways, r.classes = waysOf(known, r.ranks), make([]int, len(known))
	numbers := map[listName]int{}
	for i := range known {
		name := listName{known[i].Kind, known[i].Section, r.shapes[i]}
		if _, ok := numbers[name]; !ok {
			numbers[name] = len(numbers)
		}
		r.classes[i] = numbers[name]
	}
}

// Restore gives the document with the entries, and those for which there is no place.
func (r *Restorer) Restore(now []byte, known []ledger.Entry, back map[string]bool) ([]byte, []*ledger.Entry) {
	r.take(known)
	start := now
	if strings.TrimSpace(strings.TrimPrefix(string(now), workspace.ByteOrderMark)) == "" {
		start = append(slices.Clone(now[:len(now)-len(strings.TrimPrefix(string(now), workspace.ByteOrderMark))]), r.Fresh()...)
	}
	wanted := r.wanted(start, back)
	if len(wanted) == 0 {
		return now, nil
	}
	next, left := r.attempt(start, wanted)
	if closed := closedText(start); len(left) > 0 && len(closed) > len(start) && r.keeps(start, r.Read(start), closed, nil, mayGo) {
		if more, fewer := r.attempt(closed, wanted); len(fewer) < len(left) {
			next, left = more, fewer
		}
	}
	if len(left) == len(wanted) {
		next = now
	} else if counted := r.Count(next); r.keeps(next, r.Read(next), counted, nil, IsCounter) {
		next = counted
	}
	entries := make([]*ledger.Entry, len(left))
	for i, at := range left {
		entries[i] = &r.known[at]
	}
	return next, entries
}

// closedText ends a fence or comment that is never closed: a document that was cut off inside of one has no place for anything else.
func closedText(now []byte) []byte {
	doc := markdown.Parse(now)
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
		return now
	}
	eol := doc.EOL(len(now))
	if !strings.HasSuffix(string(now), "\n") {
		end = eol + end
	}
	return append(slices.Clone(now), (end + eol)...)
}

// wanted gives the indexes of the entries of the book that are to come back and are not there.
func (r *Restorer) wanted(now []byte, back map[string]bool) []int {
	holds := Holding(r.Read(now))
	seen := map[string]bool{}
	var out []int
	for i := range r.known {
		e := &r.known[i]
		if back[e.Key] && !seen[e.Key] && !holds(e) {
			out = append(out, i)
		}
		seen[e.Key] = seen[e.Key] || back[e.Key]
	}
	return out
}
