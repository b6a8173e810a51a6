package markdown

// leaf is the block that the last line left open.
type leaf uint8

const (
	noLeaf leaf = iota
	paragraph
	table // a paragraph that has become a table: it continues and ends like one
	fence
	comment
)

// container is an open list item or block quote.
type container struct {
	quote bool
	empty bool // an item that has had nothing but its marker so far
	width int  // columns from the parent's content to the item's content
	item  int  // index into Document.items, -1 for a quote and inside one
}

// scanner is the state between two lines.
type scanner struct {
	d     *Document
	src   []byte
	room  [8]container // first home of stack, so that ordinary documents need no allocation for it
	stack []container
	leaf  leaf

	quotes int // containers on the stack that are quotes
	last   int // last line that is not blank, -1 at first

	first   int  // paragraph: its first line
	label   bool // paragraph: holds a field label
	noTable bool // paragraph: a delimiter row did not fit, so it never becomes a table

	noRule   int  // before this byte begins no rule of the mark ruleMark: something else stands there
	ruleMark byte // see noRule

	mark   byte // fence: its character
	opened int  // fence: length of its opening run
	fnc    int  // fence: index into Document.fences, -1 inside a quote
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
	// What is open now runs to the end. Inside a quote it concerns nobody: quotes are opaque.
	if s.quotes == 0 && s.leaf == fence {
		s.d.openFnc = s.fnc
	}
	if s.quotes == 0 && s.leaf == comment {
		s.d.openCmt = s.cmt
	}
	s.closeTo(0, len(s.d.lines))
}

// line classifies line i: which containers go on, then the open leaf, then new blocks.
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

// plain handles the lines that need no closer look, which most lines are: those that are empty, and
// outside containers those that begin with a letter. No quote, fence or comment is open.
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

// bullet handles the other kind of line that makes up most documents, as plain does: a dash at the
// very start, one blank, and text that begins with a letter. It begins an item of the outermost
// list whatever was open.
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

// match goes through the open containers as far as the line continues them. It says how many do,
// and where the cursor's next byte that is no blank stands.
func (s *scanner) match(c *cursor) (matched, columns, next int) {
	columns, next = c.peek()
	if next == c.end && s.quotes == 0 {
		// A blank line continues every item, except one that began with nothing: that has no items
		// in it.
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

// depth counts the list items among the first n containers, up to the first quote: in a quote
// nobody asks.
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

// closeTo closes all containers but the first n, before line i. Closing one closes the open leaf.
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

// end returns the end of line i with its terminator.
func (s *scanner) end(i int) int { return s.d.lines[i].Next }
