package markdown

import "sort"

// Table is a table at the top level of the document.
type Table struct {
	Header    int   // line of the header row
	Delimiter int   // line of the delimiter row
	Rows      []int // lines of the body
	Cols      int   // columns of the delimiter row; a row may hold more or fewer cells
}

// Tables returns the tables whose header begins within the span, in document order.
func (d *Document) Tables(within Span) []Table {
	first, last := d.lineRange(within)
	var out []Table
	k := sort.Search(len(d.tables), func(k int) bool { return d.tables[k].Header >= first })
	for _, t := range d.tables[k:] {
		if t.Header >= last {
			break
		}
		for k := t.Delimiter + 1; k < len(d.lines) && d.lines[k].Class == TableRow; k++ {
			t.Rows = append(t.Rows, k)
		}
		out = append(out, t)
	}
	return out
}

// Cells returns the trimmed cells of a table row, without outer pipes. Every pipe separates cells
// unless a backslash precedes it, even a pipe inside a code span (GFM).
func (d *Document) Cells(line int) []Span {
	var out []Span
	start := d.lines[line].Start
	eachCell(d.Text(line), func(c Cell) { out = append(out, Span{start + c.Start, start + c.End}) })
	return out
}

// becomesTable reports whether line i is a delimiter row that makes the line above it a table
// header, and records the table. The header may have fewer cells than the delimiter row, but not
// more.
func (s *scanner) becomesTable(i int) bool {
	cols := delimiterColumns(trim(s.src, Span{s.d.lines[i].Start, s.d.lines[i].End}).Of(s.src))
	if cols == 0 {
		return false
	}
	cells := 0
	eachCell(s.d.Text(i-1), func(Cell) { cells++ })
	if cells > cols {
		s.noTable = true
		return false
	}
	s.leaf = table
	s.d.lines[i-1].Class = TableHeader
	s.d.tables = append(s.d.tables, Table{Header: i - 1, Delimiter: i, Cols: cols})
	return true
}

// delimiterColumns counts the columns of a delimiter row: dashes with an optional colon at either
// end, between pipes. It returns 0 for all other lines, including a row of dashes alone.
func delimiterColumns(line []byte) int {
	if len(line) == 0 {
		return 0
	}
	switch line[0] {
	case '|', ':', '-':
	default:
		return 0
	}
	cols, k, marks := 0, 0, false
	skip := func() {
		for k < len(line) && blank(line[k]) {
			k++
		}
	}
	if line[0] == '|' {
		k, marks = 1, true
	}
	for {
		skip()
		if k == len(line) {
			break
		}
		if line[k] == ':' {
			k, marks = k+1, true
		}
		n := run(line[k:], '-')
		if n == 0 {
			return 0
		}
		k += n
		if k < len(line) && line[k] == ':' {
			k, marks = k+1, true
		}
		cols++
		skip()
		if k == len(line) {
			break
		}
		if line[k] != '|' {
			return 0
		}
		k, marks = k+1, true
	}
	if !marks {
		return 0
	}
	return cols
}
