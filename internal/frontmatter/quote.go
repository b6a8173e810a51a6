package frontmatter

import (
	"bytes"
	"strings"

	"baton/internal/markdown"
)

// Quote returns the block with quotes around the values that YAML rejects without them, and the
// names of their keys. Nearly always that is a colon in a sentence. Only blocks that YAML rejects
// are looked at, and only values that stand on one line; the sheet itself comes back, with no
// names, where quotes alone do not make the block YAML, or where any value would then be another
// than the one that its line shows.
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
			return s, nil // the lines do not say which of two equal keys has the value
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

// readAlike reports whether YAML reads in another block what the lines of this one show: each text
// under the same key. Lists and block scalars are left to differs, unless quotes made a text of
// them.
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
