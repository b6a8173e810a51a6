package agentconfig

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// node is one value of a JSON text with its place.
type node struct {
	kind       byte // '{' '[' '"' 'l', as in value
	start, end int
	text       string // of a string its content, of a literal its spelling
	kids       []kid  // of an object or a list, in text order
	comments   bool   // a comment stands directly inside
	slashes    bool   // the last thing before the closing bracket is a comment that ends with its line
}

// kid is a member of an object or an element of a list.
type kid struct {
	name  string // of a member
	start int    // of the member's key, or of the element
	value node
	comma int // position of the comma behind it, -1 when there is none
}

// end is the end of a kid with its comma.
func (k kid) end() int {
	if k.comma >= 0 {
		return k.comma + 1
	}
	return k.value.end
}

// fault says where a text stops making sense.
type fault struct {
	pos  int
	what string
}

// maxDepth bounds nesting, so that hostile input cannot exhaust the stack.
const maxDepth = 256

// bom is the byte-order mark, which stays where it is.
const bom = "\xef\xbb\xbf"

// reader reads JSON and keeps positions. Numbers are never converted.
type reader struct {
	src     []byte
	pos     int
	relaxed bool // comments and trailing commas are allowed
}

// readJSON reads one value that fills the text. ok is false for a text that holds no value at all: nothing, blanks, or
// where they are allowed comments.
func readJSON(src []byte, relaxed bool) (root node, ok bool, wrong *fault) {
	r := &reader{src: src, relaxed: relaxed}
	if !utf8.Valid(src) {
		return node{}, false, &fault{invalidAt(src), "the text is not UTF-8"}
	}
	if len(src) >= len(bom) && string(src[:len(bom)]) == bom {
		r.pos = len(bom)
	}
	if _, _, wrong := r.skip(); wrong != nil {
		return node{}, false, wrong
	}
	if r.pos == len(src) {
		return node{}, false, nil
	}
	if root, wrong = r.value(0); wrong != nil {
		return node{}, false, wrong
	}
	if _, _, wrong := r.skip(); wrong != nil {
		return node{}, false, wrong
	}
	if r.pos < len(src) {
		return node{}, false, &fault{r.pos, "text stands behind the end of the value"}
	}
	return root, true, nil
}

func invalidAt(src []byte) int {
	pos := 0
	for pos < len(src) {
		r, size := utf8.DecodeRune(src[pos:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		pos += size
	}
	return pos
}

// skip goes over blanks, line ends and comments, and says whether it met comments and whether the last of them ends with
// its line.
func (r *reader) skip() (comments, slashes bool, wrong *fault) {
	for r.pos < len(r.src) {
		switch c := r.src[r.pos]; {
		case blank(c):
			r.pos++
		case c == '/' && !r.relaxed:
			return false, false, &fault{r.pos, "a comment or a stray \"/\", and the program that reads this file takes strict JSON"}
		case c == '/':
			start := r.pos
			if !r.comment() {
				return false, false, &fault{start, "a stray \"/\" or a comment that is not closed"}
			}
			comments, slashes = true, r.src[start+1] == '/'
		default:
			return comments, slashes, nil
		}
	}
	return comments, slashes, nil
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// comment goes over a comment; the line end behind one of a line is not part of it.
func (r *reader) comment() bool {
	if r.pos+1 >= len(r.src) {
		return false
	}
	switch r.src[r.pos+1] {
	case '/':
		for r.pos < len(r.src) && r.src[r.pos] != '\n' && r.src[r.pos] != '\r' {
			r.pos++
		}
		return true
	case '*':
		for i := r.pos + 2; i+1 < len(r.src); i++ {
			if r.src[i] == '*' && r.src[i+1] == '/' {
				r.pos = i + 2
				return true
			}
		}
	}
	return false
}

func (r *reader) value(depth int) (node, *fault) {
	if r.pos >= len(r.src) {
		return node{}, &fault{r.pos, "a value is missing"}
	}
	if depth > maxDepth {
		return node{}, &fault{r.pos, "values are nested too deeply"}
	}
	switch c := r.src[r.pos]; c {
	case '{', '[':
		return r.container(depth)
	case '"':
		return r.text()
	default:
		return r.literal()
	}
}

func (r *reader) container(depth int) (node, *fault) {
	out := node{kind: r.src[r.pos], start: r.pos}
	closing := out.kind + 2
	r.pos++
	for comma := 0; ; {
		comments, slashes, wrong := r.skip()
		if wrong != nil {
			return node{}, wrong
		}
		out.comments = out.comments || comments
		if r.pos >= len(r.src) {
			return node{}, &fault{r.pos, "a closing " + strconv.Quote(string(closing)) + " is missing"}
		}
		if r.src[r.pos] == closing {
			if n := len(out.kids); n > 0 && comma >= 0 && !r.relaxed {
				return node{}, &fault{comma, "a comma stands behind the last value, and the program that reads this file takes strict JSON"}
			}
			r.pos++
			out.slashes, out.end = slashes, r.pos
			return out, nil
		}
		if comma < 0 {
			return node{}, &fault{r.pos, "a comma or a closing " + strconv.Quote(string(closing)) + " is missing"}
		}
		next, met, wrong := r.kid(out.kind == '{', depth)
		if wrong != nil {
			return node{}, wrong
		}
		out.comments = out.comments || met
		comma = next.comma
		out.kids = append(out.kids, next)
	}
}

// kid reads a member or an element with the comma behind it, and says whether comments stand between its parts.
func (r *reader) kid(member bool, depth int) (out kid, comments bool, wrong *fault) {
	out = kid{start: r.pos, comma: -1}
	if member {
		if r.src[r.pos] != '"' {
			return kid{}, false, &fault{r.pos, "a name in double quotes is missing"}
		}
		key, wrong := r.text()
		if wrong != nil {
			return kid{}, false, wrong
		}
		out.name = key.text
		met, _, wrong := r.skip()
		if wrong != nil {
			return kid{}, false, wrong
		}
		if r.pos >= len(r.src) || r.src[r.pos] != ':' {
			return kid{}, false, &fault{r.pos, "a colon is missing"}
		}
		r.pos++
		again, _, wrong := r.skip()
		if wrong != nil {
			return kid{}, false, wrong
		}
		comments = met || again
	}
	if out.value, wrong = r.value(depth + 1); wrong != nil {
		return kid{}, false, wrong
	}
	behind := r.pos
	met, _, wrong := r.skip()
	if wrong != nil {
		return kid{}, false, wrong
	}
	if r.pos < len(r.src) && r.src[r.pos] == ',' {
		out.comma = r.pos
		r.pos++
		return out, comments || met, nil
	}
	r.pos = behind // what stands before the closing bracket is the container's to look at
	return out, comments, nil
}

func (r *reader) text() (node, *fault) {
	start, escaped := r.pos, false
	for i := start + 1; i < len(r.src); i++ {
		switch c := r.src[i]; {
		case c == '\\':
			i++
			escaped = true
		case c == '"':
			r.pos = i + 1
			out := node{kind: '"', start: start, end: r.pos}
			if !escaped {
				out.text = string(r.src[start+1 : i])
			} else if json.Unmarshal(r.src[start:r.pos], &out.text) != nil {
				return node{}, &fault{start, "a text holds an escape that JSON does not know"}
			}
			return out, nil
		case c < ' ':
			return node{}, &fault{i, "a text is not closed on its line, or holds a control character"}
		}
	}
	return node{}, &fault{start, "a text is not closed"}
}

func (r *reader) literal() (node, *fault) {
	start := r.pos
	for r.pos < len(r.src) && literalByte(r.src[r.pos]) {
		r.pos++
	}
	word := r.src[start:r.pos]
	if len(word) == 0 || !json.Valid(word) {
		return node{}, &fault{start, "this is no JSON value"}
	}
	return node{kind: 'l', start: start, end: r.pos, text: string(word)}, nil
}

func literalByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.'
}

// member finds a kid by name; of several the last one counts; -1: none.
func (n node) member(name string) int {
	if n.kind != '{' {
		return -1
	}
	for i := len(n.kids) - 1; i >= 0; i-- {
		if n.kids[i].name == name {
			return i
		}
	}
	return -1
}

// value gives the meaning without the places.
func (n node) value() value {
	out := value{kind: n.kind, text: n.text}
	for _, k := range n.kids {
		if n.kind == '{' {
			out.names = append(out.names, k.name)
		}
		out.items = append(out.items, k.value.value())
	}
	return out
}

// at gives the node that a chain of kids leads to.
func (n node) at(chain []int) node {
	for _, i := range chain {
		n = n.kids[i].value
	}
	return n
}
