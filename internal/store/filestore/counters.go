package filestore

import (
	"io/fs"
	"sync/atomic"
)

// Counters are exact counts at the file-system seam since the store was opened (D31): performance gates assert these
// and not a stopwatch. Kernel locks are not counted.
type Counters struct {
	Opens     atomic.Int64 // files opened with success, folders listed
	BytesRead atomic.Int64 // bytes of file content
	Written   atomic.Int64 // bytes written to files
	Syncs     atomic.Int64 // fsyncs of files and folders
}

// counting is an FS that counts.
type counting struct {
	FS
	n Counters
}

func (c *counting) opened(f File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	c.n.Opens.Add(1)
	return &countingFile{File: f, n: &c.n}, nil
}

func (c *counting) Open(path string) (File, error)   { return c.opened(c.FS.Open(path)) }
func (c *counting) Append(path string) (File, error) { return c.opened(c.FS.Append(path)) }

func (c *counting) Create(path string, mode fs.FileMode) (File, error) {
	return c.opened(c.FS.Create(path, mode))
}

func (c *counting) Overwrite(path string, mode fs.FileMode) (File, error) {
	return c.opened(c.FS.Overwrite(path, mode))
}

func (c *counting) Scribble(path string, data []byte, mode fs.FileMode) error {
	c.n.Opens.Add(1)
	c.n.Written.Add(int64(len(data)))
	return c.FS.Scribble(path, data, mode)
}

func (c *counting) ReadDir(path string) ([]Info, error) {
	c.n.Opens.Add(1)
	return c.FS.ReadDir(path)
}

func (c *counting) SyncDir(path string) error {
	c.n.Syncs.Add(1)
	return c.FS.SyncDir(path)
}

type countingFile struct {
	File
	n *Counters
}

func (f *countingFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.n.BytesRead.Add(int64(n))
	return n, err
}

func (f *countingFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(p, at)
	f.n.BytesRead.Add(int64(n))
	return n, err
}

func (f *countingFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	f.n.Written.Add(int64(n))
	return n, err
}

func (f *countingFile) Sync() error {
	f.n.Syncs.Add(1)
	return f.File.Sync()
}
