package frontmatter

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
	"go.yaml.in/yaml/v3"
)

// Block is the front matter of a file.
type Block struct {
	Span markdown.Span // including both rules and the line end of the second
	Body markdown.Span // the YAML between the rules
}

// Find returns the front matter at the start of src, or after its byte-order mark. The block must
// be closed; markdown.FrontMatterAt has the exact rule.
func Find(src []byte) (Block, bool) {
	block, body, ok := markdown.FrontMatterAt(src)
	return Block{block, body}, ok
}

// Entry is one key of a mapping.
type Entry struct {
	Key   string
	Line  int    // 1-based line of the key
	Value any    // string, int64, float64, Number, bool, nil, []any or Map; dates and other tags are strings
	Text  string // a scalar as written, without quotes, so that "4.10" stays "4.10"; "" for lists and mappings
}

// Map is a mapping whose keys are in the order of the file.
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

// At returns the entry at a path of keys joined by dots. A key whose own name contains dots is
// tried first.
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
// an empty mapping. Line numbers are those of the file. Broken YAML, a root that is not a mapping,
// and repeated keys are Corrupt errors "yaml_invalid" with their line. The caller adds the file's
// name and the line to the message.
func ParseYAML(src []byte) (Map, error) {
	root, err := parse(src, 0, report.CodeYamlInvalid)
	if err != nil {
		return nil, err
	}
	r := reader{}
	return r.root(root)
}

// Number is a number as written: one that a float64 or an int64 would change. "" is one that JSON
// does not have.
type Number string

// ParseYAMLExact is ParseYAML, except that numbers with a fraction or an exponent, and those beyond
// 64 bits, are a Number.
func ParseYAMLExact(src []byte) (Map, error) {
	root, err := parse(src, 0, report.CodeYamlInvalid)
	if err != nil {
		return nil, err
	}
	r := reader{exact: true}
	return r.root(root)
}

// reader converts nodes to values.
type reader struct {
	exact  bool  // returns a Number where a number would change
	budget int   // number of nodes that aliases may still add
	twice  error // error about the first repeated key
}

// maxAliased limits the number of nodes that aliases add.
const maxAliased = 10000

// root reads the top of a document: a mapping, or nothing.
func (r *reader) root(n *yaml.Node) (Map, error) {
	if n == nil || n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, invalid(report.CodeYamlInvalid, n.Line, "it does not consist of keys and values",
			"write it as \"key: value\" lines")
	}
	r.budget = maxAliased
	m := r.mapping(n, "", 0)
	if r.budget < 0 {
		return nil, invalid(report.CodeYamlInvalid, n.Line, "its aliases expand to too many values",
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
			r.twice = invalid(report.CodeYamlInvalid, e.Line, "the key \""+full+"\" occurs a second time",
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
		value := scalar(n)
		if _, whole := value.(int64); r.exact && !whole && isNumber(n) {
			return exactNumber(n.Value, value)
		}
		return value
	}
}

// isNumber reports whether a scalar is a number. The library takes one beyond a float64 for a text.
func isNumber(n *yaml.Node) bool {
	first := n.Value != "" && strings.IndexByte("-0123456789", n.Value[0]) >= 0
	return n.Tag == "!!int" || n.Tag == "!!float" || n.Style == 0 && first && json.Valid([]byte(n.Value))
}

// exactNumber returns a number as written, or in the notation of JSON if YAML has another one.
func exactNumber(text string, value any) Number {
	f, ok := value.(float64)
	switch {
	case json.Valid([]byte(text)):
		return Number(text)
	case !ok || math.IsInf(f, 0) || math.IsNaN(f):
		return ""
	}
	return Number(strconv.FormatFloat(f, 'g', -1, 64))
}

// keyText returns the text of a key. A key that is a list or mapping has no text.
func keyText(n *yaml.Node) string {
	if n.Kind == yaml.AliasNode {
		return keyText(n.Alias)
	}
	return n.Value
}

// invalid returns the error for YAML that cannot be used. The message contains neither file nor
// line.
func invalid(code report.Code, line int, what, hint string) error {
	return &report.Error{Kind: report.Corrupt, Code: code, Line: line, Message: what, Hint: hint}
}
