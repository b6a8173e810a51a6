package specflow

import (
	"bytes"
	"slices"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Gone is what an edit took out of a table: rows, and the two lines without which nobody could read
// them back.
type Gone struct {
	header, delimiter string
	rows              []Row // as they are in the digest
	eol               string
}

// Row is a row on its way to the archive: the bytes that the digest lost, and those that the
// archive gained.
type Row struct{ Lost, Gained []byte }

// gone notes a row that is taken out of the table.
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

// Shelve puts the rows that an edit took out of the digest into the archive: under a heading of
// their own, in a table with the digest's header, in which later ones follow without a gap, so that
// all of them can be read back. An empty archive is begun; without rows it stays as it is. Corrupt
// unclosed_fence when the place is after an unclosed fence or comment of the archive; Internal
// verify_failed when the rows would not be read back.
func (g Gone) Shelve(archive []byte, title string) ([]byte, []Row, error) {
	if len(g.rows) == 0 {
		return archive, nil, nil
	}
	if len(strings.TrimSpace(string(archive))) == 0 {
		archive = markdown.Fold("# SpecFlow Decisions Archive\n\nWhat left STATE.md, oldest first.\n", g.eol)
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
			"the rows would not be read back from the archive",
			"nothing was written")
	}
	moved := make([]Row, 0, len(g.rows))
	for _, r := range g.rows {
		if whole := slices.Concat(r.Gained, []byte(g.eol)); bytes.Contains(out.Text, whole) {
			r.Gained = whole
		}
		moved = append(moved, r)
	}
	return out.Text, moved, nil
}

// sameTable returns the last table of a section whose columns are those of the header.
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

// countRows counts the rows of a section's tables; a section that is not there has none.
func (d *Doc) countRows(s section) int {
	n := 0
	for _, t := range d.tables(s) {
		n += len(t.real())
	}
	return n
}
