package disk

import (
	"io/fs"
	"sync/atomic"
)

// Counters are exact counts at the file-system seam since the store was opened (D31): performance
// gates assert these and not a stopwatch. Kernel locks are not counted.
type Counters struct {
	Opens     atomic.Int64 // files opened with success, folders listed
	BytesRead atomic.Int64 // bytes of file content
	Written   atomic.Int64 // bytes written to files
	Syncs     atomic.Int64 // fsyncs of files and folders
	Held      atomic.Int64 // folders opened to be held; they are not among Opens
}

// Counting is an FS that counts what goes through it.
type Counting struct {
	FS
	Counts Counters
}

func (c *Counting) opened(f File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	c.Counts.Opens.Add(1)
	return &countingFile{File: f, n: &c.Counts}, nil
}

// Open is FS.Open.
func (c *Counting) Open(path string) (File, error) { return c.opened(c.FS.Open(path)) }

// Append is FS.Append.
func (c *Counting) Append(path string) (File, error) { return c.opened(c.FS.Append(path)) }

// Create is FS.Create.
func (c *Counting) Create(path string, mode fs.FileMode) (File, error) {
	return c.opened(c.FS.Create(path, mode))
}

// Overwrite is FS.Overwrite.
func (c *Counting) Overwrite(path string, mode fs.FileMode) (File, error) {
	return c.opened(c.FS.Overwrite(path, mode))
}

// WriteOver is FS.WriteOver.
func (c *Counting) WriteOver(path string, data []byte, mode fs.FileMode) error {
	c.Counts.Opens.Add(1)
	c.Counts.Written.Add(int64(len(data)))
	return c.FS.WriteOver(path, data, mode)
}

// ReadDir is FS.ReadDir.
func (c *Counting) ReadDir(path string) ([]FileInfo, error) {
	c.Counts.Opens.Add(1)
	return c.FS.ReadDir(path)
}

// SyncDir is FS.SyncDir.
func (c *Counting) SyncDir(path string) error {
	c.Counts.Syncs.Add(1)
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
