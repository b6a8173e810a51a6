package history

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"baton/internal/store"
	"baton/internal/store/records"
)

// known is what the log says about documents up to the end of some record. It is searched only as
// far as needed: first recent, then docs, then the cache.
type known struct {
	docs    map[string]Known // never modified
	cached  []byte           // lines of the cache that are not parsed yet
	lacking int              // how many of cached belong to documents with missing entries
	recent  [][]byte         // newer records, oldest first

	file   int    // number of the log file
	offset int64  // offset in the file
	sum    string // of the last record
}

// of returns what is known about a document.
func (k *known) of(name string) (Known, bool) {
	quoted, err := json.Marshal(name)
	plain := err == nil && bytes.IndexByte(quoted, '\\') < 0
	for i := len(k.recent) - 1; i >= 0; i-- {
		line := k.recent[i]
		if plain && !bytes.Contains(line, quoted[1:len(quoted)-1]) && bytes.IndexByte(line, '\\') < 0 {
			continue // the name would appear unescaped, and does not
		}
		if c, is := parseChange(line); is == recordGood {
			for i := range slices.Backward(c.Docs) {
				if c.Docs[i].Name == name {
					return c.Docs[i].known(), true
				}
			}
		}
	}
	if d, ok := k.docs[name]; ok {
		return d, true
	}
	return findKnown(k.cached, name)
}

// lacks reports whether some document may have missing entries. It only searches recent records for
// the field's name, so it may be wrong in one direction: it never overlooks one.
func (k *known) lacks() bool {
	mentions := func(line []byte) bool { return bytes.Contains(line, []byte("issing")) }
	if k.lacking > 0 || slices.ContainsFunc(k.recent, mentions) {
		return true
	}
	for _, d := range k.docs {
		if d.Missing > 0 {
			return true
		}
	}
	return false
}

// whole parses everything into docs. It returns false if the cache has a line that encode never
// writes.
func (k *known) whole() bool {
	if len(k.cached)+len(k.recent) == 0 {
		return true
	}
	docs := make(map[string]Known, bytes.Count(k.cached, []byte{'\n'})+len(k.docs)+len(k.recent))
	if !k.each(func(name string, d Known) { docs[name] = d }) {
		return false
	}
	k.docs, k.cached, k.lacking, k.recent = docs, nil, 0, nil
	return true
}

// each calls do for every document, without building a map of them. It returns false if the cache
// has a line that encode never writes; do may have been called for others then.
func (k *known) each(do func(name string, d Known)) bool {
	newer := make(map[string]Known, len(k.docs)+len(k.recent))
	maps.Copy(newer, k.docs)
	for _, line := range k.recent {
		if c, is := parseChange(line); is == recordGood {
			c.applyTo(newer)
		}
	}
	for rest := records.View(k.cached); rest != ""; { // the names are substrings of it
		line, after, ended := strings.Cut(rest, "\n")
		name, d, ok := parseKnown(line)
		if !ok || !ended || store.CheckName(name) != nil {
			return false
		}
		if _, replaced := newer[name]; !replaced {
			do(name, d)
		}
		rest = after
	}
	for name, d := range newer {
		do(name, d)
	}
	return true
}

// applyTo applies a record to docs.
func (c *Change) applyTo(docs map[string]Known) {
	for i := range c.Docs {
		docs[c.Docs[i].Name] = c.Docs[i].known()
	}
}

// take adds the complete lines of a log file from an offset on, and returns what follows them.
// Unreadable lines are ignored.
func (k *known) take(data []byte, file int, from int64) (rest []byte) {
	k.recent = slices.Clip(k.recent) // another copy may append at the same place
	for {
		line, rest, complete := bytes.Cut(data, []byte{'\n'})
		if !complete {
			return line
		}
		from += int64(len(line)) + 1
		if sum, good := seal(line); good {
			k.recent = append(k.recent, line)
			k.file, k.offset, k.sum = file, from, sum
		}
		data = rest
	}
}

func (d *DocChange) known() Known {
	k := Known{Size: Removed, Missing: d.Missing}
	switch {
	case d.After.Exists:
		k.Size, k.ModTime, k.ID = d.After.Size, d.ModTime, d.ID
	case d.Kind == DocOutside:
		k.Size = Vanished
	}
	return k
}
