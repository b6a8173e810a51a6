package filestore

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/store"
	"baton/internal/store/disk"
)

// Read returns a whole document; see store.Reader. Errors: Violation path_outside, Corrupt
// too_large, Refused.
func (s *Store) Read(ctx context.Context, name string) (store.Document, error) {
	c, p, pending, err := s.view(ctx, name, disk.Whole, store.MaxSize, true)
	if err != nil {
		return store.Document{Name: name}, err
	}
	doc := store.Document{Name: name, Exists: c.Exists, Pending: pending, Outside: s.readOnly(name, p)}
	if c.Exists {
		doc.Data, doc.Size, doc.ModTime = c.Data, c.Info.Size, c.Info.ModTime
		doc.Stamp = stampOf(c, pending)
	}
	return doc, nil
}

// Head returns the first limit bytes. Unlike List and Read it does not check for a journal each
// time, so that a listing with a thousand heads costs a thousand opens.
func (s *Store) Head(ctx context.Context, name string, limit int) (store.Part, error) {
	return s.part(ctx, name, disk.Head(limit), false)
}

// Tail returns the last limit bytes.
func (s *Store) Tail(ctx context.Context, name string, limit int) (store.Part, error) {
	return s.part(ctx, name, disk.Tail(limit), true)
}

func (s *Store) part(ctx context.Context, name string, part disk.Span, look bool) (store.Part, error) {
	c, _, pending, err := s.view(ctx, name, part, 0, look)
	if err != nil || !c.Exists {
		return store.Part{}, err
	}
	return store.Part{
		Data: c.Data, Size: c.Info.Size, Exists: true, Offset: c.Offset, Pending: pending, Stamp: stampOf(c, pending),
	}, nil
}

// stampOf returns the stamp of what was read, unless it is what a journal promises.
func stampOf(c disk.Content, pending bool) store.Stamp {
	if pending {
		return store.Stamp{}
	}
	return c.Info.Stamp()
}

// view reads part of a document as it is, or as a complete journal says it will be.
//
// It checks for the journal before it reads the file. Otherwise a transaction could end in between:
// this file would be read as it was before, and a file read earlier as it was after, so an entry
// that moved between the two would be in neither (D8). One case remains. If an append fails after
// the commit point, a reader that just saw the promised content of one file may see the old content
// of another. Its next read is right again.
func (s *Store) view(
	ctx context.Context, name string, part disk.Span, limit int64, look bool,
) (disk.Content, place, bool, error) {
	if err := ctx.Err(); err != nil {
		return disk.Content{}, place{}, false, err
	}
	if err := store.CheckName(name); err != nil {
		return disk.Content{}, place{}, false, err
	}
	if err := s.readable(); err != nil {
		return disk.Content{}, place{}, false, err
	}
	s.mu.Lock()
	quiet := s.quiet
	s.mu.Unlock()
	if look || !quiet {
		f, err := s.promised(name)
		if err != nil {
			return disk.Content{}, place{}, false, err
		}
		if f != nil {
			c, p, err := s.future(f, part, limit)
			return c, p, true, err
		}
	}
	c, p, err := s.fetch(name, part, limit)
	return c, p, false, err
}

// completeJournal returns the complete journal, or nil if there is none that concerns readers.
func (s *Store) completeJournal() (*journal, error) {
	if s.refusal != nil {
		return nil, nil // a journal elsewhere is not ours
	}
	j, there, err := s.readJournal()
	if err != nil && !errors.Is(err, errJournalVersion) && !hidden(err) {
		return nil, s.unreadable(err)
	}
	s.mu.Lock()
	s.quiet = !there
	s.mu.Unlock()
	return j, nil
}

// pendingJournal returns the complete journal that readers follow, with the states of its files. It
// returns nil if there is none, or if somebody changed one of its files: then nothing in the
// journal is certain, and the files show at least everything that exists.
func (s *Store) pendingJournal() (*journal, []state, error) {
	j, err := s.completeJournal()
	if j == nil || err != nil {
		return nil, nil, err
	}
	states, _, err := s.states(j)
	switch code := report.CodeOf(err); {
	case code == report.CodeIO ||
		code == report.CodePermission: // nobody can tell whether its promise is already kept
		return nil, nil, err
	case err != nil || slices.Contains(states, stateForeign):
		return nil, nil, nil
	}
	return j, states, nil
}

// readable refuses a root that leads out of its checkout.
func (s *Store) readable() error {
	s.resolve()
	if s.lost {
		return s.refusal
	}
	return nil
}

// hidden reports whether an error says that the runtime folder is not a folder, or not accessible
// to us. Reads need nothing from it (D2).
func hidden(err error) bool {
	code, _, _ := disk.Reason(err)
	return code == report.CodePermission || code == report.CodeNotDirectory || code == report.CodeIsDirectory
}

// promised returns what a complete journal says about a document. It returns nil if there is no
// such journal, if the journal has no such document, or if the document was moved since.
func (s *Store) promised(name string) (*journalFile, error) {
	j, states, err := s.pendingJournal()
	if j == nil || err != nil {
		return nil, err
	}
	for i := range j.Files {
		if j.Files[i].Name == name && states[i] != stateGone && states[i] != stateRecorded {
			return &j.Files[i], nil
		}
	}
	return nil, nil
}

// future returns part of a file as it will be when its journal is done.
func (s *Store) future(f *journalFile, part disk.Span, limit int64) (disk.Content, place, error) {
	size := int64(len(f.Data))
	if f.Kind == store.Append {
		size += f.Old.Size
	}
	at, n := part(size)
	if limit > 0 && n > limit {
		return disk.Content{}, place{}, tooLarge(f.Name, size)
	}
	old := func(int64) (int64, int64) { return 0, 0 }
	base := int64(0)
	if f.Kind == store.Append {
		base = f.Old.Size
		old = func(int64) (int64, int64) { return at, max(0, min(base, at+n)-at) }
	}
	c, p, err := s.fetch(f.Name, old, 0)
	if err != nil {
		return disk.Content{}, p, err
	}
	from := max(0, at-base)
	c.Data = append(c.Data, f.Data[from:max(from, at+n-base)]...)
	c.Exists, c.Offset, c.Info.Size = true, at, size
	return c, p, nil
}

// List returns the entries of a folder without our temporary files, plus the documents that a
// complete journal will create.
func (s *Store) List(ctx context.Context, dir string) ([]store.Entry, error) {
	return s.listed(ctx, dir, true)
}

// ListUnsorted is List in any order, for those who sort ten thousand names in their own way.
func (s *Store) ListUnsorted(ctx context.Context, dir string) ([]store.Entry, error) {
	return s.listed(ctx, dir, false)
}

// Names returns the names in a folder in any order, without describing the files; an absent folder
// is empty. It does not know the files of an interrupted operation, nor which names are folders.
// Errors: those of List.
func (s *Store) Names(ctx context.Context, dir string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.readable(); err != nil {
		return nil, err
	}
	p, err := s.listable(dir)
	if err != nil {
		return nil, err
	}
	names, err := s.fs.Names(p.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, refused(err, dir, "listed")
	}
	return names, nil
}

func (s *Store) listed(ctx context.Context, dir string, sorted bool) ([]store.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.readable(); err != nil {
		return nil, err
	}
	s.lookAgain()
	j, states, err := s.pendingJournal()
	if err != nil {
		return nil, err
	}
	entries, err := s.list(dir)
	if sorted || j != nil {
		sortEntries(entries)
	}
	if err != nil || j == nil {
		return entries, err
	}
	for i, f := range j.Files {
		if states[i] == stateGone {
			continue
		}
		folder, base := split(f.Name)
		at, found := slices.BinarySearchFunc(entries, base,
			func(e store.Entry, n string) int { return strings.Compare(e.Name, n) })
		switch {
		case folder != path.Clean(dir):
		case found:
			entries[at].Stamp = store.Stamp{} // it is not going to be this file
		default:
			entries = slices.Insert(entries, at, store.Entry{Name: base, Size: f.New.Size})
		}
	}
	return entries, nil
}

// listable returns the place of a folder that a reader may list.
func (s *Store) listable(dir string) (place, error) {
	p, err := s.folder(dir)
	if err != nil {
		return place{}, refused(err, dir, "listed")
	}
	return p, s.visible(dir, p)
}

func sortEntries(entries []store.Entry) {
	sorting.By(entries, func(a, b store.Entry) int { return strings.Compare(a.Name, b.Name) })
}

func (s *Store) list(dir string) ([]store.Entry, error) {
	if dir == "" {
		dir = "."
	}
	p, err := s.listable(dir)
	if err != nil {
		return nil, err
	}
	infos, err := s.fs.ReadDir(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, refused(err, dir, "listed")
	}
	entries := make([]store.Entry, 0, len(infos))
	for _, i := range infos {
		if disk.IsTemporary(i.Name) {
			continue
		}
		stamp := i.Stamp()
		if i.Link() {
			i = s.target(p.path, i)
		}
		e := store.Entry{Name: i.Name, Dir: i.Mode.IsDir(), ModTime: i.ModTime}
		if !e.Dir {
			e.Size, e.Stamp = i.Size, stamp
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// target describes the target of a link under the link's name. A dangling link is a document that
// reads as absent.
func (s *Store) target(dir string, link disk.FileInfo) disk.FileInfo {
	gone := disk.FileInfo{Name: link.Name, ModTime: link.ModTime}
	p, err := s.follow(dir, link.Name)
	if err != nil {
		return gone
	}
	i, err := s.fs.Lstat(p.path)
	if err != nil {
		return gone
	}
	i.Name = link.Name
	return i
}
