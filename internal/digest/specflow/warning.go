package specflow

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/report"
)

// The table of warnings that a new section gets.
const (
	warningHeader    = "| Date | Specification | Reason |"
	warningDelimiter = "|------|---------------|--------|"
)

// cellJoint is written between the cells of a row that is one text.
const cellJoint = " · "

// Warning is a warning of the digest.
type Warning struct {
	N    int // 1-based position
	Text string
	Line int // 1-based
}

// Warnings lists the warnings in the order of the file.
func (d *Doc) Warnings() []Warning {
	var out []Warning
	for i, h := range d.heldWarnings() {
		out = append(out, Warning{N: i + 1, Text: h.Text, Line: d.md.LineAt(h.Span.Start) + 1})
	}
	return out
}

// says reports whether the warning has a text: all of it, with or without the specification before
// it, or the last cell of a row in which another cell is the specification, if one is named.
func (w Warning) says(text, spec string) bool {
	before, row := strings.CutSuffix(w.Text, cellJoint+text)
	if w.Text == text || w.Text == spec+": "+text {
		return true
	}
	return row && (spec == "" || slices.Contains(strings.Split(before, cellJoint), spec))
}

// AddWarning adds a warning in the form that the digest has: a row of its table, or else a bullet.
// Without a section, it adds one with a table. spec is its specification; "" is the active one, if
// there is only one. A bullet begins with it only if it is named. Errors: Usage text_empty.
func (d *Doc) AddWarning(text, spec string, now time.Time) (Edited, []Warning, error) {
	if text = fold(text); text == "" {
		return d.unchanged(), nil, refuse(report.Usage, report.CodeTextEmpty, "the warning is empty", "give its text")
	}
	named := fold(spec)
	if active := d.Model().Active; spec == "" && len(active) == 1 {
		spec = active[0].ID
	}
	for _, w := range d.Warnings() {
		if w.says(text, spec) {
			return d.unchanged(), []Warning{w}, nil
		}
	}
	if spec = fold(spec); spec == "" {
		spec = dash
	}
	row := "| " + strings.Join([]string{now.Format(time.DateOnly), escape(spec), escape(text)}, " | ") + " |"
	e := d.begin()
	s, found := d.first(warnings)
	tables := []table(nil)
	if found {
		tables = d.tables(s)
	}
	switch {
	case !found:
		e.append("Warnings", warningHeader, warningDelimiter, row)
	case len(tables) > 0:
		t := tables[0]
		at := t.column(colReason)
		if at < 0 {
			at = len(t.names) - 1
		}
		values := map[string]string{colDate: now.Format(time.DateOnly), colSpec: spec}
		columns := append([]string(nil), t.columns...)
		columns[at] = colReason
		values[colReason] = text
		t.columns = columns
		e.addRow(t, t.newRow(values))
	case named != "":
		e.addBullet(s, "- "+named+": "+text)
	default:
		e.addBullet(s, "- "+text)
	}
	e.note("warning", "", text)
	done, err := e.done()
	if err != nil {
		return done, nil, err
	}
	list := Parse(done.Text).Warnings()
	return done, list[max(0, len(list)-1):], nil
}

// addBullet adds a bullet at the end of a section, and removes the words that say that there are no
// warnings.
func (e *edit) addBullet(s section, text string) {
	for i := s.head + 1; i < s.end; i++ {
		if e.d.prose(i) && noWarning(strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(e.d.text(i)), "-*+"))) {
			e.line(i, text)
			return
		}
	}
	if at := e.d.lastText(s); at == s.head+1 {
		e.insert(at, "", text)
	} else {
		e.insert(at, text)
	}
}

// ResolveWarning removes warnings, named by number or by a part of their text, because SpecFlow
// resolves a warning by deleting it. Errors: NotFound no_match; Violation ambiguous if several
// match, unless all of them are meant.
func (d *Doc) ResolveWarning(which string, all bool) (Edited, []Warning, error) {
	var hits []Warning
	n, err := strconv.Atoi(strings.TrimSpace(which))
	for _, w := range d.Warnings() {
		if err == nil && w.N == n ||
			err != nil && strings.Contains(strings.ToLower(w.Text), strings.ToLower(strings.TrimSpace(which))) {
			hits = append(hits, w)
		}
	}
	switch {
	case len(hits) == 0:
		return d.unchanged(), nil, refuse(report.NotFound, report.CodeNoMatch, "no warning matches "+quoted(which),
			"`baton blocker list` lists them")
	case len(hits) > 1 && !all:
		var lines []string
		for _, w := range hits {
			lines = append(lines, itoa(w.N)+" "+quoted(w.Text))
		}
		return d.unchanged(), nil, refuse(report.Violation, report.CodeAmbiguous,
			quoted(which)+" matches several warnings: "+strings.Join(lines, ", "), "give a number, or --all")
	}
	e := d.begin()
	for _, w := range hits {
		e.remove(w.Line - 1)
		e.note("warning", w.Text, "")
	}
	done, err := e.done()
	return done, hits, err
}
