package agentconfig

import (
	"bytes"
	"unicode/utf8"

	"baton/internal/jsontext"
)

// node is a value of a settings file with its position. Its text is decoded.
type node struct {
	kind       byte // '{' '[' '"' 'l', as in value
	start, end int
	text       string // content of a string, or spelling of a literal
	kids       []kid  // of an object or a list, in text order
	comments   bool   // there is a comment directly inside
	slashes    bool   // the last thing before the closing bracket is a comment that runs to the end of its line
}

// kid is a member of an object or an element of a list.
type kid struct {
	name  string // of a member
	start int    // start of the member's key, or of the element
	value node
	comma int // position of the comma after it, or -1 if there is none
}

// end returns the end of a kid including its comma.
func (k kid) end() int {
	if k.comma >= 0 {
		return k.comma + 1
	}
	return k.value.end
}

// fault is the position at which a text is invalid, and the reason.
type fault struct {
	pos  int
	what string
}

// maxDepth limits nesting, so that hostile input cannot exhaust the stack.
const maxDepth = 256

// bom is the byte-order mark, which is kept.
const bom = "\xef\xbb\xbf"

// readJSON reads a text that consists of one value. ok is false for a text without a value: only
// blanks and, if allowed, comments.
func readJSON(src []byte, relaxed bool) (root node, ok bool, wrong *fault) {
	if !utf8.Valid(src) {
		return node{}, false, &fault{invalidAt(src), "the text is not UTF-8"}
	}
	o := jsontext.Options{Relaxed: relaxed, Depth: maxDepth}
	if bytes.HasPrefix(src, []byte(bom)) {
		o.From = len(bom)
	}
	if jsontext.Empty(src, o) {
		return node{}, false, nil
	}
	read, found := jsontext.Parse(src, o)
	if found != nil {
		return node{}, false, &fault{found.Pos, found.What}
	}
	return nodeOf(read, src), true, nil
}

func nodeOf(n jsontext.Node, src []byte) node {
	out := node{kind: n.Kind, start: n.Span.Start, end: n.Span.End, comments: n.Comments, slashes: n.LineComment}
	switch n.Kind {
	case '{', '[':
		out.kids = make([]kid, 0, len(n.Members)+len(n.Items))
	case '"':
		out.text, _ = n.Text(src) // the reader has checked the escapes
	default:
		out.kind, out.text = 'l', string(n.Span.Of(src))
	}
	for _, m := range n.Members {
		out.kids = append(out.kids, kid{m.Name, m.Key.Start, nodeOf(m.Value, src), m.Value.Comma})
	}
	for _, item := range n.Items {
		out.kids = append(out.kids, kid{"", item.Span.Start, nodeOf(item, src), item.Comma})
	}
	return out
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

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// member returns the index of the kid with a name, or -1. Of several, the last one counts.
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

// value returns the value without positions.
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

// at returns the node to which a path of kids leads.
func (n node) at(chain []int) node {
	for _, i := range chain {
		n = n.kids[i].value
	}
	return n
}
