package decision

import (
	"bytes"
	"slices"
	"strings"

	"baton/internal/markdown"
)

// List is the result of Read: the decisions of a digest or an archive in the order of the file.
type List struct {
	Rows            []Row
	Sections        int       // decision sections (SF-D26)
	Tables          bool      // there are tables of decisions; otherwise bullets, or nothing
	Direction       Direction // order of the list (SF-D9)
	DirectionSource string    // config, dates, phases, remembered or default; archives are not considered here
	Ragged          []int     // 1-based lines of rows with fewer or more cells than their header (SF-D14)
	// Detached has the 1-based lines of rows that a blank line, a caption or a footer separates
	// from their table.
	Detached    []int
	Sorted      bool // dates never decrease; a missing date counts as that of the row above
	Unclosed    bool // an unclosed fence or comment hides the rest
	MaxRowBytes int  // bytes of the longest row, including its line end
}

// Read finds the decisions of a digest (specflow.md 5.5.4; gsd.md N8). It accepts any text. Rows
// share memory with doc.
func Read(doc []byte, form Form, s Settings) List {
	sc := scanDigest(doc, form, s.Titles)
	l := sc.list()
	l.Sections = len(sc.regions)
	l.Direction, l.DirectionSource = sc.direction(s, func() *scan { return nil })
	return l
}

// ReadArchive finds the decisions of an archive in any state (specflow.md 5.8). It accepts any
// text. The direction is always oldest first, because archives are shown in that order however they
// are written (SF-D17).
func ReadArchive(doc []byte, form Form) List {
	return ReadArchiveOf(doc, form, DefaultSettings())
}

// ReadArchiveOf is ReadArchive for a project with other settings: texts that SpecFlow's own program
// moved are longer than the cap.
func ReadArchiveOf(doc []byte, form Form, s Settings) List {
	l := scanArchive(doc, form).list()
	rows := l.Rows[:0]
	for _, r := range l.Rows {
		own := true
		if form == Specflow {
			r, own = fromSpecflow(r, s)
		}
		if r.Archived = true; own {
			rows = append(rows, r)
		}
	}
	l.Rows = rows
	l.Direction = OldestFirst
	return l
}

// list describes the result of a scan.
func (sc *scan) list() List {
	l := List{Rows: make([]Row, 0, len(sc.items)), Sorted: sorted(sc.items), Unclosed: sc.hidden < len(sc.src)}
	l.Tables = slices.ContainsFunc(sc.regions, func(r region) bool { return r.tables }) ||
		slices.ContainsFunc(sc.items, func(it item) bool { return !it.bullet })
	for i := range sc.items {
		it := &sc.items[i]
		l.Rows = append(l.Rows, sc.row(it))
		l.MaxRowBytes = max(l.MaxRowBytes, it.span.Len())
		if it.detached {
			l.Detached = append(l.Detached, it.line+1)
		}
	}
	l.Ragged = sc.ragged()
	return l
}

// ragged returns the 1-based lines of rows whose number of cells differs from their header's.
func (sc *scan) ragged() []int {
	out := []int{}
	for i := range sc.items {
		if sc.items[i].ragged {
			out = append(out, sc.items[i].line+1)
		}
	}
	return out
}

// Chronological returns the rows oldest first; rows of the same day keep their order. A row without
// a valid date has that of the nearest older row, or counts as older than all others if there is
// none (SF-D11).
func (l List) Chronological() []Row {
	items := make([]item, len(l.Rows))
	for i := range l.Rows {
		items[i].day = day([]byte(l.Rows[i].Date))
	}
	out := make([]Row, 0, len(items))
	for _, k := range chronological(items, l.Direction) {
		out = append(out, l.Rows[k.index])
	}
	return out
}

// row converts an item to a Row.
func (sc *scan) row(it *item) Row {
	r := Row{Line: it.line + 1, Raw: sc.d.View(it.span)}
	if it.bullet {
		r.Text = folded(sc.text(it))
		_, r.Date, r.Text, _ = bulletDate(r.Text)
		if sc.form != Specflow {
			r.Phase, r.Text = phasePrefix(r.Text)
		} else {
			r.Spec, r.Text = bulletSpec(r.Text)
		}
		return r
	}
	sc.cellsOf(it, func(name string, cell []byte) {
		switch name {
		case "date":
			r.Date = markdown.UnescapeCell(string(cell))
		case "spec":
			r.Spec = markdown.UnescapeCell(string(cell))
		case "phase":
			r.Phase = markdown.UnescapeCell(string(cell))
		case "rationale", "reason":
			r.Rationale = markdown.UnescapeCell(string(cell))
		case "decision":
			r.Text = markdown.UnescapeCell(string(cell))
		}
	})
	if r.Spec == "" {
		r.Spec, r.Text = bulletSpec(r.Text)
	}
	return r
}

// cellsOf calls f for each cell of a row with the name of its column. Surplus cells belong to the
// last column (SF-D13). If a row has too few cells, its last cell is the decision.
func (sc *scan) cellsOf(it *item, f func(name string, cell []byte)) {
	cells := sc.d.Cells(it.line)
	names := guess(sc.form, len(cells))
	if it.table >= 0 {
		names = sc.tables[it.table].names
	}
	decision := slices.Index(names, "decision")
	for k, c := range cells {
		switch {
		case k >= len(names):
			return
		case k == len(names)-1 && len(cells) > len(names):
			f(names[k], sc.src[c.Start:cells[len(cells)-1].End])
		case decision >= len(cells) && k == len(cells)-1 && names[k] != "date":
			f("decision", c.Of(sc.src))
		case names[k] != "decision" && nothing(c.Of(sc.src)):
			f(names[k], nil)
		default:
			f(names[k], c.Of(sc.src))
		}
	}
}

// guess returns the columns of a row without a header.
func guess(form Form, n int) []string {
	switch {
	case n == 2:
		return []string{"date", "decision"}
	case form == Specflow:
		return []string{"date", "spec", "decision"}
	default:
		return []string{"date", "phase", "decision"}
	}
}

// folded returns the text of a bullet block as one line.
func folded(block []byte) string {
	first, rest, more := bytes.Cut(block, []byte{'\n'})
	text := string(bulletText(first))
	if !more {
		return text
	}
	return strings.Join(append([]string{text}, strings.Fields(string(rest))...), " ")
}

// phasePrefix splits "[Phase 3]: " off the text of a bullet.
func phasePrefix(text string) (phase, rest string) {
	inner, ok := strings.CutPrefix(text, "[Phase ")
	if !ok {
		return "", text
	}
	phase, rest, ok = strings.Cut(inner, "]")
	if !ok {
		return "", text
	}
	return strings.TrimSpace(phase), strings.TrimSpace(strings.TrimPrefix(rest, ":"))
}

// bulletSpec splits "SPEC-7: " off a text. A list without a column for specifications names them
// like that.
func bulletSpec(text string) (spec, rest string) {
	spec, rest, _ = specPrefix(text)
	return spec, rest
}
