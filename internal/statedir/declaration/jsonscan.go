package declaration

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// jsonDepth bounds nesting, as encoding/json does: what is deeper is a broken file and no data.
const jsonDepth = 10_000

// jsonValue is one value of a JSON text with its place in it.
type jsonValue struct {
	kind       byte // '{' '[' '"' '0' 't' 'f' 'n'
	start, end int
}

// jsonMember is one key of the object that a text holds.
type jsonMember struct {
	name  string
	value jsonValue
}

// jsonText is a JSON text as far as a sidecar needs it: its value, and the members when that is an
// object, in the order of the text.
type jsonText struct {
	root    jsonValue
	members []jsonMember
}

// jsonFault says where a text stops being JSON.
type jsonFault struct {
	pos  int
	what string
}

// scanJSON reads the one value that fills src from a position on. It keeps a stack of its own, so
// that no nesting can exhaust that of the program, and accepts what encoding/json accepts.
func scanJSON(src []byte, from int) (jsonText, *jsonFault) {
	s := &jsonScanner{src: src, pos: from}
	fault := s.text()
	return s.found, fault
}

// jsonScanner is where a reading has got to.
type jsonScanner struct {
	src   []byte
	pos   int
	open  []byte // closing marks that are due, the outermost first
	found jsonText
}

// text reads value by value: each round begins where a value must begin.
func (s *jsonScanner) text() *jsonFault {
	for {
		opened, fault := s.begin()
		if fault != nil {
			return fault
		}
		if opened && !s.closes() {
			if fault := s.key(); fault != nil {
				return fault
			}
			continue
		}
		more, fault := s.after()
		if fault != nil || !more {
			return fault
		}
	}
}

// begin reads a value, or the opening mark of one. The value is noted when it is the text's own or
// directly in it.
func (s *jsonScanner) begin() (opened bool, fault *jsonFault) {
	s.blanks()
	value := jsonValue{kind: s.peek(), start: s.pos}
	switch c := value.kind; {
	case c == '{' || c == '[':
		if len(s.open) == jsonDepth {
			return false, s.fault("values are nested too deeply")
		}
		s.pos++
		opened = true
	case c == '"':
		fault = s.quoted()
	case c == '-' || c >= '0' && c <= '9':
		value.kind = '0'
		fault = s.number()
	default:
		fault = s.word()
	}
	if fault != nil {
		return false, fault
	}
	value.end = s.pos
	s.note(value)
	if opened {
		s.open = append(s.open, value.kind+2) // in ASCII both closing marks stand two behind their opening marks
	}
	return opened, nil
}

// note keeps a value that stands at the top or in the object at the top.
func (s *jsonScanner) note(value jsonValue) {
	switch {
	case len(s.open) == 0:
		s.found.root = value
	case len(s.open) == 1 && s.found.root.kind == '{':
		s.found.members[len(s.found.members)-1].value = value
	}
}

// after goes on behind a value that is complete: over the marks that close, to the next value or to
// the end of the text.
func (s *jsonScanner) after() (more bool, fault *jsonFault) {
	for {
		s.blanks()
		if len(s.open) == 0 {
			if s.pos < len(s.src) {
				return false, s.fault("text follows behind the end of the value")
			}
			return false, nil
		}
		if s.peek() == ',' {
			s.pos++
			return true, s.next()
		}
		if !s.closes() {
			return false, s.missing("a comma or a closing " + quotedMark(s.open[len(s.open)-1]))
		}
	}
}

// next stands behind a comma, where another member must come.
func (s *jsonScanner) next() *jsonFault {
	s.blanks()
	if mark := s.open[len(s.open)-1]; s.peek() == mark {
		return s.fault("a comma stands before the closing " + quotedMark(mark))
	}
	return s.key()
}

// closes takes the closing mark that is due, when it comes next.
func (s *jsonScanner) closes() bool {
	s.blanks()
	last := len(s.open) - 1
	if s.peek() != s.open[last] {
		return false
	}
	s.pos++
	s.open = s.open[:last]
	switch {
	case last == 0:
		s.found.root.end = s.pos
	case last == 1 && s.found.root.kind == '{':
		s.found.members[len(s.found.members)-1].value.end = s.pos
	}
	return true
}

// key reads the key of a member with its colon; in a list there is none to read.
func (s *jsonScanner) key() *jsonFault {
	if s.open[len(s.open)-1] != '}' {
		return nil
	}
	s.blanks()
	start := s.pos
	if s.peek() != '"' {
		return s.missing("a key in double quotes")
	}
	if fault := s.quoted(); fault != nil {
		return fault
	}
	if len(s.open) == 1 {
		s.found.members = append(s.found.members, jsonMember{name: decodeText(s.src[start:s.pos])})
	}
	s.blanks()
	if s.peek() != ':' {
		return s.missing("a colon")
	}
	s.pos++
	return nil
}

// quoted reads a text in double quotes.
func (s *jsonScanner) quoted() *jsonFault {
	for i := s.pos + 1; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '"':
			s.pos = i + 1
			return nil
		case c < ' ':
			return &jsonFault{
				i, "a text holds a line end or another control character, which must be written as an escape",
			}
		case c == '\\':
			n := escapeLength(s.src[i:])
			if n == 0 {
				return &jsonFault{i, "a text holds an escape that JSON does not know"}
			}
			i += n - 1
		}
	}
	return s.fault("a text is not closed")
}

// escapeLength gives the length of the escape that a text begins with, 0 for none that JSON knows.
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

// number reads a number in the form that JSON allows.
func (s *jsonScanner) number() *jsonFault {
	start := s.pos
	if s.peek() == '-' {
		s.pos++
	}
	whole := s.digits()
	ok := whole > 0 && (whole == 1 || s.src[s.pos-whole] != '0')
	if s.peek() == '.' {
		s.pos++
		ok = s.digits() > 0 && ok
	}
	if s.peek() == 'e' || s.peek() == 'E' {
		s.pos++
		if s.peek() == '+' || s.peek() == '-' {
			s.pos++
		}
		ok = s.digits() > 0 && ok
	}
	if !ok {
		return &jsonFault{start, "not a number of JSON"}
	}
	return nil
}

// digits goes over decimal digits and gives their number.
func (s *jsonScanner) digits() int {
	start := s.pos
	for s.pos < len(s.src) && s.src[s.pos] >= '0' && s.src[s.pos] <= '9' {
		s.pos++
	}
	return s.pos - start
}

// word reads true, false or null.
func (s *jsonScanner) word() *jsonFault {
	for _, word := range [...]string{"true", "false", "null"} {
		if end := s.pos + len(word); end <= len(s.src) && string(s.src[s.pos:end]) == word {
			s.pos = end
			return nil
		}
	}
	switch s.peek() {
	case '\'':
		return s.fault("texts stand in double quotes, not in single ones")
	case '/', '#':
		return s.fault("JSON has no comments")
	}
	return s.missing("a value")
}

func (s *jsonScanner) blanks() {
	for s.pos < len(s.src) && (s.src[s.pos] == ' ' || s.src[s.pos] == '\n' || s.src[s.pos] == '\t' ||
		s.src[s.pos] == '\r') {
		s.pos++
	}
}

// peek gives the next byte, 0 at the end of the text. NUL begins nothing, so the two need not be
// told apart.
func (s *jsonScanner) peek() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

func (s *jsonScanner) fault(what string) *jsonFault { return &jsonFault{s.pos, what} }

// missing is the fault of a text that goes on with something else than it must, or ends.
func (s *jsonScanner) missing(what string) *jsonFault {
	if s.pos >= len(s.src) {
		return s.fault("the text ends where " + what + " must come")
	}
	return s.fault(what + " is missing")
}

func quotedMark(mark byte) string { return `"` + string(mark) + `"` }

// decodeText gives what a text in double quotes says. Bytes that are not UTF-8 become U+FFFD, as
// programs read them.
func decodeText(raw []byte) string {
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return strings.ToValidUTF8(string(inner), "\uFFFD")
	}
	return text
}
