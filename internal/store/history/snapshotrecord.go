package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"baton/internal/store"
	"baton/internal/store/records"
)

// Lengths in hex digits.
const (
	revLength = 12 // of a revision
	sumLength = 12 // of the checksum of packed bytes
)

// identify sets the revision. It depends on what was kept of which document and when, but not on
// how the bytes are packed.
func (v *Snapshot) identify() {
	at := v.At.UTC().Format(time.RFC3339Nano)
	what := fmt.Sprintf("%s\x00%s\x00%s\x00%d\x00%d\x00%s", v.Name, at, v.Kind, v.Base, v.Size, v.Hash)
	v.Rev = store.HashOf([]byte(what))[:revLength]
}

// line returns the record as a line of an index: JSON that begins with the name of the document
// (D37).
func (v *Snapshot) line() ([]byte, error) {
	record, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return records.Line(record), nil
}

// parseRecord parses a line without its terminator. It refuses a record that no commit could have
// written.
func parseRecord(line []byte) (v Snapshot, ok bool) {
	record, ok := records.Record(line)
	if !ok || json.Unmarshal(record, &v) != nil {
		return v, false
	}
	rev := v.Rev
	v.identify()
	sum, err := hex.DecodeString(v.Hash)
	ok = err == nil && rev == v.Rev && len(sum) == sha256.Size && store.CheckName(v.Name) == nil &&
		v.Base >= 0 && v.Base <= v.Size && v.Size-v.Base <= store.MaxSize && v.Tail >= 0 && v.Tail <= v.Base &&
		(v.Kind == SnapshotAppended || v.Base == 0) && v.Pack >= 0 && v.From >= 0 && v.Packed >= 0 &&
		v.Part >= 0 && v.Part <= mostParts
	return v, ok
}

// parseIndex returns the records of an index in the order in which they were written. It skips
// lines that a crash tore.
func parseIndex(data []byte, segment int) []Snapshot {
	var out []Snapshot
	for len(data) > 0 {
		line, rest, complete := bytes.Cut(data, []byte{'\n'})
		if v, ok := parseRecord(line); ok && complete {
			v.Segment = segment
			out = append(out, v)
		}
		data = rest
	}
	return out
}

// lastRecord returns the newest record of a document in the end of an index, or nil. It does not
// parse the lines of other documents, because an index may be long and every commit searches it.
func lastRecord(end []byte, name string) *Snapshot {
	quoted, err := json.Marshal(name)
	if err != nil {
		return nil
	}
	quoted = append([]byte(`{"name":`), append(quoted, ',')...)
	for line := range records.Backward(end) {
		if bytes.HasPrefix(records.Body(line), quoted) {
			if v, ok := parseRecord(line); ok && v.Name == name {
				return &v
			}
		}
	}
	return nil
}
