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
	narrowest = 16
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
	header := make([]cell, len(columns))
	for i, c := range columns {
		header[i] = cell{faint, c.name}
	}
	p.row(columns, widths, header)
	for _, row := range rows {
		p.row(columns, widths, row)
	}
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
