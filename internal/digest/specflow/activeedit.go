package specflow

import (
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
)

// AddActive makes a specification active (specflow.md 5.6.1, 5.6.2). In form C it adds a row, or
// updates the status and next step of the existing row. Forms A and B have room for one
// specification: if another one is active, the result is Violation single_active unless replace is
// set. A specification that was not active before starts with status drafting and the audit as its
// next step, unless others are given (5.13); it never takes over what was said about another.
// Otherwise empty texts change nothing. Errors: Usage id_invalid for an id that could not be read
// back.
func (d *Doc) AddActive(id, status, next string, replace bool) (Edited, error) {
	id = fold(id)
	if code, _, none := parseActive(id); none || code == "" {
		return d.unchanged(), invalidID(id)
	}
	p, active := d.active()
	if p.form == "C" {
		return d.addActiveRow(p, id, status, next)
	}
	e := d.begin()
	if len(active) > 0 && !sameSpec(active[0], id) && !replace {
		return d.unchanged(), refuse(report.Violation, report.CodeSingleActive,
			nameOf(active[0])+" is active, and this digest holds only one active specification",
			"migrate it with `baton state migrate --apply`, or replace it with --replace")
	}
	value := id
	if len(active) == 0 || !sameSpec(active[0], id) {
		status, next = or(status, firstStatus), or(next, firstNext)
	}
	if len(active) > 0 && sameSpec(active[0], id) {
		value = "" // keep it as written, with its title
	}
	e.values(p, value, fold(status), fold(next))
	return e.verified(p, value, "active")
}

// Status and next step of a new active specification (5.13).
const (
	firstStatus = "drafting"
	firstNext   = "/sf:audit"
)

func or(text, otherwise string) string {
	if fold(text) == "" {
		return otherwise
	}
	return text
}

// invalidID returns the error for an id that could not be distinguished from prose.
func invalidID(id string) error {
	return refuse(report.Usage, report.CodeIDInvalid, quoted(id)+" is not an id of a specification",
		"name it in one word, such as SPEC-012")
}

// ChangeActive sets status and next step of an active specification; empty texts change nothing. An
// id that is not active becomes active as in 5.6.2. Errors: Violation single_active if there is no
// room.
func (d *Doc) ChangeActive(id, status, next string) (Edited, error) {
	return d.AddActive(id, status, next, false)
}

// RemoveActive removes a specification from the active ones. In form C it removes the row. In forms
// A and B the values become none, idle, and the two commands that start a new specification.
// Errors: NotFound spec_not_active.
func (d *Doc) RemoveActive(id string) (Edited, error) {
	p, active := d.active()
	for _, a := range active {
		if !sameSpec(a, id) {
			continue
		}
		e := d.begin()
		if p.form == "C" {
			e.remove(a.Line - 1)
			e.note("active", nameOf(a), "")
			return e.done()
		}
		status, next := "idle", "/sf:new or /sf:next"
		if !p.hasStatus {
			status = ""
		}
		if !p.hasNext {
			next = ""
		}
		e.values(p, "none", status, next)
		return e.verified(p, "none", "active")
	}
	hint := "no specification is active"
	if len(active) > 0 {
		hint = "active is " + names(active)
	}
	return d.unchanged(), refuse(report.NotFound, report.CodeSpecNotActive, quoted(id)+" is not active", hint)
}

// sameSpec reports whether an id names the active specification. One without a code is named by its
// whole text.
func sameSpec(a Active, id string) bool {
	if a.ID == "" {
		return SameID(a.Title, id)
	}
	if SameID(a.ID, id) {
		return true
	}
	code, _, none := parseActive(id)
	return !none && code != "" && SameID(a.ID, code)
}

func nameOf(a Active) string {
	if a.ID == "" {
		return a.Title
	}
	return a.ID
}

// names lists the active specifications.
func names(active []Active) string {
	var out []string
	for _, a := range active {
		out = append(out, nameOf(a))
	}
	return strings.Join(out, ", ")
}

// addActiveRow updates the row of the id, or appends one after the last row (5.6.2).
func (d *Doc) addActiveRow(p place, id, status, next string) (Edited, error) {
	e := d.begin()
	if !p.hasTab {
		status, next = or(status, firstStatus), or(next, firstNext)
		e.addTable(p.sec, activeHeader, activeDelimiter, markdown.Row(escape(id), escape(status), escape(next)))
		e.note("active", "", id)
		return e.done()
	}
	for _, r := range p.tab.rows {
		a, ok := p.tab.active(r)
		if !ok || !sameSpec(a, id) {
			continue
		}
		line := d.text(r.line)
		for _, c := range [...]struct{ canon, name, old, value string }{
			{colStatus, "status", a.Status, fold(status)}, {colNext, "next", a.Next, fold(next)},
		} {
			if c.value == "" || c.value == c.old {
				continue
			}
			k := p.tab.column(c.canon)
			if k < 0 {
				e.lacks(p.tab, c.name)
				continue
			}
			line = markdown.SetCell(line, k, len(p.tab.names), escape(c.value), dash)
			e.note(c.name, c.old, c.value)
		}
		e.line(r.line, line)
		return e.done()
	}
	t := p.tab
	for k := range t.rows { // a row that says none is not a specification
		if _, ok := t.active(t.rows[k]); !ok && isNone(t.cell(t.rows[k], colSpec)) {
			t.rows[k].placeholder = true
		}
	}
	if t.column(colStatus) < 0 && status != "" {
		e.lacks(t, "status")
	}
	if t.column(colNext) < 0 && next != "" {
		e.lacks(t, "next")
	}
	values := map[string]string{colSpec: id, colStatus: or(status, firstStatus), colNext: or(next, firstNext)}
	e.addRow(t, t.newRow(values))
	e.note("active", "", id)
	return e.done()
}

// lacks reports that the table has no column for a value.
func (e *edit) lacks(t table, name string) {
	e.found = append(e.found, report.CodeColumnMissing.Finding("", t.header+1,
		"the table of active specifications has no column for "+name+", so it was not written"))
}
