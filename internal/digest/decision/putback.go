package decision

import "slices"

// NewArchive returns the text of an archive without decisions.
func NewArchive(form Form) string { return newArchive(form) }

// Refit returns a row from a table with the header lines head as a row of another table. If the
// columns have the same names, the row keeps its bytes; otherwise its cells are moved by column
// name, and nothing is left out (SF-D14, SF-D15). ok is false if head or to is not a table, or if
// row is not a row of head.
func Refit(form Form, head, row, to string) (line string, ok bool) {
	from, target := newScan([]byte(head+row), form, rules{dated: true, archive: true}), newScan([]byte(to), form,
		rules{dated: true, archive: true})
	for _, sc := range [...]*scan{from, target} {
		sc.wholeFile()
		for k := range sc.regions {
			sc.tableRows(k)
		}
		if len(sc.tables) != 1 {
			return row, false
		}
	}
	if len(from.items) != 1 {
		return row, slices.Equal(from.tables[0].names, target.tables[0].names)
	}
	return string(from.fit(&from.items[0], target.schemaOf(0))), true
}
