package decision

import "slices"

// NewArchive is the text of an archive without decisions.
func NewArchive(form Form) string { return newArchive(form) }

// Refit returns a row that stood below the header lines head as it is written below those of
// another table: its own bytes where the columns have the same names, else by name with nothing
// left out (SF-D14, SF-D15). ok is false where one of them is no table, or the row is none of its
// rows.
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
