package decision

// place is a position for rows: after pos, which is the end of a line.
type place struct {
	pos   int
	table int // the table whose columns apply, or -1 for bullets
	day   int // effective day of the row above

	indent int // number of blanks before the bullet above
}

// target returns the end of the last table of decisions, or of the last bullet. pos is -1 if there
// is none.
func (sc *scan) target(bullets bool) place {
	out := place{pos: -1, table: -1}
	for i := range sc.items {
		if it := &sc.items[i]; bullets && it.bullet {
			out.pos, out.indent = it.span.End, indent(sc.raw(it))
		}
	}
	if bullets {
		return out
	}
	for k := range sc.tables {
		if t := &sc.tables[k]; t.decisions {
			out = place{pos: sc.d.Lines()[t.last].Next, table: k}
		}
	}
	for i := range sc.items {
		if it := &sc.items[i]; it.table == out.table && it.table >= 0 {
			out.pos = max(out.pos, it.span.End)
		}
	}
	return out
}

// rowPlaces returns the positions between the rows of decision tables: before the first row and
// after each row.
func (sc *scan) rowPlaces() []place {
	var out []place
	now := undated
	for i := range sc.items {
		it := &sc.items[i]
		if it.day != undated {
			now = it.day
		}
		if it.table < 0 {
			continue
		}
		if out == nil {
			out = append(make([]place, 0, len(sc.items)+1), place{
				pos: it.span.Start, table: it.table, day: undated - 1,
			})
		}
		out = append(out, place{pos: it.span.End, table: it.table, day: now})
	}
	return out
}
