package store

import (
	"context"
	"time"

	"baton/internal/report"
)

// Limits of every store.
const (
	MaxSize    = report.MostBytes // the most that Read returns; above it, Corrupt too_large (TS-6)
	TailLength = 4 << 10          // bytes at the end that, with the length, identify a document that only grows (D7)
	Attempts   = 5                // runs of a transaction whose documents keep changing
)

// Stamp tells without reading a file whether it is still the one that was read. Times are
// nanoseconds since 1970. The zero Stamp stands for a file about which nothing is known, such as
// one behind a link.
type Stamp struct {
	Size    int64
	ModTime int64  // last change of the content, which anybody can set
	Changed int64  // last change of content, name or mode, which only the system sets; 0 if unknown
	Inode   uint64 // 0 if unknown
}

// Document is one document as a whole.
type Document struct {
	Name    string    // as asked for
	Data    []byte    // the whole content, owned by the caller; nil if !Exists
	Exists  bool      // false: the document is absent, which is not an error
	Size    int64     // bytes of the whole document
	ModTime time.Time // last change; zero if unknown
	Pending bool      // the content is what a complete journal is about to write (D8, warning journal_pending)
	Outside bool      // the name is a link out of the root, and no option allows writing there (D36)
	Stamp   Stamp     // of the file before it was read; zero if it is absent or pending
}

// Part is the beginning or the end of a document.
type Part struct {
	Data    []byte // at most as many bytes as were asked for
	Size    int64  // bytes of the whole document
	Exists  bool   // false: the document is absent
	Offset  int64  // position of Data in the document
	Pending bool   // as in Document
	Stamp   Stamp  // as in Document
}

// Entry is one name in a folder.
type Entry struct {
	Name    string    // base name
	Dir     bool      // a folder, or a link to one
	Size    int64     // bytes; 0 for a folder
	ModTime time.Time // last change
	Stamp   Stamp     // zero for a folder, a link, and a document that a journal is about to change
}

// Reader reads without taking a lock and without leaving a trace. A bad name is Violation
// path_outside. If the system refuses a read, the error is Refused (permission, io, is_directory
// …).
type Reader interface {
	// Read returns the whole document. If it is absent, Exists is false. Over MaxSize: Corrupt
	// too_large.
	Read(ctx context.Context, name string) (Document, error)
	// Head returns the first limit bytes.
	Head(ctx context.Context, name string, limit int) (Part, error)
	// Tail returns the last limit bytes.
	Tail(ctx context.Context, name string, limit int) (Part, error)
	// List returns the entries of a folder, sorted by name; "." is the root. An absent folder is
	// empty.
	List(ctx context.Context, dir string) ([]Entry, error)
	// Scan returns every entry of a folder as the file system reports it: links are not followed,
	// and names are bytes.
	Scan(ctx context.Context, dir string) (Folder, error)
}

// Store keeps documents.
type Store interface {
	Reader
	// Update runs fn and commits everything that it asked for, all or nothing. If a document
	// changed between its read and its write, fn runs again, up to Attempts times; then the error
	// is Conflict changed_under_us. fn also runs again after each wait for a lock file of another
	// program. So fn must have no side effects except on tx and on values that it resets at its
	// start. An error of fn is returned unchanged.
	Update(ctx context.Context, fn func(*Tx) error) (Commit, error)
	// Close releases what the store holds. Documents are safe without it.
	Close() error
}

// Commit is what an Update did.
type Commit struct {
	Written  []string         // names of the documents that changed, sorted
	Outcomes []Outcome        // of the relocations, in the order in which they were asked for
	Notes    []report.Finding // anything else that happened: recovered, conflict_kept, swept …
}
