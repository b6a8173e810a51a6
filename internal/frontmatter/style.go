package frontmatter

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// encode writes the value in the style of the old value as far as possible. empty means that there
// was no old value; then a text that looks like a number gets quotes.
func (c *Change) encode(old string, empty bool) (string, bool) {
	switch v := c.Value.(type) {
	case nil:
		return "null", true
	case int:
		if empty {
			return strconv.Itoa(v), true
		}
		return like(strconv.Itoa(v), old, true), true
	case []string:
		parts := make([]string, len(v))
		for i, s := range v {
			if parts[i] = encodeString(s, 0); c.Quote {
				parts[i] = double(s)
			}
		}
		return "[" + strings.Join(parts, ", ") + "]", true
	case string:
		if c.Quote && empty {
			return double(v), true
		}
		if empty {
			old = ""
		}
		return like(v, old, !empty), true
	}
	return "", false
}

// like writes s in the same quotes as old. numbers means that s may be written without quotes even
// if YAML reads it as a number.
func like(s, old string, numbers bool) string {
	switch {
	case strings.HasPrefix(old, `"`):
		return double(s)
	case strings.HasPrefix(old, "'") && printable(s):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	case bare(s, numbers):
		return s
	}
	return double(s)
}

// double writes s in double quotes. If that requires escapes and single quotes do not, it uses
// single quotes, because simple readers of front matter remove one pair of quotes and know no
// escapes.
func double(s string) string {
	out := quote(s)
	if out != `"`+s+`"` && printable(s) && !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	return out
}

// bare reports whether s can be the value of a key without quotes, both for YAML and for readers
// that only remove quotes at the ends.
func bare(s string, numbers bool) bool {
	if s == "" || strings.ContainsAny(s[:1], "\"'[{") || strings.ContainsAny(s[len(s)-1:], "\"'") || !printable(s) {
		return false
	}
	var doc yaml.Node
	if yaml.Unmarshal([]byte("k: "+s+"\n"), &doc) != nil || len(doc.Content) != 1 {
		return false
	}
	m := doc.Content[0]
	if m.Kind != yaml.MappingNode || len(m.Content) != 2 {
		return false
	}
	v := m.Content[1]
	if v.Kind != yaml.ScalarNode || v.Style != 0 || v.Anchor != "" || v.Value != s || v.Tag == "!!null" {
		return false
	}
	return numbers || isText(v, s)
}
