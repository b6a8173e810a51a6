package record

import (
	"bytes"
	"encoding/json"
	"time"

	"baton/internal/statedir"
)

// FileName is the record of the current workflow.
const FileName = "workflow.yaml"

// Field is one known field of the record (5.6.1).
type Field struct {
	Name string `json:"name"`
	// boolean, number, string, time, uuid v4, list of text, block, JSON; "|null" after it where
	// null is usual
	Kind string `json:"kind"`
	// update, begin, stamped, stamped once, maintained, release, lane registration
	SetBy   string   `json:"set_by"`
	Allowed []string `json:"allowed,omitempty"` // closed list
	Meaning string   `json:"meaning"`
	Refused bool     `json:"update_refused"` // update may not set it (5.6.3)
}

// Record is a workflow.yaml as it was read (5.6.2). It is never changed: an edit splices bytes and
// reads again. A nil record is an absent one: the defaults of 5.6.1 hold for it, and not for a
// record without keys (SD-1).
type Record struct {
	src   []byte
	text  string         // the same bytes; keys and values are parts of it
	spots []recordSpot   // lines of keys, from top to bottom
	keys  []recordKey    // in the order in which they first stand there
	index map[string]int // name to its place in keys
	odd   []int          // offsets of the first lines that say nothing which can be read, from top to bottom
	odds  int            // number of all of them
	// indentation of a line after the last key that more indented ones would belong to, other than
	// that key; -1 for none
	foreign int
	merged  int // offset of the first line that git left of a merge; -1 for none
}

// recordKey is one key, however often it stands there.
type recordKey struct {
	name  string
	spot  int  // in spots: the line that counts, or the last one when none has a value
	has   bool // it has a value
	value recordValue
}

// recordValue is what a key holds: plain is nil, a bool, an int64 or a string, unless json holds a
// JSON text without blanks.
type recordValue struct {
	plain any
	json  []byte
	gone  bool // in an edit: the key is to go
}

// mostExpected bounds the keys that room is made for before they are seen.
const mostExpected = 1 << 20

// Read reads a record; every text is one, the empty one too. Lines that it does not understand are
// kept. src must not change afterwards.
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

// Value returns a field: nil, bool, int64, string, or for JSON fields what json.Unmarshal gives
// (numbers as json.Number). ok is false if there is none. A block, lanes included, is its text.
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

// held returns the value of a key as it was read.
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

// Text is Value for a field that holds text; "" for anything else.
func (r *Record) Text(key string) string {
	held, _ := r.held(key)
	text, _ := held.plain.(string)
	return text
}

// Time is Value for a moment. ok is false for anything that is none, and for one more than Skew
// after now (4.2).
func (r *Record) Time(key string, now time.Time) (t time.Time, ok bool) {
	t, ok = parseMoment(r.Text(key))
	if !ok || t.After(now.Add(statedir.Skew)) {
		return time.Time{}, false
	}
	return t, true
}

// Active reports whether a workflow is running: the value true and nothing else (5.6.4).
func (r *Record) Active() bool {
	held, _ := r.held("active")
	return held.plain == true
}

// line returns the 1-based line of an offset.
func (r *Record) line(offset int) int { return bytes.Count(r.src[:offset], []byte("\n")) + 1 }

// Skewed returns the moments of the record, by field name, that lie too far ahead to count (4.2).
func Skewed(r *Record, now time.Time) []string {
	if r == nil {
		return nil
	}
	var ahead []string
	end := time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC) // from there no moment lies ahead
	for _, field := range []string{"created_at", "first_created_at"} {
		_, counts := r.Time(field, now)
		if _, moment := r.Time(field, end); moment && !counts {
			ahead = append(ahead, field)
		}
	}
	return ahead
}
