package filestore

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"baton/internal/store"
)

// Caches are small files below the runtime folder that can be made again or missed: they take no lock and no fsync.
// Each is replaced in one step; after a power cut one may be empty or torn, which is its reader's business.

// cachePath gives the real path of a cache: its folder resolved, itself not.
func (s *Store) cachePath(name string) (string, error) {
	if err := store.CheckName(name); err != nil {
		return "", err
	}
	s.settle()
	dir, base := split(name)
	folder, err := s.inner(dir)
	if err != nil {
		return "", err
	}
	return join(folder, base), nil
}

// cachePlace is cachePath of a cache that is to be written: its folder is made.
func (s *Store) cachePlace(name string) (string, error) {
	path, err := s.cachePath(name)
	if err != nil {
		return "", err
	}
	if !s.born() {
		if _, err := s.prepare(); err != nil {
			return "", err
		}
	}
	if _, err := s.makeFolders(filepath.Dir(path)); err != nil {
		return "", s.unwritable(err)
	}
	return path, nil
}

// WriteCache replaces the cache name, a slash path below the runtime folder. Errors: Refused, Violation path_outside.
func (s *Store) WriteCache(name string, data []byte) error {
	path, err := s.cachePlace(name)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	base, err := s.temporary(filepath.Base(path))
	if err != nil {
		return err
	}
	temp := join(dir, base)
	f, err := s.fs.Create(temp, 0o666)
	if err != nil {
		return s.unwritable(err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = s.fs.Rename(temp, path)
	}
	if err != nil {
		_ = s.fs.Remove(temp)
		return refused(err, s.shown(path), "written")
	}
	return nil
}

// ReadCache gives the cache name; nil when there is none.
func (s *Store) ReadCache(name string) ([]byte, error) {
	path, err := s.cachePath(name)
	if err != nil {
		return nil, err
	}
	c, err := s.grab(path, whole, store.MaxSize)
	if err != nil {
		return nil, refused(err, s.shown(path), "read")
	}
	return c.data, nil
}

// RemoveCache takes the cache name away, if it is there.
func (s *Store) RemoveCache(name string) error {
	path, err := s.cachePath(name)
	if err != nil {
		return err
	}
	if err := s.fs.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return refused(err, s.shown(path), "removed")
	}
	_ = s.fs.Remove(spareOf(path))
	return nil
}

// staleCache is the age from which a temporary file of a cache belongs to nobody any more: writing one takes microseconds.
const staleCache = time.Minute

// SweepCaches removes the temporary files that killed processes left of the caches in a folder below the runtime
// folder ("" for that folder itself), the older ones only. base limits it to one cache; "" means every cache there.
// Caches are written without the lock, so nobody else notices such a death.
func (s *Store) SweepCaches(dir, base string) error {
	if dir != "" {
		if err := store.CheckName(dir); err != nil {
			return err
		}
	}
	s.settle()
	path, err := s.inner(dir)
	if err != nil {
		return err
	}
	infos, err := s.fs.ReadDir(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return refused(err, s.shown(path), "listed")
	}
	before := s.o.Env.Now().Add(-staleCache)
	for _, i := range infos {
		ours := i.Mode.IsRegular() && isTemporary(i.Name) && strings.HasPrefix(i.Name, "."+base)
		if !ours || !i.ModTime.Before(before) {
			continue
		}
		if err := s.fs.Remove(join(path, i.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return refused(err, s.shown(path), "cleaned up")
		}
	}
	return nil
}
