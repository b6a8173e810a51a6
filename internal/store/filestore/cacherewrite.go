package filestore

import (
	"bytes"
	"runtime"
)

// mostInPlace is how many bytes are written in one piece: a page. No killed process leaves half of them.
const mostInPlace = 4096

// RewriteCache is WriteCache of a cache that changes often and of which a reader may find nothing now and then. One that is there, and short
// before and after, is written over where it is, so that no file is made: in a folder near which many were removed a moment ago, ext4
// without a journal takes up to a millisecond for each new one. Data is text that blanks at its end do not change; they fill what was
// longer. Errors: as WriteCache.
func (s *Store) RewriteCache(name string, data []byte) error {
	path, err := s.cachePath(name)
	if err != nil {
		return err
	}
	if len(data) > mostInPlace || !s.inPlace(path, data) {
		return s.WriteCache(name, data)
	}
	return nil
}

// inPlace writes over a file, alone among those that do so; false when it is to be replaced.
func (s *Store) inPlace(path string, data []byte) (done bool) {
	if runtime.GOOS == "windows" { // where a lock keeps its own holder from writing
		return false
	}
	if info, err := s.fs.Lstat(path); err != nil || !info.Mode.IsRegular() {
		return false
	}
	release, got, err := s.fs.TryLock(path)
	if err != nil || !got {
		return false
	}
	defer release()
	info, err := s.fs.Lstat(path)
	if err != nil || info.Size > mostInPlace {
		return false
	}
	if missing := int(info.Size) - len(data); missing > 0 {
		data = append(bytes.Clone(data), bytes.Repeat([]byte{' '}, missing)...)
	}
	return s.fs.Scribble(path, data, 0o666) == nil
}
