package specflow

import (
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Set changes one value in place: active, status or next of the only active specification, a label
// of Current Position, or a section of plain text (specflow.md 5.11). It fails with a Violation if
// several specifications are active (ambiguous) or if the section has tables or subheadings
// (section_structured), and with NotFound for a name that the digest does not have.
func (d *Doc) Set(name, value string) (Edited, error) {
	if three, ok := canonicalName(name); ok {
		return d.setActive(three, fold(value))
	}
	if l, ok := d.findField(name); ok {
		e := d.begin()
		e.setLabel(l, fold(value))
		e.note(l.name, l.raw, fold(value))
		return e.done()
	}
	if s, ok := d.titled(name); ok {
		return d.setSection(s, value)
	}
	return d.unchanged(), refuse(report.NotFound, report.CodeNotFound, "the digest has no field or section called "+
		quoted(name),
		"names are active, status, next, a label of Current Position, or the heading of a section")
}

func (d *Doc) setActive(three, value string) (Edited, error) {
	p, active := d.active()
	if three == "active" && isNone(value) {
		if p.hasActive && isNone(p.active.raw) {
			return d.unchanged(), nil // says the same already, in other words
		}
		value = "none"
	}
	if p.form == "C" && (len(active) > 0 || three != "active") {
		return d.setRow(p, active, three, value)
	}
	if p.form == "C" {
		if value == "none" {
			return d.unchanged(), nil
		}
		return d.ChangeActive(value, "", "")
	}
	e := d.begin()
	if value == "" { // values takes an empty text for "leave it unchanged"
		l := map[string]label{"status": p.status, "next": p.next}[three]
		if l.name != "" {
			e.setLabel(l, "")
			e.note(three, l.raw, "")
		}
		return e.done()
	}
	switch three {
	case "active":
		e.values(p, value, "", "")
	case "status":
		e.values(p, "", value, "")
	case "next":
		e.values(p, "", "", value)
	}
	return e.verified(p, value, three)
}

// setRow sets a cell of the only active specification in form C.
func (d *Doc) setRow(p place, active []Active, three, value string) (Edited, error) {
	if len(active) == 0 {
		return d.unchanged(), refuse(report.NotFound, report.CodeNoActiveSpec, "no specification is active",
			"add one with `baton state active add ID STATUS NEXT`")
	}
	if len(active) > 1 {
		return d.unchanged(), refuse(report.Violation, report.CodeAmbiguous,
			itoa(len(active))+" specifications are active: "+names(active),
			"say which one: `baton state active set ID --status S --next N`")
	}
	if three == "active" && value == "none" {
		return d.RemoveActive(nameOf(active[0]))
	}
	canon := map[string]string{"active": colSpec, "status": colStatus, "next": colNext}[three]
	k := p.tab.column(canon)
	if k < 0 {
		return d.unchanged(), noColumn(three)
	}
	e := d.begin()
	line := active[0].Line - 1
	old := map[string]string{"active": active[0].ID, "status": active[0].Status, "next": active[0].Next}[three]
	if old != value {
		e.line(line, markdown.SetCell(d.text(line), k, len(p.tab.names), escape(value), dash))
		e.note(three, old, value)
	}
	return e.done()
}

func noColumn(three string) error {
	return refuse(report.Violation, report.CodeNoColumn, "the table of active specifications has no column for "+three,
		"add the column to the table's header, delimiter and rows")
}

// setLabel replaces the value after a label.
func (e *edit) setLabel(l label, value string) {
	if l.raw == value {
		return
	}
	if l.value.Len() == 0 {
		if value == "" {
			return
		}
		ln := e.d.md.Lines()[l.line]
		e.replace(markdown.Span{Start: l.value.Start, End: ln.End}, " "+value) // drops blanks after the label
		return
	}
	e.replace(l.value, value)
}

// setSection replaces the text of a section that contains nothing but text and lists.
func (d *Doc) setSection(s section, value string) (Edited, error) {
	if s.kind != other && s.kind != warnings && s.kind != patterns {
		return d.unchanged(), structured(s)
	}
	for i := s.head + 1; i < s.end; i++ {
		switch d.class(i) {
		case markdown.Text, markdown.Item, markdown.Blank, markdown.Rule:
			if d.rowish(i) {
				return d.unchanged(), structured(s)
			}
		default:
			return d.unchanged(), structured(s)
		}
	}
	old := d.body(s)
	value = strings.Trim(strings.ReplaceAll(strings.ToValidUTF8(value, "\uFFFD"), "\r\n", "\n"), "\n")
	if old == value {
		return d.unchanged(), nil
	}
	e := d.begin()
	first, last, lines := s.head+1, d.lastText(s), d.md.Lines()
	for first < last && d.blank(first) {
		first++
	}
	if first < last {
		text := strings.ReplaceAll(value, "\n", d.md.EOL(lines[first].Start))
		e.replace(markdown.Span{Start: lines[first].Start, End: lines[last-1].End}, text)
	} else {
		e.insert(s.head+1, append([]string{""}, strings.Split(value, "\n")...)...)
	}
	e.note(s.title, old, value)
	out, err := e.done()
	if err != nil {
		return out, err
	}
	if Parse(out.Text).shape() != d.shape() {
		return d.unchanged(), refuse(report.Usage, report.CodeValueUnreadable,
			"the text would change the sections of the digest",
			"leave headings and unclosed fences out of it")
	}
	return out, nil
}

// shape lists the document's sections in one string. Comparing two shapes shows whether a text
// changed the sections.
func (d *Doc) shape() string {
	var b strings.Builder
	for _, s := range d.sections {
		b.WriteString(s.title)
		b.WriteByte('\n')
	}
	if _, open := d.unclosed(); open {
		b.WriteByte('!')
	}
	return b.String()
}

func structured(s section) error {
	hint := "edit the file yourself; baton does not replace such sections"
	switch s.kind {
	case queue:
		hint = "use `baton state queue`"
	case decisions:
		hint = "use `baton decision add`"
	case position, activeOne, activeMany:
		hint = "use `baton state active`, or set one of its labels"
	case execution:
		hint = "use `baton state sync`"
	}
	return refuse(report.Violation, report.CodeSectionStructured, "the section "+quoted(s.title)+
		" has tables or subheadings, so it cannot be replaced as a whole", hint)
}
