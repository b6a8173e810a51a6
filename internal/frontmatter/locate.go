package frontmatter

import (
	"unicode/utf8"

	"baton/internal/markdown"
	"go.yaml.in/yaml/v3"
)

// text finds bytes by the line and column numbers of the YAML library.
type text struct {
	src    []byte
	starts []int // start of every line, by YAML's definition of lines
}

// index finds the starts of lines. For YAML, a lone CR and three Unicode characters also end a
// line.
func index(src []byte) text {
	t := text{src, []int{0}}
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		i += n
		switch r {
		case '\r':
			if i < len(src) && src[i] == '\n' {
				i++
			}
			t.starts = append(t.starts, i)
		case '\n', 0x85, 0x2028, 0x2029:
			t.starts = append(t.starts, i)
		}
	}
	return t
}

// at returns the byte position of a 1-based line and column. Columns count runes.
func (t text) at(line, column int) (int, bool) {
	if line < 1 || line > len(t.starts) || column < 1 {
		return 0, false
	}
	pos := t.starts[line-1]
	for ; column > 1 && pos < len(t.src); column-- {
		_, n := utf8.DecodeRune(t.src[pos:])
		pos += n
	}
	return pos, column == 1
}

// lineEnd returns the end of the line that contains pos, without its line end.
func (t text) lineEnd(pos int) int {
	for ; pos < len(t.src); pos++ {
		if t.src[pos] == '\n' {
			if pos > 0 && t.src[pos-1] == '\r' {
				pos--
			}
			return pos
		}
	}
	return pos
}

// lineStart returns the first byte of the line that contains pos.
func (t text) lineStart(pos int) int {
	for pos > 0 && t.src[pos-1] != '\n' {
		pos--
	}
	return pos
}

// value returns the bytes of the value v of key k. For an empty value, empty is true and span is
// the position after the colon. ok is false if the value cannot be located with certainty: block
// scalars and collections, anchors, aliases, tags.
func (t text) value(k, v *yaml.Node) (span markdown.Span, empty, ok bool) {
	if v.Anchor != "" || v.Kind == yaml.AliasNode || v.Style&yaml.TaggedStyle != 0 {
		return span, false, false
	}
	if v.Kind == yaml.ScalarNode && v.Value == "" && v.Style == 0 {
		span, ok = t.behindColon(k)
		return span, true, ok
	}
	start, ok := t.at(v.Line, v.Column)
	if !ok || start >= len(t.src) {
		return span, false, false
	}
	end := start
	switch {
	case v.Kind != yaml.ScalarNode && v.Style&yaml.FlowStyle != 0:
		end = t.flowEnd(start)
	case v.Kind != yaml.ScalarNode || v.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
	case v.Style&yaml.DoubleQuotedStyle != 0:
		end = t.quotedEnd(start, '"')
	case v.Style&yaml.SingleQuotedStyle != 0:
		end = t.quotedEnd(start, '\'')
	default:
		end = t.plainEnd(start, v.Value)
	}
	return markdown.Span{Start: start, End: end}, false, end > start
}

// behindColon returns the position right after the colon of a plain or quoted key.
func (t text) behindColon(k *yaml.Node) (markdown.Span, bool) {
	pos, ok := t.at(k.Line, k.Column)
	if !ok || pos >= len(t.src) || k.Anchor != "" || k.Style&yaml.TaggedStyle != 0 {
		return markdown.Span{}, false
	}
	switch c := t.src[pos]; c {
	case '"', '\'':
		pos = t.quotedEnd(pos, c)
	default:
		pos = t.plainEnd(pos, k.Value)
	}
	for pos > 0 && pos < len(t.src) && (t.src[pos] == ' ' || t.src[pos] == '\t') {
		pos++
	}
	if pos <= 0 || pos >= len(t.src) || t.src[pos] != ':' {
		return markdown.Span{}, false
	}
	return markdown.Span{Start: pos + 1, End: pos + 1}, true
}

// plainEnd returns the end of a plain scalar. It returns -1 for a scalar over several lines, whose
// value differs from the text in the file.
func (t text) plainEnd(start int, value string) int {
	end := start + len(value)
	if end > len(t.src) || string(t.src[start:end]) != value {
		return -1
	}
	return end
}

// quotedEnd returns the position after the closing quote of a scalar that begins at start, or -1 if
// there is none.
func (t text) quotedEnd(start int, mark byte) int {
	for p := start + 1; p < len(t.src); p++ {
		switch {
		case t.src[p] == '\\' && mark == '"':
			p++
		case t.src[p] != mark:
		case mark == '\'' && p+1 < len(t.src) && t.src[p+1] == mark:
			p++
		default:
			return p + 1
		}
	}
	return -1
}

// flowEnd returns the position after the bracket that closes the one at start, or -1 if there is
// none.
func (t text) flowEnd(start int) int {
	depth := 0
	for p := start; p < len(t.src); p++ {
		switch c := t.src[p]; c {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return p + 1
			}
		case '"', '\'':
			// A quote inside a plain word is an ordinary character.
			if opensQuote(t.src[:p]) {
				if p = t.quotedEnd(p, c) - 1; p < 0 {
					return -1
				}
			}
		case '#':
			if p > 0 && (t.src[p-1] == ' ' || t.src[p-1] == '\t' || t.src[p-1] == '\n') {
				p = t.lineEnd(p) - 1
			}
		}
	}
	return -1
}

// opensQuote reports whether a quote that follows the bytes of before opens a quoted scalar. It
// does after a separator.
func opensQuote(before []byte) bool {
	for i := len(before) - 1; i >= 0; i-- {
		switch before[i] {
		case ' ', '\t', '\n', '\r':
			continue
		case '[', '{', ',', ':', '?':
			return true
		}
		return false
	}
	return false
}
