package declaration

import "strings"

// anyCharacter is the meaning of a full stop in ECMAScript without flags: it excludes four
// characters, whereas package regexp excludes only LF (4.1).
const anyCharacter = `[^\n\r\x{2028}\x{2029}]`

// translate converts a pattern, an ECMAScript expression without flags, into an expression of
// package regexp with the same meaning. Elements that the two read differently are rewritten or
// refused, so that a project's contract has one meaning for every program.
func translate(pattern string) (re2, what, hint string) {
	if !anchored(pattern) {
		return "", "the pattern does not begin with ^ and end with $",
			"a pattern describes the whole name: ^plan-[a-z]+\\.md$"
	}
	t := dialect{src: pattern}
	for t.at < len(t.src) && t.what == "" {
		t.step()
	}
	if t.what == "" && t.class {
		t.refuse("the pattern has a [ without its ]", `write a literal bracket as \[`)
	}
	return t.out.String(), t.what, t.hint
}

// anchored reports whether a pattern begins with ^ and ends with an unescaped $.
func anchored(p string) bool {
	if len(p) < 2 || p[0] != '^' || p[len(p)-1] != '$' {
		return false
	}
	body := p[:len(p)-1]
	return (len(body)-len(strings.TrimRight(body, `\`)))%2 == 0
}

// dialect is the state of a translation.
type dialect struct {
	src   string
	at    int // next byte
	out   strings.Builder
	class bool // inside [ ]
	depth int  // open brackets
	what  string
	hint  string
}

func (t *dialect) refuse(what, hint string) { t.what, t.hint = what, hint }

// step translates one element.
func (t *dialect) step() {
	switch b := t.src[t.at]; {
	case b == '\\':
		t.escape()
		return
	case t.class:
		t.inClass(b)
	case b == '.':
		t.out.WriteString(anyCharacter)
	case b == '[':
		t.openClass()
	case b == '(':
		t.group()
	case b == '|' && t.depth == 0:
		t.refuse("only some of the pattern's alternatives are tied to ^ and $",
			"put the alternatives in brackets: ^(?:a|b)$")
	default:
		if b == ')' {
			t.depth--
		}
		t.out.WriteByte(b)
	}
	t.at++
}

// inClass copies a character of a class. A [ is escaped, because package regexp would read it as
// the start of a named class.
func (t *dialect) inClass(b byte) {
	switch b {
	case ']':
		t.class = false
		t.out.WriteByte(b)
	case '[':
		t.out.WriteString(`\[`)
	default:
		t.out.WriteByte(b)
	}
}

// openClass begins a class. An empty class matches nothing or everything in ECMAScript, whereas
// other programs read it as a class with ].
func (t *dialect) openClass() {
	rest := strings.TrimPrefix(t.src[t.at+1:], "^")
	if strings.HasPrefix(rest, "]") {
		t.refuse("the pattern has an empty class", `write a literal bracket as \]`)
		return
	}
	t.class = true
	t.out.WriteByte('[')
	if len(rest) < len(t.src)-t.at-1 {
		t.out.WriteByte('^')
		t.at++
	}
}

// group begins a plain or a non-capturing group.
func (t *dialect) group() {
	rest := t.src[t.at+1:]
	if strings.HasPrefix(rest, "?") && !strings.HasPrefix(rest, "?:") {
		t.refuse("the pattern uses lookaround, a named group or a flag, which is not supported",
			"use plain groups: ( ) or (?: )")
		return
	}
	t.depth++
	t.out.WriteByte('(')
}

// escape translates a backslash and the character after it: the ASCII classes, and escaped marks.
func (t *dialect) escape() {
	if t.at+1 == len(t.src) {
		t.refuse("the pattern ends with a backslash", `write a literal backslash as \\`)
		return
	}
	b := t.src[t.at+1]
	letter := b|0x20 >= 'a' && b|0x20 <= 'z'
	switch {
	case strings.IndexByte("dDwWtnrfv", b) >= 0, !letter && (b < '0' || b > '9') && b != '_' && b < 0x80:
		t.out.WriteString(t.src[t.at : t.at+2])
	default:
		t.refuse(`the pattern contains an escape that is not supported`,
			`only \d, \D, \w, \W, \t, \n, \r, \f, \v and escaped marks are`)
	}
	t.at += 2
}
