package markdown

// leaf is the block that was open at the end of the last line.
type leaf uint8

const (
	noLeaf leaf = iota
	paragraph
	table // a paragraph that became a table; it continues and ends like a paragraph
	fence
	comment
)

// container is an open list item or block quote.
type container struct {
	quote bool
	empty bool // an item that consists of its marker only so far
	width int  // columns from the parent's content to the item's content
	item  int  // index into Document.items, or -1 for a quote or an item inside one
}

// scanner is the state between two lines.
type scanner struct {
	d     *Document
	src   []byte
	room  [8]container // initial memory of stack, so that ordinary documents need no allocation
	stack []container
	leaf  leaf

	quotes int // number of quotes on the stack
	last   int // last line that is not blank, or -1

	first   int  // paragraph: its first line
	label   bool // paragraph: contains a field label
	noTable bool // paragraph: a delimiter row did not fit, so it cannot become a table

	noRule   int  // no rule of the mark ruleMark begins before this byte, which is something else
	ruleMark byte // see noRule

	mark   byte // fence: its character
	opened int  // fence: length of its opening run
	fnc    int  // fence: index into Document.fences, or -1 inside a quote
	cmt    int  // comment: its first line
}

// run classifies all lines.
func (s *scanner) run() {
	s.last = -1
	i := s.frontMatter()
	for ; i < len(s.d.lines); i++ {
		s.line(i)
	}
	if len(s.d.lines) == 0 {
		return
	}
	// A block that is still open runs to the end. Quotes are opaque, so blocks inside them do not
	// matter.
	if s.quotes == 0 && s.leaf == fence {
		s.d.openFnc = s.fnc
	}
	if s.quotes == 0 && s.leaf == comment {
		s.d.openCmt = s.cmt
	}
	s.closeTo(0, len(s.d.lines))
}

// line classifies line i: first the containers that continue, then the open leaf, then new blocks.
func (s *scanner) line(i int) {
	ln := &s.d.lines[i]
	if s.quotes == 0 && s.leaf != fence && s.leaf != comment && (s.plain(i, ln) || s.bullet(i, ln)) {
		return
	}
	c := cursor{src: s.src, pos: ln.Start, end: ln.End}
	matched, columns, next := s.match(&c)
	isBlank := next == c.end

	if matched == len(s.stack) && (s.leaf == fence || s.leaf == comment) {
		ln.Class = s.continueLeaf(i, columns, next)
	} else {
		ln.Class = s.open(i, &c, matched, columns, next)
	}
	if s.quotes > 0 {
		ln.Class = Quote
	}
	if !isBlank || s.quotes > 0 {
		s.last = i
	}
}

// plain handles two kinds of line that need no closer look: empty lines, and lines outside
// containers that begin with a letter. Most lines are of these kinds. It is called only if no
// quote, fence or comment is open.
func (s *scanner) plain(i int, ln *Line) bool {
	n := len(s.stack)
	if ln.Start == ln.End && (n == 0 || !s.stack[n-1].empty) {
		ln.Class, ln.Depth, s.leaf = Blank, s.depth(n), noLeaf
		return true
	}
	if n > 0 || ln.Start == ln.End || !letter(s.src[ln.Start]) {
		return false
	}
	switch s.leaf {
	case table:
		ln.Class = TableRow
	case noLeaf:
		s.leaf, s.first, s.label, s.noTable = paragraph, i, false, false
		fallthrough
	default:
		ln.Class = Text
	}
	s.last = i
	return true
}

// bullet handles the other frequent kind of line: a dash at the very start, one blank, and text
// that begins with a letter. Such a line always begins an item of the outermost list.
func (s *scanner) bullet(i int, ln *Line) bool {
	at := ln.Start
	if ln.End-at < 3 || s.src[at] != '-' || s.src[at+1] != ' ' || !letter(s.src[at+2]) {
		return false
	}
	s.closeTo(0, i)
	item := s.addItem(i, 0, Span{at, at + 1}, at+2)
	s.stack = append(s.stack, container{width: 2, item: item})
	s.leaf, s.first, s.label, s.noTable = paragraph, i, false, false
	ln.Class, ln.Depth, s.last = Item, 1, i
	return true
}

// match finds the open containers that the line continues. It returns their number, the width of
// the blanks after them, and the position of the next non-blank byte.
func (s *scanner) match(c *cursor) (matched, columns, next int) {
	columns, next = c.peek()
	if next == c.end && s.quotes == 0 {
		// A blank line continues every item except one whose marker has nothing after it. Such an
		// item is always the innermost.
		if n := len(s.stack); n > 0 && s.stack[n-1].empty {
			return n - 1, columns, next
		}
		return len(s.stack), columns, next
	}
	for k := range s.stack {
		ct := &s.stack[k]
		switch {
		case ct.quote:
			if columns > 3 || next == c.end || c.src[next] != '>' {
				return k, columns, next
			}
			c.jump(columns, next, 1)
			c.skip(1)
			columns, next = c.peek()
		case next == c.end:
			if ct.empty {
				return k, columns, next
			}
		case columns >= ct.width:
			c.skip(ct.width)
			columns -= ct.width
			ct.empty = false
		default:
			return k, columns, next
		}
	}
	return len(s.stack), columns, next
}

// continueLeaf handles a line inside an open fence or comment.
func (s *scanner) continueLeaf(i, columns, next int) Class {
	ln := &s.d.lines[i]
	ln.Depth = s.depth(len(s.stack))
	if s.leaf == comment {
		if closesComment(s.src[ln.Start:ln.End]) {
			s.leaf = noLeaf
		}
		return Comment
	}
	if columns <= 3 && closesFence(s.src[next:ln.End], s.mark, s.opened) {
		s.leaf = noLeaf
		if s.fnc >= 0 {
			f := &s.d.fences[s.fnc]
			f.Close, f.Body.End = i, ln.Start
		}
		return FenceClose
	}
	return FenceBody
}

// depth counts the list items among the first n containers, up to the first quote. Nothing asks for
// the depth inside a quote.
func (s *scanner) depth(n int) uint8 {
	n = min(n, 255)
	if s.quotes > 0 {
		for k, ct := range s.stack[:n] {
			if ct.quote {
				return uint8(k)
			}
		}
	}
	return uint8(n)
}

// closeTo closes all containers except the first n, before line i. This also closes the open leaf.
func (s *scanner) closeTo(n, i int) {
	if s.leaf == fence && s.fnc >= 0 && (n < len(s.stack) || i == len(s.d.lines)) {
		s.d.fences[s.fnc].Body.End = s.end(i - 1)
	}
	if n == len(s.stack) {
		return
	}
	for _, ct := range s.stack[n:] {
		if ct.quote {
			s.quotes--
		} else if ct.item >= 0 {
			s.d.items[ct.item].Full.End = s.d.lines[s.last].Next
		}
	}
	s.stack = s.stack[:n]
	s.leaf = noLeaf
}

// end returns the end of line i, including its line end.
func (s *scanner) end(i int) int { return s.d.lines[i].Next }
