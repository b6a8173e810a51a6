package specflow

import (
	"strconv"
	"strings"

	"baton/internal/markdown"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Model returns everything that the digest says except its decisions (specflow.md 5.5, 5.11).
func (d *Doc) Model() Model {
	p, active := d.active()
	return Model{
		Form: p.form, Active: active, Queue: d.Queue(), Warnings: d.warningTexts(), Execution: d.executionRows(),
		Patterns: d.patternTexts(), Position: d.positionLabels(), LastPause: d.LastPause(),
	}
}

// warning writes a row of the table of warnings as one text.
func (t *table) warning(r row) string {
	var parts []string
	for _, c := range r.cells {
		if !isNone(c) {
			parts = append(parts, c)
		}
	}
	return strings.Join(parts, cellJoint)
}

// noWarning reports whether prose says that there are no warnings.
func noWarning(text string) bool {
	if isNone(text) {
		return true
	}
	return strings.HasPrefix(strings.ToLower(strings.Trim(text, "_*().! ")), "no active warning") ||
		strings.EqualFold(strings.Trim(text, "_*().! "), "no warnings")
}

// patternTexts returns the bullets of Project Patterns.
func (d *Doc) patternTexts() []string {
	out := []string{}
	s, ok := d.first(patterns)
	if !ok {
		return out
	}
	lines := d.md.Lines()
	for _, it := range d.md.ListItems(markdown.Span{Start: lines[s.head].Start, End: d.endOf(s)}) {
		if lines[it.Line].Depth == 1 && it.Text.Len() > 0 {
			out = append(out, string(it.Text.Of(d.src)))
		}
	}
	return out
}

// endOf returns the byte after a section.
func (d *Doc) endOf(s section) int {
	if lines := d.md.Lines(); s.end < len(lines) {
		return lines[s.end].Start
	}
	return len(d.src)
}

// positionLabels returns the bullets of Current Position, except the three of the active
// specification.
func (d *Doc) positionLabels() []Label {
	out := []Label{}
	s, ok := d.first(position)
	if !ok {
		return out
	}
	for _, l := range d.labels(s) {
		if _, three := canonicalName(l.name); !three {
			out = append(out, Label{Name: l.name, Value: l.raw, Line: l.line + 1})
		}
	}
	return out
}

// executionRows returns the rows of Execution Status.
func (d *Doc) executionRows() []Execution {
	out := []Execution{}
	t, ok := d.executionTable()
	if !ok {
		return out
	}
	for _, r := range t.real() {
		if id := idOf(t.cell(r, colSpec)); id != "" {
			out = append(out, Execution{
				ID: id, Mode: t.cell(r, colMode), Progress: t.cell(r, colProgress), Updated: t.cell(r, colUpdated),
				Line: r.line + 1,
			})
		}
	}
	return out
}

func (d *Doc) executionTable() (table, bool) {
	for _, s := range d.sections {
		if s.kind == execution {
			if t, ok := d.tableOf(s, colSpec); ok {
				return t, true
			}
		}
	}
	return table{}, false
}
