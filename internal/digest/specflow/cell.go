package specflow

import "strings"

// cell is one cell of a row: its text, and the bytes between its two pipes.
type cell struct {
	start, end int // text, trimmed
	lo, hi     int // with the blanks around it
}

// splitCells finds the cells of a row: pipes separate them unless a backslash stands before
// (SF-D13), outer pipes do not count. cols above 0 puts surplus cells into the last column.
func splitCells(line string, cols int) []cell {
	lo, hi := 0, len(line)
	for lo < hi && blankByte(line[lo]) {
		lo++
	}
	for hi > lo && blankByte(line[hi-1]) {
		hi--
	}
	if lo < hi && line[lo] == '|' {
		lo++
	}
	if hi > lo && line[hi-1] == '|' && (hi == 1 || line[hi-2] != '\\') {
		hi--
	}
	var out []cell
	begin := lo
	for p := lo; p <= hi; p++ {
		if p < hi && (line[p] != '|' || p > 0 && line[p-1] == '\\') {
			continue
		}
		if p == hi && begin == hi && len(out) > 0 {
			break
		}
		if cols > 0 && len(out) == cols {
			out[cols-1] = makeCell(line, out[cols-1].lo, p)
		} else {
			out = append(out, makeCell(line, begin, p))
		}
		begin = p + 1
	}
	return out
}

func makeCell(line string, lo, hi int) cell {
	c := cell{lo: lo, hi: hi, start: lo, end: hi}
	for c.start < c.end && blankByte(line[c.start]) {
		c.start++
	}
	for c.end > c.start && blankByte(line[c.end-1]) {
		c.end--
	}
	return c
}

func blankByte(c byte) bool { return c == ' ' || c == '\t' }

// dash is what a cell without a value holds (5.6.3).
const dash = "—"

// escape makes a text fit for a cell (SF-D13): folded to one line, pipes escaped, an em dash for
// nothing. A backslash at the end would escape the closing pipe, so a blank goes behind it when the
// cell is written.
func escape(text string) string {
	text = fold(text)
	if text == "" {
		return dash
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '|' && (i == 0 || text[i-1] != '\\') {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// unescape gives the text that a cell means.
func unescape(text string) string { return strings.ReplaceAll(text, `\|`, "|") }

// writeRow makes a row of cells that are escaped already.
func writeRow(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

// setCell replaces cell n of a row of cols columns by a text that is escaped already. What stands
// around it stays; cells that the row lacks are added.
func setCell(line string, n, cols int, text string) string {
	cells := splitCells(line, cols)
	if n < len(cells) {
		c := cells[n]
		if c.start < c.end {
			return line[:c.start] + text + line[c.end:]
		}
		return line[:c.lo] + " " + text + " " + line[c.hi:]
	}
	end := len(strings.TrimRight(line, " \t"))
	row, rest := line[:end], line[end:]
	if !strings.HasSuffix(row, "|") || strings.HasSuffix(row, `\|`) {
		row += " |"
	}
	for k := len(cells); k < n; k++ {
		row += " " + dash + " |"
	}
	return row + " " + text + " |" + rest
}
