package frontmatter

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Sheet is a block of YAML whose keys are located line by line. It is immutable.
//
// A valid block is read by the YAML library. A block that YAML rejects is read line by line: every
// line that begins with a simple name and a colon is a key, its value is the rest of the line, and
// the last of several equal keys counts. So one bad line does not make the other keys unreadable
// (GSD-58).
type Sheet struct {
	body []byte
	eol  string
	root Map
	node *yaml.Node // node of root; nil if YAML rejects the block or the block is empty
	err  error
	keys []key
}

// OpenSheet reads a block, without the rules around it. It accepts every input. eol ends lines that
// are added to an empty block.
func OpenSheet(body []byte, eol string) *Sheet {
	s := &Sheet{body: body, eol: eol}
	if s.node, s.err = parse(body, 0, report.CodeYamlInvalid); s.err == nil {
		r := reader{}
		s.root, s.err = r.root(s.node)
	}
	s.keys = scan(body, s.err != nil)
	if s.err != nil {
		s.root, _ = s.tree(-1, 0)
	}
	return s
}

// Err returns the reason why YAML rejects the block, with the line inside the block, or nil.
func (s *Sheet) Err() error { return s.err }

// Root returns all keys. Line numbers are 1-based and relative to the block.
func (s *Sheet) Root() Map { return s.root }

// At returns the value at a path of keys joined by dots.
func (s *Sheet) At(path string) (Entry, bool) {
	if s.err != nil {
		if k := s.find(path); k != nil {
			return s.entry(k), true
		}
		return Entry{}, false
	}
	return s.root.At(path)
}

// Source returns the value at a path as written on its line: with its quotes, but without a
// comment. It returns "" if the value begins on a later line or does not exist.
func (s *Sheet) Source(path string) string {
	if k := s.find(path); k != nil {
		return string(k.value.Of(s.body))
	}
	return ""
}

// Items returns the items of the list at a path as they are written, without quotes. ok is false if
// the value is not a list.
func (s *Sheet) Items(path string) (items []string, ok bool) {
	e, there := s.At(path)
	values, isList := e.Value.([]any)
	if !there || !isList {
		return nil, false
	}
	items = make([]string, 0, len(values))
	if s.err != nil {
		for _, v := range values {
			items = append(items, v.(string))
		}
		return items, true
	}
	n := s.node
	for name := range strings.SplitSeq(path, ".") {
		if n == nil || n.Kind != yaml.MappingNode {
			return items, true
		}
		_, n, _, _ = find(n, name)
	}
	if n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	for i := 0; n != nil && i < len(n.Content); i++ {
		items = append(items, n.Content[i].Value)
	}
	return items, true
}

// find returns the last key with the path, or nil if there is none.
func (s *Sheet) find(path string) *key {
	for i := len(s.keys) - 1; i >= 0; i-- {
		if s.keys[i].path == path {
			return &s.keys[i]
		}
	}
	return nil
}

// tree builds a mapping of the keys below parent from the lines alone.
func (s *Sheet) tree(parent, from int) (m Map, next int) {
	for i := from; i < len(s.keys); {
		switch k := &s.keys[i]; {
		case k.parent == parent:
			e := s.entry(k)
			i++
			if i < len(s.keys) && s.keys[i].parent == i-1 {
				var sub Map
				sub, i = s.tree(i-1, i)
				e.Value = sub
			}
			m = append(m, e)
		default:
			return m, i
		}
	}
	return m, len(s.keys)
}

// entry reads one key from its lines.
func (s *Sheet) entry(k *key) Entry {
	name := k.path[strings.LastIndexByte(k.path, '.')+1:]
	e := Entry{Key: name, Line: k.number + 1}
	value := string(k.value.Of(s.body))
	switch {
	case strings.HasPrefix(value, "["):
		items := []any{}
		for part := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
			if part = unquote(part); part != "" {
				items = append(items, part)
			}
		}
		e.Value = items
	case value == "" && k.list:
		items := []any{}
		for line := range strings.Lines(string(k.rest().Of(s.body))) {
			if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
				items = append(items, unquote(item))
			}
		}
		e.Value = items
	default:
		e.Text = unquote(value)
		if e.Value = any(e.Text); value == "" || value == "null" || value == "~" {
			e.Value = nil
		}
	}
	return e
}

// unquote removes one pair of quotes and resolves the escapes inside them.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != s[len(s)-1] {
		return s
	}
	switch s[0] {
	case '\'':
		return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
	case '"':
		if m, err := ParseYAML([]byte("k: " + s)); err == nil && len(m) == 1 {
			return m[0].Text
		}
		return s[1 : len(s)-1]
	}
	return s
}

// found reports whether the key is on a line of its own where an edit can find it, and returns its
// 1-based line in the block.
func (s *Sheet) found(path string) (line int, ok bool) {
	k := s.find(path)
	if k == nil {
		return 0, false
	}
	if s.err == nil {
		// The lines and YAML must agree on the position of the key.
		if e, there := s.root.At(path); !there || e.Line != k.number+1 {
			return 0, false
		}
	}
	return k.number + 1, true
}

// rest returns the lines of k's value after the first one.
func (k *key) rest() markdown.Span {
	return markdown.Span{Start: k.line.End, End: max(k.end, k.line.End)}
}
