package app

import (
	"strings"

	"github.com/clipperhouse/displaywidth"

	"baton/internal/parallel"
	"baton/internal/safetext"
)

// Cell is one field of a table.
type Cell struct {
	Tone Tone
	Text string
}

// Column describes one column of a table.
type Column struct {
	Name    string
	Right   bool // numbers
	Shrinks bool // is shortened when the table is too wide
	Path    bool // is shortened in its middle
	Half    bool // keeps half of the terminal's width, while the last column can go below the rows
}

// Columns of a shortened cell: at least narrowest on a terminal, at most widest where the width is
// unknown.
const (
	narrowest = 10
	widest    = 100
)

// Table puts rows under their headings. Empty columns are left out.
func (p *Page) Table(columns []Column, rows [][]Cell) {
	parallel.Halves(len(rows), func(begin, end int) {
		for _, row := range rows[begin:end] {
			for i := range row {
				row[i].Text = safetext.Visible(row[i].Text)
			}
		}
	})
	widths := p.Widths(columns, rows)
	p.header(columns, widths)
	p.Raw.Grow(len(rows) * (TableWidth(widths) + 1))
	second := &Page{color: p.color}
	parallel.Halves(len(rows), func(begin, end int) {
		half := p
		if begin > 0 {
			half = second
			half.Raw.Grow((end - begin) * (TableWidth(widths) + 1))
		}
		for _, row := range rows[begin:end] {
			half.row(columns, widths, row)
		}
	})
	p.Raw.Write(second.Raw.Bytes())
}

// TableOrBelow is Table, or TableBelow if the terminal is too narrow for it.
func (p *Page) TableOrBelow(columns []Column, rows [][]Cell) {
	if p.Width > 0 && p.crowded(columns, rows) {
		p.TableBelow(columns, rows)
		return
	}
	p.Table(columns, rows)
}

// crowded reports whether a table is too wide, or leaves too little to a column that keeps half of
// the width.
func (p *Page) crowded(columns []Column, rows [][]Cell) bool {
	widths := p.Widths(columns, rows)
	if TableWidth(widths) > p.Width {
		return true
	}
	for i, c := range columns {
		if !c.Half || widths[i] >= p.Width/2 {
			continue
		}
		for _, row := range rows {
			if displaywidth.String(row[i].Text) > widths[i] {
				return true
			}
		}
	}
	return false
}

// TableBelow puts the text of the last column below each row, wrapped, so that no word of it is
// cut.
func (p *Page) TableBelow(columns []Column, rows [][]Cell) {
	last := len(columns) - 1
	for _, row := range rows {
		for i := range row {
			row[i].Text = safetext.Visible(row[i].Text)
		}
	}
	columns, bare := columns[:last], FirstCells(rows, last)
	widths := p.Widths(columns, bare)
	p.header(columns, widths)
	for i, row := range bare {
		p.row(columns, widths, row)
		if below := rows[i][last]; below.Text != "" {
			for _, line := range Wrap(below.Text, max(p.Width-4, 20)) {
				p.Line(below.Tone, "    %s", line)
			}
		}
	}
}

// FirstCells returns the first n cells of each row.
func FirstCells(rows [][]Cell, n int) [][]Cell {
	out := make([][]Cell, len(rows))
	for i, row := range rows {
		out[i] = row[:n]
	}
	return out
}

// TableWidth returns how many columns of the terminal a table takes.
func TableWidth(widths []int) int {
	total := 0
	for _, w := range widths {
		if w > 0 {
			total += w + 2
		}
	}
	return max(0, total-2)
}

// Widths measures the columns. If they are too wide, the column that shrinks loses the difference.
func (p *Page) Widths(columns []Column, rows [][]Cell) []int {
	widths, others := make([]int, len(columns)), make([]int, len(columns))
	parallel.Halves(len(rows), func(begin, end int) {
		half := widths
		if begin > 0 {
			half = others
		}
		for _, row := range rows[begin:end] {
			for i, c := range row {
				half[i] = max(half[i], displaywidth.String(c.Text))
			}
		}
	})
	for i := range widths {
		widths[i] = max(widths[i], others[i])
	}
	total, gives := 0, -1
	for i, c := range columns {
		if widths[i] > 0 {
			widths[i] = max(widths[i], displaywidth.String(c.Name))
			total += widths[i] + 2
		}
		if c.Shrinks {
			gives = i
		}
	}
	if gives < 0 {
		return widths
	}
	if p.Width == 0 {
		widths[gives] = min(widths[gives], widest)
	} else if over := total - 2 - p.Width; over > 0 {
		widths[gives] = max(widths[gives]-over, min(widths[gives], narrowest))
	}
	return widths
}

func (p *Page) header(columns []Column, widths []int) {
	names := make([]Cell, len(columns))
	for i, c := range columns {
		names[i] = Cell{Tone: Faint, Text: c.Name}
	}
	p.row(columns, widths, names)
}

func (p *Page) row(columns []Column, widths []int, row []Cell) {
	gap := 0
	for i, c := range row {
		if widths[i] == 0 {
			continue
		}
		text := c.Text
		if columns[i].Path {
			text = safetext.Ends(text, widths[i])
		}
		text = safetext.Columns(text, widths[i])
		pad := widths[i] - displaywidth.String(text)
		if columns[i].Right {
			gap, pad = gap+pad, 0
		}
		if text != "" {
			p.Raw.WriteString(strings.Repeat(" ", gap))
			p.Paint(c.Tone, text)
			gap = 0
		}
		gap += pad + 2
	}
	p.Raw.WriteByte('\n') // cells are cut, so rows stay one below the other
}
