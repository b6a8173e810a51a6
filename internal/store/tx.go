package store

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/sorting"
)

// Kind says what a Change does to its document.
type Kind string

// The kinds of change; they are written into journals, so they only ever grow in number.
const (
	Replace Kind = "replace" // the whole content becomes Data, whether the document exists or not
	Create  Kind = "create"  // as Replace, but the document must not exist
	Append  Kind = "append"  // Data comes after what is there; the document need not exist
)

// Change is one document of a transaction.
type Change struct {
	Name string
	Kind Kind
	Data []byte // new content, or what is appended
	Seen *Seen  // what the transaction knew of the document, nil when it never read it
	Like string // of a Create: the document whose mode, owner and time the new one takes, "" for none
}

// Seen is the revision of a document at its first read in a transaction.
type Seen struct {
	Name   string
	Exists bool
	Size   int64 // bytes of the whole document
	Whole  bool  // the whole document was seen
	Tail   int64 // otherwise: how many last bytes were seen; 0 when only the size is known

	data []byte // what was seen: comparing bytes costs a tenth of hashing them
}

// Matches tells whether current content (whole, or at least its last Tail bytes) of the given
// size is still what was seen.
func (s *Seen) Matches(exists bool, size int64, data []byte) bool {
	if s.Exists != exists || s.Size != size {
		return false
	}
	switch {
	case !exists:
		return true
	case s.Whole:
		return bytes.Equal(data, s.data)
	default:
		return bytes.HasSuffix(data, s.data)
	}
}

// Move declares that the text Lost leaves From and stands, perhaps in another form, as Gained in
// To. When somebody edits one of the documents by hand at the worst moment, recovery adds Gained
// first and takes Lost out only then, both by exact bytes, so that a duplicate may remain and
// never a hole (D5).
type Move struct {
	From, To     string
	Lost, Gained []byte
}

// Tx records what a transaction reads and what it wants. Reads see the transaction's own writes.
// A Tx is used by one goroutine.
type Tx struct {
	ctx   context.Context // of the Update that runs the transaction; a Tx does not outlive it
	from  Reader
	seen  map[string]*Seen
	wants map[string]*want
	moves []Move
	fault error

	relocations    []Relocation
	outcomeRecords []string
	discards       []Discard
	scans          map[string]Folder // first look at each folder
	unsure         bool              // it went by something that is neither in seen nor in scans
	undoes         int64
}

type want struct {
	kind Kind
	data []byte
	like string
}

// NewTx begins a transaction that reads from r; for implementations of Store.
func NewTx(ctx context.Context, r Reader) *Tx {
	return &Tx{ctx: ctx, from: r, seen: map[string]*Seen{}, wants: map[string]*want{}, scans: map[string]Folder{}}
}

// Context is the context of the Update.
func (t *Tx) Context() context.Context { return t.ctx }

// Write replaces or creates the whole document. A bad name is reported by Err, and by the commit.
func (t *Tx) Write(name string, data []byte) { t.put(name, Replace, data) }

// Create makes a new document; if there is one already the commit fails with Conflict exists.
func (t *Tx) Create(name string, data []byte) {
	if w := t.wants[name]; w != nil {
		t.fail(Exists(name))
		return
	}
	t.put(name, Create, data)
}

// CreateLike is Create for a copy of another document: the new one takes the mode, the time of
// the last change, and where that is allowed the owner of like, as they are before the
// transaction. Where like is not there it is Create.
func (t *Tx) CreateLike(name string, data []byte, like string) {
	t.Create(name, data)
	if w := t.wants[name]; w != nil && w.kind == Create {
		w.like = like
	}
}

// Append puts data after what the document holds, without reading it; the document is created
// when it is absent.
func (t *Tx) Append(name string, data []byte) {
	if w := t.wants[name]; w != nil {
		w.data = append(slices.Clip(w.data), data...)
		return
	}
	if len(data) > 0 {
		t.put(name, Append, data)
	}
}

// Move declares a text that goes from one document of this transaction to another; see Move.
func (t *Tx) Move(m Move) {
	m.Lost, m.Gained = slices.Clone(m.Lost), slices.Clone(m.Gained)
	t.moves = append(t.moves, m)
}

func (t *Tx) put(name string, kind Kind, data []byte) {
	if err := CheckName(name); err != nil {
		t.fail(err)
		return
	}
	// A document that this transaction creates is still new when it is written a second time.
	if w := t.wants[name]; w != nil && w.kind == Create {
		kind = Create
	}
	t.wants[name] = &want{kind: kind, data: slices.Clone(data)}
}

func (t *Tx) fail(err error) {
	if t.fault == nil {
		t.fault = err
	}
}

// Err is the first misuse of the transaction (a bad name, a document created twice); the commit
// fails with it.
func (t *Tx) Err() error { return t.fault }

// Changes gives what the transaction wants, sorted by name.
func (t *Tx) Changes() []Change {
	out := make([]Change, 0, len(t.wants))
	for name, w := range t.wants {
		out = append(out, Change{Name: name, Kind: w.kind, Data: w.data, Seen: t.seen[name], Like: w.like})
	}
	sorting.By(out, func(a, b Change) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Moves gives the declared moves in their order.
func (t *Tx) Moves() []Move { return t.moves }

// Reads gives the revisions that were seen, sorted by name.
func (t *Tx) Reads() []Seen {
	out := make([]Seen, 0, len(t.seen))
	for _, s := range t.seen {
		out = append(out, *s)
	}
	sorting.By(out, func(a, b Seen) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Exists is the error for a document that should be new: Conflict exists.
func Exists(name string) error {
	return &report.Error{
		Kind: report.Conflict, Code: report.CodeExists, Path: name, Message: fmt.Sprintf("%s exists already", name),
		Hint: "choose another name, or change what is there",
	}
}
