package filestore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"baton/internal/store"
)

// content is what was read of one file.
type content struct {
	exists bool
	info   Info
	data   []byte
	offset int64 // where data begins in the file
}

// span says which bytes of a file of the given size to read.
type span func(size int64) (at, n int64)

func whole(size int64) (int64, int64) { return 0, size }

func head(limit int) span {
	return func(size int64) (int64, int64) { return 0, min(size, int64(max(limit, 0))) }
}

func tail(limit int) span {
	return func(size int64) (int64, int64) {
		n := min(size, int64(max(limit, 0)))
		return size - n, n
	}
}

// grab reads part of the file at a real path. A file that is absent is no error; ErrLink, a folder and special files
// are. A whole file over store.MaxSize is refused before anything of it is read.
func (s *Store) grab(path string, part span, limit int64) (content, error) {
	f, err := s.fs.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return content{}, nil
	}
	if err != nil {
		return content{}, err
	}
	c, err := readFrom(f, part, limit)
	return c, errors.Join(err, f.Close())
}

// mostAtOnce bounds what is read of any file at once, in bytes: a sparse file may claim any length.
const mostAtOnce = maxJournal

func readFrom(f File, part span, limit int64) (content, error) {
	info, err := f.Stat()
	if err != nil {
		return content{}, err
	}
	if err := regular(info); err != nil {
		return content{}, err
	}
	at, n := part(info.Size)
	if n > mostAtOnce || limit > 0 && n > limit {
		return content{}, &sizeError{info.Size}
	}
	c := content{exists: true, info: info, data: make([]byte, n), offset: at}
	got, err := f.ReadAt(c.data, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return content{}, err
	}
	// A file that became shorter since Stat gives what is left; the commit compares sizes and hashes anyway.
	c.data = c.data[:got]
	return c, nil
}

func regular(info Info) error {
	switch {
	case info.Mode.IsDir():
		return errFolder
	case !info.Mode.IsRegular():
		return errSpecial
	}
	return nil
}

type sizeError struct{ size int64 }

func (e *sizeError) Error() string { return fmt.Sprintf("it is too large, %d MB", e.size>>20) }

// fetch reads part of a document wherever its name leads. The common document is not a link and costs one open.
func (s *Store) fetch(name string, part span, limit int64) (content, place, error) {
	p, err := s.direct(name)
	if err != nil {
		return content{}, place{}, refused(err, name, "read")
	}
	c, err := s.grab(p.path, part, limit)
	if errors.Is(err, ErrLink) {
		if p, err = s.locate(name); err == nil {
			c, err = s.grab(p.path, part, limit)
		}
	}
	if e, ok := errors.AsType[*sizeError](err); ok {
		return content{}, p, tooLarge(name, e.size)
	}
	return c, p, refused(err, name, "read")
}

// direct gives the place of a document on the guess that the document itself is no link.
func (s *Store) direct(name string) (place, error) {
	if err := store.CheckName(name); err != nil {
		return place{}, err
	}
	dir, base := split(name)
	p, err := s.folder(dir)
	if err != nil {
		return place{}, err
	}
	return place{path: join(p.path, base), outside: p.outside}, nil
}

// split is path.Split with "." for the root.
func split(name string) (dir, base string) {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			return name[:i], name[i+1:]
		}
	}
	return ".", name
}
