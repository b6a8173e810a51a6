package jsontext

import "baton/internal/markdown"

// usualDepth bounds nesting, so that hostile input cannot exhaust the stack.
const usualDepth = 256

// Options say what is read.
type Options struct {
	Relaxed bool // comments and trailing commas are allowed
	From    int  // where the text begins, for example behind a byte-order mark
	Depth   int  // levels that values may be nested; 0 is 256
	Shallow bool // only the value and what is directly in it is kept; the rest is checked
}

// Fault is the place where a text stops being JSON, and what is wrong there.
type Fault struct {
	Pos  int
	What string
}

// Parse reads the one value that fills src.
func Parse(src []byte, o Options) (Node, *Fault) {
	p := &parser{src: src, pos: o.From, o: o}
	if p.o.Depth == 0 {
		p.o.Depth = usualDepth
	}
	p.blanks()
	node := p.value(0)
	p.blanks()
	if p.pos < len(src) {
		p.fail(p.pos, "text follows behind the end of the value")
	}
	if p.fault != nil {
		return Node{}, p.fault
	}
	return node, nil
}

// Empty reports whether a text has no value at all, only blanks and, when they are allowed,
// comments.
func Empty(src []byte, o Options) bool {
	p := &parser{src: src, pos: o.From, o: o}
	p.blanks()
	return p.fault == nil && p.pos >= len(src)
}

// parser is where a reading has got to. After the first fault nothing is read.
type parser struct {
	src   []byte
	pos   int
	o     Options
	fault *Fault
}

// fail notes the first fault, and ends the reading.
func (p *parser) fail(pos int, what string) {
	if p.fault == nil {
		p.fault = &Fault{pos, what}
	}
	p.pos = len(p.src)
}

// missing is the fault of a text that goes on with something else than it must, or ends.
func (p *parser) missing(what string) {
	if p.pos >= len(p.src) {
		p.fail(p.pos, "the text ends where "+what+" must come")
		return
	}
	p.fail(p.pos, what+" is missing")
}

// peek returns the next byte, 0 at the end. NUL begins nothing, so the two need not be told apart.
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
	closing := node.Kind + 2 // in ASCII both closing marks are two behind their opening marks
	p.pos++
	for comma := -2; p.fault == nil; {
		comments, line := p.blanks()
		node.Comments = node.Comments || comments
		if p.peek() == closing {
			if comma >= 0 && !p.o.Relaxed {
				p.fail(p.pos, `a comma stands before the closing "`+string(closing)+`"`)
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

// key reads the key of a member with its colon.
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

// comma takes the comma behind a value and returns its position, -1 when there is none. What is
// before the closing mark is then left to be looked at again.
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

// keyName decodes a key. Those that every task has cost no allocation: a list of tasks reads
// thousands of them.
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

// Relaxed reads the one value that fills src. Comments and trailing commas are tolerated (TS-35).
func Relaxed(src []byte) (Node, *Fault) { return Parse(src, Options{Relaxed: true}) }
