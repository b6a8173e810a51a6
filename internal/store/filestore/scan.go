package filestore

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// Scan returns every entry of a folder as the file system reports it; see store.Reader. Errors:
// Violation path_outside, Refused not_directory, permission, io.
func (s *Store) Scan(ctx context.Context, dir string) (store.Folder, error) {
	if err := ctx.Err(); err != nil {
		return store.Folder{}, err
	}
	if err := s.readable(); err != nil {
		return store.Folder{}, err
	}
	s.lookAgain()
	// Check for the journal first, as every reader does (D8), so that entries which it moves during
	// the listing are reported as pending.
	j, err := s.completeJournal()
	if err != nil {
		return store.Folder{}, err
	}
	f, err := s.scan(dir)
	f.Pending = err == nil && j.moves(path.Clean(dir))
	return f, err
}

// moves reports whether the journal moves entries into or out of the folder.
func (j *journal) moves(dir string) bool {
	if j == nil {
		return false
	}
	for i := range j.Relocations {
		if r := &j.Relocations[i]; r.From == dir || r.To == dir {
			return true
		}
	}
	return false
}

func (s *Store) scan(dir string) (store.Folder, error) {
	if dir == "" {
		dir = "."
	}
	p, err := s.folder(path.Clean(dir))
	if err != nil {
		return store.Folder{}, refused(err, dir, "listed")
	}
	if err := s.visible(dir, p); err != nil {
		return store.Folder{}, err
	}
	infos, err := s.fs.ReadDir(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return store.Folder{}, nil
	}
	if err != nil {
		return store.Folder{}, refused(err, dir, "listed")
	}
	f := store.Folder{
		Exists: true, Outside: s.readOnly(dir, p),
		Items: make([]store.Item, len(infos)),
	}
	for n := range infos {
		f.Items[n] = infos[n].Item()
		if infos[n].Link() {
			f.Items[n].Link = s.describeLink(p.path, infos[n].Name)
		}
	}
	return f, nil
}

// describeLink describes where a link leads. It opens nothing and looks only at names.
func (s *Store) describeLink(dir, name string) *store.LinkTarget {
	text, err := s.fs.Readlink(disk.Join(dir, name))
	if err != nil {
		return &store.LinkTarget{Fault: "dangling"} // the link vanished, or leads nowhere for us
	}
	p, err := s.follow(dir, name)
	switch {
	case errors.Is(err, disk.ErrLoop):
		return &store.LinkTarget{Text: text, Fault: "looping"}
	case err != nil:
		return &store.LinkTarget{Text: text, Fault: "dangling"}
	case p.outside:
		return &store.LinkTarget{Text: text, Fault: "outside"}
	}
	i, err := s.fs.Lstat(p.path)
	if err != nil {
		return &store.LinkTarget{Text: text, Fault: "dangling"}
	}
	return &store.LinkTarget{Text: text, Mode: i.Mode, Size: i.Size, ModTime: i.ModTime}
}
