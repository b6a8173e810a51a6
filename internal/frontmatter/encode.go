package frontmatter

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// encode writes a value in the style of the value that it replaces. It accepts string, bool, int,
// int64, float64, nil and []string; for all other types it returns false.
func encode(value any, style yaml.Style) (string, bool) {
	switch v := value.(type) {
	case nil:
		return "null", true
	case bool:
		return strconv.FormatBool(v), true
	case int:
		return strconv.Itoa(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "", false
		}
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text, true
	case string:
		return encodeString(v, style), true
	case []string:
		parts := make([]string, len(v))
		for i, s := range v {
			parts[i] = encodeString(s, 0)
		}
		return "[" + strings.Join(parts, ", ") + "]", true
	}
	return "", false
}

// encodeString writes s in the same kind of quotes as the old value, if s can be written in them.
func encodeString(s string, style yaml.Style) string {
	switch {
	case style&yaml.DoubleQuotedStyle != 0:
	case style&yaml.SingleQuotedStyle != 0 && printable(s):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	case plain(s):
		return s
	}
	return quote(s)
}

// plain reports whether s can be written without quotes and still be read as the same string. It is
// stricter than YAML: it allows letters, digits and a few marks that have no meaning anywhere, not
// even inside brackets.
func plain(s string) bool {
	if s == "" || s[len(s)-1] == ' ' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c == '_', c == '/':
		case i > 0 && strings.IndexByte(" .-+()", c) >= 0:
		default:
			return false
		}
	}
	// A text that looks like a number, a boolean or null needs quotes to stay a string.
	var n yaml.Node
	return yaml.Unmarshal([]byte(s), &n) == nil && len(n.Content) == 1 && isText(n.Content[0], s)
}

// isText reports whether YAML reads the node as the string s. A date counts, because this package
// returns dates as they are written.
func isText(n *yaml.Node, s string) bool {
	return n.Kind == yaml.ScalarNode && (n.Tag == "!!str" || n.Tag == "!!timestamp") && n.Value == s
}

// printable reports whether s can be written in single quotes: it has no character that needs an
// escape, and no line end.
func printable(s string) bool {
	for _, r := range s {
		if !literal(r) {
			return false
		}
	}
	return true
}

// literal reports whether r can be written in quotes without an escape. Control characters and
// YAML's unusual line ends cannot.
func literal(r rune) bool {
	return r >= 0x20 && r < 0x7f || r >= 0xa0 && r != 0x2028 && r != 0x2029 && r != 0xfeff && r != 0xfffd &&
		r != 0xfffe && r != 0xffff
}

// quote writes s in double quotes.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case literal(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
