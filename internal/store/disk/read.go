package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Content is what was read from one file.
type Content struct {
	Exists bool
	Info   FileInfo
	Data   []byte
	Offset int64 // position of Data in the file
}

// Span returns which bytes to read of a file of the given size.
type Span func(size int64) (at, n int64)

// Whole is the Span of a whole file.
func Whole(size int64) (int64, int64) { return 0, size }

// Head is the Span of the first bytes of a file.
func Head(limit int) Span {
	return func(size int64) (int64, int64) { return 0, min(size, int64(max(limit, 0))) }
}

// Tail is the Span of the last bytes of a file.
func Tail(limit int) Span {
	return func(size int64) (int64, int64) {
		n := min(size, int64(max(limit, 0)))
		return size - n, n
	}
}

// Read reads part of the file at a real path. An absent file is not an error; a link, a folder and
// a special file are. If the part is larger than limit, Read returns a SizeError before it reads
// anything; limit 0 means mostAtOnce.
func Read(fsys FS, path string, part Span, limit int64) (Content, error) {
	f, err := fsys.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Content{}, nil
	}
	if err != nil {
		return Content{}, err
	}
	c, err := ReadFrom(f, part, limit)
	return c, errors.Join(err, f.Close())
}

// mostAtOnce is the most that is read of any file at once, in bytes, because a sparse file may
// claim any length.
const mostAtOnce = 256 << 20

// ReadFrom reads part of an open file. limit is the most that it reads, in bytes; 0 means
// mostAtOnce.
func ReadFrom(f File, part Span, limit int64) (Content, error) {
	info, err := f.Stat()
	if err != nil {
		return Content{}, err
	}
	if err := CheckRegular(info); err != nil {
		return Content{}, err
	}
	at, n := part(info.Size)
	if n > mostAtOnce || limit > 0 && n > limit {
		return Content{}, &SizeError{info.Size}
	}
	c := Content{Exists: true, Info: info, Data: make([]byte, n), Offset: at}
	got, err := f.ReadAt(c.Data, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return Content{}, err
	}
	// If the file became shorter since Stat, Data is what is left. The commit compares sizes and
	// hashes anyway.
	c.Data = c.Data[:got]
	return c, nil
}

// CheckRegular returns an error for a folder and for anything else that is not a regular file.
func CheckRegular(info FileInfo) error {
	switch {
	case info.Mode.IsDir():
		return ErrFolder
	case !info.Mode.IsRegular():
		return ErrSpecial
	}
	return nil
}

// SizeError says that a file is larger than its reader accepts.
type SizeError struct{ Size int64 }

// Error returns the size in megabytes.
func (e *SizeError) Error() string { return fmt.Sprintf("it is too large, %d MB", e.Size>>20) }
