package specflow

import "strings"

// Value is a value of a digest as "state get" shows it.
type Value struct {
	Text string // as written; several active specifications are on separate lines
	Line int    // 1-based, or 0 if it is not in the file
}

// canonicalName returns active, status or next for a name of one of these three values.
func canonicalName(name string) (string, bool) {
	switch n := strings.ToLower(strings.TrimSpace(name)); n {
	case "active", "status", "next":
		return n, true
	case "active specification", "active specifications":
		return "active", true
	case "next step":
		return "next", true
	}
	return "", false
}

// Get returns a value: active, status, next, a label of Current Position, or the text of a section
// (specflow.md 5.11).
func (d *Doc) Get(name string) (Value, bool) {
	if three, ok := canonicalName(name); ok {
		if v, ok := d.getActive(three); ok || three != "active" {
			return v, ok
		}
	}
	if l, ok := d.findField(name); ok {
		return Value{Text: l.raw, Line: l.line + 1}, true
	}
	if s, ok := d.titled(name); ok {
		return Value{Text: d.body(s), Line: s.head + 1}, true
	}
	return Value{}, false
}

func (d *Doc) getActive(three string) (Value, bool) {
	p, active := d.active()
	switch p.form {
	case "A", "B":
		switch {
		case three == "active" && p.hasActive:
			id, _, none := parseActive(p.active.raw)
			if none || id == "" {
				id = p.active.raw
			}
			return Value{id, p.active.line + 1}, true
		case three == "status" && p.hasStatus:
			return Value{p.status.raw, p.status.line + 1}, true
		case three == "next" && p.hasNext:
			return Value{p.next.raw, p.next.line + 1}, true
		}
		return Value{}, false
	case "C":
		var lines []string
		first := p.sec.head + 1
		for k, a := range active {
			if k == 0 {
				first = a.Line
			}
			lines = append(lines, map[string]string{"active": a.ID, "status": a.Status, "next": a.Next}[three])
		}
		if len(lines) == 0 {
			return d.noneActive(three, first), true
		}
		return Value{strings.Join(lines, "\n"), first}, true
	}
	return Value{}, false
}

// noneActive returns a value of a table without active specifications: a label that a person left
// beside it, or else what the other forms say then.
func (d *Doc) noneActive(three string, line int) Value {
	names := map[string]string{"active": labelActive, "status": labelStatus, "next": labelNext}
	if l, ok := d.findField(names[three]); ok && three != "active" {
		return Value{l.raw, l.line + 1}
	}
	return Value{map[string]string{"active": "none", "status": "idle"}[three], line}
}

// findField returns a label of Current Position or of the section of form B.
func (d *Doc) findField(name string) (label, bool) {
	for _, s := range d.sections {
		if s.kind == position || s.kind == activeOne {
			if l, ok := findLabel(d.labels(s), strings.TrimSpace(name)); ok {
				return l, true
			}
		}
	}
	return label{}, false
}

// titled returns the section with a title, ignoring case.
func (d *Doc) titled(name string) (section, bool) {
	name = strings.TrimSpace(strings.TrimPrefix(name, "section:"))
	for _, s := range d.sections {
		if strings.EqualFold(s.title, name) {
			return s, true
		}
	}
	return section{}, false
}

// body returns a section's text without its heading and the blank lines around it.
func (d *Doc) body(s section) string {
	lines := d.md.Lines()
	if s.head+1 >= len(lines) {
		return ""
	}
	text := strings.ReplaceAll(string(d.src[lines[s.head+1].Start:d.endOf(s)]), "\r\n", "\n")
	return strings.Trim(text, "\n")
}
