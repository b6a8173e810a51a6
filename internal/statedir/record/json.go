package record

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// recordDefaults returns the values if there is no record (5.6.1), in the order of a new one.
func recordDefaults() []Pair {
	return []Pair{{"active", "false"}, {"phase", "null"}, {"tier", "null"}, {"iteration", "0"}}
}

// MarshalJSON returns the record as an object in the order of its keys. If there is no record, it
// has the defaults of 5.6.1; a missing tier is taken from complexity. Lanes are a list of objects.
// Invalid UTF-8 becomes U+FFFD.
func (r *Record) MarshalJSON() ([]byte, error) {
	var w objectWriter
	if r == nil {
		for _, p := range recordDefaults() {
			w.value(p.Key, recordValue{plain: readScalar(p.Value)})
		}
		return w.end(), nil
	}
	_, tier := r.held("tier")
	for _, k := range r.keys {
		switch {
		case !k.has:
		case k.name == lanesKey && len(r.laneLines()) > 0:
			w.lanes(r.laneLines())
		case k.name == "tier":
			w.value(k.name, r.shownTier())
		default:
			w.value(k.name, k.value)
		}
	}
	if _, old := r.held("complexity"); old && !tier {
		w.value("tier", r.shownTier())
	}
	return w.end(), nil
}

// shownTier returns the tier, or if it is missing, the value of its old name.
func (r *Record) shownTier() recordValue {
	tier, _ := r.held("tier")
	if tier.json == nil && (tier.plain == nil || tier.plain == "") {
		if old, ok := r.held("complexity"); ok {
			return old
		}
	}
	return tier
}

// objectWriter writes one JSON object key by key.
type objectWriter struct{ out bytes.Buffer }

// key begins a member. The name is a key of the record, which never needs escapes.
func (w *objectWriter) key(name string) {
	before := byte(',')
	if w.out.Len() == 0 {
		before = '{'
	}
	w.out.WriteByte(before)
	w.out.WriteByte('"')
	w.out.WriteString(name)
	w.out.WriteString(`":`)
}

// value writes a member.
func (w *objectWriter) value(name string, v recordValue) {
	w.key(name)
	if v.json != nil {
		w.out.Write(v.json)
		return
	}
	switch plain := v.plain.(type) {
	case nil:
		w.out.WriteString("null")
	case bool:
		w.out.WriteString(strconv.FormatBool(plain))
	case int64:
		w.out.WriteString(strconv.FormatInt(plain, 10))
	default:
		w.out.Write(jsonBytes(plain))
	}
}

// lanes writes the lanes as a list of objects.
func (w *objectWriter) lanes(lanes []laneLines) {
	w.key(lanesKey)
	for i, lane := range lanes {
		before := byte(',')
		if i == 0 {
			before = '['
		}
		w.out.WriteByte(before)
		var inner objectWriter
		for _, f := range lane.fields {
			inner.value(f.name, recordValue{plain: f.value})
		}
		w.out.Write(inner.end())
	}
	w.out.WriteByte(']')
}

// end returns the object.
func (w *objectWriter) end() []byte {
	if w.out.Len() == 0 {
		w.out.WriteByte('{')
	}
	w.out.WriteByte('}')
	return w.out.Bytes()
}

// jsonBytes returns a text, a number, a boolean or null as JSON, without escapes for HTML.
func jsonBytes(v any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return []byte("null")
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
