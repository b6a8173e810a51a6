package specflow

import (
	"bytes"
	"slices"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Gone is what an edit took out of a table: the rows, and the header and delimiter lines, which are
// needed to read the rows back.
type Gone struct {
	header, delimiter string
	rows              []Row // as they are in the digest
	eol               string
}

// Row is a row on its way to the archive: the bytes that the digest lost, and the bytes that the
// archive gained.
type Row struct{ Lost, Gained []byte }

// gone records a row that is taken out of the table.
func (e *edit) gone(t *table, line int) {
	if e.left.header == "" {
		e.left.header, e.left.delimiter = strings.TrimSpace(e.d.text(t.header)),
			strings.TrimSpace(e.d.text(t.delimiter))
		if t.mismatch {
			e.left.delimiter = strings.Repeat("|---", len(t.names)) + "|"
		}
		e.left.eol = e.d.md.EOL(e.d.md.Lines()[t.header].Start)
	}
	ln := e.d.md.Lines()[line]
	e.left.rows = append(e.left.rows, Row{Lost: e.d.src[ln.Start:ln.Next], Gained: e.d.src[ln.Start:ln.End]})
}

// Shelve appends the rows that an edit took out of the digest to the archive. They go below a
// heading of their own, into a table with the digest's header. Rows shelved later follow in the
// same table without a gap, so that all of them can be read back. An empty archive gets its title
// first; without rows the archive stays unchanged. Shelve fails with Corrupt unclosed_fence if the
// place is after an unclosed fence or comment of the archive, and with Internal verify_failed if
// the rows could not be read back.
func (g Gone) Shelve(archive []byte, title string) ([]byte, []Row, error) {
	if len(g.rows) == 0 {
		return archive, nil, nil
	}
	if len(strings.TrimSpace(string(archive))) == 0 {
		archive = markdown.Fold("# SpecFlow Decisions Archive\n\nRows moved here from STATE.md, oldest first.\n", g.eol)
	}
	d := Parse(archive)
	e := d.begin()
	rows := make([]string, len(g.rows))
	for k, r := range g.rows {
		rows[k] = string(r.Gained)
	}
	block := append([]string{g.header, g.delimiter}, rows...)
	s, ok := d.titled(title)
	switch {
	case !ok:
		e.append(title, block...)
	default:
		if t, ok := d.sameTable(s, g.header); ok {
			last := t.delimiter
			for _, r := range t.rows {
				last = r.line
			}
			e.insert(last+1, rows...)
		} else {
			e.addTable(s, block...)
		}
	}
	out, err := e.done()
	if err != nil {
		return nil, nil, err
	}
	after := Parse(out.Text)
	if now, ok := after.titled(title); !ok || after.countRows(now) != d.countRows(s)+len(g.rows) {
		return nil, nil, refuse(report.Internal, report.CodeVerifyFailed,
			"the rows could not be read back from the archive",
			"nothing was written")
	}
	lines := map[string]bool{} // looked up, because a search for each row would read everything each time (F-81)
	for line := range bytes.Lines(out.Text) {
		lines[string(line)] = true
	}
	moved := make([]Row, 0, len(g.rows))
	for _, r := range g.rows {
		if whole := slices.Concat(r.Gained, []byte(g.eol)); lines[string(whole)] {
			r.Gained = whole
		}
		moved = append(moved, r)
	}
	return out.Text, moved, nil
}

// sameTable returns the section's last table that has the columns of the header.
func (d *Doc) sameTable(s section, header string) (table, bool) {
	var names []string
	for _, c := range markdown.SplitCells(header, 0) {
		names = append(names, markdown.UnescapeCell(header[c.Start:c.End]))
	}
	tables := d.tables(s)
	for _, t := range slices.Backward(tables) {
		if slices.EqualFunc(t.names, names, strings.EqualFold) {
			return t, true
		}
	}
	return table{}, false
}

// countRows counts the rows of a section's tables. It returns 0 if the section does not exist.
func (d *Doc) countRows(s section) int {
	n := 0
	for _, t := range d.tables(s) {
		n += len(t.real())
	}
	return n
}
