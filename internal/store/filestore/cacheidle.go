package filestore

import (
	"path/filepath"

	"baton/internal/store/disk"
)

// idleName is a file in a folder of caches that was a cache, and becomes the folder's next new one.
const idleName = ".idle"

// RetireCache removes the cache name. Its file stays for the next new cache of the folder, because
// creating and removing files can be slow (ADR 12). Errors: as RemoveCache.
func (s *Store) RetireCache(name string) error {
	defer s.hold()()
	path, err := s.cachePath(name)
	if err != nil {
		return err
	}
	if s.idled(path) {
		return nil
	}
	return s.RemoveCache(name)
}

// idled renames a cache to the folder's idle file, unless there is one. It reports whether it did.
func (s *Store) idled(path string) bool {
	if !s.reusable(path) {
		return false
	}
	release, got, err := s.fs.TryLock(disk.Join(s.runtime, swapLock))
	if err != nil || !got {
		return false
	}
	defer release()
	idle := disk.Join(filepath.Dir(path), idleName)
	return !disk.Exists(s.fs, idle) && s.fs.Rename(path, idle) == nil
}

// taken renames the folder's idle file to a name that no other process uses. It reports whether
// there was one.
func (s *Store) taken(path string) bool {
	idle := disk.Join(filepath.Dir(path), idleName)
	return s.reusable(idle) && s.fs.Rename(idle, path) == nil
}

// reusable reports whether a file may be written over: it is an ordinary one without a second name,
// which a copy made of hard links would have.
func (s *Store) reusable(path string) bool {
	info, err := s.fs.Lstat(path)
	return err == nil && info.Mode.IsRegular() && info.Links == 1 && info.Size <= mostSwapped
}

// writtenIdle gives the folder's idle file a name that no other process uses, and writes data over
// it. It reports whether it did.
func (s *Store) writtenIdle(path string, data []byte) bool {
	if !s.taken(path) {
		return false
	}
	if s.fs.WriteOver(path, data, 0o666) == nil && s.cutCache(path, int64(len(data))) == nil {
		return true
	}
	_ = s.fs.Remove(path) // if it stays, creating the file fails and says why
	return false
}
