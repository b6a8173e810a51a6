package cli

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// cell is one field of a table.
type cell struct {
	tone tone
	text string
}

// column is how one column of a table is set.
type column struct {
	name  string
	right bool // numbers
	gives bool // is shortened when the table is too wide
}

// Columns of a shortened cell: at least narrowest on a terminal, at most widest where the width is unknown.
const (
	narrowest = 10
	widest    = 100
)

// table puts rows under their headings. Empty columns are left out.
func (p *page) table(columns []column, rows [][]cell) {
	for _, row := range rows {
		for i := range row {
			row[i].text = harmless(row[i].text)
		}
	}
	widths := p.widths(columns, rows)
	p.header(columns, widths)
	for _, row := range rows {
		p.row(columns, widths, row)
	}
}

// tableOrBelow is table, and tableBelow where the terminal is too narrow for that.
func (p *page) tableOrBelow(columns []column, rows [][]cell) {
	if p.width > 0 && tableWidth(p.widths(columns, rows)) > p.width {
		p.tableBelow(columns, rows)
		return
	}
	p.table(columns, rows)
}

// tableBelow puts what the last column says below each row, wrapped, so that no word of it is cut away.
func (p *page) tableBelow(columns []column, rows [][]cell) {
	last := len(columns) - 1
	for _, row := range rows {
		for i := range row {
			row[i].text = harmless(row[i].text)
		}
	}
	columns, bare := columns[:last], within(rows, last)
	widths := p.widths(columns, bare)
	p.header(columns, widths)
	for i, row := range bare {
		p.row(columns, widths, row)
		if below := rows[i][last]; below.text != "" {
			for _, line := range wrap(below.text, max(p.width-4, 20)) {
				p.line(below.tone, "    %s", line)
			}
		}
	}
}

// within gives the first n cells of each row.
func within(rows [][]cell, n int) [][]cell {
	out := make([][]cell, len(rows))
	for i, row := range rows {
		out[i] = row[:n]
	}
	return out
}

// tableWidth is how many columns of the terminal a table takes.
func tableWidth(widths []int) int {
	total := 0
	for _, w := range widths {
		if w > 0 {
			total += w + 2
		}
	}
	return max(0, total-2)
}

// widths measures the columns and takes from the one that gives what is too much.
func (p *page) widths(columns []column, rows [][]cell) []int {
	widths := make([]int, len(columns))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], displaywidth.String(c.text))
		}
	}
	total, gives := 0, -1
	for i, c := range columns {
		if widths[i] > 0 {
			widths[i] = max(widths[i], displaywidth.String(c.name))
			total += widths[i] + 2
		}
		if c.gives {
			gives = i
		}
	}
	if gives < 0 {
		return widths
	}
	if p.width == 0 {
		widths[gives] = min(widths[gives], widest)
	} else if over := total - 2 - p.width; over > 0 {
		widths[gives] = max(widths[gives]-over, min(widths[gives], narrowest))
	}
	return widths
}

func (p *page) header(columns []column, widths []int) {
	names := make([]cell, len(columns))
	for i, c := range columns {
		names[i] = cell{faint, c.name}
	}
	p.row(columns, widths, names)
}

func (p *page) row(columns []column, widths []int, row []cell) {
	gap := 0
	for i, c := range row {
		if widths[i] == 0 {
			continue
		}
		text := cut(c.text, widths[i])
		pad := widths[i] - displaywidth.String(text)
		if columns[i].right {
			gap, pad = gap+pad, 0
		}
		if text != "" {
			p.b.WriteString(strings.Repeat(" ", gap))
			p.paint(c.tone, text)
			gap = 0
		}
		gap += pad + 2
	}
	p.end()
}
