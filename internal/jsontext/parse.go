package jsontext

import "baton/internal/markdown"

// usualDepth limits nesting, so that hostile input cannot exhaust the stack.
const usualDepth = 256

// Options control how a text is read.
type Options struct {
	Relaxed bool // comments and trailing commas are allowed
	From    int  // start of the text, for example after a byte-order mark
	Depth   int  // most levels of nesting; 0 means 256
	Shallow bool // keep only the top value and its direct members; the rest is checked but not kept
}

// Fault is the position at which a text stops being JSON, and the reason.
type Fault struct {
	Pos  int
	What string
}

// Parse reads a text that consists of exactly one value.
func Parse(src []byte, o Options) (Node, *Fault) {
	p := &parser{src: src, pos: o.From, o: o}
	if p.o.Depth == 0 {
		p.o.Depth = usualDepth
	}
	p.blanks()
	node := p.value(0)
	p.blanks()
	if p.pos < len(src) {
		p.fail(p.pos, "there is text after the end of the value")
	}
	if p.fault != nil {
		return Node{}, p.fault
	}
	return node, nil
}

// Empty reports whether a text contains no value, only blanks and, if they are allowed, comments.
func Empty(src []byte, o Options) bool {
	p := &parser{src: src, pos: o.From, o: o}
	p.blanks()
	return p.fault == nil && p.pos >= len(src)
}

// parser is the state of reading a text. It stops at the first fault.
type parser struct {
	src   []byte
	pos   int
	o     Options
	fault *Fault
}

// fail records the first fault and stops reading.
func (p *parser) fail(pos int, what string) {
	if p.fault == nil {
		p.fault = &Fault{pos, what}
	}
	p.pos = len(p.src)
}

// missing records that the expected part is missing: the text ends, or has something else.
func (p *parser) missing(what string) {
	if p.pos >= len(p.src) {
		p.fail(p.pos, "the text ends where "+what+" is expected")
		return
	}
	p.fail(p.pos, what+" is missing")
}

// peek returns the next byte, or 0 at the end. No value begins with NUL, so the two cases need not
// be distinguished.
func (p *parser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

func (p *parser) value(depth int) Node {
	node := Node{Kind: p.peek(), Span: markdown.Span{Start: p.pos}, Comma: -1}
	switch c := node.Kind; {
	case c == '{' || c == '[':
		if depth >= p.o.Depth {
			p.fail(p.pos, "values are nested too deeply")
			return node
		}
		p.container(&node, depth)
	case c == '"':
		p.text()
	case c == '-' || digit(c):
		node.Kind = '0'
		p.number()
	default:
		p.word()
	}
	node.Span.End = p.pos
	return node
}

// container reads an object or a list.
func (p *parser) container(node *Node, depth int) {
	kept := !p.o.Shallow || depth == 0
	closing := node.Kind + 2 // in ASCII, closing brackets come two after their opening brackets
	p.pos++
	for comma := -2; p.fault == nil; {
		comments, line := p.blanks()
		node.Comments = node.Comments || comments
		if p.peek() == closing {
			if comma >= 0 && !p.o.Relaxed {
				p.fail(p.pos, `there is a comma before the closing "`+string(closing)+`"`)
			}
			node.LineComment = line
			p.pos++
			return
		}
		if comma == -1 {
			p.missing(`a comma or a closing "` + string(closing) + `"`)
			return
		}
		var m Member
		if node.Kind == '{' {
			m = p.key(node, kept)
		}
		m.Value = p.value(depth + 1)
		comma = p.comma(node)
		m.Value.Comma = comma
		switch {
		case !kept || p.fault != nil:
		case node.Kind == '{':
			if node.Members == nil {
				node.Members = make([]Member, 0, 8)
			}
			node.Members = append(node.Members, m)
		default:
			node.Items = append(node.Items, m.Value)
		}
	}
}

// key reads the key of a member and its colon.
func (p *parser) key(into *Node, kept bool) Member {
	m := Member{Key: markdown.Span{Start: p.pos}}
	if p.peek() != '"' {
		p.missing("a key in double quotes")
		return m
	}
	p.text()
	m.Key.End = p.pos
	if kept && p.fault == nil {
		m.Name = keyName(m.Key, p.src)
	}
	before, _ := p.blanks()
	if p.peek() != ':' {
		p.missing("a colon")
		return m
	}
	p.pos++
	behind, _ := p.blanks()
	into.Comments = into.Comments || before || behind
	return m
}

// comma reads the comma after a value and returns its position, or -1 if there is none. Without a
// comma it goes back, so that the caller reads the comments before the closing bracket again.
func (p *parser) comma(into *Node) int {
	behind := p.pos
	comments, _ := p.blanks()
	if p.peek() != ',' || p.fault != nil {
		if p.fault == nil {
			p.pos = behind
		}
		return -1
	}
	into.Comments = into.Comments || comments
	p.pos++
	return p.pos - 1
}

// keyName decodes a key. Keys that every task has are returned as constants, because a list of
// tasks reads thousands of them.
func keyName(key markdown.Span, src []byte) string {
	switch string(key.Of(src)) {
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
	return Node{Kind: '"', Span: key}.ValidText(src)
}

// Relaxed reads a text that consists of one value, and accepts comments and trailing commas
// (TS-35).
func Relaxed(src []byte) (Node, *Fault) { return Parse(src, Options{Relaxed: true}) }
