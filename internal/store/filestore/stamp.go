package filestore

import (
	"errors"
	"io/fs"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// Stamp returns the stamp of a document; zero for a link, a document that cannot be looked up, and
// an absent one.
func (s *Store) Stamp(name string) store.Stamp {
	s.resolve()
	p, err := s.direct(name)
	if err != nil {
		return store.Stamp{}
	}
	info, err := s.fs.Lstat(p.path)
	if err != nil || !info.Mode.IsRegular() {
		return store.Stamp{}
	}
	return info.Stamp()
}

// FolderStamp returns the stamp of a folder, whose links are resolved; zero if it is absent. known
// is false if the system does not say when the names in it changed.
func (s *Store) FolderStamp(dir string) (stamp store.Stamp, known bool) {
	s.resolve()
	p, err := s.folder(dir)
	if err != nil {
		return store.Stamp{}, false
	}
	info, err := s.fs.Lstat(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return store.Stamp{}, true
	}
	if err != nil || !info.Mode.IsDir() || info.Changed == 0 {
		return store.Stamp{}, false
	}
	return info.Stamp(), true
}

// CacheStamp returns the stamp of a cache; zero if there is none.
func (s *Store) CacheStamp(name string) store.Stamp {
	path, err := s.cachePath(name)
	if err != nil {
		return store.Stamp{}
	}
	info, err := s.fs.Lstat(path)
	if err != nil {
		return store.Stamp{}
	}
	return info.Stamp()
}

// CacheTail returns the last bytes of a cache, at most limit, or nil if there is none.
func (s *Store) CacheTail(name string, limit int) ([]byte, error) {
	path, err := s.cachePath(name)
	if err != nil {
		return nil, err
	}
	c, err := s.grab(path, disk.Tail(limit), 0)
	return c.Data, refused(err, s.shown(path), "read")
}
