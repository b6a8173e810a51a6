package specflow

import "baton/internal/markdown"

// The names of the three labels (5.3).
const (
	labelActive = "Active Specification"
	labelStatus = "Status"
	labelNext   = "Next Step"
	labelPause  = "Last Pause"
)

// place is where a digest names its active specifications.
type place struct {
	form string  // A, B or C; "" if they are not named anywhere
	sec  section // if form is "", the section Current Position, if there is one
	has  bool    // sec exists

	// A and B
	active, status, next          label // active has a line and a value only in form B
	hasActive, hasStatus, hasNext bool

	// C
	tab    table
	hasTab bool
}

// active finds and reads the active specifications. If form C exists next to another form, it
// counts (5.3). Of A and B, the one that comes first in the file counts.
func (d *Doc) active() (place, []Active) {
	p := d.findPlace()
	out := []Active{}
	switch p.form {
	case "C":
		for _, r := range p.tab.rows {
			if a, ok := p.tab.active(r); ok {
				out = append(out, a)
			}
		}
	case "A", "B":
		id, title, none := parseActive(p.active.raw)
		if !none {
			out = append(out, Active{
				ID: id, Title: title, Status: p.status.raw, Next: p.next.raw, Line: p.active.line + 1,
			})
		}
	}
	return p, out
}

// active reads a row of form C. ok is false for a placeholder and for a row that says none.
func (t *table) active(r row) (Active, bool) {
	if r.placeholder {
		return Active{}, false
	}
	id, title, none := parseActive(t.cell(r, colSpec))
	if none {
		return Active{}, false
	}
	if title == "" {
		title = t.cell(r, colTitle)
	}
	return Active{ID: id, Title: title, Status: t.cell(r, colStatus), Next: t.cell(r, colNext), Line: r.line + 1}, true
}

func (d *Doc) findPlace() place {
	var rest place
	for _, s := range d.sections {
		if s.kind == activeMany || s.kind == activeOne && d.beginsTable(s) {
			tab, ok := d.tableOf(s, colSpec)
			return place{form: "C", sec: s, has: true, tab: tab, hasTab: ok}
		}
		if s.kind != position && s.kind != activeOne {
			continue
		}
		p := place{sec: s, has: true}
		labels := d.labels(s)
		p.active, p.hasActive = findLabel(labels, labelActive)
		p.status, p.hasStatus = findLabel(labels, labelStatus)
		p.next, p.hasNext = findLabel(labels, labelNext)
		switch {
		case s.kind == activeOne && !p.hasActive:
			p.form = "B"
			p.active, p.hasActive = d.bareValue(s)
		case p.hasActive || p.hasStatus || p.hasNext:
			p.form = "A"
		}
		if p.weight() > rest.weight() {
			rest = p
		}
	}
	return rest
}

// weight returns how much a section says about the active specification. A section with its label
// or value counts more than one with only a status.
func (p place) weight() int {
	switch {
	case p.hasActive:
		return 3
	case p.form != "":
		return 2
	case p.has:
		return 1
	}
	return 0
}

// beginsTable reports whether a section's first line of text is the header of a table. Then a
// heading in the singular is above form C.
func (d *Doc) beginsTable(s section) bool {
	for i := s.head + 1; i < s.end; i++ {
		if d.prose(i) {
			t := d.tables(s)
			return len(t) > 0 && t[0].header == i && t[0].column(colSpec) >= 0
		}
	}
	return false
}

// bareValue returns the value of form B: the first line of text below the heading, unless it is a
// label.
func (d *Doc) bareValue(s section) (label, bool) {
	for i := s.head + 1; i < s.end; i++ {
		if d.blank(i) || d.class(i) == markdown.Comment {
			continue
		}
		if !d.prose(i) {
			return label{}, false
		}
		line := d.text(i)
		if _, isLabel := parseLabel(line); isLabel {
			return label{}, false
		}
		c := markdown.CellOf(line, 0, len(line))
		if d.class(i) == markdown.Item && c.End-c.Start > 2 && blankByte(line[c.Start+1]) {
			c = markdown.CellOf(line, c.Start+1, len(line)) // a value after a bullet
		}
		start := d.md.Lines()[i].Start
		return label{
			line: i, raw: line[c.Start:c.End], value: markdown.Span{Start: start + c.Start, End: start + c.End},
		}, true
	}
	return label{}, false
}
