package markdown

import "sort"

// ListItem is a bullet or numbered item at any depth, but not inside a quote.
type ListItem struct {
	Line   int  // line of its marker
	Marker Span // "-", "*", "+", "1.", "1)"
	Text   Span // text after the marker on the first line, trimmed
	// Full begins at the start of the item's line, or at its marker if another item begins on the
	// same line. It ends after the item's last line that is not blank.
	Full   Span
	Indent int // columns before the marker
}

// ListItems returns all items whose line begins within the span, nested ones included, in document
// order. The caller must not change them.
func (d *Document) ListItems(within Span) []ListItem {
	first, last := d.lineRange(within)
	lo := d.itemFrom(first)
	hi := max(lo, d.itemFrom(last))
	return d.items[lo:hi:hi]
}

// itemFrom returns the index of the first item that begins on the given line or below.
func (d *Document) itemFrom(line int) int {
	return sort.Search(len(d.items), func(k int) bool { return d.items[k].Line >= line })
}

// addItem records an item and returns its index.
func (s *scanner) addItem(i, column int, marker Span, content int) int {
	ln := &s.d.lines[i]
	start := ln.Start
	if n := len(s.d.items); n > 0 && s.d.items[n-1].Line == i {
		start = marker.Start
	}
	if s.d.items == nil {
		s.d.items = make([]ListItem, 0, s.d.markers+4)
	}
	s.d.items = append(s.d.items, ListItem{
		Line:   i,
		Marker: marker,
		Text:   trim(s.src, Span{content, ln.End}),
		Full:   Span{start, ln.Next},
		Indent: column,
	})
	return len(s.d.items) - 1
}

// code reports whether the item's first line is indented code, which means that more than four
// columns of blanks separate its marker and its text.
func (d *Document) code(it *ListItem) bool {
	c := cursor{src: d.src, pos: it.Marker.End, end: it.Text.End, col: it.Indent + it.Marker.Len()}
	columns, _ := c.peek()
	return columns > 4 && it.Text.Len() > 0
}

// TaskItem is a list item that begins with a box.
type TaskItem struct {
	Line    int
	Marker  string // "-", "*", "+", "1." ...
	Box     Span   // the bytes between [ and ]
	Checked bool   // x or X, also in the variants
	Variant bool   // "[ x]" or "[x ]": read as checked, and reported (TS-44)
	Text    Span   // text after the box on the item's first line, trimmed
	Indent  int    // columns before the marker
}

// TaskItems returns the task items whose line begins within the span, nested ones included, in
// document order.
func (d *Document) TaskItems(within Span) []TaskItem {
	var out []TaskItem
	for k, items := 0, d.ListItems(within); k < len(items); k++ {
		it := &items[k]
		if d.code(it) {
			continue
		}
		t := TaskItem{Line: it.Line, Indent: it.Indent}
		if parseBox(d.src, d.firstText(it), &t) {
			t.Marker = string(it.Marker.Of(d.src))
			out = append(out, t)
		}
	}
	return out
}

// firstText returns the first text of an item: after its marker, or on the next line if nothing
// follows the marker.
func (d *Document) firstText(it *ListItem) Span {
	next := it.Line + 1
	if it.Text.Len() > 0 || next == len(d.lines) || d.lines[next].Class != Text || it.Full.End <= d.lines[next].Start {
		return it.Text
	}
	return trim(d.src, Span{d.lines[next].Start, d.lines[next].End})
}

// parseBox reads the box at the start of text. Only a box at the end or before a blank counts,
// because "[x](place)" is a link.
func parseBox(src []byte, text Span, t *TaskItem) bool {
	b := text.Of(src)
	size := 0
	switch {
	case len(b) >= 3 && b[0] == '[' && b[2] == ']' && (b[1] == ' ' || b[1]|0x20 == 'x'):
		size = 1
		t.Checked = b[1] != ' '
	case len(b) >= 4 && b[0] == '[' && b[3] == ']' && (b[1] == ' ' && b[2]|0x20 == 'x' || b[1]|0x20 == 'x' &&
		b[2] == ' '):
		size = 2
		t.Checked, t.Variant = true, true
	default:
		return false
	}
	if size+2 < len(b) && !blank(b[size+2]) {
		return false
	}
	t.Box = Span{text.Start + 1, text.Start + 1 + size}
	t.Text = trim(src, Span{t.Box.End + 1, text.End})
	return true
}
