package filestore

import (
	"errors"
	"io/fs"

	"baton/internal/store/disk"
)

// AppendCache adds data to the cache name, and creates it if it is absent. When the file would
// exceed most bytes, it is renamed to name.1, which replaces an older one, and a new file begins.
// So the two together hold at most twice as much. Lines of several processes do not mix, because
// each is a single write at the end. If two processes rename the file at the same instant, older
// lines may be lost. Errors: Refused, Violation path_outside; a link in its place is Refused.
func (s *Store) AppendCache(name string, data []byte, most int64) error {
	defer s.hold()()
	path, err := s.cachePlace(name)
	if err != nil {
		return err
	}
	f, err := s.appendable(path, int64(len(data)), most)
	if err != nil {
		return refused(err, s.shown(path), "written")
	}
	_, err = f.Write(data)
	return refused(errors.Join(err, f.Close()), s.shown(path), "written")
}

// appendable opens the file for that many more bytes.
func (s *Store) appendable(path string, more, most int64) (disk.File, error) {
	f, err := s.fs.Append(path)
	if err == nil {
		info, err := f.Stat()
		if err == nil && info.Size+more <= most {
			return f, nil
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		if err := s.fs.Rename(path, path+".1"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	// A file from Create is written at its own offset, over what others have appended meanwhile. So
	// it is opened again for appending.
	f, err = s.fs.Create(path, 0o666)
	if err == nil {
		err = f.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) { // fs.ErrExist: somebody else was faster
		return nil, err
	}
	return s.fs.Append(path)
}
