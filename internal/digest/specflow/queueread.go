package specflow

import (
	"slices"
	"strings"
)

// Queue returns the rows of the queue, in the order of the file. If every cell of the numbering
// column is a different integer, the rows come in that order instead (5.5.3).
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

// queueTable returns the table of the queue: the first table of its section with a column for ids,
// or else the section's first table.
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

// QueueColumns returns the names of the queue's columns as written.
func (d *Doc) QueueColumns() []string {
	t, ok := d.queueTable()
	if !ok {
		return []string{}
	}
	return slices.Clone(t.names)
}

// NextInQueue returns the first row that is not done and that depends on no unfinished row of the
// queue (5.11). A dependency that is done blocks nothing, whether or not its row is still there.
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

// dependencies returns the ids that a cell names: its codes, and its other words.
func dependencies(cell string) []string {
	if isNone(cell) {
		return nil
	}
	return append(codes(cell), strings.FieldsFunc(cell, func(r rune) bool {
		return strings.ContainsRune(" ,;&+", r)
	})...)
}
