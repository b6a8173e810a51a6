package record

import (
	"bytes"
	"encoding/json"
	"time"

	"baton/internal/statedir"
)

// FileName is the name of the record of the current workflow.
const FileName = "workflow.yaml"

// Field is a known field of the record (5.6.1).
type Field struct {
	Name string `json:"name"`
	// Kind is boolean, number, string, time, uuid v4, list of text, block or JSON, followed by
	// "|null" if null is usual.
	Kind string `json:"kind"`
	// SetBy is update, begin, stamped, stamped once, maintained, release or lane registration.
	SetBy   string   `json:"set_by"`
	Allowed []string `json:"allowed,omitempty"` // complete list of values
	Meaning string   `json:"meaning"`
	Refused bool     `json:"update_refused"` // update may not set it (5.6.3)
}

// Record is a workflow.yaml as it was read (5.6.2). It never changes: an edit splices the bytes and
// reads the result. A nil record means that there is none. Then the defaults of 5.6.1 apply, but
// not for a record without keys (SD-1).
type Record struct {
	src   []byte
	text  string         // the same bytes; keys and values share its memory
	spots []recordSpot   // lines of keys, from top to bottom
	keys  []recordKey    // in the order of their first lines
	index map[string]int // index in keys by name
	odd   []int          // offsets of the first lines that cannot be read, from top to bottom
	odds  int            // number of all such lines
	// foreign is the indentation of a line after the last key to which deeper lines would belong,
	// although it is not a key; -1 if there is none.
	foreign int
	merged  int // offset of the first conflict marker of git, or -1 if there is none
}

// recordKey is a key, even if it occurs several times.
type recordKey struct {
	name  string
	spot  int  // index in spots of the line that counts, or of the last line if none has a value
	has   bool // it has a value
	value recordValue
}

// recordValue is the value of a key. plain is nil, a bool, an int64 or a string, unless json is a
// JSON text without blanks.
type recordValue struct {
	plain any
	json  []byte
	gone  bool // in an edit: remove the key
}

// mostExpected is the largest number of keys for which memory is allocated in advance.
const mostExpected = 1 << 20

// Read reads a record. It accepts every text, even an empty one, and keeps lines that it does not
// understand. src must not change afterwards.
func Read(src []byte) *Record {
	r := &Record{src: src, text: string(src), merged: -1}
	lines := min(bytes.Count(src, []byte("\n")), bytes.Count(src, []byte(":"))) + 1
	r.spots, r.keys, r.index = make([]recordSpot, 0, lines), make([]recordKey, 0, lines), make(map[string]int,
		min(lines, mostExpected))
	r.scan()
	r.resolveKeys()
	return r
}

// Bytes returns the text of the record.
func (r *Record) Bytes() []byte {
	if r == nil {
		return nil
	}
	return r.src
}

// Value returns a field: nil, bool, int64 or string, or for a JSON field the result of
// json.Unmarshal (numbers as json.Number). ok is false if there is no such field. The value of a
// block, including lanes, is its text.
func (r *Record) Value(key string) (v any, ok bool) {
	held, ok := r.held(key)
	if held.json == nil {
		return held.plain, ok
	}
	dec := json.NewDecoder(bytes.NewReader(held.json))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return string(held.json), ok
	}
	return v, ok
}

// held returns the value of a key in its internal form.
func (r *Record) held(key string) (recordValue, bool) {
	if r == nil {
		return recordValue{}, false
	}
	at, ok := r.index[key]
	if !ok || !r.keys[at].has {
		return recordValue{}, false
	}
	return r.keys[at].value, true
}

// Text returns a text field, or "" for any other value.
func (r *Record) Text(key string) string {
	held, _ := r.held(key)
	text, _ := held.plain.(string)
	return text
}

// Time returns a moment. ok is false if the field is not a moment, or if it is more than Skew after
// now (4.2).
func (r *Record) Time(key string, now time.Time) (t time.Time, ok bool) {
	t, ok = parseMoment(r.Text(key))
	if !ok || t.After(now.Add(statedir.Skew)) {
		return time.Time{}, false
	}
	return t, true
}

// Active reports whether a workflow is running. Only the value true counts (5.6.4).
func (r *Record) Active() bool {
	held, _ := r.held("active")
	return held.plain == true
}

// line returns the 1-based line of an offset.
func (r *Record) line(offset int) int { return bytes.Count(r.src[:offset], []byte("\n")) + 1 }

// Skewed returns the names of fields whose moments are too far in the future to count (4.2).
func Skewed(r *Record, now time.Time) []string {
	if r == nil {
		return nil
	}
	var ahead []string
	end := time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC) // no moment is after this
	for _, field := range []string{"created_at", "first_created_at"} {
		_, counts := r.Time(field, now)
		if _, moment := r.Time(field, end); moment && !counts {
			ahead = append(ahead, field)
		}
	}
	return ahead
}
