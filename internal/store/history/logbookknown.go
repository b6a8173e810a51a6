package history

import (
	"bytes"
	"context"
	"slices"
	"time"

	"baton/internal/store/disk"
)

// Known is a document as baton last wrote it or Observe last found it.
type Known struct {
	Size    int64       // bytes; Removed or Vanished if the document was absent
	ModTime time.Time   // zero if unknown: after an append
	ID      disk.FileID // zero if unknown: after an append that created the file, or if the system has no such numbers
	Missing int         // missing entries of its family, according to the book
}

// Values of Known.Size for a document that is absent.
const (
	Removed  = -1 // baton removed it, or it was accepted that somebody else did
	Vanished = -2 // Observe found it absent
)

// Known returns the known documents by name, so that one look at a file's size, time and identity
// tells whether somebody else changed it. It reads the log and a cache, but no document. The caller
// must not modify the map. Errors: Refused.
func (h *History) Known(ctx context.Context) (map[string]Known, error) {
	k, err := h.knownTo(ctx, 0, 0)
	if err != nil {
		return nil, err
	}
	if !k.whole() {
		if k, err = h.knownFromLog(ctx, 0, 0); err != nil {
			return nil, err
		}
		k.whole()
	}
	h.keepKnown(k)
	return k.docs, nil
}

// EachKnown calls do for each known document, in no particular order. It takes half the time of
// Known, because it builds no map. whole is false if the cache has a line that cannot be read: then
// do may not have been called for every document, and Known says more. Errors: as Known.
func (h *History) EachKnown(ctx context.Context, do func(name string, d Known)) (whole bool, err error) {
	k, err := h.knownTo(ctx, 0, 0)
	return err == nil && k.each(do), err
}

// KnownOf is Known for some documents. Its cost does not depend on the size of the project, because
// a hook calls it at every session start (D30).
func (h *History) KnownOf(ctx context.Context, names []string) (map[string]Known, error) {
	k, err := h.knownTo(ctx, 0, 0)
	if err != nil {
		return nil, err
	}
	out := make(map[string]Known, len(names))
	for _, name := range names {
		if d, ok := k.of(name); ok {
			out[name] = d
		}
	}
	return out, nil
}

// Lacking returns the documents whose families have missing entries according to the books, sorted.
// Errors: as Known.
func (h *History) Lacking(ctx context.Context) ([]string, error) {
	k, err := h.knownTo(ctx, 0, 0)
	if err != nil || !k.lacks() {
		return nil, err
	}
	docs, err := h.Known(ctx)
	var out []string
	for name, d := range docs {
		if d.Missing > 0 {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, err
}

const (
	ledgerFolder = "ledger"
	knownName    = "known"
	knownStep    = 16 << 10 // bytes of log after which the cache is rewritten
	knownMost    = 64 << 20 // the largest cache that is read, in bytes
	mostRecent   = 100      // records that are kept unparsed
)

// knownTo applies the log to what this store knew before, or to the cache, up to an offset in a
// file; file 0 means to the end of the log. If neither fits the log, only the log counts.
func (h *History) knownTo(ctx context.Context, file int, offset int64) (*known, error) {
	folder, err := h.at.Folder(logFolder)
	if err != nil {
		return nil, err
	}
	k := h.lastKnown()
	if k == nil || !h.fold(k, folder, file, offset) {
		k = h.readKnown()
		if k == nil || !h.fold(k, folder, file, offset) {
			if k, err = h.knownFromLog(ctx, file, offset); err != nil {
				return nil, err
			}
		}
	}
	h.keepKnown(k)
	return k, nil
}

// lastKnown returns what this store knew before, or nil.
func (h *History) lastKnown() *known {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.known == nil {
		return nil
	}
	k := *h.known
	return &k
}

func (h *History) keepKnown(k *known) {
	if len(k.recent) > mostRecent {
		k.whole()
	}
	kept := *k
	h.mu.Lock()
	h.known = &kept
	h.mu.Unlock()
}

// knownFromLog is knownTo from the log alone.
func (h *History) knownFromLog(ctx context.Context, file int, offset int64) (*known, error) {
	folder, err := h.at.Folder(logFolder)
	if err != nil {
		return nil, err
	}
	k := &known{docs: map[string]Known{}}
	numbers, err := h.logNumbers(folder)
	if err != nil {
		return nil, err
	}
	for _, n := range numbers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if file > 0 && n > file {
			break
		}
		data, _, err := h.logFile(disk.Join(folder, logName(n)), disk.Whole)
		if err != nil {
			return nil, err
		}
		if n == file {
			data = data[:min(offset, int64(len(data)))]
		}
		rest := k.take(data, n, 0)
		if file == 0 {
			h.takeIntent(k, rest)
		}
	}
	return k, nil
}

// fold adds the records since k was read. It returns false if k belongs to another log, which the
// sum of the last record shows: it covers all records before it.
func (h *History) fold(k *known, folder string, file int, offset int64) bool {
	ending := k.sum + recordEnd
	for number, from := k.file, k.offset; file == 0 || number <= file; number, from = number+1, 0 {
		check := int64(0)
		if from > 0 {
			check = int64(len(ending))
		}
		c, err := disk.Read(h.fs, disk.Join(folder, logName(number)), func(size int64) (int64, int64) {
			at := min(max(0, from-check), size)
			return at, size - at
		}, logMost)
		if err != nil || c.Info.Size < from || from < check || check > 0 && !bytes.HasPrefix(c.Data, []byte(ending)) {
			return false
		}
		if !c.Exists {
			return number > k.file
		}
		data := c.Data[check:]
		if number == file {
			if offset < from {
				return false
			}
			data = data[:min(offset-from, int64(len(data)))]
		}
		if line, _, complete := bytes.Cut(data, []byte{'\n'}); complete && from == 0 {
			if first, is := parseChange(line); is == recordGood && first.Prev != k.sum {
				return false
			}
		}
		rest := k.take(data, number, from)
		if number == file {
			return true
		}
		if file == 0 {
			h.takeIntent(k, rest)
		}
	}
	return false
}
