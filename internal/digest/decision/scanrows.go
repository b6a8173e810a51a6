package decision

import (
	"bytes"

	"baton/internal/markdown"
)

// rowScan searches the lines of a region for table rows. It examines the lines themselves, because
// many tables that people write are not tables in Markdown: there is a blank line or a caption in
// between, or the delimiter row has another number of cells.
type rowScan struct {
	*scan
	region int
	now    int  // current table, or -1 before the first header
	joined bool // no gap since the header
	item   int  // last line that began an item of a list, or -1
	asked  bool // lists is known
	lists  bool // the region contains a list
}

// tableRows finds the rows of decision tables in a region (specflow.md 5.5.4).
func (sc *scan) tableRows(k int) {
	r := sc.regions[k]
	s := rowScan{scan: sc, region: k, now: -1, item: -1}
	for i := r.first; i < r.last; i++ {
		if !s.pipe(i) {
			s.joined = false
			if sc.d.Lines()[i].Class == markdown.Item {
				s.item = i
			}
			continue
		}
		if t, ok := s.header(i, r.last); ok {
			s.begin(t)
			i = t.last
			continue
		}
		s.row(i)
	}
}

// begin makes t the current table.
func (s *rowScan) begin(t table) {
	s.tables = append(s.tables, t)
	s.now, s.joined = len(s.tables)-1, true
	if t.decisions {
		s.regions[s.region].tables = true
	}
}

// pipe reports whether line i may be a row: it is outside containers and begins with a pipe after
// at most three blanks. In a table without outer pipes, it is any line with a pipe that Markdown
// counts as part of the table. An indented row below a table is the table's even if a list item
// above the table makes it a text of that item in Markdown, because the item may move.
func (s *rowScan) pipe(i int) bool {
	ln := s.d.Lines()[i]
	if ln.Depth > 0 && (s.now < 0 || s.item > s.tables[s.now].header) {
		return false
	}
	inTable := false
	switch ln.Class {
	case markdown.TableHeader, markdown.TableDelimiter, markdown.TableRow:
		inTable = true
	case markdown.Text, markdown.SetextText:
	default:
		return false
	}
	return leadingPipe(s.d.Text(i)) || inTable && s.bareAt(i, ln.Class) && bytes.IndexByte(s.d.Text(i), '|') >= 0
}

// bareAt reports whether line i is part of a table without outer pipes.
func (s *rowScan) bareAt(i int, class markdown.Class) bool {
	if class == markdown.TableHeader {
		return true
	}
	return s.now >= 0 && s.tables[s.now].bare && s.joined
}

// leadingPipe reports whether a line begins with a pipe, after at most three blanks.
func leadingPipe(text []byte) bool {
	for k := 0; k < len(text) && k <= 3; k++ {
		if text[k] == '|' {
			return true
		}
		if text[k] != ' ' {
			return false
		}
	}
	return false
}

// header reads line i as the header of a table. The line below must be a delimiter row; if somebody
// removed it, the cells must be nothing but the names of known columns. A row with a date is never
// a header.
func (s *rowScan) header(i, last int) (table, bool) {
	below := i+1 < last && s.dashes(i+1)
	if !below && !s.plausible(i) {
		return table{}, false
	}
	cells := s.d.Cells(i)
	t := table{
		header: i, delimiter: -1, last: i, labels: make([]string, len(cells)), date: -1,
		bare: !leadingPipe(s.d.Text(i)),
	}
	blank := true
	for k, c := range cells {
		cell := c.Of(s.src)
		t.labels[k] = string(cell)
		blank = blank && nothing(cell)
		if day(cell) != undated {
			return table{}, false
		}
	}
	if blank {
		return table{}, false
	}
	t.names = columns(t.labels)
	decision, names := false, true
	for k, name := range t.names {
		if name == "date" {
			t.date = k
		}
		decision = decision || name == "decision"
		names = names && known(name)
	}
	switch {
	case below:
		// Dashes inside a table are a placeholder, and the line above them is a row (SF-38).
		if s.now >= 0 && s.tables[s.now].decisions && !decision && (s.joined || s.weak(i+1)) {
			return table{}, false
		}
		t.delimiter, t.last = i+1, i+1
	case !names || !decision || t.date < 0:
		return table{}, false
	}
	t.decisions = decision || s.rules.dated && t.date >= 0
	return t, true
}

// plausible reports whether a line could be a header without a delimiter row. It must be fast,
// because it is called for every row.
func (s *rowScan) plausible(i int) bool {
	text := s.d.Text(i)
	if len(text) > 120 {
		return false
	}
	for _, c := range text {
		if c >= '0' && c <= '9' {
			return false
		}
	}
	return true
}

// dashes reports whether line i is a delimiter row, in which each cell consists of hyphens with an
// optional colon at either end.
func (s *rowScan) dashes(i int) bool {
	ln := s.d.Lines()[i]
	if ln.Class == markdown.TableDelimiter {
		return true
	}
	text := s.d.Text(i)
	if ln.Depth > 0 || !leadingPipe(text) {
		return false
	}
	seen := false
	for _, c := range text {
		switch c {
		case '-':
			seen = true
		case '|', ':', ' ', '\t':
		default:
			return false
		}
	}
	return seen && s.pipe(i)
}

// weak reports whether a line of dashes has no run of three. People write placeholders like that,
// but hardly ever delimiter rows.
func (s *rowScan) weak(i int) bool {
	return !bytes.Contains(s.d.Text(i), []byte("---")) && bytes.IndexByte(s.d.Text(i), ':') < 0
}

// row reads line i as a row of the current table, or of none.
func (s *rowScan) row(i int) {
	ln := s.d.Lines()[i]
	it := item{
		span: markdown.Span{Start: ln.Start, End: ln.Next}, line: i, region: s.region, table: s.now,
		detached: !s.joined,
	}
	if s.now < 0 || !s.tables[s.now].decisions {
		s.stray(it)
		return
	}
	t := &s.tables[s.now]
	if s.joined {
		t.last = i
	}
	cells, empty := s.d.Cells(i), true
	for k, c := range cells {
		cell := c.Of(s.src)
		empty = empty && nothing(cell)
		if k == t.date {
			it.day = day(cell)
		}
	}
	if empty {
		s.holders = append(s.holders, it)
		return
	}
	it.ragged = len(cells) != len(t.names)
	s.items = append(s.items, it)
}

// stray handles a row without a known header. In an archive, somebody may have renamed or removed
// the header, so a row that begins with a date counts as a decision. It does not count next to a
// list, because it may be a bullet's text.
func (s *rowScan) stray(it item) {
	if !s.rules.archive || s.regions[s.region].foreign {
		return
	}
	cells := s.d.Cells(it.line)
	if len(cells) < 2 {
		return
	}
	if it.day = day(cells[0].Of(s.src)); it.day == undated || s.listed() {
		return
	}
	it.table, it.detached = -1, s.now < 0
	s.items = append(s.items, it)
}

// listed reports whether the region contains a list.
func (s *rowScan) listed() bool {
	if s.asked {
		return s.lists
	}
	s.asked = true
	r := s.regions[s.region]
	for i := r.first; i < r.last && !s.lists; i++ {
		s.lists = s.d.Lines()[i].Class == markdown.Item || numbered(s.d.Text(i))
	}
	return s.lists
}
