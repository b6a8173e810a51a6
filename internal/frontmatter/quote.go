package frontmatter

import (
	"bytes"
	"strings"

	"baton/internal/markdown"
)

// Quote adds quotes around values that YAML rejects without them, nearly always because of a colon
// in a sentence. It returns the new sheet and the names of the keys. Only blocks that YAML rejects
// are changed, and only values on one line. If quotes alone do not make the block valid, or if a
// value would be read differently from its line, Quote returns s itself and no names.
func (s *Sheet) Quote() (*Sheet, []string) {
	if s.err == nil {
		return s, nil
	}
	var edits []markdown.Edit
	var names []string
	quoted := map[*key]bool{}
	for i := range s.keys {
		k := &s.keys[i]
		value := k.value.Of(s.body)
		if len(value) == 0 || len(bytes.TrimSpace(k.rest().Of(s.body))) > 0 {
			continue
		}
		if s.find(k.path) != k {
			return s, nil // with two equal keys, it is not clear from the lines which one counts
		}
		if _, err := ParseYAML(append([]byte("k: "), value...)); err == nil {
			continue
		}
		edits = append(edits, markdown.Edit{Span: k.value, Text: []byte(double(string(value)))})
		names = append(names, k.path)
		quoted[k] = true
	}
	if len(edits) == 0 {
		return s, nil
	}
	body, err := markdown.Apply(s.body, edits...)
	if err != nil {
		return s, nil
	}
	next := OpenSheet(body, s.eol)
	if next.err != nil || s.differs(next, nil) != "" || !s.readAlike(next, quoted) {
		return s, nil
	}
	return next, names
}

// readAlike reports whether YAML reads in other what the lines of s show: each text under the same
// key. Lists and block scalars are compared in differs, except those that quotes turned into text.
func (s *Sheet) readAlike(other *Sheet, quoted map[*key]bool) bool {
	for i := range s.keys {
		k := &s.keys[i]
		if k.value.Len() == 0 || !quoted[k] && strings.IndexByte("[{|>", s.body[k.value.Start]) >= 0 {
			continue
		}
		if e, there := other.At(k.path); !there || e.Text != s.entry(k).Text {
			return false
		}
	}
	return true
}
