package markdown

import (
	"bytes"
	"sort"
)

// Field is a bold label at the start of a line, with the text after it. The label is **Did:** or
// **Did**: or either form with underscores (5.3, rule 6).
type Field struct {
	Line  int
	Label string // text without marks and colon, trimmed
	Span  Span   // the label with its marks and colon
	Value Span   // from the end of the label to the next field, the next heading or the end; not trimmed
}

// maxLabel is the longest label in bytes. Longer bold text at the start of a line is emphasis.
const maxLabel = 120

// Fields returns the fields whose line begins within the span. Labels inside list items do not
// count. A label may directly follow a blank line, text, a list or another field.
func (d *Document) Fields(within Span) []Field {
	var out []Field
	first, last := d.lineRange(within)
	h := sort.Search(len(d.headings), func(k int) bool { return d.headings[k].Line >= first })
	end := func(pos int) {
		if n := len(out); n > 0 && out[n-1].Value.End > pos {
			out[n-1].Value.End = pos
		}
	}
	for i := first; i < last; i++ {
		ln := &d.lines[i]
		if h < len(d.headings) && d.headings[h].Line == i {
			end(ln.Start)
			h++
		}
		if ln.Class != Text || ln.Depth > 0 {
			continue
		}
		span := Span{ln.Start, min(ln.End, within.End)}
		if span.Start < span.End && letter(d.src[span.Start]) {
			continue
		}
		c := cursor{src: d.src, pos: span.Start, end: span.End}
		columns, next := c.peek()
		if columns > 3 {
			continue
		}
		label, name, ok := findLabel(d.src, Span{next, span.End})
		if !ok {
			continue
		}
		end(ln.Start)
		if out == nil {
			out = make([]Field, 0, 4+(last-i)/6)
		}
		out = append(out, Field{
			Line:  i,
			Label: labelText(out, name.Of(d.src)),
			Span:  label,
			Value: Span{label.End, within.End},
		})
	}
	return out
}

// labelText returns name as a string. It reuses the label of one of the last fields if it is the
// same, because a few labels repeat throughout a file and each would be one more small allocation.
func labelText(fields []Field, name []byte) string {
	for k := len(fields) - 1; k >= max(0, len(fields)-6); k-- {
		if fields[k].Label == string(name) {
			return fields[k].Label
		}
	}
	return string(name)
}

// findLabel finds the label at the start of text, and the name within the label.
func findLabel(src []byte, text Span) (label, name Span, ok bool) {
	b := text.Of(src)
	if len(b) < 6 || b[0] != '*' && b[0] != '_' || b[1] != b[0] || b[2] == b[0] {
		return label, name, false
	}
	b = b[:min(len(b), maxLabel+5)]
	n := bytes.Index(b[2:], b[:2])
	if n <= 0 {
		return label, name, false
	}
	name, size := Span{text.Start + 2, text.Start + 2 + n}, n+4
	switch {
	case src[name.End-1] == ':':
		name.End--
	case size < len(b) && b[size] == ':':
		size++
	default:
		return label, name, false
	}
	name = trim(src, name)
	return Span{text.Start, text.Start + size}, name, name.Len() > 0
}
