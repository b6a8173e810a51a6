package jsontext

import (
	"bytes"
	"strconv"
	"strings"

	"baton/internal/markdown"
)

// At returns the value at a path such as "progress.percent" or "phases[0].name". A negative index
// counts from the end. ok is false if there is no such value.
func (n Node) At(path string) (at Node, ok bool) {
	at = n
	for path != "" {
		if rest, found := strings.CutPrefix(path, "["); found {
			index, after, closed := strings.Cut(rest, "]")
			i, err := strconv.Atoi(index)
			if i < 0 {
				i += len(at.Items)
			}
			if !closed || err != nil || i < 0 || i >= len(at.Items) {
				return Node{}, false
			}
			at, path = at.Items[i], strings.TrimPrefix(after, ".")
			continue
		}
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			end = len(path)
		}
		member, found := at.Member(path[:end])
		if !found {
			return Node{}, false
		}
		at, path = member.Value, strings.TrimPrefix(path[end:], ".")
	}
	return at, true
}

// SetAt is Set for a key in objects within the object in src: one of keys for each level. Objects
// that are missing are added. ok is false also if one of them is there, but is neither an object
// nor null.
func SetAt(src []byte, keys []string, value, eol string) (out []byte, ok bool) {
	return setAt(src, keys, value, eol, "", bytes.IndexByte(src, '\n') >= 0)
}

func setAt(src []byte, keys []string, value, eol, indent string, lines bool) (out []byte, ok bool) {
	if end := bytes.IndexByte(src, '\n'); end > 0 && src[end-1] == '\r' {
		eol = "\r\n"
	}
	node, fault := Relaxed(src)
	if fault != nil || node.Kind != '{' || len(keys) == 0 {
		return src, false
	}
	if len(keys) == 1 {
		return Set(src, keys[0], value, eol)
	}
	deeper := indent + "  "
	member, found := node.Member(keys[0])
	switch {
	case !found || member.Value.Kind == 'n':
		return Set(src, keys[0], nested(keys[1:], value, deeper, lines), eol)
	case member.Value.Kind != '{':
		return src, false
	}
	inner, ok := setAt(member.Value.Span.Of(src), keys[1:], value, eol, deeper, lines)
	if !ok {
		return src, false
	}
	out, err := markdown.Apply(src, markdown.Edit{Span: member.Value.Span, Text: inner})
	if err != nil {
		return src, false
	}
	if after, fault := Relaxed(out); fault != nil || after.Kind != '{' {
		return src, false
	}
	return out, true
}

// DeleteAt is Delete for a key in objects within the object in src: one of keys for each level. An
// object that is there twice loses the key twice. Nothing changes if there is no such key. ok is
// false for a text that is not a JSON object.
func DeleteAt(src []byte, keys []string) (out []byte, ok bool) {
	node, fault := Relaxed(src)
	if fault != nil || node.Kind != '{' || len(keys) == 0 {
		return src, false
	}
	if len(keys) == 1 {
		return Delete(src, keys[0])
	}
	var edits []markdown.Edit
	for _, member := range node.Members {
		if member.Name != keys[0] || member.Value.Kind != '{' {
			continue
		}
		inner, ok := DeleteAt(member.Value.Span.Of(src), keys[1:])
		if !ok {
			return src, false
		}
		edits = append(edits, markdown.Edit{Span: member.Value.Span, Text: inner})
	}
	out, err := markdown.Apply(src, edits...)
	return out, err == nil
}

// nested writes a value in new objects, one for each key.
func nested(keys []string, value, indent string, lines bool) string {
	if len(keys) == 0 {
		return value
	}
	inner := nested(keys[1:], value, indent+"  ", lines)
	if !lines {
		return "{" + Quote(keys[0]) + ": " + inner + "}"
	}
	return "{\n" + indent + "  " + Quote(keys[0]) + ": " + inner + "\n" + indent + "}"
}
