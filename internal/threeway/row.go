package threeway

import (
	"strings"

	"baton/internal/markdown"
)

// row merges rows cell by cell. If people on both sides wrote into a cell, it keeps both texts.
// Rows with different numbers of cells are put between conflict markers.
func (m *merger) row(base string, recent, other *unit) string {
	x, y, o := cellsOf(recent.text), cellsOf(other.text), cellsOf(base)
	if len(x) != len(y) {
		if fold(recent.text) == fold(other.text) {
			return recent.text
		}
		m.conflicts++
		ours, theirs := recent.text, other.text
		if !m.aNewer {
			ours, theirs = theirs, ours
		}
		return "<<<<<<< ours\n" + ours + "=======\n" + theirs + ">>>>>>> theirs\n"
	}
	var b strings.Builder
	end := 0
	for i, c := range x {
		cell, theirs := recent.text[c.Low:c.High], other.text[y[i].Low:y[i].High]
		if strings.HasPrefix(recent.text[c.High:], "|") && !strings.HasPrefix(other.text[y[i].High:], "|") {
			theirs += " " // for the last cell of a row without a closing pipe
		}
		mine, yours := recent.text[c.Start:c.End], other.text[y[i].Start:y[i].End]
		was, known := "", len(o) == len(x)
		if known {
			was = base[o[i].Start:o[i].End]
		}
		switch {
		case known && mine == was:
			cell = theirs
		case fold(mine) == fold(yours), known && yours == was, recent.kind != entry:
		default:
			cell = m.cell(recent.columnAt(i), cell, theirs)
		}
		b.WriteString(recent.text[end:c.Low] + cell)
		end = c.High
	}
	return b.String() + recent.text[end:]
}

// cell returns the content of a cell that both sides changed.
func (m *merger) cell(column, recent, other string) string {
	if column == statusName {
		if cell, ok := m.statusCell(recent, other); ok {
			return cell
		}
	}
	mine, yours := strings.TrimSpace(recent), strings.TrimSpace(other)
	if m.form.Cell == nil || yours == "" {
		return recent
	}
	fate := m.form.Cell(column, yours)
	if fate == Kept && m.form.Cell(column, mine) != Kept {
		return other
	}
	switch {
	case fate == Passes, holdsBoth(mine, yours):
		return recent
	case fate == Reported:
		m.asides = append(m.asides, Aside{Label: column, Text: yours})
		return recent
	case holdsBoth(yours, mine):
		return other
	default:
		m.asides = append(m.asides, Aside{Label: column, Text: yours, Kept: true})
		return strings.Replace(recent, mine, mine+otherMark+yours+")", 1)
	}
}

const otherMark = otherSide + ": "

// holdsBoth reports whether a cell already has this text from an earlier merge.
func holdsBoth(cell, words string) bool {
	return strings.HasPrefix(cell, words+otherMark) || strings.Contains(cell, otherMark+words+")")
}

// columnAt returns the name of a column, or "" if the header has no such column.
func (u *unit) columnAt(cell int) string {
	if cell >= len(u.column) {
		return ""
	}
	return u.column[cell]
}

// cellsOf returns the cells of a row that may include its line end.
func cellsOf(row string) []markdown.Cell {
	return markdown.SplitCells(strings.TrimRight(row, "\r\n"), 0)
}
