package filestore

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/store"
)

// refreshKnown makes the cache anew behind a record that goes over a step of the log, and where there is none. It is a cache: what
// fails here only costs readers time.
func (l *logging) refreshKnown(c *Change, number int) {
	w := l.w
	path, err := w.knownPath()
	if err != nil {
		return
	}
	if l.size/knownStep == l.after/knownStep {
		if number == 1 && l.size < knownStep {
			return
		}
		if _, err := w.fs.Lstat(path); err == nil {
			return
		}
	}
	k, err := w.knownTo(context.Background(), number, l.size)
	if err != nil {
		return
	}
	k.add(c, number, l.after)
	if _, err := w.shelf(); err == nil {
		l.cached = true
		_ = w.fs.Scribble(path, k.encode(), 0o666)
	}
}

func (s *Store) knownPath() (string, error) {
	folder, err := s.inner(ledgerFolder)
	return join(folder, knownName), err
}

// The cache is a line with a checksum and the place in the log, and a line for each document. It is written over and never shortened, so the
// first line also says how long the rest is.

const knownMark = "known1"

func (k *known) encode() []byte {
	var body []byte
	for _, name := range slices.Sorted(maps.Keys(k.docs)) {
		d, at := k.docs[name], int64(0)
		if !d.ModTime.IsZero() {
			at = d.ModTime.UnixNano()
		}
		for _, n := range [...]int64{d.Size, at, int64(d.ID.Device), int64(d.ID.Inode), int64(d.Missing)} {
			body = append(strconv.AppendInt(body, n, 10), ' ')
		}
		body = append(strconv.AppendQuote(body, name), '\n')
	}
	head := fmt.Sprintf("%d %d %s %d", k.file, k.offset, k.sum, len(body))
	return fmt.Appendf(nil, "%s %s %s\n%s", knownMark, digest([]byte(head), body), head, body)
}

// readKnown gives the cache, nil when it is missing or damaged.
func (s *Store) readKnown() *known {
	path, err := s.knownPath()
	if err != nil {
		return nil
	}
	c, err := s.grab(path, whole, knownMost)
	if err != nil || !c.exists {
		return nil
	}
	first, body, _ := bytes.Cut(c.data, []byte{'\n'})
	words := bytes.SplitN(first, []byte{' '}, 3)
	if len(words) != 3 || string(words[0]) != knownMark {
		return nil
	}
	k, length := &known{}, 0
	if n, err := fmt.Sscanf(string(words[2]), "%d %d %s %d", &k.file, &k.offset, &k.sum, &length); n != 4 || err != nil {
		return nil
	}
	if length < 0 || length > len(body) || k.file < 1 || k.offset < 1 {
		return nil
	}
	body = body[:length]
	if digest(words[2], body) != string(words[1]) || !k.decode(body) {
		return nil
	}
	return k
}

func (k *known) decode(body []byte) bool {
	k.docs = make(map[string]Known, bytes.Count(body, []byte{'\n'}))
	text := string(body) // the names are parts of it
	for len(text) > 0 {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		var n [5]int64
		for i := range n {
			word, after, ok := strings.Cut(line, " ")
			value, err := strconv.ParseInt(word, 10, 64)
			if !ok || err != nil {
				return false
			}
			n[i], line = value, after
		}
		name, err := strconv.Unquote(line)
		if err != nil || store.CheckName(name) != nil {
			return false
		}
		d := Known{Size: n[0], ID: FileID{Device: uint64(n[2]), Inode: uint64(n[3])}, Missing: int(n[4])}
		if n[1] != 0 {
			d.ModTime = time.Unix(0, n[1]).UTC()
		}
		k.docs[name] = d
	}
	return true
}
