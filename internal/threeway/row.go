package threeway

import "strings"

// row merges rows cell by cell. A person's words that both sides wrote into a cell both stay there.
// Rows that have not equally many cells stand between markers.
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
	for i := range x {
		mine, yours := strings.TrimSpace(x[i]), strings.TrimSpace(y[i])
		was, known := "", len(o) == len(x)
		if known {
			was = strings.TrimSpace(o[i])
		}
		switch {
		case known && mine == was:
			x[i] = y[i]
		case fold(mine) == fold(yours), known && yours == was, recent.kind != entry:
		default:
			x[i] = m.cell(recent.columnAt(i), x[i], y[i])
		}
	}
	return strings.Join(x, "|")
}

// cell gives what is in a cell that both sides wrote.
func (m *merger) cell(column, recent, other string) string {
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
		m.asides = append(m.asides, Aside{column, yours, false})
		return recent
	case holdsBoth(yours, mine):
		return other
	default:
		m.asides = append(m.asides, Aside{column, yours, true})
		return strings.Replace(recent, mine, mine+otherMark+yours+")", 1)
	}
}

const otherMark = otherSide + ": "

// holdsBoth says that a cell has these words already, of an earlier merge.
func holdsBoth(cell, words string) bool {
	return strings.HasPrefix(cell, words+otherMark) || strings.Contains(cell, otherMark+words+")")
}

// columnAt names the column of a piece between two pipes; the first piece stands before the first
// pipe where the row begins with one.
func (u *unit) columnAt(piece int) string {
	if strings.HasPrefix(strings.TrimSpace(u.text), "|") {
		piece--
	}
	if piece < 0 || piece >= len(u.column) {
		return ""
	}
	return u.column[piece]
}

// cellsOf splits a row at its pipes; one behind a backslash is text.
func cellsOf(row string) []string {
	var out []string
	start := 0
	for i := range len(row) {
		if row[i] == '|' && (i == 0 || row[i-1] != '\\') {
			out = append(out, row[start:i])
			start = i + 1
		}
	}
	return append(out, row[start:])
}
