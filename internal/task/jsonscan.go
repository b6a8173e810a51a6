package task

import (
	"encoding/json"
	"strconv"

	"baton/internal/markdown"
)

// jsonNode is one value of a JSON text with its place in it.
type jsonNode struct {
	kind    byte          // '{' '[' '"' '0' 't' 'f' 'n'
	span    markdown.Span // the value's bytes
	members []jsonMember  // of an object, in text order
	items   []jsonNode    // of an array
}

// jsonMember is one key of an object.
type jsonMember struct {
	name  string
	key   markdown.Span // the key with its quotes
	value jsonNode
	comma int // position of the comma behind the value, -1 when there is none
}

// jsonError says where a JSON text stops making sense.
type jsonError struct {
	pos  int
	what string
}

// maxDepth bounds nesting, so that hostile input cannot exhaust the stack.
const maxDepth = 256

// jsonScanner reads JSON and keeps positions. Comments and trailing commas are tolerated (TS-35); numbers are never
// converted, so that large integers stay as written.
type jsonScanner struct {
	src []byte
	pos int
}

// scanJSON reads one value that fills the text.
func scanJSON(src []byte) (jsonNode, *jsonError) {
	scan := &jsonScanner{src: src}
	node, err := scan.value(0)
	if err != nil {
		return jsonNode{}, err
	}
	if err := scan.skip(); err != nil {
		return jsonNode{}, err
	}
	if scan.pos < len(src) {
		return jsonNode{}, &jsonError{scan.pos, "text after the end of the JSON value"}
	}
	return node, nil
}

// skip goes over blanks, line ends and comments.
func (scan *jsonScanner) skip() *jsonError {
	for scan.pos < len(scan.src) {
		switch c := scan.src[scan.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			scan.pos++
		case c == '/':
			end := commentEnd(scan.src, scan.pos)
			if end < 0 {
				return &jsonError{scan.pos, "a stray \"/\" or a comment that is not closed"}
			}
			scan.pos = end
		default:
			return nil
		}
	}
	return nil
}

// commentEnd gives the end of the comment that begins at pos, before the line's terminator; -1 when there is none.
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

func (scan *jsonScanner) value(depth int) (jsonNode, *jsonError) {
	if err := scan.skip(); err != nil {
		return jsonNode{}, err
	}
	if scan.pos >= len(scan.src) {
		return jsonNode{}, &jsonError{scan.pos, "a value is missing"}
	}
	if depth > maxDepth {
		return jsonNode{}, &jsonError{scan.pos, "values are nested too deeply"}
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

func (scan *jsonScanner) object(depth int) (jsonNode, *jsonError) {
	node := jsonNode{kind: '{', span: markdown.Span{Start: scan.pos}}
	scan.pos++
	for {
		if done, err := scan.closing('}'); done || err != nil {
			node.span.End = scan.pos
			return node, err
		}
		if n := len(node.members); n > 0 && node.members[n-1].comma < 0 {
			return jsonNode{}, &jsonError{scan.pos, "a comma is missing"}
		}
		if scan.src[scan.pos] != '"' {
			return jsonNode{}, &jsonError{scan.pos, "a key in double quotes is missing"}
		}
		key, err := scan.text()
		if err != nil {
			return jsonNode{}, err
		}
		member := jsonMember{key: key.span, comma: -1}
		member.name = keyName(key, scan.src)
		if err := scan.skip(); err != nil {
			return jsonNode{}, err
		}
		if scan.pos >= len(scan.src) || scan.src[scan.pos] != ':' {
			return jsonNode{}, &jsonError{scan.pos, "a colon is missing"}
		}
		scan.pos++
		if member.value, err = scan.value(depth + 1); err != nil {
			return jsonNode{}, err
		}
		if member.comma, err = scan.comma(); err != nil {
			return jsonNode{}, err
		}
		if node.members == nil {
			node.members = make([]jsonMember, 0, 8)
		}
		node.members = append(node.members, member)
	}
}

// keyName decodes a key. Those that every task has cost no allocation: a list of tasks reads thousands of them.
func keyName(key jsonNode, src []byte) string {
	switch string(key.span.Of(src)) {
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
	name, _ := key.text(src)
	return name
}

func (scan *jsonScanner) array(depth int) (jsonNode, *jsonError) {
	node := jsonNode{kind: '[', span: markdown.Span{Start: scan.pos}}
	scan.pos++
	comma := 0
	for {
		if done, err := scan.closing(']'); done || err != nil {
			node.span.End = scan.pos
			return node, err
		}
		if comma < 0 {
			return jsonNode{}, &jsonError{scan.pos, "a comma is missing"}
		}
		item, err := scan.value(depth + 1)
		if err != nil {
			return jsonNode{}, err
		}
		node.items = append(node.items, item)
		if comma, err = scan.comma(); err != nil {
			return jsonNode{}, err
		}
	}
}

// closing goes to the next token and takes the closing mark when it is that.
func (scan *jsonScanner) closing(mark byte) (bool, *jsonError) {
	if err := scan.skip(); err != nil {
		return false, err
	}
	if scan.pos >= len(scan.src) {
		return false, &jsonError{scan.pos, "a closing \"" + string(mark) + "\" is missing"}
	}
	if scan.src[scan.pos] != mark {
		return false, nil
	}
	scan.pos++
	return true, nil
}

// comma takes a comma when it comes next and gives its position, else -1.
func (scan *jsonScanner) comma() (int, *jsonError) {
	if err := scan.skip(); err != nil {
		return -1, err
	}
	if scan.pos < len(scan.src) && scan.src[scan.pos] == ',' {
		scan.pos++
		return scan.pos - 1, nil
	}
	return -1, nil
}

func (scan *jsonScanner) text() (jsonNode, *jsonError) {
	start, escaped := scan.pos, false
	for i := start + 1; i < len(scan.src); i++ {
		switch c := scan.src[i]; {
		case c == '\\':
			i++
			escaped = true
		case c == '"':
			scan.pos = i + 1
			node := jsonNode{kind: '"', span: markdown.Span{Start: start, End: scan.pos}}
			if !escaped {
				return node, nil
			}
			if _, ok := node.text(scan.src); !ok {
				return jsonNode{}, &jsonError{start, "a text holds an escape that JSON does not know"}
			}
			return node, nil
		case c < ' ':
			return jsonNode{}, &jsonError{start, "a text is not closed on its line"}
		}
	}
	return jsonNode{}, &jsonError{start, "a text is not closed"}
}

func (scan *jsonScanner) literal() (jsonNode, *jsonError) {
	start := scan.pos
	for scan.pos < len(scan.src) && literalByte(scan.src[scan.pos]) {
		scan.pos++
	}
	word := scan.src[start:scan.pos]
	if len(word) == 0 || !wholeDigits(word) && !json.Valid(word) {
		return jsonNode{}, &jsonError{start, "not a JSON value"}
	}
	kind := word[0]
	if kind == '-' || kind >= '0' && kind <= '9' {
		kind = '0'
	}
	return jsonNode{kind: kind, span: markdown.Span{Start: start, End: scan.pos}}, nil
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

// text decodes a string value; other values give their bytes. ok is false for an escape that JSON does not know.
func (node jsonNode) text(src []byte) (text string, ok bool) {
	raw := node.span.Of(src)
	if node.kind != '"' {
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

// member finds a key; of duplicate keys the last one counts (5.6.2).
func (node jsonNode) member(name string) (jsonMember, bool) {
	for i := len(node.members) - 1; i >= 0; i-- {
		if node.members[i].name == name {
			return node.members[i], true
		}
	}
	return jsonMember{}, false
}

// number gives a whole number; ok is false for anything else.
func (node jsonNode) number(src []byte) (int, bool) {
	if node.kind != '0' {
		return 0, false
	}
	n, err := strconv.Atoi(string(node.span.Of(src)))
	return n, err == nil
}
