package decision

import (
	"bytes"

	"baton/internal/markdown"
)

// rowScan walks the lines of a region for rows of tables. It looks at the lines themselves, because
// Markdown sees no table in many that people write: a blank line or a caption in between, or a
// delimiter row of another cell count.
type rowScan struct {
	*scan
	region int
	now    int  // current table, -1 before the first header
	joined bool // no gap since the header
	asked  bool // lists is known
	lists  bool // the region holds a list
}

// tableRows finds the rows of decision tables in a region (specflow.md 5.5.4).
func (sc *scan) tableRows(k int) {
	r := sc.regions[k]
	s := rowScan{scan: sc, region: k, now: -1}
	for i := r.first; i < r.last; i++ {
		if !s.pipe(i) {
			s.joined = false
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

// pipe reports whether line i may be a row: outside containers it begins with a pipe after at most
// three blanks. In a table without outer pipes any line that Markdown counts to it does which has a
// pipe at all.
func (s *rowScan) pipe(i int) bool {
	ln := s.d.Lines()[i]
	if ln.Depth > 0 {
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

// bareAt reports whether line i belongs to a table without outer pipes.
func (s *rowScan) bareAt(i int, class markdown.Class) bool {
	if class == markdown.TableHeader {
		return true
	}
	return s.now >= 0 && s.tables[s.now].bare && s.joined
}

// leadingPipe reports whether a pipe stands at the start of a line, after three blanks at most.
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

// header reads line i as the header of a table. The line below it is dashes, or, where somebody
// took that away, its cells are nothing but the names of our columns. A row with a date is no
// header whatever stands below.
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
		// Dashes inside a table are a placeholder, and what stands above them a row (SF-38).
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

// plausible reports whether a line could be a header without a delimiter row: cheap, because every
// row is asked.
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

// dashes reports whether line i is a delimiter row: each cell is hyphens, perhaps with a colon at
// either end.
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

// weak reports whether a line of dashes has no run of three: people write placeholders so, and
// hardly ever delimiters.
func (s *rowScan) weak(i int) bool {
	return !bytes.Contains(s.d.Text(i), []byte("---")) && bytes.IndexByte(s.d.Text(i), ':') < 0
}

// row takes line i as a row of the current table, or of none.
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

// stray takes a row that stands below no header of ours: in an archive, whose header somebody may
// have renamed or taken away, one that begins with a date is a decision all the same. Beside a list
// it is not, for there it may be a bullet's text.
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

// listed reports whether the region holds a list.
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
