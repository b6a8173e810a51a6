package markdown

import "strings"

// Cell is a cell of a row of a table: its text, and the bytes between its two pipes.
type Cell struct {
	Start, End int // text, trimmed
	Low, High  int // with the blanks around it
}

// SplitCells finds the cells of a row: pipes separate them unless a backslash stands before
// , outer pipes do not count. cols above 0 puts surplus cells into the last column.
func SplitCells(line string, cols int) []Cell {
	lo, hi := 0, len(line)
	for lo < hi && blank(line[lo]) {
		lo++
	}
	for hi > lo && blank(line[hi-1]) {
		hi--
	}
	if lo < hi && line[lo] == '|' {
		lo++
	}
	if hi > lo && line[hi-1] == '|' && (hi == 1 || line[hi-2] != '\\') {
		hi--
	}
	var out []Cell
	begin := lo
	for p := lo; p <= hi; p++ {
		if p < hi && (line[p] != '|' || p > 0 && line[p-1] == '\\') {
			continue
		}
		if p == hi && begin == hi && len(out) > 0 {
			break
		}
		if cols > 0 && len(out) == cols {
			out[cols-1] = CellOf(line, out[cols-1].Low, p)
		} else {
			out = append(out, CellOf(line, begin, p))
		}
		begin = p + 1
	}
	return out
}

// CellOf returns the cell between two places of a line.
func CellOf(line string, lo, hi int) Cell {
	c := Cell{Low: lo, High: hi, Start: lo, End: hi}
	for c.Start < c.End && blank(line[c.Start]) {
		c.Start++
	}
	for c.End > c.Start && blank(line[c.End-1]) {
		c.End--
	}
	return c
}

// EscapeCell makes a text of one line fit for a cell: pipes get a backslash unless they have one.
func EscapeCell(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '|' && (i == 0 || text[i-1] != '\\') {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// UnescapeCell returns the text that a cell means.
func UnescapeCell(text string) string { return strings.ReplaceAll(text, `\|`, "|") }

// Row makes a row of cells that are escaped already. A backslash at the end of a cell does not
// escape the closing pipe, because a blank is between them.
func Row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }

// SetCell replaces cell n of a row of cols columns by a text that is escaped already. What stands
// around it stays; cells that the row lacks are added with the text empty.
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

// ClosedRow gives a row the pipe at its end when it has none.
func ClosedRow(row string) string {
	if strings.HasSuffix(row, "|") && !strings.HasSuffix(row, `\|`) {
		return row
	}
	return row + " |"
}
