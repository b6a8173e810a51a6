package markdown

// open handles a line that does not continue a fence or comment. It opens containers and leaves
// until only text or nothing remains, and returns the class of the line. columns is the width of
// the blanks before the byte at next.
func (s *scanner) open(i int, c *cursor, matched, columns, next int) Class {
	ln := &s.d.lines[i]
	began := false // a list item begins on this line
	for ; ; columns, next = c.peek() {
		if next == c.end {
			return s.rest(i, columns, next, matched, began)
		}
		// An open paragraph can absorb the line: as a proper continuation if all containers match,
		// otherwise as a lazy one.
		para := s.leaf == paragraph || s.leaf == table
		own := para && matched == len(s.stack)
		if columns >= 4 {
			if para {
				return s.rest(i, columns, next, matched, began)
			}
			s.closeTo(matched, i)
			s.leaf = noLeaf
			ln.Depth = s.depth(matched)
			return IndentedCode
		}
		if c.src[next] == '>' {
			s.closeTo(matched, i)
			s.leaf = noLeaf
			s.stack = append(s.stack, container{quote: true, item: -1})
			s.quotes++
			matched++
			c.jump(columns, next, 1)
			c.skip(1)
			continue
		}
		if class, ok := s.openLeaf(i, Span{next, c.end}, matched, own); ok {
			ln.Depth = s.depth(len(s.stack))
			if began && (class == ATX || class == Rule || class == HTML) {
				return Item
			}
			return class
		}
		own = own && s.leaf != noLeaf
		if !s.openItem(i, c, columns, next, matched, own) {
			return s.rest(i, columns, next, matched, began)
		}
		matched++
		began = true
	}
}

// openLeaf opens a heading, fence, comment, rule or line of HTML if one begins at text, and closes
// the blocks that it ends. own reports whether a paragraph or table of the same container is open.
func (s *scanner) openLeaf(i int, text Span, matched int, own bool) (Class, bool) {
	line := text.Of(s.src)
	class, next := Blank, noLeaf
	switch line[0] {
	case '#':
		if level := atxLevel(line); level > 0 {
			s.closeTo(matched, i)
			s.addATX(i, level, text)
			class = ATX
		}
	case '`', '~':
		if run := fenceRun(line); run > 0 {
			s.closeTo(matched, i)
			s.addFence(i, run, text)
			class, next = FenceOpen, fence
		}
	case '<':
		class, next = s.openHTML(i, line, s.leaf == paragraph || s.leaf == table)
	case '=', '-':
		if own && setextUnderline(line) {
			if class = s.underline(i, line); class == SetextUnderline {
				s.leaf = noLeaf
				return class, true
			}
		}
	}
	if class == Blank && s.rule(text) {
		class = Rule
	}
	if class == Blank {
		return Blank, false
	}
	s.closeTo(matched, i)
	s.leaf = next
	return class, true
}

// rule reports whether text is a thematic break. It remembers where a rule failed, because a line
// of list markers asks again at every marker.
func (s *scanner) rule(text Span) bool {
	line := text.Of(s.src)
	if text.Start < s.noRule && line[0] == s.ruleMark {
		return false
	}
	ok, obstacle := isRule(line)
	if !ok && obstacle > 0 {
		s.noRule, s.ruleMark = text.Start+obstacle, line[0]
	}
	return ok
}

// openHTML recognises a comment or a line of HTML. Only a comment may interrupt a paragraph.
func (s *scanner) openHTML(i int, line []byte, inParagraph bool) (Class, leaf) {
	if isComment(line) {
		s.cmt = i
		if closesComment(line) {
			return Comment, noLeaf
		}
		return Comment, comment
	}
	if !inParagraph && isTag(line) {
		return HTML, noLeaf
	}
	return Blank, noLeaf
}

// underline handles a line that could underline the open paragraph. It returns SetextUnderline if
// the line does.
func (s *scanner) underline(i int, line []byte) Class {
	switch {
	case s.leaf == table, s.label && line[0] == '-':
		// Tables and labels are not headings, so the line ends them. Three dashes are a rule; one
		// dash below a label is an empty bullet; otherwise a paragraph begins.
		s.leaf = noLeaf
		return Blank
	}
	for k := s.first; k < i; k++ {
		if s.d.lines[k].Class == Text {
			s.d.lines[k].Class = SetextText
		}
	}
	if len(s.stack) == 0 {
		s.addSetext(i, line[0])
	}
	return SetextUnderline
}

// openItem opens a list item if a marker begins at next, and moves the cursor to the item's
// content.
func (s *scanner) openItem(i int, c *cursor, columns, next, matched int, own bool) bool {
	size, one := markerSize(c.src[next:c.end])
	if size == 0 {
		return false
	}
	after := *c
	after.jump(columns, next, size)
	gap, content := after.peek()
	empty := content == c.end
	// Neither "2." nor an empty marker may interrupt a paragraph.
	if own && (empty || !one) {
		return false
	}
	s.closeTo(matched, i)
	s.leaf = noLeaf
	if empty || gap > 4 { // text further away is indented code
		gap = 1
	}
	ct := container{item: -1, empty: empty, width: columns + size + gap}
	if s.quotes == 0 {
		ct.item = s.addItem(i, c.col+columns, Span{next, next + size}, content)
	}
	s.stack = append(s.stack, ct)
	after.skip(gap)
	*c = after
	return true
}

// rest handles the remainder of a line: nothing, or text that begins or continues a paragraph.
func (s *scanner) rest(i, columns, next, matched int, began bool) Class {
	ln := &s.d.lines[i]
	ln.Depth = s.depth(matched)
	if next == ln.End {
		s.closeTo(matched, i)
		s.leaf = noLeaf
		if began {
			return Item
		}
		return Blank
	}
	if s.leaf != paragraph && s.leaf != table {
		s.closeTo(matched, i)
		s.leaf, s.first, s.label, s.noTable = paragraph, i, false, false
		s.label = s.hasLabel(i, next)
		if began {
			return Item
		}
		return Text
	}
	if s.leaf == table {
		return TableRow
	}
	if columns <= 3 && len(s.stack) == 0 && !s.noTable && s.becomesTable(i) {
		return TableDelimiter
	}
	s.label = s.label || s.hasLabel(i, next)
	return Text
}

// hasLabel reports whether a field label begins at pos.
func (s *scanner) hasLabel(i, pos int) bool {
	_, _, ok := findLabel(s.src, Span{pos, s.d.lines[i].End})
	return ok
}
