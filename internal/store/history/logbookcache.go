package history

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/store/disk"
)

// refreshKnown rewrites the cache whenever the log has grown past another knownStep bytes, or if
// the cache is missing. It is only a cache, so a failure merely costs readers time.
func (l *logging) refreshKnown() {
	if l != nil && l.whole && l.outgrown() {
		l.rewriteKnown()
	}
}

// outgrown reports whether the cache is due to be rewritten.
func (l *logging) outgrown() bool {
	if l.Before/knownStep != l.After/knownStep {
		return true
	}
	if l.number == 1 && l.Before < knownStep {
		return false
	}
	path, err := l.w.knownPath()
	return err == nil && !disk.Exists(l.w.fs, path)
}

func (l *logging) rewriteKnown() {
	w, c, number := l.w, l.change, l.number
	path, err := w.knownPath()
	if err != nil {
		return
	}
	k, err := w.knownTo(context.Background(), number, l.Before)
	if err == nil && !k.whole() {
		k, err = w.knownFromLog(context.Background(), number, l.Before)
	}
	if err != nil || !k.whole() {
		return
	}
	k.docs = maps.Clone(k.docs)
	c.applyTo(k.docs)
	k.file, k.offset, k.sum = number, l.After, c.Sum
	if _, err := w.booksFolder(); err == nil {
		_ = w.fs.WriteOver(path, k.encode(), 0o666)
	}
}

func (h *History) knownPath() (string, error) {
	folder, err := h.at.Folder(ledgerFolder)
	return disk.Join(folder, knownName), err
}

// The cache starts with a line that has a checksum and the position in the log. A line for each
// document follows, sorted by name, so that one can be found without reading the others. The file
// is overwritten and never shortened. So the first line also says how long the rest is, and how
// many documents have missing entries. The checksum detects what a crash damaged; the sum of the
// record tells whether the cache belongs to this log.

const knownMark = "known2"

// encode encodes the documents that whole collected in docs.
func (k *known) encode() []byte {
	var body []byte
	lacking := 0
	for _, name := range slices.Sorted(maps.Keys(k.docs)) {
		d, at := k.docs[name], int64(0)
		if !d.ModTime.IsZero() {
			at = d.ModTime.UnixNano()
		}
		if d.Missing > 0 {
			lacking++
		}
		for _, n := range [...]int64{d.Size, at, int64(d.ID.Device), int64(d.ID.Inode), int64(d.Missing)} {
			body = append(strconv.AppendInt(body, n, 10), ' ')
		}
		body = append(strconv.AppendQuote(body, name), '\n')
	}
	head := fmt.Sprintf("%d %d %s %d %d", k.file, k.offset, k.sum, len(body), lacking)
	return fmt.Appendf(nil, "%s %08x %s\n%s", knownMark, knownCheck(head, body), head, body)
}

func knownCheck(head string, body []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE([]byte(head)), crc32.IEEETable, body)
}

// readKnown returns the cache, or nil if it is missing or damaged.
func (h *History) readKnown() *known {
	path, err := h.knownPath()
	if err != nil {
		return nil
	}
	c, err := disk.Read(h.fs, path, disk.Whole, knownMost)
	if err != nil || !c.Exists {
		return nil
	}
	first, body, _ := bytes.Cut(c.Data, []byte{'\n'})
	words := strings.SplitN(string(first), " ", 3)
	if len(words) != 3 || words[0] != knownMark {
		return nil
	}
	k, length := &known{docs: map[string]Known{}}, 0
	n, err := fmt.Sscanf(words[2], "%d %d %s %d %d", &k.file, &k.offset, &k.sum, &length, &k.lacking)
	if n != 5 || err != nil {
		return nil
	}
	if length < 0 || length > len(body) || k.file < 1 || k.offset < 1 {
		return nil
	}
	body = body[:length]
	if fmt.Sprintf("%08x", knownCheck(words[2], body)) != words[1] {
		return nil
	}
	k.cached = body
	return k
}

// findKnown finds the line of a document by binary search.
func findKnown(lines []byte, name string) (Known, bool) {
	for lo, hi := 0, len(lines); lo < hi; {
		mid := int(uint(lo+hi) >> 1)
		begin := lo + bytes.LastIndexByte(lines[lo:mid], '\n') + 1
		end := begin + bytes.IndexByte(lines[begin:hi], '\n')
		if end < begin {
			return Known{}, false
		}
		found, d, ok := parseKnown(string(lines[begin:end]))
		switch order := cmp.Compare(name, found); {
		case !ok:
			return Known{}, false
		case order == 0:
			return d, true
		case order < 0:
			hi = begin
		default:
			lo = end + 1
		}
	}
	return Known{}, false
}

// parseKnown reads a line of the cache.
func parseKnown(line string) (name string, d Known, ok bool) {
	var n [5]int64
	for i := range n {
		word, after, cut := strings.Cut(line, " ")
		value, err := strconv.ParseInt(word, 10, 64)
		if !cut || err != nil {
			return "", Known{}, false
		}
		n[i], line = value, after
	}
	name, err := strconv.Unquote(line)
	if err != nil {
		return "", Known{}, false
	}
	d = Known{Size: n[0], ID: disk.FileID{Device: uint64(n[2]), Inode: uint64(n[3])}, Missing: int(n[4])}
	if n[1] != 0 {
		d.ModTime = time.Unix(0, n[1]).UTC()
	}
	return name, d, true
}
