package declaration

import (
	"strings"

	"baton/internal/statedir"
)

// fits reports whether the placeholders of a name have values that make it a declared name:
// "debug-{what}.md", "{role}-summary.json". A placeholder for the whole stem, such as "*.md", does
// not say which file is meant, so it passes with any ending, like a placeholder alone. A group of
// alternatives is not a placeholder here, because each alternative must pass.
func (c *Contract) fits(name, kind string) bool {
	if splitGroup(name) != nil {
		return false
	}
	parts := literalParts(name)
	if len(parts) == 1 {
		return false
	}
	if kind == statedir.TypeFile && len(parts) == 2 && parts[0] == "" && isEnding(parts[1]) {
		return true
	}
	for _, r := range c.order {
		if r.Type == kind && madeOf(r.Name, parts) {
			return true
		}
	}
	return false
}

// literalParts returns the texts before, between and after the placeholders of a name, one more
// than there are placeholders.
func literalParts(name string) []string {
	parts, from := []string{}, 0
	for i := 0; i < len(name); {
		n := placeholder(name[i:])
		if n == 0 {
			i++
			continue
		}
		parts = append(parts, name[from:i])
		i += n
		from = i
	}
	return append(parts, name[from:])
}

// isEnding reports whether a text is a full stop followed by a file name extension.
func isEnding(text string) bool {
	if len(text) < 2 || text[0] != '.' {
		return false
	}
	for i := 1; i < len(text); i++ {
		if !alphanumeric(text[i]) {
			return false
		}
	}
	return true
}

// madeOf reports whether a name consists of these parts in order, without overlap, and with at
// least one letter between two parts.
func madeOf(name string, parts []string) bool {
	last := len(parts) - 1
	rest, ok := strings.CutPrefix(name, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1:last] {
		if rest == "" {
			return false
		}
		at := strings.Index(rest[1:], part)
		if at < 0 {
			return false
		}
		rest = rest[1+at+len(part):]
	}
	return len(rest) > len(parts[last]) && strings.HasSuffix(rest, parts[last])
}
