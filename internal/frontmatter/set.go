package frontmatter

import (
	"bytes"
	"fmt"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
	"go.yaml.in/yaml/v3"
)

// Set returns src with a new value for a key of its front matter. A new key is added after the
// others. The path "a.b" means key b below a; if a is missing at the top level, it is added too.
// Every other byte stays.
//
// value is a string, bool, int, int64, float64, nil or []string. If the key already has the value,
// Set returns src itself. Errors are *report.Error: Violation "no_front_matter" if there is no
// block, Corrupt "frontmatter_invalid" for broken YAML, Violation "frontmatter_refused" for a key
// or value that cannot be written with certainty (block scalars, block lists, anchors, repeated
// keys). With an error, Set returns src.
func Set(src []byte, key string, value any) ([]byte, error) {
	block, ok := Find(src)
	if !ok {
		return src, &report.Error{
			Kind: report.Violation, Code: report.CodeNoFrontMatter,
			Message: fmt.Sprintf("there is no front matter in which %q could be set", key),
			Hint:    "begin the file with a block between two lines of \"---\"",
		}
	}
	body := block.Body.Of(src)
	root, err := parse(body, 1, report.CodeFrontmatterInvalid)
	if err != nil {
		return src, err
	}
	if root == nil || root.Kind != yaml.MappingNode || root.Style&yaml.FlowStyle != 0 || len(root.Content) == 0 {
		return src, refused(key, 2, "the front matter is not a list of keys")
	}
	e := editor{key: key, value: value, body: index(body), eol: markdown.Parse(src).EOL(block.Body.End)}
	edit, err := e.plan(root, strings.Split(key, "."), len(body))
	if err != nil {
		return src, err
	}
	if string(edit.Span.Of(body)) == string(edit.Text) {
		return src, nil
	}
	changed, err := markdown.Apply(body, edit)
	if err != nil {
		return src, fmt.Errorf("set front matter key %q: %w", key, err)
	}
	if !e.verified(root, changed) {
		return src, refused(key, 2, "the change would alter other values")
	}
	out, err := markdown.Apply(src, markdown.Edit{Span: block.Body, Text: changed})
	if err != nil {
		return src, fmt.Errorf("set front matter key %q: %w", key, err)
	}
	// The new text must not change where the block ends.
	if after, ok := Find(out); !ok || !bytes.Equal(after.Body.Of(out), changed) {
		return src, refused(key, 2, "the change would end the front matter early")
	}
	return out, nil
}

// refused returns the error for a change that is not made.
func refused(key string, line int, why string) error {
	return &report.Error{
		Kind: report.Violation, Code: report.CodeFrontmatterRefused, Line: line,
		Message: fmt.Sprintf("the front matter key %q is not set: %s", key, why), Hint: "change it with an editor",
	}
}

// editor plans one change.
type editor struct {
	key   string
	value any
	body  text
	eol   string
}

// plan finds the edit for the key at path below the mapping m. The text of m ends at end or
// earlier.
func (e *editor) plan(m *yaml.Node, path []string, end int) (markdown.Edit, error) {
	k, v, next, count := find(m, path[0])
	if count > 1 {
		return markdown.Edit{}, refused(e.key, k.Line+1, "the key occurs more than once")
	}
	if count == 0 {
		return e.insert(m, path, end)
	}
	if len(path) == 1 {
		return e.replace(k, v)
	}
	if v.Kind != yaml.MappingNode || v.Style&yaml.FlowStyle != 0 || v.Anchor != "" || len(v.Content) == 0 {
		return markdown.Edit{}, refused(e.key, k.Line+1, fmt.Sprintf("%q has no indented keys below it", path[0]))
	}
	if next != nil {
		if pos, ok := e.body.at(next.Line, 1); ok {
			end = pos
		}
	}
	return e.plan(v, path[1:], end)
}

// find returns the first entry of a mapping with the name, the key after it, and the number of
// entries with the name.
func find(m *yaml.Node, name string) (k, v, next *yaml.Node, count int) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Kind != yaml.ScalarNode || m.Content[i].Value != name {
			continue
		}
		if count++; count > 1 {
			continue
		}
		k, v = m.Content[i], m.Content[i+1]
		if i+2 < len(m.Content) {
			next = m.Content[i+2]
		}
	}
	return k, v, next, count
}

// replace replaces v with the value.
func (e *editor) replace(k, v *yaml.Node) (markdown.Edit, error) {
	span, empty, ok := e.body.value(k, v)
	if !ok {
		return markdown.Edit{}, refused(e.key, k.Line+1, "values of this kind are not replaced")
	}
	word, ok := encode(e.value, v.Style)
	if !ok {
		return markdown.Edit{}, refused(e.key, k.Line+1, fmt.Sprintf("a value of type %T cannot be written", e.value))
	}
	switch {
	case empty && e.value == nil, !empty && same(v, e.value):
		return markdown.Edit{Span: markdown.Span{Start: span.Start, End: span.Start}}, nil
	case empty:
		word = " " + word
	}
	return markdown.Edit{Span: span, Text: []byte(word)}, nil
}

// insert adds the keys of path after the last entry of m.
func (e *editor) insert(m *yaml.Node, path []string, end int) (markdown.Edit, error) {
	first := m.Content[0]
	at, ok := e.body.at(first.Line, first.Column)
	word, good := encode(e.value, 0)
	if !ok || !good {
		return markdown.Edit{}, refused(e.key, first.Line+1, fmt.Sprintf("a value of type %T cannot be written there",
			e.value))
	}
	indent := string(e.body.src[e.body.lineStart(at):at])
	if strings.Trim(indent, " ") != "" {
		return markdown.Edit{}, refused(e.key, first.Line+1, "the keys next to it are not at the start of their lines")
	}
	var b strings.Builder
	for i, name := range path {
		if name == "" {
			return markdown.Edit{}, refused(e.key, first.Line+1, "the key is empty")
		}
		b.WriteString(indent + strings.Repeat("  ", i) + encodeString(name, 0) + ":")
		if i == len(path)-1 {
			b.WriteString(" " + word)
		}
		b.WriteString(e.eol)
	}
	end = e.behindLast(end)
	return markdown.Edit{Span: markdown.Span{Start: end, End: end}, Text: []byte(b.String())}, nil
}

// behindLast moves end back over blank lines and comments, which belong to the next entry.
func (e *editor) behindLast(end int) int {
	if end == len(e.body.src) {
		return end
	}
	for end > 0 {
		start := e.body.lineStart(end - 1)
		line := bytes.TrimSpace(e.body.src[start:end])
		if len(line) > 0 && line[0] != '#' {
			break
		}
		end = start
	}
	return end
}
