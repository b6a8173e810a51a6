package jsonedit

import (
	"encoding/json"
	"strconv"

	"baton/internal/markdown"
)

// Node is one value of a JSON text with its place in it.
type Node struct {
	Kind    byte          // '{' '[' '"' '0' 't' 'f' 'n'
	Span    markdown.Span // the value's bytes
	Members []Member      // of an object, in text order
	Items   []Node        // of an array
}

// Member is one key of an object.
type Member struct {
	Name  string
	Key   markdown.Span // the key with its quotes
	Value Node
	comma int // position of the comma behind the value, -1 when there is none
}

// Error says where a JSON text stops making sense.
type Error struct {
	Pos  int
	What string
}

// maxDepth bounds nesting, so that hostile input cannot exhaust the stack.
const maxDepth = 256

// scanner reads JSON and keeps positions. Comments and trailing commas are tolerated (TS-35);
// numbers are never converted, so that large integers stay as written.
type scanner struct {
	src []byte
	pos int
}

// Scan reads one value that fills the text.
func Scan(src []byte) (Node, *Error) {
	scan := &scanner{src: src}
	node, err := scan.value(0)
	if err != nil {
		return Node{}, err
	}
	if err := scan.skip(); err != nil {
		return Node{}, err
	}
	if scan.pos < len(src) {
		return Node{}, &Error{scan.pos, "text after the end of the JSON value"}
	}
	return node, nil
}

// skip goes over blanks, line ends and comments.
func (scan *scanner) skip() *Error {
	for scan.pos < len(scan.src) {
		switch c := scan.src[scan.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			scan.pos++
		case c == '/':
			end := commentEnd(scan.src, scan.pos)
			if end < 0 {
				return &Error{scan.pos, "a stray \"/\" or a comment that is not closed"}
			}
			scan.pos = end
		default:
			return nil
		}
	}
	return nil
}

// commentEnd gives the end of the comment that begins at pos, before the line's terminator; -1 when
// there is none.
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

func (scan *scanner) value(depth int) (Node, *Error) {
	if err := scan.skip(); err != nil {
		return Node{}, err
	}
	if scan.pos >= len(scan.src) {
		return Node{}, &Error{scan.pos, "a value is missing"}
	}
	if depth > maxDepth {
		return Node{}, &Error{scan.pos, "values are nested too deeply"}
	}
	switch c := scan.src[scan.pos]; c {
	case '{':
		return scan.object(depth)
	case '[':
		return scan.array(depth)
	case '"':
		return scan.text()
	default:
		return scan.literal()
	}
}

func (scan *scanner) object(depth int) (Node, *Error) {
	node := Node{Kind: '{', Span: markdown.Span{Start: scan.pos}}
	scan.pos++
	for {
		if done, err := scan.closing('}'); done || err != nil {
			node.Span.End = scan.pos
			return node, err
		}
		if n := len(node.Members); n > 0 && node.Members[n-1].comma < 0 {
			return Node{}, &Error{scan.pos, "a comma is missing"}
		}
		if scan.src[scan.pos] != '"' {
			return Node{}, &Error{scan.pos, "a key in double quotes is missing"}
		}
		key, err := scan.text()
		if err != nil {
			return Node{}, err
		}
		member := Member{Key: key.Span, comma: -1}
		member.Name = keyName(key, scan.src)
		if err := scan.skip(); err != nil {
			return Node{}, err
		}
		if scan.pos >= len(scan.src) || scan.src[scan.pos] != ':' {
			return Node{}, &Error{scan.pos, "a colon is missing"}
		}
		scan.pos++
		if member.Value, err = scan.value(depth + 1); err != nil {
			return Node{}, err
		}
		if member.comma, err = scan.comma(); err != nil {
			return Node{}, err
		}
		if node.Members == nil {
			node.Members = make([]Member, 0, 8)
		}
		node.Members = append(node.Members, member)
	}
}

// keyName decodes a key. Those that every task has cost no allocation: a list of tasks reads
// thousands of them.
func keyName(key Node, src []byte) string {
	switch string(key.Span.Of(src)) {
	case `"task_id"`:
		return "task_id"
	case `"epic_id"`:
		return "epic_id"
	case `"status"`:
		return "status"
	case `"created_at"`:
		return "created_at"
	case `"updated_at"`:
		return "updated_at"
	case `"dependencies"`:
		return "dependencies"
	case `"total_sessions"`:
		return "total_sessions"
	case `"archived_sessions"`:
		return "archived_sessions"
	case `"archive_path"`:
		return "archive_path"
	}
	name, _ := key.Text(src)
	return name
}

func (scan *scanner) array(depth int) (Node, *Error) {
	node := Node{Kind: '[', Span: markdown.Span{Start: scan.pos}}
	scan.pos++
	comma := 0
	for {
		if done, err := scan.closing(']'); done || err != nil {
			node.Span.End = scan.pos
			return node, err
		}
		if comma < 0 {
			return Node{}, &Error{scan.pos, "a comma is missing"}
		}
		item, err := scan.value(depth + 1)
		if err != nil {
			return Node{}, err
		}
		node.Items = append(node.Items, item)
		if comma, err = scan.comma(); err != nil {
			return Node{}, err
		}
	}
}

// closing goes to the next token and takes the closing mark when it is that.
func (scan *scanner) closing(mark byte) (bool, *Error) {
	if err := scan.skip(); err != nil {
		return false, err
	}
	if scan.pos >= len(scan.src) {
		return false, &Error{scan.pos, "a closing \"" + string(mark) + "\" is missing"}
	}
	if scan.src[scan.pos] != mark {
		return false, nil
	}
	scan.pos++
	return true, nil
}

// comma takes a comma when it comes next and gives its position, else -1.
func (scan *scanner) comma() (int, *Error) {
	if err := scan.skip(); err != nil {
		return -1, err
	}
	if scan.pos < len(scan.src) && scan.src[scan.pos] == ',' {
		scan.pos++
		return scan.pos - 1, nil
	}
	return -1, nil
}

func (scan *scanner) text() (Node, *Error) {
	start, escaped := scan.pos, false
	for i := start + 1; i < len(scan.src); i++ {
		switch c := scan.src[i]; {
		case c == '\\':
			i++
			escaped = true
		case c == '"':
			scan.pos = i + 1
			node := Node{Kind: '"', Span: markdown.Span{Start: start, End: scan.pos}}
			if !escaped {
				return node, nil
			}
			if _, ok := node.Text(scan.src); !ok {
				return Node{}, &Error{start, "a text holds an escape that JSON does not know"}
			}
			return node, nil
		case c < ' ':
			return Node{}, &Error{start, "a text is not closed on its line"}
		}
	}
	return Node{}, &Error{start, "a text is not closed"}
}

func (scan *scanner) literal() (Node, *Error) {
	start := scan.pos
	for scan.pos < len(scan.src) && literalByte(scan.src[scan.pos]) {
		scan.pos++
	}
	word := scan.src[start:scan.pos]
	if len(word) == 0 || !wholeDigits(word) && !json.Valid(word) {
		return Node{}, &Error{start, "not a JSON value"}
	}
	kind := word[0]
	if kind == '-' || kind >= '0' && kind <= '9' {
		kind = '0'
	}
	return Node{Kind: kind, Span: markdown.Span{Start: start, End: scan.pos}}, nil
}

// wholeDigits recognises the numbers that most metadata has, without the decoder's help.
func wholeDigits(word []byte) bool {
	if word[0] == '0' {
		return len(word) == 1
	}
	for _, c := range word {
		if !digitByte(c) {
			return false
		}
	}
	return true
}

func digitByte(c byte) bool { return c >= '0' && c <= '9' }

func literalByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.'
}

// Text decodes a string value; other values give their bytes. ok is false for an escape that JSON
// does not know.
func (node Node) Text(src []byte) (text string, ok bool) {
	raw := node.Span.Of(src)
	if node.Kind != '"' {
		return string(raw), true
	}
	for _, c := range raw {
		if c == '\\' {
			err := json.Unmarshal(raw, &text)
			return text, err == nil
		}
	}
	return string(raw[1 : len(raw)-1]), true
}

// Member finds a key; of duplicate keys the last one counts (5.6.2).
func (node Node) Member(name string) (Member, bool) {
	for i := len(node.Members) - 1; i >= 0; i-- {
		if node.Members[i].Name == name {
			return node.Members[i], true
		}
	}
	return Member{}, false
}

// Number gives a whole number; ok is false for anything else.
func (node Node) Number(src []byte) (int, bool) {
	if node.Kind != '0' {
		return 0, false
	}
	n, err := strconv.Atoi(string(node.Span.Of(src)))
	return n, err == nil
}

// Count is a whole number from 0 to MaxCount, -1 for anything else, which counts as absent.
func (node Node) Count(src []byte) int {
	number, ok := node.Number(src)
	if !ok || number < 0 || number > MaxCount {
		return -1
	}
	return number
}

// Word is a value as text, "" for null.
func (node Node) Word(src []byte) string {
	if node.Kind == 'n' {
		return ""
	}
	word, _ := node.Text(src)
	return word
}

// MaxCount is the highest number of sessions that metadata is believed to know of.
const MaxCount = 1_000_000_000
