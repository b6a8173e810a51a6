package disk

import "sync/atomic"

// Counters are exact counts at the file-system seam since the store was opened (D31). Performance
// tests check these instead of a stopwatch. Kernel locks are not counted.
type Counters struct {
	Opens     atomic.Int64 // files opened and folders listed, without failures
	BytesRead atomic.Int64 // bytes of file content
	Written   atomic.Int64 // bytes written to files
	Syncs     atomic.Int64 // fsyncs of files and folders
	Held      atomic.Int64 // folders opened to be held, which are not among Opens
}

// countingFile is a File that counts reads, writes and syncs.
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

// listed reads a folder with read and counts that as one open.
func listed[T any](h *Holding, path string, read func(at FS, name string) (T, error)) (T, error) {
	out, err := in(h, path, ".", read)
	if err == nil {
		h.Counts.Opens.Add(1)
	}
	return out, err
}
