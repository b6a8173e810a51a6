package specflow

import (
	"strings"

	"baton/internal/markdown"
)

// The columns' canonical names (5.5.3).
const (
	colDate       = "date"
	colSpec       = "spec"
	colReason     = "reason"
	colPosition   = "position"
	colPriority   = "priority"
	colTitle      = "title"
	colStatus     = "status"
	colComplexity = "complexity"
	colDepends    = "depends"
	colPhase      = "phase"
	colMode       = "mode"
	colProgress   = "progress"
	colUpdated    = "updated"
	colNext       = "next"
)

// table is one table of a section with its rows, including detached ones.
type table struct {
	header, delimiter int      // lines
	names             []string // column names as written
	columns           []string // canonical names, "" for an unknown column
	rows              []row    // without header and delimiter
	mismatch          bool     // header and delimiter differ in their number of cells
}

// row is one line of a table's body.
type row struct {
	line        int
	cells       []string // texts, unescaped; surplus ones are joined to the last column
	count       int      // cells as written
	placeholder bool     // every cell is empty or only dashes
	detached    bool     // other lines separate it from the row above
}

// tables finds the tables of a section. A row belongs to the nearest header above it, even if a
// blank line or a caption separates them (a detached row). A table whose delimiter row has a
// different number of cells counts too.
func (d *Doc) tables(s section) []table {
	var out []table
	last := -1 // last line of a table
	for i := s.head + 1; i < s.end; i++ {
		if !d.rowish(i) {
			continue
		}
		line := d.text(i)
		begins := d.class(i) == markdown.TableHeader || last != i-1 && d.class(i) != markdown.TableRow
		if begins && i+1 < s.end && d.rowish(i+1) && isDelimiter(d.text(i+1)) && !isDelimiter(line) {
			out = append(out, d.newTable(i))
			i++
			last = i
			continue
		}
		if len(out) == 0 {
			continue
		}
		t := &out[len(out)-1]
		r := row{line: i, detached: last != i-1, placeholder: true, count: len(markdown.SplitCells(line, 0))}
		for _, c := range markdown.SplitCells(line, len(t.names)) {
			text := line[c.Start:c.End]
			r.placeholder = r.placeholder && strings.Trim(text, "-–— \t") == ""
			r.cells = append(r.cells, markdown.UnescapeCell(text))
		}
		t.rows = append(t.rows, r)
		last = i
	}
	return out
}

// rowish reports whether line i can be a row: it begins with a pipe after at most three blanks, or
// is part of a table without outer pipes.
func (d *Doc) rowish(i int) bool {
	ln := d.md.Lines()[i]
	switch ln.Class {
	case markdown.Text, markdown.SetextText:
		if ln.Depth > 0 {
			return false
		}
		line := strings.TrimLeft(d.text(i), " ")
		return strings.HasPrefix(line, "|") && len(d.text(i))-len(line) <= 3
	case markdown.TableHeader, markdown.TableDelimiter, markdown.TableRow:
		return strings.Contains(d.text(i), "|")
	}
	return false
}

// isDelimiter reports whether a line is a row of dashes, with colons or without.
func isDelimiter(line string) bool {
	cells := markdown.SplitCells(line, 0)
	for _, c := range cells {
		text := strings.TrimSuffix(strings.TrimPrefix(line[c.Start:c.End], ":"), ":")
		if text == "" || strings.Trim(text, "-") != "" {
			return false
		}
	}
	return len(cells) > 0
}

// newTable reads the header on line i and names its columns.
func (d *Doc) newTable(i int) table {
	t := table{header: i, delimiter: i + 1}
	line := d.text(i)
	seen := map[string]bool{}
	for _, c := range markdown.SplitCells(line, 0) {
		name := markdown.UnescapeCell(line[c.Start:c.End])
		t.names = append(t.names, name)
		canon := canonical(name)
		if seen[canon] {
			canon = ""
		}
		seen[canon] = canon != ""
		t.columns = append(t.columns, canon)
	}
	for k, name := range t.names {
		if t.columns[k] == "" && !seen[colSpec] && strings.EqualFold(unmark(name), "id") {
			t.columns[k], seen[colSpec] = colSpec, true
		}
	}
	t.mismatch = len(t.names) != len(markdown.SplitCells(d.text(i+1), 0))
	return t
}

// canonical returns the canonical name of a column, or "" if the name is unknown. For a column
// named ID the neighbouring columns decide, see newTable.
func canonical(name string) string {
	switch n := strings.ToLower(unmark(name)); n {
	case "date", "when":
		return colDate
	case "specification", "spec", "spec-id", "spec id":
		return colSpec
	case "reason":
		return colReason
	case "#", "position":
		return colPosition
	case "priority", "title", "status", "complexity", "phase", "mode", "progress":
		return n
	case "depends on", "depends":
		return colDepends
	case "last updated":
		return colUpdated
	case "next step", "next":
		return colNext
	}
	return ""
}

// column returns the index of a canonical column, or -1 if the table has none.
func (t *table) column(canon string) int {
	for k, c := range t.columns {
		if c == canon {
			return k
		}
	}
	return -1
}

// cell returns the text of a row in a canonical column, or "" if the table has no such column.
func (t *table) cell(r row, canon string) string {
	k := t.column(canon)
	if k < 0 || k >= len(r.cells) {
		return ""
	}
	return r.cells[k]
}

// real returns the rows that are not placeholders.
func (t *table) real() []row {
	out := make([]row, 0, len(t.rows))
	for _, r := range t.rows {
		if !r.placeholder {
			out = append(out, r)
		}
	}
	return out
}

// tableOf returns the first table of a section that has the column.
func (d *Doc) tableOf(s section, canon string) (table, bool) {
	for _, t := range d.tables(s) {
		if t.column(canon) >= 0 {
			return t, true
		}
	}
	return table{}, false
}

// newRow builds a row for the table's own header (5.6.3). Canonical columns get their values,
// escaped here; every other column gets an em dash.
func (t *table) newRow(values map[string]string) string {
	cells := make([]string, len(t.names))
	for k, canon := range t.columns {
		cells[k] = dash
		if canon != "" {
			cells[k] = escape(values[canon])
		}
	}
	return markdown.Row(cells...)
}
