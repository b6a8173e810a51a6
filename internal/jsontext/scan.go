package jsontext

import "strings"

// blanks skips blanks, line ends and comments. It reports whether there were comments, and whether
// the last one runs to the end of its line.
func (p *parser) blanks() (comments, line bool) {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.pos++
		case c == '/' && p.o.Relaxed:
			end := commentEnd(p.src, p.pos)
			if end < 0 {
				p.fail(p.pos, `a "/" does not begin a comment, or the comment is not closed`)
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

// commentEnd returns the end of the comment that begins at pos, or -1 if there is none. The line
// end after a line comment is not part of it.
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

// text skips a string in double quotes.
func (p *parser) text() {
	for i := p.pos + 1; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '"':
			p.pos = i + 1
			return
		case c < ' ':
			p.fail(i, "a string contains a line end or another control character; write it as an escape")
			return
		case c == '\\':
			n := escapeLength(p.src[i:])
			if n == 0 {
				p.fail(i, "a string contains an escape that JSON does not define")
				return
			}
			i += n - 1
		}
	}
	p.fail(p.pos, "a string is not closed")
}

// escapeLength returns the length of the escape at the start of src, or 0 if JSON does not define
// it.
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

// number skips a number in the form that JSON allows.
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
		p.fail(start, "not a valid JSON number")
	}
}

// digits skips decimal digits and returns their number.
func (p *parser) digits() int {
	start := p.pos
	for digit(p.peek()) {
		p.pos++
	}
	return p.pos - start
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// word skips true, false or null.
func (p *parser) word() {
	for _, word := range [...]string{"true", "false", "null"} {
		if end := p.pos + len(word); end <= len(p.src) && string(p.src[p.pos:end]) == word {
			p.pos = end
			return
		}
	}
	if p.peek() == '\'' {
		p.fail(p.pos, "strings need double quotes, not single ones")
		return
	}
	p.missing("a value")
}
