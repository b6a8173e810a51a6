package gsd

import (
	"strings"

	"baton/internal/markdown"
)

// line is one of the lines of Current Position that an event writes.
type line struct {
	label   string
	value   string            // "" leaves the line alone
	written func(string) bool // reports whether a program wrote the text, so that it may be replaced; nil: always
}

// positionLabels returns the labels of Current Position in the template's order.
func positionLabels() []string {
	return []string{"Phase", "Plan", "Status", "Last Activity", "Progress"}
}

// position writes lines of Current Position. A missing label is added after the last existing one,
// and a missing section at the template's place (N6). If there is no section, but the body has a
// Status or a Current Phase elsewhere, the file has its own layout; then only its own labels
// are written.
func (e *editor) position(lines []line, force bool) {
	if e.d.positionSection() >= 0 {
		for _, l := range lines {
			if l.value != "" && !e.write((*Doc).positionSpan, l, force) && !e.d.labelled("Current "+l.label) {
				e.insertLabel(l) // unless the older field says it
			}
		}
		return
	}
	known := e.d.labelled("Status") || e.d.labelled("Current Phase")
	var missing []string
	for _, l := range lines {
		switch {
		case l.value == "":
		case known:
			e.write((*Doc).body, l, force) // wherever the label stands (F-56)
		default:
			missing = append(missing, l.label+": "+l.value)
		}
	}
	if len(missing) > 0 {
		e.insertPosition(missing)
	}
}

// labelled reports whether the body has a field of this name, filled or not.
func (d *Doc) labelled(name string) bool {
	_, ok := d.find(d.body(), name, true)
	return ok
}

func (e *editor) write(in scope, l line, force bool) bool {
	if l.written == nil {
		return e.set(in, l.label, l.value)
	}
	return e.setUnless(in, l.label, l.value, force, l.written)
}

// insertLabel adds a line to Current Position, in the style of the preceding line.
func (e *editor) insertLabel(l line) {
	if e.err != nil {
		return
	}
	within := e.d.positionSpan()
	var last field
	found := false
	for _, name := range positionLabels() {
		if f, ok := e.d.find(within, name, true); ok && (!found || f.line > last.line) {
			last, found = f, true
		}
	}
	if !found {
		e.insertBelow(e.d.titles[e.d.positionSection()], []string{l.label + ": " + l.value})
	} else {
		e.insertAfter(last, l.label, l.value)
	}
	e.readBack((*Doc).positionSpan, l.label, l.value)
	e.changedField(l.label, "", l.value)
}

// insertAfter adds a labelled line after another one, in the same style.
func (e *editor) insertAfter(f field, label, value string) {
	ln := e.d.md.Lines()[f.line]
	text := string(e.d.src[ln.Start+e.d.shift : ln.End+e.d.shift])
	var out string
	switch {
	case f.cell:
		out = markdown.Row(label, markdown.EscapeCell(value))
	case f.bold:
		out = text[:strings.Index(text, "**")]
		if strings.Trim(out, " \t>-*+") != "" {
			out = out[:blanks([]byte(out))]
		}
		out += "**" + label + ":** " + value
	default:
		out = label + ": " + value
	}
	e.insertLines(ln.Next+e.d.shift, out)
}

// insertBelow adds lines directly below a heading, with a blank line before and after them.
func (e *editor) insertBelow(t title, lines []string) {
	at := t.head.End
	lines = append([]string{""}, lines...)
	if next, _ := markdown.LineAt(e.d.src, at); at < len(e.d.src) && len(strings.TrimSpace(string(next))) > 0 {
		lines = append(lines, "")
	}
	e.insertLines(at, lines...)
}

// insertLines inserts whole lines at the start of a line, each with the terminator of the line
// above (TS-1).
func (e *editor) insertLines(at int, lines ...string) {
	eol := eolAt(e.d.src, at)
	text := strings.Join(lines, eol) + eol
	if at > 0 && at == len(e.d.src) && e.d.src[at-1] != '\n' {
		text = eol + strings.TrimSuffix(text, eol)
	}
	e.splice(markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: []byte(text)})
}

// insertPosition adds the section Current Position: after Project Reference, or else before the
// first heading of level 2, or else at the end.
func (e *editor) insertPosition(lines []string) {
	at := len(e.d.src)
	if i := e.d.titled(2, 2, "Project Reference"); i >= 0 {
		at = e.d.titles[i].full.End
	} else {
		for _, t := range e.d.titles {
			if t.level == 2 {
				at = t.head.Start
				break
			}
		}
	}
	e.insertSection(at, append([]string{"## Current Position", ""}, lines...))
	for _, l := range lines {
		label, value, _ := strings.Cut(l, ": ")
		e.readBack((*Doc).positionSpan, label, value)
		e.changedField(label, "", value)
	}
}

// insertSection inserts lines that begin with a heading at the start of a line, with one blank line
// before and after them.
func (e *editor) insertSection(at int, lines []string) {
	if e.err != nil {
		return
	}
	if at == len(e.d.src) && e.openEnd() {
		return
	}
	before := e.d.src[:at]
	if start := e.d.front.end; at > start && len(strings.TrimSpace(string(before[start:]))) > 0 {
		if end := strings.TrimRight(string(before), " \t"); !strings.HasSuffix(end, "\n\n") &&
			!strings.HasSuffix(end, "\n\r\n") {
			lines = append([]string{""}, lines...)
		}
	} else if e.d.front.ok && at == start {
		lines = append([]string{""}, lines...)
	}
	if at < len(e.d.src) {
		lines = append(lines, "")
	}
	if at == len(e.d.src) && at > 0 && e.d.src[at-1] != '\n' {
		lines = append([]string{""}, lines...) // ends the last line, which has no terminator
	}
	eol := eolAt(e.d.src, at)
	e.splice(markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: []byte(strings.Join(lines, eol) + eol)})
}
