package jsontext

import "strings"

// blanks goes over blanks, line ends and comments. It reports whether there were comments, and
// whether the last of them ends with its line.
func (p *parser) blanks() (comments, line bool) {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.pos++
		case c == '/' && p.o.Relaxed:
			end := commentEnd(p.src, p.pos)
			if end < 0 {
				p.fail(p.pos, `a "/" begins no comment, or the comment is not closed`)
				return comments, line
			}
			comments, line = true, p.src[p.pos+1] == '/'
			p.pos = end
		case c == '/' || c == '#':
			p.fail(p.pos, "JSON has no comments")
		default:
			return comments, line
		}
	}
	return comments, line
}

// commentEnd returns the end of the comment that begins at pos, before the end of its line, or -1
// when there is none.
func commentEnd(src []byte, pos int) int {
	if pos+1 >= len(src) || src[pos] != '/' {
		return -1
	}
	switch src[pos+1] {
	case '/':
		for pos < len(src) && src[pos] != '\n' && src[pos] != '\r' {
			pos++
		}
		return pos
	case '*':
		for i := pos + 2; i+1 < len(src); i++ {
			if src[i] == '*' && src[i+1] == '/' {
				return i + 2
			}
		}
	}
	return -1
}

// text goes over a text in double quotes.
func (p *parser) text() {
	for i := p.pos + 1; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '"':
			p.pos = i + 1
			return
		case c < ' ':
			p.fail(i, "a text holds a line end or another control character, which must be written as an escape")
			return
		case c == '\\':
			n := escapeLength(p.src[i:])
			if n == 0 {
				p.fail(i, "a text holds an escape that JSON does not know")
				return
			}
			i += n - 1
		}
	}
	p.fail(p.pos, "a text is not closed")
}

// escapeLength returns the length of the escape that a text begins with, 0 for none that JSON
// knows.
func escapeLength(src []byte) int {
	if len(src) < 2 {
		return 0
	}
	switch src[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		for i := 2; i < 6; i++ {
			if i >= len(src) || !strings.ContainsRune("0123456789abcdefABCDEF", rune(src[i])) {
				return 0
			}
		}
		return 6
	}
	return 0
}

// number goes over a number in the form that JSON allows.
func (p *parser) number() {
	start := p.pos
	if p.peek() == '-' {
		p.pos++
	}
	whole := p.digits()
	ok := whole > 0 && (whole == 1 || p.src[p.pos-whole] != '0')
	if p.peek() == '.' {
		p.pos++
		ok = p.digits() > 0 && ok
	}
	if p.peek() == 'e' || p.peek() == 'E' {
		p.pos++
		if p.peek() == '+' || p.peek() == '-' {
			p.pos++
		}
		ok = p.digits() > 0 && ok
	}
	if !ok {
		p.fail(start, "not a number of JSON")
	}
}

// digits goes over decimal digits and returns how many they are.
func (p *parser) digits() int {
	start := p.pos
	for digit(p.peek()) {
		p.pos++
	}
	return p.pos - start
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// word goes over true, false or null.
func (p *parser) word() {
	for _, word := range [...]string{"true", "false", "null"} {
		if end := p.pos + len(word); end <= len(p.src) && string(p.src[p.pos:end]) == word {
			p.pos = end
			return
		}
	}
	if p.peek() == '\'' {
		p.fail(p.pos, "texts are in double quotes, not in single ones")
		return
	}
	p.missing("a value")
}
