package filestore

import (
	"errors"
	"io/fs"

	"baton/internal/store"
)

// ListCaches gives the files in a folder of caches, a slash path below the runtime folder, in any order; none where there is
// no such folder. What is no regular file, and what is being written, is left out.
// Errors: Refused, Violation path_outside.
func (s *Store) ListCaches(dir string) ([]Info, error) {
	if err := store.CheckName(dir); err != nil {
		return nil, err
	}
	s.settle()
	path, err := s.inner(dir)
	if err != nil {
		return nil, err
	}
	infos, err := s.fs.ReadDir(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, refused(err, s.shown(path), "listed")
	}
	kept := infos[:0]
	for _, i := range infos {
		if i.Mode.IsRegular() && !isTemporary(i.Name) {
			kept = append(kept, i)
		}
	}
	return kept, nil
}
