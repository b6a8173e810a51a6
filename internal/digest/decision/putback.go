package decision

import (
	"slices"
	"strings"

	"baton/internal/markdown"
)

// NewArchive returns the text of an archive without decisions.
func NewArchive(form Form) string { return newArchive(form) }

// Refit returns a row from a table with the header lines head as a row of another table. If the
// columns have the same names, the row keeps its bytes; otherwise its cells are moved by column
// name, and nothing is left out (SF-D14, SF-D15). ok is false if head or to is not a table, or if
// row is not a row of head.
func Refit(form Form, head, row, to string) (line string, ok bool) {
	from, target := scanTable(head+row, form), scanTable(to, form)
	if len(from.tables) != 1 || len(target.tables) != 1 {
		return row, false
	}
	if len(from.items) != 1 {
		return row, slices.Equal(from.tables[0].names, target.tables[0].names)
	}
	return string(from.fit(&from.items[0], target.schemaOf(0))), true
}

// scanTable reads a text that is only a table.
func scanTable(text string, form Form) *scan {
	sc := newScan([]byte(text), form, rules{dated: true, archive: true})
	sc.wholeFile()
	for k := range sc.regions {
		sc.tableRows(k)
	}
	return sc
}

// Home returns the line of the heading of the first section of decisions, or "".
func Home(doc []byte, form Form, titles []string) string {
	sc := scanDigest(doc, form, titles)
	if len(sc.regions) == 0 {
		return ""
	}
	return string(sc.d.Text(sc.d.Headings()[sc.regions[0].heading].Line))
}

// AsBullet returns a row of a table with the header lines head as a bullet like another one. Values
// other than date, specification and phase follow the decision. ok is false if the row cannot be
// read, or if the bullet would not be recognised as the same decision.
func AsBullet(form Form, head, row, like string) (bullet string, ok bool) {
	from := scanTable(head+row, form)
	if len(from.items) != 1 {
		return "", false
	}
	it := &from.items[0]
	r := from.row(it)
	text := r.Text
	if r.Spec != "" {
		text = r.Spec + ": " + text
	}
	if r.Phase != "" {
		text = "[Phase " + strings.TrimPrefix(r.Phase, "Phase ") + "]: " + text
	}
	if r.Date != "" {
		text = r.Date + ": " + text
	}
	from.cellsOf(it, func(name string, cell []byte) {
		switch name {
		case "date", "spec", "phase", "decision":
		case "rationale", "reason":
			if !nothing(cell) {
				text += " — " + markdown.UnescapeCell(string(cell))
			}
		default:
			if !nothing(cell) {
				text += " — " + from.labelOf(it, name) + ": " + markdown.UnescapeCell(string(cell))
			}
		}
	})
	mark := like[:markerEnd([]byte(like))]
	if mark = strings.TrimLeft(mark, " "); mark == "" {
		mark = "-"
	}
	bullet = mark + " " + text + "\n"
	return bullet, from.key(it) == wordsOfBullet(bullet, form)
}

// labelOf returns the label of a column.
func (sc *scan) labelOf(it *item, name string) string {
	if it.table >= 0 {
		if k := slices.Index(sc.tables[it.table].names, name); k >= 0 {
			return sc.tables[it.table].labels[k]
		}
	}
	return name
}

// wordsOfBullet returns the key of a bullet, or "" if it is not one decision.
func wordsOfBullet(bullet string, form Form) string {
	if sc := scanBullet(bullet, form); len(sc.items) == 1 && sc.items[0].bullet {
		return sc.key(&sc.items[0])
	}
	return ""
}

// scanBullet reads a text that is only a bullet.
func scanBullet(bullet string, form Form) *scan {
	return scanDigest([]byte("## Decisions\n\n"+bullet), form, nil)
}

// AsRow returns a bullet as a row of a table with these header lines. Values without a column of
// their own precede the decision. ok is false if bullet or header cannot be read, or if the row
// would not be recognised as the same decision.
func AsRow(form Form, bullet, header string) (row string, ok bool) {
	from := scanBullet(bullet, form)
	if len(from.items) != 1 || !from.items[0].bullet {
		return "", false
	}
	to := scanTable(header, form)
	if len(to.tables) != 1 {
		return "", false
	}
	columns := to.schemaOf(0)
	r := from.row(&from.items[0])
	e := Entry{Date: r.Date, Spec: r.Spec, Phase: r.Phase, Text: r.Text}
	if e.Phase != "" && slices.Contains(columns.names, "phase") {
		e.Phase = "Phase " + e.Phase
	}
	row = e.line(columns) + "\n"
	if e.Date != "" && !slices.Contains(columns.names, "date") {
		e.Text = e.Date + ": " + e.Text
		row = e.line(columns) + "\n"
	}
	read := scanTable(header+row, form)
	return row, len(read.items) == 1 && read.key(&read.items[0]) == from.key(&from.items[0])
}
