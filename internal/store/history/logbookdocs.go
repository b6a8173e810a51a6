package history

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"baton/internal/store"
)

// known is what the log says of documents up to a place in it, which is behind a record. It is read
// as far as somebody asks: recent records before docs, docs before the cache.
type known struct {
	docs    map[string]Known // nobody changes it
	cached  []byte           // lines of the cache
	lacking int              // of them, of documents of which entries are missing
	recent  [][]byte         // records that came since, oldest first

	file   int    // number of the file
	offset int64  // in it
	sum    string // of the last record
}

// of returns what is known of a document.
func (k *known) of(name string) (Known, bool) {
	quoted, err := json.Marshal(name)
	plain := err == nil && bytes.IndexByte(quoted, '\\') < 0
	for i := len(k.recent) - 1; i >= 0; i-- {
		line := k.recent[i]
		if plain && !bytes.Contains(line, quoted[1:len(quoted)-1]) && bytes.IndexByte(line, '\\') < 0 {
			continue // however it writes names, it does not say this one
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

// lacks says that entries of some document may be missing. It is not read what the records say, and
// so not how they write it.
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

// whole reads all of it into docs; false when something in the cache was never written by encode.
func (k *known) whole() bool {
	if len(k.cached)+len(k.recent) == 0 {
		return true
	}
	docs := make(map[string]Known, bytes.Count(k.cached, []byte{'\n'})+len(k.docs)+len(k.recent))
	for rest := string(k.cached); rest != ""; { // the names are parts of it
		var line string
		var ended bool
		line, rest, ended = strings.Cut(rest, "\n")
		name, d, ok := parseKnown(line)
		if !ok || !ended || store.CheckName(name) != nil {
			return false
		}
		docs[name] = d
	}
	maps.Copy(docs, k.docs)
	for _, line := range k.recent {
		if c, is := parseChange(line); is == recordGood {
			c.applyTo(docs)
		}
	}
	k.docs, k.cached, k.lacking, k.recent = docs, nil, 0, nil
	return true
}

// applyTo adds what a record says to docs.
func (c *Change) applyTo(docs map[string]Known) {
	for i := range c.Docs {
		docs[c.Docs[i].Name] = c.Docs[i].known()
	}
}

// take adds the complete lines of a file from a place on; those that cannot be read say nothing.
func (k *known) take(data []byte, file int, from int64) {
	k.recent = slices.Clip(k.recent) // others may go on from there
	for {
		line, rest, complete := bytes.Cut(data, []byte{'\n'})
		if !complete {
			return
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
	k := Known{Size: -1, Missing: d.Missing}
	if d.After.Exists {
		k.Size, k.ModTime, k.ID = d.After.Size, d.ModTime, d.ID
	}
	return k
}
