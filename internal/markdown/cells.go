package markdown

import "strings"

// Cell is one cell of a table row: its text, and the bytes between its two pipes.
type Cell struct {
	Start, End int // text, trimmed
	Low, High  int // including the blanks around it
}

// SplitCells returns the cells of a row. Pipes without a backslash before them separate cells;
// outer pipes are optional. With cols above 0, surplus cells belong to the last column. There is
// always at least one cell.
func SplitCells(line string, cols int) []Cell {
	var out []Cell
	eachCell(line, func(c Cell) {
		if cols > 0 && len(out) == cols {
			out[cols-1] = CellOf(line, out[cols-1].Low, c.High)
		} else {
			out = append(out, c)
		}
	})
	if len(out) == 0 {
		at := strings.IndexByte(line, '|') + 1
		out = append(out, CellOf(line, at, at))
	}
	return out
}

// eachCell calls f for every cell of a row, but never for a row that consists of outer pipes only.
func eachCell[T string | []byte](line T, f func(Cell)) {
	row := CellOf(line, 0, len(line))
	lo, hi := row.Start, row.End
	if lo < hi && line[lo] == '|' {
		lo++
	}
	if hi > lo && Pipe(line, hi-1) == hi-1 {
		hi--
	}
	begin := lo
	for p := Pipe(line, lo); p >= 0 && p < hi; p = Pipe(line, begin) {
		f(CellOf(line, begin, p))
		begin = p + 1
	}
	if begin < hi {
		f(CellOf(line, begin, hi))
	}
}

// Pipe returns the position of the next pipe that separates cells, which is one without a backslash
// before it. The search begins at from. It returns -1 if there is none.
func Pipe[T string | []byte](line T, from int) int {
	for p := from; p < len(line); p++ {
		if line[p] == '|' && (p == 0 || line[p-1] != '\\') {
			return p
		}
	}
	return -1
}

// CellOf returns the cell between the positions lo and hi of a line.
func CellOf[T string | []byte](line T, lo, hi int) Cell {
	c := Cell{Low: lo, High: hi, Start: lo, End: hi}
	for c.Start < c.End && blank(line[c.Start]) {
		c.Start++
	}
	for c.End > c.Start && blank(line[c.End-1]) {
		c.End--
	}
	return c
}

// EscapeCell escapes a one-line text for use in a cell. UnescapeCell reverses it.
func EscapeCell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// UnescapeCell returns the text of a cell with its pipes unescaped.
func UnescapeCell(text string) string { return strings.ReplaceAll(text, `\|`, "|") }

// Row joins escaped cells to a row. The blank before the closing pipe keeps a backslash at the end
// of the last cell from escaping that pipe.
func Row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }

// SetCell returns a row of cols columns in which cell n has another text, which must be escaped.
// Everything else in the row stays. Missing cells are added with the text empty.
func SetCell(line string, n, cols int, text, empty string) string {
	cells := SplitCells(line, cols)
	if n < len(cells) {
		c := cells[n]
		if c.Start < c.End {
			return line[:c.Start] + text + line[c.End:]
		}
		return line[:c.Low] + " " + text + " " + line[c.High:]
	}
	end := len(strings.TrimRight(line, " \t"))
	row, rest := ClosedRow(line[:end]), line[end:]
	for k := len(cells); k < n; k++ {
		row += " " + empty + " |"
	}
	return row + " " + text + " |" + rest
}

// ClosedRow returns the row, with a closing pipe added if it has none.
func ClosedRow(row string) string {
	if strings.HasSuffix(row, "|") && !strings.HasSuffix(row, `\|`) {
		return row
	}
	return row + " |"
}
