package filestore

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// Caches are small files below the runtime folder that can be rebuilt or go missing. They are
// written without lock and fsync, so a reader must expect an empty or torn one after a power cut.
// WriteCache replaces a cache as a whole, and AppendCache adds to it.

// cachePath returns the path of a cache. It resolves the folder but not the file itself.
func (s *Store) cachePath(name string) (string, error) {
	if err := store.CheckName(name); err != nil {
		return "", err
	}
	s.resolve()
	dir, base := split(name)
	folder, err := s.inner(dir)
	if err != nil {
		return "", err
	}
	return disk.Join(folder, base), nil
}

// cachePlace is cachePath for writing: it creates the folder.
func (s *Store) cachePlace(name string) (string, error) {
	path, err := s.cachePath(name)
	if err != nil {
		return "", err
	}
	if !s.initialized() {
		if _, err := s.prepare(); err != nil {
			return "", err
		}
	}
	if _, err := disk.MakeAll(s.fs, filepath.Dir(path)); err != nil {
		return "", s.unwritable(err)
	}
	return path, nil
}

// mostSwapped is the size of the largest cache that is exchanged with a second file, in bytes.
const mostSwapped = 64 << 10

// lockPrefix begins the names of locks in a folder of caches.
const lockPrefix = "lock-"

// swapLock is the lock for exchanging caches. Nobody waits for it.
const swapLock = lockPrefix + "swap"

// WriteCache replaces the cache name, a slash path below the runtime folder. ReadCache finds the
// old text or the new one. From the second time on, data is written to the folder's spare file and
// the two are exchanged, because creating and removing files can be slow (ADR 12). If that is
// impossible, or somebody else is exchanging caches at this moment, a new file replaces the old
// one. Errors: Refused, Violation path_outside.
func (s *Store) WriteCache(name string, data []byte) error {
	defer s.hold()()
	path, err := s.cachePath(name)
	if err != nil {
		return err
	}
	if len(data) <= mostSwapped && s.swapCache(path, data) {
		return nil
	}
	return s.replaceCache(name, data)
}

// swapCache writes to the spare file and exchanges it with a cache. It reports whether it did. One
// spare serves all caches of a folder, because swapLock lets only one writer exchange at a time.
func (s *Store) swapCache(path string, data []byte) bool {
	info, err := s.fs.Lstat(path)
	if err != nil || !info.Mode.IsRegular() || info.Links != 1 {
		return false
	}
	release, got, err := s.fs.TryLock(disk.Join(s.runtime, swapLock))
	if err != nil || !got {
		return false
	}
	defer release()
	spare := disk.Join(filepath.Dir(path), spareName)
	info, err = s.fs.Lstat(spare)
	if err == nil && info.Links != 1 { // a copy made of hard links shares it
		if err = s.fs.Remove(spare); err != nil {
			return false
		}
		err = fs.ErrNotExist
	}
	if err == nil && !info.Mode.IsRegular() || s.fs.WriteOver(spare, data, 0o666) != nil {
		return false
	}
	if err == nil && info.Size > int64(len(data)) && s.cutCache(spare, int64(len(data))) != nil {
		return false
	}
	return s.fs.Exchange(spare, path) == nil
}

func (s *Store) cutCache(path string, size int64) error {
	f, err := s.fs.Append(path)
	if err != nil {
		return err
	}
	return disk.Closing(f, f.Truncate(size))
}

// replaceCache renames a new file over a cache.
func (s *Store) replaceCache(name string, data []byte) error {
	path, err := s.cachePlace(name)
	if err != nil {
		return err
	}
	base, err := s.temporary(filepath.Base(path))
	if err != nil {
		return err
	}
	temp := disk.Join(filepath.Dir(path), base)
	if !s.writtenIdle(temp, data) {
		f, err := s.fs.Create(temp, 0o666)
		if errors.Is(err, fs.ErrExist) { // another process has a file of that name
			if base, err = s.temporary(filepath.Base(path)); err != nil {
				return err
			}
			temp = disk.Join(filepath.Dir(path), base)
			f, err = s.fs.Create(temp, 0o666)
		}
		if err != nil {
			return s.unwritable(err)
		}
		_, err = f.Write(data)
		if err = disk.Closing(f, err); err != nil {
			_ = s.fs.Remove(temp) // SweepCaches removes what stays
			return refused(err, s.shown(path), "written")
		}
	}
	err = s.fs.Rename(temp, path)
	if err != nil {
		_ = s.fs.Remove(temp)
		return refused(err, s.shown(path), "written")
	}
	return nil
}

// spareName is the file in a folder that its caches are exchanged with.
const spareName = ".spare"

const mostRereads = 10

// ReadCache returns the cache name, or nil if there is none. If the file was exchanged during the
// read, it reads again, because the file that it read may have been overwritten.
func (s *Store) ReadCache(name string) ([]byte, error) {
	path, err := s.cachePath(name)
	if err != nil {
		return nil, err
	}
	for tries := 0; ; tries++ {
		c, err := s.grab(path, disk.Whole, store.MaxSize)
		if err != nil {
			return nil, refused(err, s.shown(path), "read")
		}
		if !c.Exists || tries == mostRereads {
			return c.Data, nil
		}
		now, err := s.fs.Lstat(path)
		if err == nil && now.ID == c.Info.ID && now.Size == c.Info.Size && now.ModTime.Equal(c.Info.ModTime) {
			return c.Data, nil
		}
	}
}

// RemoveCache removes the cache name if it exists.
func (s *Store) RemoveCache(name string) error {
	defer s.hold()()
	path, err := s.cachePath(name)
	if err != nil {
		return err
	}
	if err := s.fs.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return refused(err, s.shown(path), "removed")
	}
	return nil
}

// staleCache is the age from which a cache's temporary file counts as abandoned. Writing one takes
// microseconds.
const staleCache = time.Minute

// SweepCaches removes old temporary files that killed processes left next to the caches in a folder
// below the runtime folder; "" is that folder itself. base limits it to one cache, and "" means
// all. No other code notices such a death, because caches are written without the lock.
func (s *Store) SweepCaches(dir, base string) error {
	if dir != "" {
		if err := store.CheckName(dir); err != nil {
			return err
		}
	}
	defer s.hold()()
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
		ours := i.Mode.IsRegular() && disk.IsTemporary(i.Name) && strings.HasPrefix(i.Name, "."+base)
		if !ours || !i.ModTime.Before(before) {
			continue
		}
		if err := s.fs.Remove(disk.Join(path, i.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return refused(err, s.shown(path), "cleaned up")
		}
	}
	return nil
}

// ListCaches returns the files in a folder of caches, a slash path below the runtime folder, in any
// order. It leaves out locks, and anything that is not a regular file or is being written. If the
// folder is absent, it returns none. Errors: Refused, Violation path_outside.
func (s *Store) ListCaches(dir string) ([]disk.FileInfo, error) {
	if err := store.CheckName(dir); err != nil {
		return nil, err
	}
	s.resolve()
	path, err := s.inner(dir)
	if err != nil {
		return nil, err
	}
	names, err := s.fs.Names(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, refused(err, s.shown(path), "listed")
	}
	var found []disk.FileInfo
	for _, name := range names {
		// There may be many locks, and describing them would take longer than everything else.
		if strings.HasPrefix(name, lockPrefix) || disk.IsTemporary(name) || name == spareName || name == idleName {
			continue
		}
		i, err := s.fs.Lstat(disk.Join(path, name))
		switch {
		case errors.Is(err, fs.ErrNotExist): // it vanished in the meantime
		case err != nil:
			return nil, refused(err, s.shown(path), "listed")
		case i.Mode.IsRegular():
			found = append(found, i)
		}
	}
	return found, nil
}
