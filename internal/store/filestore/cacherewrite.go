package filestore

import "bytes"

// How long a cache may be that is written over where it is, and how long its file is made at least, in bytes.
const (
	mostInPlace  = 64 << 10
	leastInPlace = 2 << 10
)

// RewriteCache is WriteCache of a cache that changes often, by whoever holds its lock (LockCache). It is written over where it is, so that no
// file is made: in a folder near which many were removed a moment ago, ext4 without a journal takes up to a millisecond for each new one. A
// file is made where there is none, where the cache has outgrown its file, and where the file has a second name, which may be
// somebody else's. Data is text that blanks at its end do not change: they fill the file. Whoever reads without the lock may find half of
// each, and so does the next one where a process was killed at that moment. Errors: as WriteCache.
func (s *Store) RewriteCache(name string, data []byte) error {
	path, err := s.cachePath(name)
	if err != nil {
		return err
	}
	if len(data) > mostInPlace {
		return s.WriteCache(name, data)
	}
	info, err := s.fs.Lstat(path)
	if err == nil && info.Mode.IsRegular() && info.Links == 1 && info.Size >= int64(len(data)) && info.Size <= mostInPlace {
		if s.fs.Scribble(path, filled(data, int(info.Size)), 0o666) == nil {
			return nil
		}
	}
	room := leastInPlace
	for room < len(data) {
		room *= 2
	}
	return s.WriteCache(name, filled(data, room))
}

// filled puts blanks behind data.
func filled(data []byte, length int) []byte {
	return append(bytes.Clone(data), bytes.Repeat([]byte{' '}, length-len(data))...)
}
