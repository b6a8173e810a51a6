package importing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/task"
)

// Fields reads the fields of one JSON object and remembers which of them were read.
type Fields struct {
	Place string // of the object, for messages
	Err   error  // the first value that cannot be used

	obj  task.Object
	read map[string]bool
}

// NewFields returns the fields of an object.
func NewFields(obj task.Object, place string) *Fields {
	return &Fields{Place: place, obj: obj, read: make(map[string]bool, len(obj))}
}

// Known notes fields that need no mention, because baton has the same or can do without.
func (f *Fields) Known(keys ...string) {
	for _, key := range keys {
		f.read[key] = true
	}
}

// Text returns a text or a number as a text, and "" for null and for an absent field.
func (f *Fields) Text(key string) string {
	f.read[key] = true
	text, ok := textOf(f.obj[key])
	if !ok {
		f.fail(key, "a text")
	}
	return text
}

// Texts returns a list of texts or numbers.
func (f *Fields) Texts(key string) []string {
	f.read[key] = true
	raw := f.obj[key]
	if Blank(raw) {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		f.fail(key, "a list")
		return nil
	}
	out := make([]string, 0, len(list))
	for _, one := range list {
		text, ok := textOf(one)
		if !ok {
			f.fail(key, "a list of texts")
		} else if text != "" {
			out = append(out, text)
		}
	}
	return out
}

// Objects returns a list of objects.
func (f *Fields) Objects(key string) []task.Object {
	f.read[key] = true
	raw := f.obj[key]
	if Blank(raw) {
		return nil
	}
	var list []task.Object
	if json.Unmarshal(raw, &list) != nil {
		f.fail(key, "a list of objects")
	}
	return list
}

// Object returns an object, or nil if there is none.
func (f *Fields) Object(key string) task.Object {
	f.read[key] = true
	raw := f.obj[key]
	if Blank(raw) {
		return nil
	}
	var one task.Object
	if json.Unmarshal(raw, &one) != nil {
		f.fail(key, "an object")
	}
	return one
}

func (f *Fields) fail(key, want string) {
	if f.Err == nil {
		f.Err = Wrong(report.CodeValueInvalid, fmt.Sprintf("%s: %q must be %s", f.Place, key, want), "")
	}
}

// textOf reads a text or a number. Other values are not ok.
func textOf(raw json.RawMessage) (text string, ok bool) {
	switch {
	case Blank(raw):
		return "", true
	case raw[0] == '"':
		return text, json.Unmarshal(raw, &text) == nil
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		return string(raw), true
	}
	return "", false
}

// Blank reports whether a value says nothing: null, false, 0, or an empty text, list or object.
func Blank(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", "0", `""`, "[]", "{}", `"0001-01-01T00:00:00Z"`:
		return true
	}
	if raw[0] == '[' || raw[0] == '{' {
		return len(bytes.Trim(raw, "[]{} \t\r\n")) == 0
	}
	return false
}

// Rest notes the fields that were not read. names has what they are called, if that is not their
// key. A list counts as often as it has values.
func (f *Fields) Rest(l *List, names map[string]string) {
	keys := make([]string, 0, 8)
	for key, raw := range f.obj {
		if !f.read[key] && !Blank(raw) {
			keys = append(keys, key)
		}
	}
	sorting.By(keys, strings.Compare)
	for _, key := range keys {
		n := 1
		var list []json.RawMessage
		if raw := f.obj[key]; raw[0] == '[' && json.Unmarshal(raw, &list) == nil {
			n = len(list)
		}
		name, known := names[key]
		if !known {
			name = "field " + safetext.Quote(safetext.Runes(key, 40))
		}
		l.Lose(name, n)
	}
}

// Objects reads a JSON list of objects. The error's Kind is Usage, its code json_invalid.
func Objects(text []byte) ([]task.Object, error) {
	var list []task.Object
	err := task.ParseJSON(text, &list, Op)
	return list, err
}

// First returns the first object of a JSON text that is an object or a list of objects, and whether
// more objects follow it without a list. It returns nil if there is none.
func First(text []byte) (obj task.Object, list, more bool) {
	text = bytes.TrimLeft(text, " \t\r\n")
	dec := json.NewDecoder(bytes.NewReader(text))
	if list = len(text) > 0 && text[0] == '['; list {
		if _, err := dec.Token(); err != nil || !dec.More() {
			return nil, true, false
		}
	}
	if dec.Decode(&obj) != nil {
		return nil, list, false
	}
	rest := bytes.TrimLeft(text[dec.InputOffset():], " \t\r\n")
	return obj, list, !list && len(rest) > 0 && rest[0] == '{'
}

// Priority returns the priority for a word that other systems use.
func Priority(word string) task.Priority {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "high", "critical", "urgent", "highest", "p0", "p1":
		return task.High
	case "low", "lowest", "minor", "trivial", "p3", "p4":
		return task.Low
	}
	return ""
}

// Waits notes that an item is at a stage that baton finds out by itself.
func (l *List) Waits(status string) {
	l.Lose("status "+safetext.Quote(safetext.Runes(safetext.Line(status), 40))+" (here: ready)", 1)
}

// Nth returns the name of the nth thing of its kind, from 1, for messages.
func Nth(kind string, n int) string { return kind + " " + strconv.Itoa(n) + " of the list" }
