package jsontext

import (
	"bytes"
	"strconv"
	"strings"

	"baton/internal/markdown"
)

// Set sets a key of the object in src to a value written as JSON. Only the bytes of the value
// change. A new key is added after the last one, indented like the rest of the text. If the key
// already has an equal value, nothing changes. ok is false if src is not an object or the result
// would not be one. eol is the line end for texts that have none.
func Set(src []byte, name, value, eol string) (out []byte, ok bool) {
	node, err := Relaxed(src)
	if err != nil || node.Kind != '{' {
		return src, false
	}
	if end := bytes.IndexByte(src, '\n'); end >= 0 {
		eol = "\n"
		if end > 0 && src[end-1] == '\r' {
			eol = "\r\n"
		}
	}
	value = string(markdown.Fold(value, eol))
	var edits []markdown.Edit
	if member, found := node.Member(name); found {
		if same(member.Value, src, value) {
			return src, true
		}
		edits = []markdown.Edit{{Span: member.Value.Span, Text: []byte(value)}}
	} else if len(node.Members) == 0 {
		edits = []markdown.Edit{firstMember(src, node, Quote(name)+": "+value, eol)}
	} else {
		edits = nextMember(src, node, name, value, eol)
	}
	out, applyErr := markdown.Apply(src, edits...)
	if applyErr != nil {
		return src, false
	}
	if after, err := Relaxed(out); err != nil || after.Kind != '{' {
		return src, false
	}
	return out, true
}

// firstMember inserts the first key into an empty object.
func firstMember(src []byte, node Node, text, eol string) markdown.Edit {
	closing := node.Span.End - 1
	line := bytes.LastIndexByte(src[:closing], '\n') + 1
	blank := strings.Trim(string(src[line:closing]), " \t") == ""
	if line <= node.Span.Start || !blank {
		return markdown.Edit{Span: markdown.Span{Start: closing, End: closing}, Text: []byte(text)}
	}
	indent := string(src[line:closing])
	return markdown.Edit{Span: markdown.Span{Start: line, End: line}, Text: []byte(indent + "  " + text + eol)}
}

// nextMember inserts a key after the last one. A comment on the line of the last key stays with
// that key, and if the last key had a trailing comma, so has the new one.
func nextMember(src []byte, node Node, name, value, eol string) []markdown.Edit {
	last := node.Members[len(node.Members)-1]
	middle := string(src[last.Key.End:last.Value.Span.Start])
	if strings.Trim(middle, " \t:") != "" {
		middle = ": "
	}
	text := Quote(name) + middle + value
	line := bytes.LastIndexByte(src[:last.Key.Start], '\n') + 1
	indent := string(src[line:last.Key.Start])
	inline := line <= node.Span.Start || strings.Trim(indent, " \t") != ""

	at := last.Value.Span.End
	if last.Value.Comma >= 0 {
		at = last.Value.Comma + 1
		text += ","
	}
	behind := lineTail(src, at)
	if inline || behind < 0 {
		lead := " "
		if last.Value.Comma < 0 {
			lead = ", "
		}
		if !inline {
			lead = strings.TrimSuffix(lead, " ") + eol + indent
		}
		return []markdown.Edit{{Span: markdown.Span{Start: at, End: at}, Text: []byte(lead + text)}}
	}
	edits := []markdown.Edit{{Span: markdown.Span{Start: behind, End: behind}, Text: []byte(eol + indent + text)}}
	if last.Value.Comma < 0 {
		edits = append([]markdown.Edit{{Span: markdown.Span{Start: at, End: at}, Text: []byte(",")}}, edits...)
	}
	return edits
}

// lineTail skips blanks and comments up to the end of the line. It returns -1 if anything else is
// on the line, or if a comment continues on the next line.
func lineTail(src []byte, pos int) int {
	for pos < len(src) {
		switch src[pos] {
		case ' ', '\t':
			pos++
		case '\n', '\r':
			return pos
		case '/':
			end := commentEnd(src, pos)
			if end < 0 || bytes.IndexByte(src[pos:end], '\n') >= 0 {
				return -1
			}
			pos = end
		default:
			return -1
		}
	}
	return pos
}

// Delete removes every member with the name from the object in src. Comments stay, also those
// within the member. Lines that become empty are removed.
func Delete(src []byte, name string) (out []byte, ok bool) {
	node, err := Relaxed(src)
	if err != nil || node.Kind != '{' {
		return src, false
	}
	at := -1
	for i, member := range node.Members {
		if member.Name == name {
			at = i
		}
	}
	if at < 0 {
		return src, true
	}
	member := node.Members[at]
	cut := markdown.Span{Start: member.Key.Start, End: member.Value.Span.End}
	if member.Value.Comma >= 0 {
		cut.End = member.Value.Comma + 1
	}
	comments := commentsOf(src, cut)
	edits := []markdown.Edit{{Span: cut, Text: comments}}
	if comments == nil {
		edits[0].Span = wholeLine(src, cut, node.Span.Start)
	}
	if member.Value.Comma < 0 && at > 0 { // the key before is now the last one
		comma := node.Members[at-1].Value.Comma
		if comments == nil && len(bytes.TrimSpace(src[comma+1:cut.Start])) == 0 {
			edits = []markdown.Edit{{Span: markdown.Span{Start: comma, End: cut.End}}}
		} else {
			edits = append(edits, markdown.Edit{Span: markdown.Span{Start: comma, End: comma + 1}})
		}
	}
	out, applyErr := markdown.Apply(src, edits...)
	if applyErr != nil {
		return src, false
	}
	return Delete(out, name)
}

// commentsOf returns the comments within a span as lines with the indent of its first line, or nil
// if there are none.
func commentsOf(src []byte, cut markdown.Span) []byte {
	first := cut.Start
	for first > 0 && (src[first-1] == ' ' || src[first-1] == '\t') {
		first--
	}
	eol := "\n"
	if bytes.Contains(src, []byte("\r\n")) {
		eol = "\r\n"
	}
	eol += string(src[first:cut.Start])
	var out []byte
	line := false
	for pos := cut.Start; pos < cut.End; pos++ {
		switch end := commentEnd(src, pos); {
		case src[pos] == '"':
			p := parser{src: src, pos: pos}
			p.text()
			pos = p.pos - 1
		case end > 0:
			if out != nil {
				out = append(out, eol...)
			}
			line = src[pos+1] == '/'
			out = append(out, src[pos:end]...)
			pos = end - 1
		}
	}
	if line && cut.End < len(src) && src[cut.End] != '\n' && src[cut.End] != '\r' {
		out = append(out, eol...)
	}
	return out
}

// wholeLine extends a span to whole lines if nothing else is on them. Otherwise it extends the span
// by the blanks after it.
func wholeLine(src []byte, cut markdown.Span, floor int) markdown.Span {
	start, end := cut.Start, cut.End
	for start > floor && (src[start-1] == ' ' || src[start-1] == '\t') {
		start--
	}
	for end < len(src) && (src[end] == ' ' || src[end] == '\t') {
		end++
	}
	if start > floor && src[start-1] == '\n' && end < len(src) && (src[end] == '\n' || src[end] == '\r') {
		if src[end] == '\r' {
			end++
		}
		if end < len(src) && src[end] == '\n' {
			return markdown.Span{Start: start, End: end + 1}
		}
	}
	return markdown.Span{Start: cut.Start, End: end}
}

// same reports whether a value in src and a JSON text are equal, apart from spacing.
func same(node Node, src []byte, text string) bool {
	other, err := Relaxed([]byte(text))
	return err == nil && Equal(node, src, other, []byte(text))
}

// Equal reports whether node a of x and node b of y are the same value. The order of members
// matters; white space and comments do not.
func Equal(a Node, x []byte, b Node, y []byte) bool {
	if a.Kind != b.Kind || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return false
	}
	switch a.Kind {
	case '{':
		for i := range a.Members {
			if a.Members[i].Name != b.Members[i].Name || !Equal(a.Members[i].Value, x, b.Members[i].Value, y) {
				return false
			}
		}
		return true
	case '[':
		for i := range a.Items {
			if !Equal(a.Items[i], x, b.Items[i], y) {
				return false
			}
		}
		return true
	}
	one, _ := a.Text(x)
	two, _ := b.Text(y)
	if a.Kind == '0' && one != two {
		// 42 and 42.0 are equal. Beyond 2^53 only identical digits are, because floats are not
		// exact there.
		f, err1 := strconv.ParseFloat(one, 64)
		g, err2 := strconv.ParseFloat(two, 64)
		return err1 == nil && err2 == nil && f == g && f < 1<<53 && f > -(1<<53)
	}
	return one == two
}
