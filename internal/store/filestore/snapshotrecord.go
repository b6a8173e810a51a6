package filestore

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"baton/internal/store"
)

// The index of a sub-folder is a line per version: twelve hex digits of the SHA-256 of the record, a blank, the record as
// JSON, beginning with the name. A line without the right digits was torn by a crash and counts for nothing (D37).
const (
	indexName = "index"
	revLength = 12 // digits of a revision
	sumLength = 12 // digits of a checksum
)

func hashByte(text string) byte { return sha256.Sum256([]byte(text))[0] }

// identify sets the revision, which says what was kept of which document and when, and not how it is packed.
func (v *Snapshot) identify() {
	what := fmt.Sprintf("%s\x00%s\x00%s\x00%d\x00%d\x00%s", v.Name, v.At.UTC().Format(time.RFC3339Nano), v.Kind, v.Base, v.Size, v.Hash)
	v.Rev = hashOf([]byte(what))[:revLength]
}

// line writes the record.
func (v *Snapshot) line() ([]byte, error) {
	record, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	sum := hashOf(record)[:sumLength]
	return append(append(append(make([]byte, 0, len(record)+sumLength+2), sum...), ' '), append(record, '\n')...), nil
}

// parseRecord reads what line wrote; false for anything else, and for a record that no commit could have written.
func parseRecord(line []byte) (v Snapshot, ok bool) {
	said, record, cut := bytes.Cut(bytes.TrimSuffix(line, []byte{'\n'}), []byte{' '})
	if !cut || line[len(line)-1] != '\n' || len(said) != sumLength || hashOf(record)[:sumLength] != string(said) {
		return v, false
	}
	if json.Unmarshal(record, &v) != nil {
		return v, false
	}
	rev := v.Rev
	v.identify()
	sum, err := hex.DecodeString(v.Hash)
	ok = err == nil && rev == v.Rev && len(sum) == sha256.Size && store.CheckName(v.Name) == nil &&
		v.Base >= 0 && v.Base <= v.Size && v.Size-v.Base <= store.MaxSize && v.Tail >= 0 && v.Tail <= v.Base &&
		(v.Kind == SnapshotAppended || v.Base == 0) && v.Pack >= 0 && v.From >= 0 && v.Packed >= 0
	return v, ok
}

// lastRecord gives the newest record of a document in the end of an index, nil when there is none. Lines of other
// documents are not even parsed: an index may be long, and commits look here.
func lastRecord(end []byte, name string) *Snapshot {
	quoted, err := json.Marshal(name)
	if err != nil {
		return nil
	}
	quoted = append([]byte(`{"name":`), append(quoted, ',')...)
	for end = bytes.TrimSuffix(end, []byte{'\n'}); len(end) > 0; {
		from := bytes.LastIndexByte(end, '\n') + 1
		line := end[from:]
		if len(line) > sumLength+1 && bytes.HasPrefix(line[sumLength+1:], quoted) {
			if v, ok := parseRecord(append(bytes.Clone(line), '\n')); ok && v.Name == name {
				return &v
			}
		}
		end = end[:max(from-1, 0)]
	}
	return nil
}
