package jsontext

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"baton/internal/markdown"
)

// Node is a value of a JSON text and its position.
type Node struct {
	Kind    byte          // '{', '[', '"', '0' for a number, 't', 'f' or 'n'
	Span    markdown.Span // bytes of the value
	Comma   int           // position of the comma after the value, or -1 if there is none
	Members []Member      // of an object, in the order of the text
	Items   []Node        // of a list

	Comments    bool // there is a comment directly inside the object or list
	LineComment bool // the last thing before the closing bracket is a comment that runs to the end of its line
}

// Member is a key of an object with its value.
type Member struct {
	Name  string
	Key   markdown.Span // including its quotes
	Value Node
}

// Text decodes a string; for other values it returns their bytes. ok is false if the string has an
// escape that JSON does not define. In a string with escapes, invalid UTF-8 becomes U+FFFD.
func (n Node) Text(src []byte) (text string, ok bool) {
	raw := n.Span.Of(src)
	if n.Kind != '"' {
		return string(raw), true
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), true
	}
	err := json.Unmarshal(raw, &text)
	return text, err == nil
}

// ValidText decodes a string and replaces invalid UTF-8 with U+FFFD, as most programs do.
func (n Node) ValidText(src []byte) string {
	text, ok := n.Text(src)
	if ok && utf8.ValidString(text) {
		return text
	}
	if json.Unmarshal(n.Span.Of(src), &text) != nil {
		return strings.ToValidUTF8(string(n.Span.Of(src)), "\uFFFD")
	}
	return text
}

// Member returns the member with the name. If there are several, the last one counts, as for every
// reader of JSON.
func (n Node) Member(name string) (Member, bool) {
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Name == name {
			return n.Members[i], true
		}
	}
	return Member{}, false
}

// Number returns the value of a whole number; ok is false for all other values.
func (n Node) Number(src []byte) (number int, ok bool) {
	if n.Kind != '0' {
		return 0, false
	}
	number, err := strconv.Atoi(string(n.Span.Of(src)))
	return number, err == nil
}

// Word returns a value as text, or "" for null.
func (n Node) Word(src []byte) string {
	if n.Kind == 'n' {
		return ""
	}
	word, _ := n.Text(src)
	return word
}

// Quote writes a text as a JSON string, without escaping &, < and >.
func Quote(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(text) != nil {
		return strconv.Quote(text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// KindWords returns what a value is in words, such as "a list". It names true, false and null
// themselves.
func (n Node) KindWords() string {
	switch n.Kind {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case 't':
		return "true"
	case 'f':
		return "false"
	}
	return "null"
}

// Truth reports whether a value is true or false.
func (n Node) Truth() bool { return n.Kind == 't' || n.Kind == 'f' }
