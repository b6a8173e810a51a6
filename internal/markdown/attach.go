package markdown

import "bytes"

// Reattach removes the blank lines that separate table rows from the table above them. A row is a
// line between pipes that has as many cells as the table has columns and is not the header of
// another table. Nothing but blank lines is removed; if there are none, Reattach returns src
// itself.
func Reattach(src []byte) []byte {
	for {
		next := reattachOnce(src)
		if len(next) == len(src) {
			return src
		}
		src = next
	}
}

// reattachOnce joins at most one group of rows to each table. Reattach repeats it, because joining
// one group can reveal the next.
func reattachOnce(src []byte) []byte {
	d := Parse(src)
	var edits []Edit
	for _, t := range d.Tables(Span{Start: 0, End: len(src)}) {
		last := t.Delimiter
		if n := len(t.Rows); n > 0 {
			last = t.Rows[n-1]
		}
		row := last + 1
		for row < len(d.lines) && d.lines[row].Class == Blank {
			row++
		}
		if row > last+1 && d.couldJoin(row, t.Cols) {
			edits = append(edits, Edit{Span: Span{Start: d.lines[last+1].Start, End: d.lines[row].Start}})
		}
	}
	out, err := Apply(src, edits...)
	if err != nil {
		return src
	}
	return out
}

// couldJoin reports whether line i looks like a row of a table with cols columns.
func (d *Document) couldJoin(i, cols int) bool {
	if i >= len(d.lines) || d.lines[i].Class != Text || d.lines[i].Depth > 0 {
		return false
	}
	text := bytes.TrimSpace(d.Text(i))
	return len(text) > 1 && text[0] == '|' && text[len(text)-1] == '|' && len(d.Cells(i)) == cols
}
