package ledger

import (
	"bytes"
	"time"
)

// State says whether an entry of a book is still there.
type State string

// The states of entries.
const (
	Present State = "present" // it was in Known.Doc at the last look
	Missing State = "missing" // somebody other than baton removed it, and nobody accepted the loss
	Left    State = "left"    // it is no longer missed; Known.How says why
)

// Known is what a book knows about one entry.
type Known struct {
	Sighting
	State State
	How   How    // why it is Left; Accepted also while it is Present, because an accepted loss may happen again
	Into  string // if Reworded: the key of the new entry
	Later string // key of its later version, if it was reworded before it came back
	First Mark   // when it came, and by which change
	Last  Mark   // when it was last there
	Gone  Mark   // when it was found missing or left; zero while it is present

	docs []string // documents that are known to have it; while it is present, Doc is one of them
	row  *row
	turn int // number of the record in which it was last there
}

// Book is the sum of all records in a family's book. Entries are in the order of their documents,
// as far as it is known.
type Book struct {
	Family  string
	Since   time.Time // time of the first record; earlier losses are unknown
	Entries []*Known
	Docs    map[string]DocState
	// when documents that existed already were first looked at; what they lost before is unknown
	Found map[string]time.Time

	by    map[string]*Known
	looks map[string]look
	rows  rows
	turn  int
	stale bool
}

// look is the last look at a document: the number of the record, and its mark.
type look struct {
	turn int
	at   Mark
}

// Parse reads a book. It ignores torn lines, lines that are no records, and records of a family
// other than that of the first one. It returns nil if no line is left.
func Parse(data []byte) *Book {
	var b *Book
	var parts []Record // of one record in several lines
	u := unpacker{left: mostBook}
	for len(data) > 0 {
		line, rest, ended := bytes.Cut(data, []byte{'\n'})
		if data = rest; !ended {
			break
		}
		w, ok := parseLine(line)
		if !ok || b != nil && w.Family != b.Family {
			continue
		}
		if b == nil {
			b = New(w.Family)
		}
		r := w.Record
		for i := range w.Seen {
			if s, ok := u.sighting(&w.Seen[i]); ok {
				r.Seen = append(r.Seen, s)
			}
		}
		b.restore(w.Known, &u)
		if w.Rewritten {
			b.resume(r, w.Found)
			continue
		}
		if len(parts) > 0 && !parts[0].continuedBy(&r) {
			b.foldParts(parts)
			parts = nil
		}
		if r.More {
			parts = append(parts, r)
			continue
		}
		b.join(parts, r)
		parts = nil
	}
	if b == nil {
		return nil
	}
	b.foldParts(parts)
	b.refresh()
	return b
}

// foldParts folds lines whose last one a crash took. What somebody else did counts without it. A
// change by baton does not, because it may not have been made.
func (b *Book) foldParts(parts []Record) {
	for _, part := range parts {
		if part.Outside {
			b.fold(part)
		}
	}
}

// join folds a record that has several lines.
func (b *Book) join(parts []Record, r Record) {
	if len(parts) > 0 {
		var seen []Sighting
		for i := range parts {
			seen = append(seen, parts[i].Seen...)
		}
		r.Seen = append(seen, r.Seen...)
	}
	b.fold(r)
}

// continuedBy reports whether two lines belong to one record.
func (r *Record) continuedBy(next *Record) bool {
	return r.Mark == next.Mark && r.Outside == next.Outside
}

// New returns a book without records.
func New(family string) *Book {
	return &Book{
		Family: family, Docs: map[string]DocState{}, Found: map[string]time.Time{}, by: map[string]*Known{},
		looks: map[string]look{}, rows: rows{of: map[rowName]*row{}},
	}
}

// Add folds a new record into the book.
func (b *Book) Add(r Record) {
	b.fold(r)
	b.refresh()
}

// Get returns the entry with a key, or nil if the book does not know it.
func (b *Book) Get(key string) *Known { return b.by[key] }

// Lacking returns the number of missing entries.
func (b *Book) Lacking() (n int) {
	for _, k := range b.by {
		if k.State == Missing {
			n++
		}
	}
	return n
}

// refresh updates Entries.
func (b *Book) refresh() {
	if b.stale {
		b.Entries, b.stale = b.rows.list(b.Entries[:0], b.Family), false
	}
	for _, k := range b.Entries {
		for _, doc := range k.docs {
			k.thereAt(b.looks[doc])
		}
	}
}

// thereAt records a look at which the entry was there, if it is newer than the last one.
func (k *Known) thereAt(l look) {
	if l.turn > k.turn {
		k.turn, k.Last = l.turn, l.at
	}
}
