package filestore

import (
	"context"
	"errors"
	"io/fs"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/foreign"
)

// Observer sees each commit of an Update, in this order: Begin, Record, and then either Made and
// Done or TakeBack. A failure in it becomes a note, and the commit is made all the same.
type Observer interface {
	// Begin is called when a commit is planned and nothing is staged yet. The commit calls wait at
	// its end, so that no work that Begin started outlasts it.
	Begin(edits []*Edit) (wait func())
	// Record is called when everything is staged, before the commit point. It syncs nothing that it
	// writes (D37).
	Record(c *Intent)
	// TakeBack is called with the reason if a commit was not made. It reports whether the commit is
	// worth another try without the observer, because the observer used room that the disk lacks.
	TakeBack(err error) (again bool)
	// Made is called when the documents of a commit are in place and durable, while its journal and
	// temporary files would still tell the next writer so.
	Made()
	// Done is called after a commit was made.
	Done()
	// Died is called under the lock before cleaning up after a dead writer. names are the documents
	// that it was about to write, as far as they are known. made says that its commit is known to
	// have been made, or will be completed; otherwise the documents tell.
	Died(names []string, made bool)
}

// Edit is one document of a commit.
type Edit struct {
	Name string
	Kind store.Kind // Replace or Append
	Data []byte     // the new content, or the bytes to append
	Old  Sum
	New  Sum
	Was  []byte         // content of the old file, if it was read as a whole
	End  []byte         // last 4 KB of the old file, if it is appended to
	Like disk.FileInfo  // mode and owner of the old file
	Mode fs.FileMode    // of a new file without Meta: the permissions that it has at most
	Meta *disk.FileInfo // of a new file: where its mode, owner and time come from; nil for none
	Temp string         // path of the staged file; after an exchange, the old file is there
}

// Intent is what a commit is about to do.
type Intent struct {
	Edits    []*Edit
	Removals []Removal
	Moved    int   // relocations of folder entries
	Undoes   int64 // see store.Tx.Undoes
}

// Removal is a document that a commit removes if it still has these bytes.
type Removal struct {
	Name string
	Sum  Sum
	Goes func() bool // whether it would be removed now
}

// ObserveWith makes start return the observer of each Update. note adds a finding to the result of
// the Update. ObserveWith must be called before the store is used.
func (s *Store) ObserveWith(start func(note func(code report.Code, path, text string)) Observer) {
	s.observe = start
}

// newWriter returns a writer with its observer.
func (s *Store) newWriter() *writer {
	w := &writer{Store: s, observer: unobserved{}}
	w.locks = s.foreign.Hold(w.note)
	if s.observe != nil {
		w.observer = s.observe(w.note)
	}
	return w
}

type unobserved struct{}

func (unobserved) Begin([]*Edit) (wait func())    { return func() {} }
func (unobserved) Record(*Intent)                 {}
func (unobserved) TakeBack(error) (again bool)    { return false }
func (unobserved) Made()                          {}
func (unobserved) Done()                          {}
func (unobserved) Died(names []string, made bool) {}

// observed returns the observer's view of edits.
func observed(edits []*edit) []*Edit {
	out := make([]*Edit, len(edits))
	for i, e := range edits {
		out[i] = &e.Edit
	}
	return out
}

// intent returns the observer's view of a commit.
func (w *writer) intent(edits []*edit, x *extras) *Intent {
	c := &Intent{Edits: observed(edits), Moved: len(x.relocations) - len(x.stays), Undoes: x.undoes}
	for i := range x.discards {
		if d := &x.discards[i]; d.Hash != "" {
			c.Removals = append(c.Removals, Removal{
				Name: d.Document, Sum: Sum{Exists: true, Size: d.Size, Hash: d.Hash},
				Goes: func() bool { return w.discardable(d) },
			})
		}
	}
	return c
}

// alone runs act under the lock, for which it waits as long as an Update.
func (s *Store) alone(ctx context.Context, act func(w *writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.resolve()
	if s.refusal != nil {
		return s.refusal
	}
	defer s.hold()()
	w, p := s.newWriter(), s.patience()
	defer p.end.Stop()
	for {
		err := w.holding(ctx, p, func() error { return act(w) })
		taken, ok := errors.AsType[*foreign.TakenError](err)
		if !ok {
			return err
		}
		if err := s.rest(ctx, p, taken); err != nil {
			return err
		}
	}
}

// Access gives an observer more access to its store than other callers have.
type Access struct{ *Store }

// Access returns the observer's access to this store.
func (s *Store) Access() Access { return Access{s} }

// FS returns the seam to the disk, which counts its operations.
func (a Access) FS() disk.FS { return a.fs }

// Env returns the store's environment: clock, randomness and process.
func (a Access) Env() report.Env { return a.o.Env }

// Command returns the command for which the store was opened.
func (a Access) Command() string { return a.o.Command }

// Folder returns the real path of a folder below the runtime folder. Violation path_outside if it
// leads out of the project.
func (a Access) Folder(name string) (string, error) {
	a.resolve()
	return a.inner(name)
}

// Shown returns a path as people see it: relative to the root with slashes, or unchanged if it is
// outside.
func (a Access) Shown(path string) string { return a.shown(path) }

// Temporary returns a name for a temporary file next to base.
func (a Access) Temporary(base string) (string, error) { return a.temporary(base) }

// Fetch reads part of a document, wherever its name leads, without checking for a journal.
func (a Access) Fetch(name string, part disk.Span, limit int64) (disk.Content, error) {
	c, _, err := a.fetch(name, part, limit)
	return c, err
}

// Refresh makes the next look at a document resolve its folder again.
func (a Access) Refresh() { a.lookAgain() }

// Locate returns the real path of a document, with all links resolved.
func (a Access) Locate(name string) (string, error) {
	p, err := a.locate(name)
	return p.path, err
}

// Alone runs act with an observer of its own under the lock, for which it waits as long as an
// Update.
func (a Access) Alone(ctx context.Context, act func(o Observer) error) error {
	return a.alone(ctx, func(w *writer) error { return act(w.observer) })
}
