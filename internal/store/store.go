package store

import (
	"context"
	"time"

	"baton/internal/report"
)

// Limits that hold in every store.
const (
	MaxSize    = report.MostBytes // that Read gives at most; above it, Corrupt too_large (TS-6)
	TailLength = 4 << 10          // bytes at the end of an appended document that, with its length, identify it (D7)
	Attempts   = 5                // runs of a transaction while documents change under it
)

// Document is one document as a whole.
type Document struct {
	Name    string    // as asked for
	Data    []byte    // whole content; the caller's own, but nil when !Exists
	Exists  bool      // false: there is no such document, which is not an error
	Size    int64     // bytes of the whole document
	ModTime time.Time // last change, zero when unknown
	Pending bool      // the content is what a complete journal says it will be (D8, warning journal_pending)
	Outside bool      // the name is a link that leads outside the root: readable, not writable (D36)
}

// Part is the beginning or the end of a document.
type Part struct {
	Data    []byte // at most the limit that was asked for
	Size    int64  // bytes of the whole document
	Exists  bool   // false: there is no such document
	Offset  int64  // where Data begins in the document
	Pending bool   // as in Document
}

// Entry is one name in a folder.
type Entry struct {
	Name    string    // base name
	Dir     bool      // a folder, or a link to one
	Size    int64     // bytes, 0 for a folder
	ModTime time.Time // last change
}

// Reader reads without taking a lock and without leaving a trace. A bad name is Violation
// path_outside; what the system refuses is Refused (permission, io, is_directory …).
type Reader interface {
	// Read gives the whole document. One that is absent has Exists=false. Over MaxSize: Corrupt
	// too_large.
	Read(ctx context.Context, name string) (Document, error)
	// Head gives the first limit bytes.
	Head(ctx context.Context, name string, limit int) (Part, error)
	// Tail gives the last limit bytes.
	Tail(ctx context.Context, name string, limit int) (Part, error)
	// List gives the entries of a folder sorted by name; "." is the root. An absent folder is
	// empty.
	List(ctx context.Context, dir string) ([]Entry, error)
	// Scan gives everything in a folder as the file system has it, links not followed, names as
	// bytes.
	Scan(ctx context.Context, dir string) (Folder, error)
}

// Store keeps documents.
type Store interface {
	Reader
	// Update runs fn and commits everything it asked for, all or nothing. fn runs again, up to
	// Attempts times, when a document changed between its read and the write, and as often as a
	// lock of another program is waited for; so it has no side effects except on tx and on values
	// that it resets at its start. After that: Conflict changed_under_us. An error of fn is given
	// back as it is.
	Update(ctx context.Context, fn func(*Tx) error) (Commit, error)
	// Close lets go of what the store holds; documents are safe without it.
	Close() error
}

// Commit is what an Update did.
type Commit struct {
	Written  []string         // names that changed, sorted
	Outcomes []Outcome        // of the relocations, in their order
	Notes    []report.Finding // what happened besides: recovered, conflict_kept, swept …
}
