package specflow

import (
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Change is one value that an edit changed.
type Change struct{ Field, Old, New string }

// Edited is the result of an edit. If nothing changed, Text is the same slice that was parsed.
type Edited struct {
	Text     []byte
	Changed  []Change
	Findings []report.Finding // remarks about the edit
	Gone     Gone             // for SyncExecution: rows that were removed from the digest
}

// edit collects the splices of a change.
type edit struct {
	d       *Doc
	splices []markdown.Edit
	changed []Change
	found   []report.Finding
	left    Gone
}

func (d *Doc) begin() *edit { return &edit{d: d} }

// replace replaces the span with text, and records the change of the field.
func (e *edit) replace(span markdown.Span, text string) {
	if string(span.Of(e.d.src)) != text {
		e.splices = append(e.splices, markdown.Edit{Span: span, Text: []byte(text)})
	}
}

// line replaces the text of line i and keeps its line end.
func (e *edit) line(i int, text string) {
	ln := e.d.md.Lines()[i]
	e.replace(markdown.Span{Start: ln.Start, End: ln.End}, text)
}

// remove removes line i and its line end.
func (e *edit) remove(i int) {
	ln := e.d.md.Lines()[i]
	e.splices = append(e.splices, markdown.Edit{Span: markdown.Span{Start: ln.Start, End: ln.Next}})
}

// insert inserts lines before line i, which may be the number of lines. A document without a final
// line end still has none afterwards (SF-8).
func (e *edit) insert(i int, lines ...string) {
	all := e.d.md.Lines()
	pos := len(e.d.src)
	if i < len(all) {
		pos = all[i].Start
	}
	eol := e.d.md.EOL(pos)
	text := strings.Join(lines, eol)
	if n := len(all); i == n && n > 0 && all[n-1].End == all[n-1].Next {
		text = eol + text
	} else {
		text += eol
	}
	at := markdown.Span{Start: pos, End: pos}
	e.splices = append(e.splices, markdown.Edit{Span: at, Text: []byte(text)})
}

// note records the change of a field.
func (e *edit) note(field, from, to string) {
	if from != to {
		e.changed = append(e.changed, Change{field, from, to})
	}
}

// done makes the edits. Errors: Corrupt unclosed_fence if an edit is after the opening of a fence
// or comment that is never closed, because everything there could be code (SF-12).
func (e *edit) done() (Edited, error) {
	if len(e.splices) == 0 {
		return Edited{Text: e.d.src, Findings: e.found}, nil
	}
	if line, open := e.d.unclosed(); open {
		start := e.d.md.Lines()[line].Start
		for _, s := range e.splices {
			if s.Span.End > start {
				return Edited{Text: e.d.src}, &report.Error{
					Kind: report.Corrupt, Code: report.CodeUnclosedFence, Line: line + 1,
					Message: "line " + itoa(line+1) + " opens a fence or comment that is never closed, so " +
						"nothing after it can be edited",
					Hint: "close it and try again",
				}
			}
		}
	}
	out, err := markdown.Apply(e.d.src, e.splices...)
	if err != nil {
		return Edited{Text: e.d.src}, err
	}
	return Edited{Text: out, Changed: e.changed, Findings: e.found, Gone: e.left}, nil
}

// unclosed returns the line of a fence or comment that is never closed.
func (d *Doc) unclosed() (line int, open bool) {
	if f, ok := d.md.Unclosed(); ok {
		return f.Open, true
	}
	return d.md.UnclosedComment()
}

// unchanged returns the result of an edit that changes nothing.
func (d *Doc) unchanged() Edited { return Edited{Text: d.src} }

// append adds a missing section at the end of the document, before its footer, between blank lines
// (5.6.3).
func (e *edit) append(title string, lines ...string) {
	d := e.d
	at := d.foot
	for at > 0 && d.blank(at-1) {
		at--
	}
	block := append([]string{"## " + title, ""}, lines...)
	if at > 0 {
		block = append([]string{""}, block...)
	}
	if at == d.foot && at < len(d.md.Lines()) {
		block = append(block, "")
	}
	e.insert(at, block...)
}

// lastText returns the line after the last non-blank line of a section. The heading counts.
func (d *Doc) lastText(s section) int {
	end := s.end
	for end > s.head+1 && d.blank(end-1) {
		end--
	}
	return end
}

// addTable adds a new table with its first row at the end of a section.
func (e *edit) addTable(s section, lines ...string) {
	at := e.d.lastText(s)
	block := append([]string{""}, lines...)
	if at < len(e.d.md.Lines()) && !e.d.blank(at) {
		block = append(block, "") // a heading or the footer follows directly
	}
	e.insert(at, block...)
}

// addRow adds a row after the last one of a table and removes placeholder rows (5.6.3).
func (e *edit) addRow(t table, text string) {
	last := t.delimiter
	for _, r := range t.rows {
		if r.placeholder {
			e.remove(r.line)
		} else {
			last = r.line
		}
	}
	e.insert(last+1, text)
}

// refuse returns an error. Its message does not name the file, which the caller knows.
func refuse(kind report.Kind, code report.Code, message, hint string) error {
	return &report.Error{Kind: kind, Code: code, Message: message, Hint: hint}
}

// quoted returns a word from outside for use in a message.
func quoted(word string) string { return `"` + fold(word) + `"` }
