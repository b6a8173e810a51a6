package frontmatter

import (
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
	"go.yaml.in/yaml/v3"
)

// Block is the front matter of a file.
type Block struct {
	Span markdown.Span // with both rules and the terminator of the second
	Body markdown.Span // the YAML between the rules
}

// Find returns the front matter at the very first byte of src, or behind its byte-order mark. It
// must be closed; markdown.FrontMatterAt has the exact rule.
func Find(src []byte) (Block, bool) {
	block, body, ok := markdown.FrontMatterAt(src)
	return Block{block, body}, ok
}

// Entry is one key of a mapping.
type Entry struct {
	Key   string
	Line  int    // 1-based line of the key
	Value any    // string, int64, float64, bool, nil, []any or Map; dates and other tags are strings
	Text  string // a scalar as written, without quotes: "4.10" stays "4.10"; "" for lists and mappings
}

// Map is a mapping with its keys in the order of the file.
type Map []Entry

// Get returns the first entry with the key.
func (m Map) Get(key string) (Entry, bool) {
	for _, e := range m {
		if e.Key == key {
			return e, true
		}
	}
	return Entry{}, false
}

// At returns the entry at a path of keys joined by dots. A key that holds dots itself is found by
// its full name first.
func (m Map) At(path string) (Entry, bool) {
	if e, ok := m.Get(path); ok {
		return e, true
	}
	for i := range path {
		if path[i] != '.' {
			continue
		}
		if e, ok := m.Get(path[:i]); ok {
			if sub, isMap := e.Value.(Map); isMap {
				return sub.At(path[i+1:])
			}
		}
	}
	return Entry{}, false
}

// ParseYAML reads a whole YAML file that is a mapping, such as config.yaml (D27). An empty file is
// an empty mapping. Lines are those of the file. Broken YAML, another root than a mapping, and a
// key that stands twice are Corrupt errors "yaml_invalid" with their line; the caller puts the
// file's name and the line before the sentence.
func ParseYAML(src []byte) (Map, error) {
	root, err := parse(src, 0, report.CodeYamlInvalid)
	if err != nil {
		return nil, err
	}
	r := reader{}
	return r.root(root)
}

// reader turns nodes into values.
type reader struct {
	budget int   // nodes that aliases may still bring in
	twice  error // the first key that stands twice in its mapping
}

// maxAliased bounds the values that aliases multiply.
const maxAliased = 10000

// root reads the top of a document: a mapping, or nothing.
func (r *reader) root(n *yaml.Node) (Map, error) {
	if n == nil || n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, invalid(report.CodeYamlInvalid, n.Line, "it does not hold keys and values",
			"write it as \"key: value\" lines")
	}
	r.budget = maxAliased
	m := r.mapping(n, "", 0)
	if r.budget < 0 {
		return nil, invalid(report.CodeYamlInvalid, n.Line, "its aliases multiply to too many values",
			"write the values out")
	}
	return m, r.twice
}

func (r *reader) mapping(n *yaml.Node, path string, aliased int) Map {
	m := make(Map, 0, len(n.Content)/2)
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		e := Entry{Key: keyText(k), Line: k.Line}
		full := strings.TrimPrefix(path+"."+e.Key, ".")
		if seen[e.Key] && aliased == 0 && r.twice == nil {
			r.twice = invalid(report.CodeYamlInvalid, e.Line, "the key \""+full+"\" stands there a second time",
				"remove one of the two")
		}
		seen[e.Key] = true
		e.Value = r.value(v, full, aliased)
		if v.Kind == yaml.ScalarNode {
			e.Text = v.Value
		}
		m = append(m, e)
	}
	return m
}

func (r *reader) value(n *yaml.Node, path string, aliased int) any {
	if aliased > 0 {
		if r.budget--; r.budget < 0 || aliased > 100 {
			r.budget = -1
			return nil
		}
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.value(n.Alias, path, aliased+1)
	case yaml.MappingNode:
		return r.mapping(n, path, aliased)
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, c := range n.Content {
			list = append(list, r.value(c, path, aliased))
		}
		return list
	default:
		return scalar(n)
	}
}

// keyText returns the text of a key. A key that is itself a list or mapping has none.
func keyText(n *yaml.Node) string {
	if n.Kind == yaml.AliasNode {
		return keyText(n.Alias)
	}
	return n.Value
}

// invalid makes the error for YAML that cannot be used. Its sentence names neither file nor line.
func invalid(code report.Code, line int, what, hint string) error {
	return &report.Error{Kind: report.Corrupt, Code: code, Line: line, Message: what, Hint: hint}
}
