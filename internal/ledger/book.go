package ledger

import (
	"bytes"
	"time"
)

// State says where an entry of a book is.
type State string

// The states of entries.
const (
	Present State = "present" // in Known.Doc when it was looked at last
	Missing State = "missing" // somebody else took it away, and nobody accepted that
	Left    State = "left"    // it is missed no more; Known.How says why
)

// Known is what a book knows of one entry.
type Known struct {
	Sighting
	State State
	How   How    // of Left; Accepted also while it is present, because what may go once may go again
	Into  string // of Reworded
	First Mark   // when it came, and with which change
	Last  Mark   // when it was there last
	Gone  Mark   // when it was found missing or left; zero while it is present

	docs []string // documents in which it stands, as far as is known; Doc is one of them while it is present
	row  *row
	turn int // record in which it was there last
	left int // record with which it left
}

// Book is what the lines of a family's book say together. The order of Entries is that of their
// documents, as far as it is known.
type Book struct {
	Family  string
	Since   time.Time // its first record: what was lost before is not known
	Entries []*Known
	Docs    map[string]DocState
	// when documents were looked at first that were there before: what those lost until then is not
	// known
	Found map[string]time.Time

	by    map[string]*Known
	looks map[string]look
	rows  rows
	turn  int
	own   int // last record of a change of baton's
	stale bool
}

// look says when a document was looked at last, by the record's place and mark.
type look struct {
	turn int
	at   Mark
}

// Parse reads a book. Lines that are torn or no records count for nothing, and so do those of
// another family than the first one's; nil when there is no line that counts.
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
	for _, part := range parts {
		b.fold(part)
	}
	b.refresh()
	return b
}

// join folds a record of several lines. Parts without their end, which a crash took,
// are folded for themselves.
func (b *Book) join(parts []Record, r Record) {
	whole := true
	for _, part := range parts {
		whole = whole && part.Mark == r.Mark && part.Outside == r.Outside
	}
	if !whole {
		for _, part := range parts {
			b.fold(part)
		}
	} else if len(parts) > 0 {
		var seen []Sighting
		for _, part := range parts {
			seen = append(seen, part.Seen...)
		}
		r.Seen = append(seen, r.Seen...)
	}
	b.fold(r)
}

// New returns a book without records.
func New(family string) *Book {
	return &Book{
		Family: family, Docs: map[string]DocState{}, Found: map[string]time.Time{}, by: map[string]*Known{},
		looks: map[string]look{}, rows: rows{of: map[rowName]*row{}},
	}
}

// Add folds one more record into the book.
func (b *Book) Add(r Record) {
	b.fold(r)
	b.refresh()
}

// Get returns what is known of the entry with a key, nil when nothing.
func (b *Book) Get(key string) *Known { return b.by[key] }

// Lacking counts the entries that are missing.
func (b *Book) Lacking() (n int) {
	for _, k := range b.by {
		if k.State == Missing {
			n++
		}
	}
	return n
}

// refresh brings Entries up to date.
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

// thereAt moves the time at which the entry was there last.
func (k *Known) thereAt(l look) {
	if l.turn > k.turn {
		k.turn, k.Last = l.turn, l.at
	}
}
