package crashfs

import (
	"io"
	"slices"

	"baton/internal/store/disk"
)

// file is an open file. It keeps its node, even if the name is changed or removed.
type file struct {
	fs    *FS
	n     *node
	path  string
	at    int64
	write bool
}

func (f *file) Stat() (disk.FileInfo, error) {
	if err := f.fs.begin("stat", f.path); err != nil {
		return disk.FileInfo{}, err
	}
	defer f.fs.mu.Unlock()
	return f.fs.info(f.n, f.path), nil
}

func (f *file) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.at)
	f.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

func (f *file) ReadAt(p []byte, at int64) (int, error) {
	if err := f.fs.begin("read", f.path); err != nil {
		return 0, err
	}
	defer f.fs.mu.Unlock()
	if at >= int64(len(f.n.data)) {
		return 0, io.EOF
	}
	n := copy(p, f.n.data[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Write appends p, because files of filestore are new, emptied, or opened for appending. If the
// hook fails the write, half of it happens, as on a disk that fills up.
func (f *file) Write(p []byte) (int, error) {
	err := f.fs.begin("write", f.path)
	if err != nil {
		f.fs.mu.Lock()
		p = p[:len(p)/2]
	}
	defer f.fs.mu.Unlock()
	f.n.data = append(slices.Clip(f.n.data), p...)
	f.n.mtime = f.fs.tick()
	return len(p), err
}

func (f *file) Truncate(size int64) error {
	if err := f.fs.begin("truncate", f.path); err != nil {
		return err
	}
	defer f.fs.mu.Unlock()
	f.n.data = slices.Clone(f.n.data[:size])
	f.n.floor = min(f.n.floor, int(size))
	return nil
}

func (f *file) Sync() error {
	if err := f.fs.begin("sync", f.path); err != nil {
		return err
	}
	defer f.fs.mu.Unlock()
	f.n.synced, f.n.floor = slices.Clone(f.n.data), len(f.n.data)
	return nil
}

func (f *file) Close() error { return nil }
