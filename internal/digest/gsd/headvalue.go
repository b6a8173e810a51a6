package gsd

import (
	"bytes"
	"slices"
	"strings"
)

// headValue is a value as the original parser reads it: trimmed, without one quote at each end, and
// empty for null.
func headValue(value []byte) string {
	text := unquoted(string(withoutComment(bytes.TrimSpace(value))))
	if text == "null" || blockMark(text) {
		return ""
	}
	return text
}

// blockMark reports whether a text is the mark of a block scalar, such as "|" or ">-". The value is
// on the lines below, and YAML reads it.
func blockMark(text string) bool {
	return text != "" && (text[0] == '|' || text[0] == '>') && strings.Trim(text[1:], "+-123456789") == ""
}

// unquoted removes one quote of either kind at each end, whether they match or not.
func unquoted(text string) string {
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		text = text[1:]
	}
	if n := len(text); n > 0 && (text[n-1] == '"' || text[n-1] == '\'') {
		text = text[:n-1]
	}
	return text
}

// withoutComment cuts off a comment if YAML would read the value without it (N2): after a plain
// scalar, and after a quoted one without escapes.
func withoutComment(value []byte) []byte {
	if len(value) == 0 || bytes.IndexByte(value, '#') < 0 {
		return value
	}
	switch value[0] {
	case '#':
		return nil
	case '"', '\'':
		end := 1 + bytes.IndexByte(value[1:], value[0])
		if end < 1 || bytes.IndexByte(value[:end], '\\') >= 0 {
			return value
		}
		behind := value[end+1:]
		if note := bytes.TrimLeft(behind, " \t"); len(note) < len(behind) && note[0] == '#' {
			return value[:end+1]
		}
		return value
	}
	for i := 1; i < len(value); i++ {
		if value[i] == '#' && (value[i-1] == ' ' || value[i-1] == '\t') {
			return bytes.TrimSpace(value[:i])
		}
	}
	return value
}

// headList reads the items of next_phases: a flow list, which may continue over several lines up to
// its bracket, or the lines with a dash that follow directly. nil means no value; flow reports
// whether it was a flow list.
func headList(value, rest []byte) (items []string, flow bool) {
	text := bytes.TrimSpace(value)
	blank := len(text) == 0
	if blank {
		text = bytes.TrimLeft(rest, " \t\r\n")
	}
	if len(text) > 0 && text[0] == '[' {
		list, _, closed := bytes.Cut(text[1:], []byte{']'})
		if !closed && !blank {
			var more []byte
			more, _, closed = bytes.Cut(rest, []byte{']'})
			list = slices.Concat(list, []byte{'\n'}, more)
		}
		if !closed {
			return nil, false
		}
		return headItems(strings.Split(string(list), ",")), true
	}
	if !blank {
		return nil, false
	}
	for len(rest) > 0 {
		var line []byte
		line, rest = headLine(rest)
		item, ok := bytes.CutPrefix(bytes.TrimLeft(line, " \t"), []byte("-"))
		if !ok || len(bytes.TrimSpace(item)) == 0 {
			break
		}
		items = append(items, string(withoutComment(bytes.TrimSpace(item))))
	}
	return headItems(items), false
}

func headItems(texts []string) []string {
	var items []string
	for _, text := range texts {
		if item := unquoted(strings.TrimSpace(text)); item != "" {
			items = append(items, item)
		}
	}
	return items
}
