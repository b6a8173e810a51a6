package specflow

import (
	"slices"
	"strconv"
	"strings"

	"baton/internal/markdown"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Bytes gives the bytes that the digest was parsed from.
func (d *Doc) Bytes() []byte { return d.src }

// Model gives everything that the digest says, except its decisions (specflow.md 5.5, 5.11).
func (d *Doc) Model() Model {
	p, active := d.active()
	return Model{
		Form: p.form, Active: active, Queue: d.Queue(), Warnings: d.warningTexts(), Execution: d.executionRows(),
		Patterns: d.patternTexts(), Position: d.positionLabels(),
	}
}

// Queue gives the rows of the queue. They come in the order of the file, or by number when every cell of the column
// that counts them is a different integer (5.5.3).
func (d *Doc) Queue() []QueueRow {
	out := []QueueRow{}
	t, ok := d.queueTable()
	if !ok {
		return out
	}
	rows := t.real()
	if numbers, ok := t.numbers(); ok {
		order := numbers.order()
		sorted := make([]row, len(rows))
		for k, i := range order {
			sorted[k] = rows[i]
		}
		rows = sorted
	}
	for _, r := range rows {
		out = append(out, t.queueRow(r))
	}
	return out
}

// queueTable gives the table of the queue: the first of its section with a column for ids, else the first.
func (d *Doc) queueTable() (table, bool) {
	for _, s := range d.sections {
		if s.kind != queue {
			continue
		}
		if t, ok := d.tableOf(s, colSpec); ok {
			return t, true
		}
		if all := d.tables(s); len(all) > 0 {
			return all[0], true
		}
	}
	return table{}, false
}

func (t *table) queueRow(r row) QueueRow {
	out := QueueRow{Line: r.line + 1}
	for k, text := range r.cells {
		switch t.columns[k] {
		case colSpec:
			if out.ID = idOf(text); out.ID == "" {
				out.ID = text
			}
		case colTitle:
			out.Title = text
		case colStatus:
			out.Status = text
		case colPriority:
			out.Priority = text
		case colComplexity:
			out.Complexity = text
		case colDepends:
			out.Depends = text
		case colPosition:
			out.Position = text
		case colPhase:
			out.Phase = text
		default:
			if out.Other == nil {
				out.Other = map[string]string{}
			}
			out.Other[t.names[k]] = text
		}
	}
	return out
}

// QueueColumns gives the names of the queue's columns as written.
func (d *Doc) QueueColumns() []string {
	t, ok := d.queueTable()
	if !ok {
		return []string{}
	}
	return slices.Clone(t.names)
}

// NextInQueue gives the first row whose status is not done and none of whose dependencies waits in the queue itself
// (5.11). A dependency that is done holds nobody up, whether its row is still there or not.
func NextInQueue(rows []QueueRow) (QueueRow, bool) {
	waits := func(id string) bool {
		return slices.ContainsFunc(rows, func(r QueueRow) bool { return SameID(r.ID, id) && Word(r.Status) != "done" })
	}
	for _, r := range rows {
		if r.ID == "" || Word(r.Status) == "done" {
			continue
		}
		free := true
		for _, id := range dependencies(r.Depends) {
			free = free && (SameID(id, r.ID) || !waits(id))
		}
		if free {
			return r, true
		}
	}
	return QueueRow{}, false
}

// dependencies gives the ids that a cell names: its codes, and its other words.
func dependencies(cell string) []string {
	if isNone(cell) {
		return nil
	}
	return append(codes(cell), strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(" ,;&+", r) })...)
}

// warningTexts gives the warnings: rows of a table, else the section's prose (5.5.5).
func (d *Doc) warningTexts() []string {
	out := []string{}
	for _, s := range d.sections {
		if s.kind != warnings {
			continue
		}
		rows := map[int]bool{}
		for _, t := range d.tables(s) {
			rows[t.header], rows[t.delimiter] = true, true
			for _, r := range t.rows {
				rows[r.line] = true
				if !r.placeholder {
					out = append(out, t.warning(r))
				}
			}
		}
		for i := s.head + 1; i < s.end; i++ {
			text := strings.TrimSpace(d.text(i))
			if rows[i] || !d.prose(i) {
				continue
			}
			if d.class(i) == markdown.Item {
				text = strings.TrimSpace(strings.TrimLeft(text, "-*+"))
			}
			if !noWarning(text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// warning writes a row of the table of warnings as one text.
func (t *table) warning(r row) string {
	var parts []string
	for _, c := range r.cells {
		if !isNone(c) {
			parts = append(parts, c)
		}
	}
	return strings.Join(parts, " · ")
}

// noWarning tells whether prose says that there are no warnings.
func noWarning(text string) bool {
	if isNone(text) {
		return true
	}
	return strings.HasPrefix(strings.ToLower(strings.Trim(text, "_*().! ")), "no active warning") ||
		strings.EqualFold(strings.Trim(text, "_*().! "), "no warnings")
}

// patternTexts gives the bullets of Project Patterns.
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

// endOf gives the byte behind a section.
func (d *Doc) endOf(s section) int {
	if lines := d.md.Lines(); s.end < len(lines) {
		return lines[s.end].Start
	}
	return len(d.src)
}

// positionLabels gives the bullets of Current Position besides the three of the active specification.
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

// executionRows gives the rows of Execution Status.
func (d *Doc) executionRows() []Execution {
	out := []Execution{}
	t, ok := d.executionTable()
	if !ok {
		return out
	}
	for _, r := range t.real() {
		if id := idOf(t.cell(r, colSpec)); id != "" {
			out = append(out, Execution{
				ID: id, Mode: t.cell(r, colMode), Progress: t.cell(r, colProgress), Updated: t.cell(r, colUpdated), Line: r.line + 1,
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
