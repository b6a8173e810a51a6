package frontmatter

import (
	"bytes"
	"strings"

	"baton/internal/markdown"
)

// key is one key, found by looking at the lines and not by parsing YAML.
type key struct {
	path   string        // names joined by dots
	parent int           // index of the key that contains it, or -1 at the top level
	number int           // 0-based line
	indent int           // blanks before the name, in bytes
	line   markdown.Span // the line with its line end
	colon  int           // position after the colon
	value  markdown.Span // value on this line, without blanks and comment; empty, at the colon, if there is none
	end    int           // end of the last line of the value; keys below this one do not count
	list   bool          // items begin with dashes on the lines below
}

// scanner goes through the lines of a block and finds its keys.
type scanner struct {
	body    []byte
	lenient bool
	keys    []key
	apart   bool // a blank line or a comment follows the last line of the last key
}

// scan finds the keys of a block. If lenient is set, every line that looks like a key is one, even
// where YAML would read it as the rest of another value. lenient is for blocks that YAML rejects
// (GSD-58).
func scan(body []byte, lenient bool) []key {
	s := scanner{body: body, lenient: lenient}
	number := 0
	for pos := 0; pos < len(body); number++ {
		next := len(body)
		if n := bytes.IndexByte(body[pos:], '\n'); n >= 0 {
			next = pos + n + 1
		}
		s.line(number, markdown.Span{Start: pos, End: next})
		pos = next
	}
	return s.keys
}

// line handles one line: a comment, the rest of the value above, or a key.
func (s *scanner) line(number int, line markdown.Span) {
	text := bytes.TrimRight(line.Of(s.body), "\r\n")
	indent := len(text) - len(bytes.TrimLeft(text, " \t"))
	text = text[indent:]
	open := len(s.keys) - 1
	rest := open >= 0 && s.continues(&s.keys[open], indent)
	switch {
	case len(text) == 0, text[0] == '#' && !rest:
		s.apart = true
		return
	case rest && (!s.lenient || s.unclosed(&s.keys[open])):
		s.keys[open].end = line.End
		return
	}
	name, colon, ok := keyAt(text, s.lenient)
	if !ok {
		if open >= 0 && text[0] != '#' && (!s.lenient || s.belongs(&s.keys[open], text, indent)) {
			s.keys[open].end = line.End
			s.keys[open].list = s.keys[open].list || text[0] == '-' && s.keys[open].value.Len() == 0
		}
		return
	}
	k := key{
		path: name, parent: -1, number: number, indent: indent, line: line, colon: line.Start + indent + colon,
		end: line.End,
	}
	for p := open; p >= 0; p = s.keys[p].parent {
		if s.keys[p].indent < indent && s.keys[p].value.Len() == 0 && !s.keys[p].list {
			k.parent, k.path = p, s.keys[p].path+"."+name
			break
		}
	}
	k.value = valueAt(s.body, k.colon, line.Start+indent+len(text))
	s.keys = append(s.keys, k)
	s.apart = false
}

// belongs reports whether a line without a key is certainly part of the value of k, in a block that
// YAML rejects. That is so if the line is indented deeper and directly below k, or is an item of a
// list below a key without a value. Any other line may be a person's note, so it belongs to no key.
func (s *scanner) belongs(k *key, text []byte, indent int) bool {
	if text[0] == '-' && (len(text) == 1 || text[1] == ' ') && k.value.Len() == 0 && indent >= k.indent {
		return !s.apart
	}
	return indent > k.indent && !s.apart
}

// continues reports whether a line with this indentation continues the value of k.
func (s *scanner) continues(k *key, indent int) bool {
	switch {
	case s.unclosed(k):
		return true
	case indent <= k.indent:
		return false
	}
	return k.value.Len() > 0 || k.list
}

// unclosed reports whether the quotes or brackets of k's value are still open at the end of its
// last line.
func (s *scanner) unclosed(k *key) bool {
	if k.value.Len() == 0 {
		return false
	}
	switch s.body[k.value.Start] {
	case '"', '\'', '[', '{':
		// In a block that YAML rejects, a quote that is never closed must not swallow the rest.
		return !s.lenient && closing(s.body[k.value.Start:k.end]) < 0
	}
	return false
}

// closing returns the position after the quote or bracket that closes the one at the start of b, or
// -1 if there is none.
func closing(b []byte) int {
	if b[0] == '"' || b[0] == '\'' {
		return text{src: b}.quotedEnd(0, b[0])
	}
	depth := 0
	for p := 0; p < len(b); p++ {
		switch c := b[p]; c {
		case '"', '\'':
			if !strings.ContainsRune("[{,: \t\n", rune(b[p-1])) {
				continue // an apostrophe inside a word
			}
			end := text{src: b}.quotedEnd(p, c)
			if end < 0 {
				return -1
			}
			p = end - 1
		case '#':
			if p > 0 && (b[p-1] == ' ' || b[p-1] == '\t' || b[p-1] == '\n') {
				n := bytes.IndexByte(b[p:], '\n')
				if n < 0 {
					return -1
				}
				p += n
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return p + 1
			}
		}
	}
	return -1
}

// valueAt returns the value between the colon and the end of the line, without a comment after it.
func valueAt(body []byte, colon, end int) markdown.Span {
	start := colon
	for start < end && (body[start] == ' ' || body[start] == '\t') {
		start++
	}
	if start == end || body[start] == '#' && start > colon {
		return markdown.Span{Start: colon, End: colon}
	}
	from := start
	switch body[start] {
	case '"', '\'', '[', '{':
		if n := closing(body[start:end]); n > 0 {
			from = start + n
		}
	}
	stop := end
	for p := from; p < end; p++ {
		if body[p] == '#' && (body[p-1] == ' ' || body[p-1] == '\t') {
			stop = p
			break
		}
	}
	for stop > start && (body[stop-1] == ' ' || body[stop-1] == '\t') {
		stop--
	}
	return markdown.Span{Start: start, End: stop}
}

// keyAt finds the key at the start of text, and the position after its colon.
func keyAt(text []byte, lenient bool) (name string, colon int, ok bool) {
	switch c := text[0]; {
	case !lenient && (c == '"' || c == '\''):
		end := closing(text)
		if end < 0 {
			return "", 0, false
		}
		name = string(text[1 : end-1])
		for end < len(text) && (text[end] == ' ' || text[end] == '\t') {
			end++
		}
		if end == len(text) || text[end] != ':' {
			return "", 0, false
		}
		colon = end
	case c == '-' && len(text) > 1 && text[1] != ' ' || word(c) || !lenient && strings.IndexByte("-?:,[]{}#&*!|>'\"%@`",
		c) < 0:
		for colon = 0; ; {
			n := bytes.IndexByte(text[colon:], ':')
			if n < 0 {
				return "", 0, false
			}
			colon += n
			if colon+1 == len(text) || text[colon+1] == ' ' || text[colon+1] == '\t' {
				break
			}
			colon++
		}
		name = string(bytes.TrimRight(text[:colon], " \t"))
		for i := 0; lenient && i < len(name); i++ {
			if !word(name[i]) {
				return "", 0, false
			}
		}
	default:
		return "", 0, false
	}
	if colon+1 < len(text) && text[colon+1] != ' ' && text[colon+1] != '\t' {
		return "", 0, false
	}
	return name, colon + 1, true
}

// word reports whether c may be part of a key in the schemas that are edited here.
func word(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}
