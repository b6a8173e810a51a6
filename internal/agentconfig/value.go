package agentconfig

import (
	"strconv"
	"strings"

	"baton/internal/jsontext"
)

// value is a JSON value to be written or compared. Its members have an order.
type value struct {
	kind  byte     // '{' '[' '"' or 'l' for a literal: number, true, false, null
	text  string   // content of a string, or spelling of a literal
	names []string // of an object, one for each item
	items []value  // of an object or a list
}

func text(s string) value       { return value{kind: '"', text: s} }
func literal(s string) value    { return value{kind: 'l', text: s} }
func number(n int) value        { return literal(strconv.Itoa(n)) }
func list(items ...value) value { return value{kind: '[', items: items} }
func object() value             { return value{kind: '{'} }
func texts(words ...string) value {
	out := value{kind: '['}
	for _, word := range words {
		out.items = append(out.items, text(word))
	}
	return out
}

// with returns the object with one more member.
func (v value) with(name string, item value) value {
	v.names = append(v.names[:len(v.names):len(v.names)], name)
	v.items = append(v.items[:len(v.items):len(v.items)], item)
	return v
}

// add adds a member to an object that is not shared.
func (v *value) add(name string, item value) {
	v.names, v.items = append(v.names, name), append(v.items, item)
}

// shortList is the length of the longest list that stays on one line.
const shortList = 8

// flat reports whether a list contains only texts and literals. If it is short, it stays on one
// line.
func (v value) flat() bool {
	for _, item := range v.items {
		if item.kind == '{' || item.kind == '[' {
			return false
		}
	}
	return true
}

// same reports whether two values are equal. The order of members matters only if strict is set.
func (v value) same(w value, strict bool) bool {
	if v.kind != w.kind || len(v.items) != len(w.items) || len(v.names) != len(w.names) || v.text != w.text {
		return false
	}
	for i, item := range v.items {
		j := i
		if v.kind == '{' && v.names[i] != w.names[i] {
			if strict {
				return false
			}
			if j = w.index(v.names[i]); j < 0 {
				return false
			}
		}
		if !item.same(w.items[j], strict) {
			return false
		}
	}
	return true
}

// index returns the index of a member, or -1. Of several with one name the last one counts, as for
// every reader of JSON.
func (v value) index(name string) int {
	for i := len(v.names) - 1; i >= 0; i-- {
		if v.names[i] == name {
			return i
		}
	}
	return -1
}

// member returns a member's value.
func (v value) member(name string) (value, bool) {
	if i := v.index(name); i >= 0 && v.kind == '{' {
		return v.items[i], true
	}
	return value{}, false
}

// style is the format in which a file writes JSON.
type style struct {
	eol    string // line end
	unit   string // one step of indentation
	inline bool   // everything on one line
	spaced bool   // a blank after colons and commas; texts of several lines always have it
}

// put writes a value. indent is the indentation of the line on which the value begins.
func (s style) put(b *strings.Builder, v value, indent string) {
	switch {
	case v.kind == '"':
		b.WriteString(jsontext.Quote(v.text))
	case v.kind == 'l':
		b.WriteString(v.text)
	case len(v.items) == 0:
		b.WriteByte(v.kind)
		b.WriteByte(v.kind + 2)
	default:
		inline := s.inline || v.kind == '[' && v.flat() && len(v.items) <= shortList
		inner := indent + s.unit
		b.WriteByte(v.kind)
		for i, item := range v.items {
			if i > 0 {
				b.WriteByte(',')
			}
			switch {
			case !inline:
				b.WriteString(s.eol + inner)
			case i > 0:
				b.WriteString(s.gap())
			}
			if v.kind == '{' {
				b.WriteString(jsontext.Quote(v.names[i]) + ":" + s.gap())
			}
			s.put(b, item, inner)
		}
		if !inline {
			b.WriteString(s.eol + indent)
		}
		b.WriteByte(v.kind + 2) // in ASCII, '}' and ']' come two after '{' and '['
	}
}

// gap returns the text after a colon or a comma on one line.
func (s style) gap() string {
	if s.inline && !s.spaced {
		return ""
	}
	return " "
}

// render returns the text of a value.
func (s style) render(v value, indent string) string {
	var b strings.Builder
	s.put(&b, v, indent)
	return b.String()
}
