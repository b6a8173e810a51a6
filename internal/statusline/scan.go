package statusline

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// deepest is how many levels of objects and lists are followed; no agent's object comes near.
const deepest = 100

// scalars calls visit for every text, number and literal of a JSON object that is not in a list,
// with its keys joined by dots and the value as written. It tells whether data is one JSON object.
// The library for JSON is not used because getting ready for the first object takes it longer than
// all the rest of the line (D31).
func scalars(data []byte, visit func(path string, value []byte)) bool {
	s := scanner{data: data, visit: visit}
	s.blanks()
	if s.peek() != '{' || !s.object("", 0) {
		return false
	}
	s.blanks()
	return s.pos == len(s.data)
}

// scanner stands at a byte of a JSON text.
type scanner struct {
	data  []byte
	pos   int
	visit func(path string, value []byte)
	lists int // how many lists are open: what is in them is checked and not shown
}

// peek is the byte at hand, 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

func (s *scanner) take(c byte) bool {
	if s.peek() != c || s.pos == len(s.data) {
		return false
	}
	s.pos++
	return true
}

func (s *scanner) blanks() {
	for s.pos < len(s.data) && bytes.IndexByte([]byte(" \t\r\n"), s.data[s.pos]) >= 0 {
		s.pos++
	}
}

func (s *scanner) value(path string, depth int) bool {
	if depth > deepest {
		return false
	}
	start, ok := s.pos, false
	switch c := s.peek(); {
	case c == '{':
		return s.object(path, depth)
	case c == '[':
		return s.list(path, depth)
	case c == '"':
		ok = s.text()
	case c == '-' || isDigit(c):
		ok = s.number()
	default:
		for _, word := range [...]string{"true", "false", "null"} {
			if bytes.HasPrefix(s.data[s.pos:], []byte(word)) {
				s.pos += len(word)
				ok = true
				break
			}
		}
	}
	if ok && s.lists == 0 {
		s.visit(path, s.data[start:s.pos])
	}
	return ok
}

func (s *scanner) object(path string, depth int) bool {
	s.pos++
	s.blanks()
	if s.take('}') {
		return true
	}
	for {
		s.blanks()
		start := s.pos
		if !s.text() {
			return false
		}
		key := path
		if s.lists == 0 {
			if key != "" {
				key += "."
			}
			key += unescape(s.data[start:s.pos])
		}
		s.blanks()
		if !s.take(':') {
			return false
		}
		s.blanks()
		if !s.value(key, depth+1) {
			return false
		}
		s.blanks()
		if s.take('}') {
			return true
		}
		if !s.take(',') {
			return false
		}
	}
}

func (s *scanner) list(path string, depth int) bool {
	s.pos++
	s.lists++
	defer func() { s.lists-- }()
	s.blanks()
	if s.take(']') {
		return true
	}
	for {
		s.blanks()
		if !s.value(path, depth+1) {
			return false
		}
		s.blanks()
		if s.take(']') {
			return true
		}
		if !s.take(',') {
			return false
		}
	}
}

// text passes over a text with its quotes.
func (s *scanner) text() bool {
	if !s.take('"') {
		return false
	}
	for s.pos < len(s.data) {
		c := s.data[s.pos]
		s.pos++
		switch {
		case c == '"':
			return true
		case c < 0x20:
			return false
		case c == '\\' && !s.escape():
			return false
		}
	}
	return false
}

// escape passes over what follows a backslash.
func (s *scanner) escape() bool {
	c := s.peek()
	s.pos++
	if c != 'u' {
		return c != 0 && bytes.IndexByte([]byte(`"\/bfnrt`), c) >= 0
	}
	if len(s.data)-s.pos < 4 {
		return false
	}
	_, err := strconv.ParseUint(string(s.data[s.pos:s.pos+4]), 16, 32)
	s.pos += 4
	return err == nil
}

// number passes over a number as JSON writes them.
func (s *scanner) number() bool {
	s.take('-')
	if !s.take('0') && !s.digits() {
		return false
	}
	if s.take('.') && !s.digits() {
		return false
	}
	if s.take('e') || s.take('E') {
		if !s.take('+') {
			s.take('-')
		}
		return s.digits()
	}
	return true
}

func (s *scanner) digits() bool {
	start := s.pos
	for isDigit(s.peek()) {
		s.pos++
	}
	return s.pos > start
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// unescape gives what a checked text with its quotes means.
func unescape(raw []byte) string {
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			continue
		}
		i++
		if raw[i] != 'u' {
			if at := bytes.IndexByte([]byte("bfnrt"), raw[i]); at >= 0 {
				out = append(out, "\b\f\n\r\t"[at])
			} else {
				out = append(out, raw[i])
			}
			continue
		}
		r := hexRune(raw[i+1:])
		i += 4
		if utf16.IsSurrogate(r) {
			pair := utf8.RuneError
			if len(raw)-i > 6 && raw[i+1] == '\\' && raw[i+2] == 'u' {
				pair = utf16.DecodeRune(r, hexRune(raw[i+3:]))
			}
			if r = pair; r != utf8.RuneError {
				i += 6
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

func hexRune(digits []byte) rune {
	n, _ := strconv.ParseUint(string(digits[:4]), 16, 32)
	return rune(n)
}
