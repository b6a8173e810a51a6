package store

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/sorting"
)

// Kind says what a Change does to its document.
type Kind string

// The kinds of change. They are written into journals, so kinds are only ever added.
const (
	Replace Kind = "replace" // the whole content becomes Data, whether or not the document exists
	Create  Kind = "create"  // as Replace, but the document must not exist
	Append  Kind = "append"  // Data is added at the end; the document need not exist
)

// Change is one document of a transaction.
type Change struct {
	Name string
	Kind Kind
	Data []byte // the new content, or the bytes to append
	Seen *Seen  // the revision that the transaction read; nil if it never read the document
	Like string // for Create: the document whose mode, owner and time the new one takes; "" for none

	AtMost []string    // the documents whose permissions a new one has at most
	Most   fs.FileMode // the permissions that a new one has at most; 0 for no limit
}

// Seen is the revision of a document at its first read in a transaction.
type Seen struct {
	Name   string
	Exists bool
	Size   int64 // bytes of the whole document
	Whole  bool  // the whole document was seen
	Tail   int64 // if !Whole: how many bytes at the end were seen; 0 if only the size is known

	data []byte // the bytes that were seen; comparing them costs a tenth of hashing them
}

// Matches reports whether a document of the given size is unchanged since it was seen. data is its
// whole content, or at least its last Tail bytes.
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

// Move declares that the text Lost leaves From and appears, perhaps in another form, as Gained in
// To. If somebody edits one of the documents while the change is being made, recovery first adds
// Gained and only then removes Lost. It compares exact bytes, so a duplicate may remain, but text
// is never missing from both (D5).
type Move struct {
	From, To     string
	Lost, Gained []byte
}

// Tx records what a transaction reads and what it changes. Reads see the transaction's own writes.
// A Tx is used by one goroutine.
type Tx struct {
	ctx   context.Context // of the Update that runs the transaction, which the Tx does not outlive
	from  Reader
	seen  map[string]*Seen
	wants map[string]*want
	moves []Move
	fault error

	relocations    []Relocation
	outcomeRecords []string
	discards       []Discard
	scans          map[string]Folder // the first scan of each folder
	unsure         bool              // the transaction used something that neither seen nor scans records
	undoes         int64
}

type want struct {
	kind Kind
	data []byte
	like string

	atMost []string
	most   fs.FileMode
}

// NewTx begins a transaction that reads from r. Implementations of Store call it.
func NewTx(ctx context.Context, r Reader) *Tx {
	return &Tx{ctx: ctx, from: r, seen: map[string]*Seen{}, wants: map[string]*want{}, scans: map[string]Folder{}}
}

// Context returns the context of the Update.
func (t *Tx) Context() context.Context { return t.ctx }

// Write replaces or creates the whole document. Err and the commit report a bad name.
func (t *Tx) Write(name string, data []byte) { t.put(name, Replace, data) }

// Create creates a document. If it exists already, the commit fails with Conflict exists.
func (t *Tx) Create(name string, data []byte) {
	if w := t.wants[name]; w != nil {
		t.fail(Exists(name))
		return
	}
	t.put(name, Create, data)
}

// CreateLike is Create for a copy of the document like. The new document takes the mode and the
// modification time that like had before the transaction, and its owner if that is allowed. If like
// is absent, CreateLike is Create.
func (t *Tx) CreateLike(name string, data []byte, like string) {
	t.Create(name, data)
	if w := t.wants[name]; w != nil && w.kind == Create {
		w.like = like
	}
}

// AtMost says that nobody may read the document name, if it is new, who may not read like.
func (t *Tx) AtMost(name, like string) {
	if w := t.wants[name]; w != nil {
		w.atMost = append(w.atMost, like)
	}
}

// AtMostMode says which permissions the document name has at most, if it is new; 0 is no limit.
func (t *Tx) AtMostMode(name string, most fs.FileMode) {
	if w := t.wants[name]; w != nil {
		w.most = most
	}
}

// Append adds data at the end of the document without reading it. An absent document is created.
func (t *Tx) Append(name string, data []byte) {
	if w := t.wants[name]; w != nil {
		w.data = append(slices.Clip(w.data), data...)
		return
	}
	if len(data) > 0 {
		t.put(name, Append, data)
	}
}

// Move declares that text moves from one document of this transaction to another; see type Move.
func (t *Tx) Move(m Move) {
	m.Lost, m.Gained = slices.Clone(m.Lost), slices.Clone(m.Gained)
	t.moves = append(t.moves, m)
}

func (t *Tx) put(name string, kind Kind, data []byte) {
	if err := CheckName(name); err != nil {
		t.fail(err)
		return
	}
	// A document that this transaction creates is still new when it is written again.
	if w := t.wants[name]; w != nil && w.kind == Create {
		kind = Create
	}
	now := &want{kind: kind, data: slices.Clone(data)}
	if w := t.wants[name]; w != nil {
		now.atMost, now.most = w.atMost, w.most
	}
	t.wants[name] = now
}

func (t *Tx) fail(err error) {
	if t.fault == nil {
		t.fault = err
	}
}

// Err returns the first misuse of the transaction: a bad name, or a document created twice. The
// commit fails with it.
func (t *Tx) Err() error { return t.fault }

// Changes returns what the transaction changes, sorted by name.
func (t *Tx) Changes() []Change {
	out := make([]Change, 0, len(t.wants))
	for name, w := range t.wants {
		out = append(out, Change{
			Name: name, Kind: w.kind, Data: w.data, Seen: t.seen[name], Like: w.like, AtMost: w.atMost,
			Most: w.most,
		})
	}
	sorting.By(out, func(a, b Change) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Moves returns the declared moves in the order of their calls.
func (t *Tx) Moves() []Move { return t.moves }

// Reads returns the revisions that were seen, sorted by name.
func (t *Tx) Reads() []Seen {
	out := make([]Seen, 0, len(t.seen))
	for _, s := range t.seen {
		out = append(out, *s)
	}
	sorting.By(out, func(a, b Seen) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Exists returns the error for a new document whose name is taken: Conflict exists.
func Exists(name string) error {
	return &report.Error{
		Kind: report.Conflict, Code: report.CodeExists, Path: name, Message: fmt.Sprintf("%s exists already", name),
		Hint: "choose another name, or change what is there",
	}
}
