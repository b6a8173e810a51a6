package specflow

import "baton/internal/report"

// values sets the non-empty ones of the three values in form A or B, and adds missing ones (5.6.1).
// A digest without any active specification gets the bullets of form A.
func (e *edit) values(p place, active, status, next string) {
	d := e.d
	if !p.has {
		var bullets []string
		for _, v := range [...][2]string{{labelActive, orNone(active)}, {labelStatus, status}, {labelNext, next}} {
			if v[1] != "" {
				bullets = append(bullets, bulletLabel().write(v[0], v[1]))
			}
		}
		e.append("Current Position", bullets...)
		e.note("active", "", active)
		e.note("status", "", status)
		e.note("next", "", next)
		return
	}
	like, at := p.like(d)
	var lines []string
	put := func(has bool, l label, name, field, value string) {
		switch {
		case value == "":
		case has:
			e.setLabel(l, value)
			e.note(field, l.raw, value)
		default:
			lines = append(lines, like.write(name, value))
			e.note(field, "", value)
		}
	}
	if p.form == "B" {
		e.bare(p, active)
	} else {
		put(p.hasActive, p.active, labelActive, "active", active)
	}
	put(p.hasStatus, p.status, labelStatus, "status", status)
	put(p.hasNext, p.next, labelNext, "next", next)
	if len(lines) == 0 {
		return
	}
	if at == p.sec.head+1 { // directly after the heading
		lines = append([]string{""}, lines...)
	} else if p.form == "B" && !p.hasStatus && !p.hasNext {
		lines = append([]string{""}, lines...) // a paragraph of its own below the value
	}
	e.insert(at, lines...)
}

// bare sets the value of form B, or adds one below the heading.
func (e *edit) bare(p place, value string) {
	switch {
	case value == "":
	case p.hasActive:
		e.replace(p.active.value, value)
		e.note("active", p.active.raw, value)
	default:
		lines := []string{"", value}
		if next := p.sec.head + 1; next < len(e.d.md.Lines()) && !e.d.blank(next) {
			lines = append(lines, "")
		}
		e.insert(p.sec.head+1, lines...)
		e.note("active", "", value)
	}
}

// like returns an existing label whose form a missing one takes, and the line before which the
// missing one goes: after the last of the three labels (5.6.1), else before the first bullet of the
// section, else after its heading.
func (p place) like(d *Doc) (label, int) {
	l, at := bulletLabel(), -1
	if p.form == "B" {
		l.prefix = ""
		if p.hasActive {
			at = p.active.line + 1
		}
	}
	for _, c := range [...]struct {
		has bool
		l   label
	}{{p.hasActive && p.form == "A", p.active}, {p.hasStatus, p.status}, {p.hasNext, p.next}} {
		if c.has && c.l.line >= at {
			l, at = c.l, c.l.line+1
		}
	}
	if at >= 0 {
		return l, at
	}
	for _, old := range d.labels(p.sec) {
		return old, old.line
	}
	return l, p.sec.head + 1
}

func bulletLabel() label { return label{prefix: "- ", mark: "**", inside: true} }

func orNone(value string) string {
	if value == "" {
		return "none"
	}
	return value
}

// The table of form C as baton creates it.
const (
	activeHeader    = "| SPEC-ID | Status | Next Step |"
	activeDelimiter = "|---------|--------|-----------|"
)

// verified makes the edits. In form B it refuses a value that would be read as something else on a
// line of its own: a heading, a rule, a fence.
func (e *edit) verified(p place, value, three string) (Edited, error) {
	out, err := e.done()
	if err != nil || p.form != "B" || three != "active" || value == "" {
		return out, err
	}
	after := Parse(out.Text)
	q, _ := after.active()
	if after.shape() != e.d.shape() || q.form != "B" || q.active.raw != value {
		return e.d.unchanged(), refuse(report.Usage, report.CodeValueUnreadable,
			quoted(value)+" cannot be written on a line of its own as the active specification",
			"give an id such as SPEC-012")
	}
	return out, nil
}
