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

// Find gives the front matter at the very first byte of src, or behind its byte-order mark. It must be closed;
// markdown.FrontMatterAt has the exact rule.
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

// Get gives the first entry with the key.
func (m Map) Get(key string) (Entry, bool) {
	for _, e := range m {
		if e.Key == key {
			return e, true
		}
	}
	return Entry{}, false
}

// At gives the entry at a path of keys joined by dots. A key that holds dots itself is found by its full name first.
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

// Duplicate is a key that a mapping holds more than once.
type Duplicate struct {
	Key  string // path of keys joined by dots
	Line int    // 1-based line of the repetition
}

// Values is what a block of front matter holds.
type Values struct {
	Map
	Duplicates []Duplicate // in the order of the file
}

// Read reads the body of a block that Find found. Lines are those of the file: the body begins on line 2. The
// library accepts a key twice; here every repetition is listed. Broken YAML, or a body that is no mapping, is a
// Corrupt error "frontmatter_invalid" with its line. The error's sentence does not know the file: the caller puts the
// name before it.
func Read(body []byte) (Values, error) {
	root, err := parse(body, 1, "frontmatter_invalid")
	if err != nil {
		return Values{}, err
	}
	r := reader{shift: 1}
	m, err := r.root(root, "frontmatter_invalid")
	return Values{m, r.duplicates}, err
}

// ParseYAML reads a whole YAML file that is a mapping, such as config.yaml (D27). An empty file is an empty mapping.
// Lines are those of the file. Broken YAML, another root than a mapping, and a key that stands twice are Corrupt
// errors "yaml_invalid" with their line; the caller puts the file's name before the sentence.
func ParseYAML(src []byte) (Map, error) {
	root, err := parse(src, 0, "yaml_invalid")
	if err != nil {
		return nil, err
	}
	r := reader{}
	m, err := r.root(root, "yaml_invalid")
	if err != nil {
		return nil, err
	}
	if len(r.duplicates) > 0 {
		d := r.duplicates[0]
		return nil, invalid("yaml_invalid", d.Line, "the key \""+d.Key+"\" stands there a second time", "Remove one of the two.")
	}
	return m, nil
}

// reader turns nodes into values.
type reader struct {
	shift      int // lines before the YAML's first
	budget     int // nodes that aliases may still bring in
	duplicates []Duplicate
}

// maxAliased bounds the values that aliases multiply.
const maxAliased = 10000

// root reads the top of a document: a mapping, or nothing.
func (r *reader) root(n *yaml.Node, code string) (Map, error) {
	if n == nil || n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, invalid(code, n.Line+r.shift, "it does not hold keys and values", "Write it as \"key: value\" lines.")
	}
	r.budget = maxAliased
	m := r.mapping(n, "", 0)
	if r.budget < 0 {
		return nil, invalid(code, n.Line+r.shift, "its aliases multiply to too many values", "Write the values out.")
	}
	return m, nil
}

func (r *reader) mapping(n *yaml.Node, path string, aliased int) Map {
	m := make(Map, 0, len(n.Content)/2)
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		e := Entry{Key: keyText(k), Line: k.Line + r.shift}
		full := strings.TrimPrefix(path+"."+e.Key, ".")
		if seen[e.Key] && aliased == 0 {
			r.duplicates = append(r.duplicates, Duplicate{full, e.Line})
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

// keyText gives the text of a key. A key that is itself a list or mapping has none.
func keyText(n *yaml.Node) string {
	if n.Kind == yaml.AliasNode {
		return keyText(n.Alias)
	}
	return n.Value
}

// invalid makes the error for YAML that cannot be used.
func invalid(code string, line int, what, hint string) error {
	return &report.Error{Kind: report.Corrupt, Code: code, Line: line, Message: lineText(line) + what + ".", Hint: hint}
}
