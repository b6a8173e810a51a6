package task

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"baton/internal/markdown"
)

// quoteJSON writes a text as a JSON string, with &, < and > as they are.
func quoteJSON(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(text) != nil {
		return strconv.Quote(text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// setJSON sets a key of the object in src to a value written as JSON. Only the value's bytes change; a new key goes
// behind the last one in the text's own indentation. An equal value changes nothing. ok is false when src is no
// object or the result would be none. eol is for texts that have no line end of their own.
func setJSON(src []byte, name, value, eol string) (out []byte, ok bool) {
	node, err := scanJSON(src)
	if err != nil || node.kind != '{' {
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
	if member, found := node.member(name); found {
		if sameJSON(member.value, src, value) {
			return src, true
		}
		edits = []markdown.Edit{{Span: member.value.span, Text: []byte(value)}}
	} else if len(node.members) == 0 {
		edits = []markdown.Edit{firstMember(src, node, quoteJSON(name)+": "+value, eol)}
	} else {
		edits = nextMember(src, node, name, value, eol)
	}
	out, applyErr := markdown.Apply(src, edits...)
	if applyErr != nil {
		return src, false
	}
	if after, err := scanJSON(out); err != nil || after.kind != '{' {
		return src, false
	}
	return out, true
}

// firstMember puts the first key into an empty object.
func firstMember(src []byte, node jsonNode, text, eol string) markdown.Edit {
	closing := node.span.End - 1
	line := bytes.LastIndexByte(src[:closing], '\n') + 1
	blank := strings.Trim(string(src[line:closing]), " \t") == ""
	if line <= node.span.Start || !blank {
		return markdown.Edit{Span: markdown.Span{Start: closing, End: closing}, Text: []byte(text)}
	}
	indent := string(src[line:closing])
	return markdown.Edit{Span: markdown.Span{Start: line, End: line}, Text: []byte(indent + "  " + text + eol)}
}

// nextMember puts a key behind the last one. A comment on the last key's line stays with that key, and a trailing
// comma stays a trailing comma.
func nextMember(src []byte, node jsonNode, name, value, eol string) []markdown.Edit {
	last := node.members[len(node.members)-1]
	middle := string(src[last.key.End:last.value.span.Start])
	if strings.Trim(middle, " \t:") != "" {
		middle = ": "
	}
	text := quoteJSON(name) + middle + value
	line := bytes.LastIndexByte(src[:last.key.Start], '\n') + 1
	indent := string(src[line:last.key.Start])
	inline := line <= node.span.Start || strings.Trim(indent, " \t") != ""

	at := last.value.span.End
	if last.comma >= 0 {
		at = last.comma + 1
		text += ","
	}
	behind := lineTail(src, at)
	if inline || behind < 0 {
		lead := " "
		if last.comma < 0 {
			lead = ", "
		}
		if !inline {
			lead = strings.TrimSuffix(lead, " ") + eol + indent
		}
		return []markdown.Edit{{Span: markdown.Span{Start: at, End: at}, Text: []byte(lead + text)}}
	}
	edits := []markdown.Edit{{Span: markdown.Span{Start: behind, End: behind}, Text: []byte(eol + indent + text)}}
	if last.comma < 0 {
		edits = append([]markdown.Edit{{Span: markdown.Span{Start: at, End: at}, Text: []byte(",")}}, edits...)
	}
	return edits
}

// lineTail goes over blanks and comments to the end of the line; -1 when something else stands there, or when a
// comment goes on in the next line.
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

// deleteJSON takes every member of that name out of the object in src. Comments stay. A line that held nothing
// else goes with it.
func deleteJSON(src []byte, name string) (out []byte, ok bool) {
	node, err := scanJSON(src)
	if err != nil || node.kind != '{' {
		return src, false
	}
	at := -1
	for i, member := range node.members {
		if member.name == name {
			at = i
		}
	}
	if at < 0 {
		return src, true
	}
	member := node.members[at]
	cut := markdown.Span{Start: member.key.Start, End: member.value.span.End}
	if member.comma >= 0 {
		cut.End = member.comma + 1
	}
	edits := []markdown.Edit{{Span: wholeLine(src, cut, node.span.Start)}}
	if member.comma < 0 && at > 0 { // the key before is the last one now
		comma := node.members[at-1].comma
		if len(bytes.TrimSpace(src[comma+1:cut.Start])) == 0 {
			edits = []markdown.Edit{{Span: markdown.Span{Start: comma, End: cut.End}}}
		} else {
			edits = append(edits, markdown.Edit{Span: markdown.Span{Start: comma, End: comma + 1}})
		}
	}
	out, applyErr := markdown.Apply(src, edits...)
	if applyErr != nil {
		return src, false
	}
	return deleteJSON(out, name)
}

// wholeLine widens a span to its lines when nothing else stands on them, else takes the blanks behind it along.
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

// sameJSON says whether a value in src and a JSON text mean the same, whatever their spacing.
func sameJSON(node jsonNode, src []byte, text string) bool {
	other, err := scanJSON([]byte(text))
	return err == nil && equalJSON(node, src, other, []byte(text))
}

func equalJSON(a jsonNode, x []byte, b jsonNode, y []byte) bool {
	if a.kind != b.kind || len(a.items) != len(b.items) || len(a.members) != len(b.members) {
		return false
	}
	switch a.kind {
	case '{':
		for i := range a.members {
			if a.members[i].name != b.members[i].name || !equalJSON(a.members[i].value, x, b.members[i].value, y) {
				return false
			}
		}
		return true
	case '[':
		for i := range a.items {
			if !equalJSON(a.items[i], x, b.items[i], y) {
				return false
			}
		}
		return true
	}
	one, _ := a.text(x)
	two, _ := b.text(y)
	if a.kind == '0' && one != two {
		// 42 and 42.0 are one value; beyond 2^53 only the same digits are.
		f, err1 := strconv.ParseFloat(one, 64)
		g, err2 := strconv.ParseFloat(two, 64)
		return err1 == nil && err2 == nil && f == g && f < 1<<53 && f > -(1<<53)
	}
	return one == two
}
