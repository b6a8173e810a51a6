package filestore

import (
	"path/filepath"

	"baton/internal/store"
)

// swapLock is the lock of those that swap caches. Nobody waits for it.
const swapLock = "lock-swap"

// SwapCache is WriteCache of a cache that many commands change: it is written into a second file beside it, and the two are exchanged, so
// that no file is made or removed (RewriteCache says why) and ReadSwapped finds the old text or the new one. Where that cannot be, or
// somebody else swaps at this moment, the cache is replaced. Data is text that blanks at its end do not change. Errors: as WriteCache.
func (s *Store) SwapCache(name string, data []byte) error {
	path, err := s.cachePath(name)
	if err != nil {
		return err
	}
	if len(data) > mostInPlace || !s.swapped(path, data) {
		return s.WriteCache(name, data)
	}
	return nil
}

func (s *Store) swapped(path string, data []byte) bool {
	info, err := s.fs.Lstat(path)
	if err != nil || !info.Mode.IsRegular() || info.Links != 1 {
		return false
	}
	release, got, err := s.fs.TryLock(join(s.runtime, swapLock))
	if err != nil || !got {
		return false
	}
	defer release()
	spare := spareOf(path)
	length := len(data)
	if info, err := s.fs.Lstat(spare); err == nil {
		if !info.Mode.IsRegular() || info.Size > mostInPlace {
			return false
		}
		length = max(length, int(info.Size))
	}
	return s.fs.Scribble(spare, filled(data, length), 0o666) == nil && s.fs.Exchange(spare, path) == nil
}

// ReadSwapped is ReadCache of a cache that SwapCache writes: it reads again where the file was exchanged, and so may be written over, meanwhile.
func (s *Store) ReadSwapped(name string) ([]byte, error) {
	path, err := s.cachePath(name)
	if err != nil {
		return nil, err
	}
	for tries := 0; ; tries++ {
		c, err := s.grab(path, whole, store.MaxSize)
		if err != nil {
			return nil, refused(err, s.shown(path), "read")
		}
		now, err := s.fs.Lstat(path)
		same := err == nil && now.ID == c.info.ID && now.Size == c.info.Size && now.ModTime.Equal(c.info.ModTime)
		if same || !c.exists || tries == mostRereads {
			return c.data, nil
		}
	}
}

const mostRereads = 10

// spareOf gives the path of the second file of a cache.
func spareOf(path string) string { return join(filepath.Dir(path), "."+filepath.Base(path)+".spare") }
