package filestore

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// Scan gives everything in a folder as the file system has it; see store.Reader. Errors:
// Violation path_outside, Refused not_directory, permission, io.
func (s *Store) Scan(ctx context.Context, dir string) (store.Folder, error) {
	if err := ctx.Err(); err != nil {
		return store.Folder{}, err
	}
	if err := s.readable(); err != nil {
		return store.Folder{}, err
	}
	s.lookAgain()
	// The journal comes first, as with every reader (D8): what it moves while we look is then
	// told as pending.
	j, err := s.completeJournal()
	if err != nil {
		return store.Folder{}, err
	}
	f, err := s.scan(dir)
	f.Pending = err == nil && j.moves(path.Clean(dir))
	return f, err
}

// moves tells whether the journal moves entries into or out of the folder.
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
	infos, err := s.fs.ReadDir(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return store.Folder{}, nil
	}
	if err != nil {
		return store.Folder{}, refused(err, dir, "listed")
	}
	f := store.Folder{
		Exists: true, Outside: p.outside && s.writable(dir, p) != nil,
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

// describeLink says where a link leads. Nothing is opened on the way: only names are looked at.
func (s *Store) describeLink(dir, name string) *store.LinkTarget {
	text, err := s.fs.Readlink(disk.Join(dir, name))
	if err != nil {
		return &store.LinkTarget{Fault: "dangling"} // it went away, or leads nowhere for us
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
