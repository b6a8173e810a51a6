package specflow

import (
	"slices"
	"strconv"

	"baton/internal/markdown"
	"baton/internal/report"
)

// QueueEntry is a row to add.
type QueueEntry struct {
	ID       string
	Title    string
	Priority string
	After    string // insert after this id; "" means at the end
}

// AddQueue adds a row to the queue in any of its layouts (specflow.md 5.6.3, 5.11). Without a
// queue, it adds the section. An existing row for the id is not changed if nothing is new. Errors:
// NotFound spec_not_queued for After; Conflict spec_queued if the id is queued with another title;
// Usage id_invalid or priority_invalid.
func (d *Doc) AddQueue(q QueueEntry) (Edited, error) {
	q.ID = fold(q.ID)
	if code, _, none := parseActive(q.ID); none || !SameID(code, q.ID) {
		return d.unchanged(), invalidID(q.ID)
	}
	t, ok := d.queueTable()
	if !ok {
		return d.newQueue(q)
	}
	if t.column(colSpec) < 0 {
		return d.unchanged(), refuse(report.Violation, report.CodeNoColumn,
			"the table of the queue has no column for ids",
			"name one of its columns ID")
	}
	for _, r := range t.real() {
		if old := t.queueRow(r); SameID(old.ID, q.ID) {
			if q.Title == "" || t.column(colTitle) < 0 || old.Title == markdown.UnescapeCell(escape(q.Title)) {
				return d.unchanged(), nil
			}
			return d.unchanged(), refuse(report.Conflict, report.CodeSpecQueued,
				old.ID+" is in the queue already, on line "+itoa(old.Line),
				"remove it first, or edit its row")
		}
	}
	rows := t.real()
	at := len(rows)
	if q.After != "" {
		k, err := t.find(q.After)
		if err != nil {
			return d.unchanged(), err
		}
		at = k + 1
	}
	values := map[string]string{colSpec: q.ID, colTitle: q.Title, colStatus: "draft", colPriority: q.Priority}
	e := d.begin()
	n, counted := t.numbers()
	switch {
	case len(rows) == 0 && t.column(colPosition) >= 0:
		values[colPosition] = "1"
	case counted && n.ascending():
		place := 0
		if t.columns[n.column] == colPriority && q.Priority != "" {
			var err error
			if place, err = strconv.Atoi(q.Priority); err != nil || place < 1 {
				return d.unchanged(), refuse(report.Usage, report.CodePriorityInvalid,
					quoted(q.Priority)+" is not a number, and the queue is ordered by the numbers under "+
						quoted(t.names[n.column]),
					"give a number")
			}
			for at = 0; at < len(rows) && n.values[at] < place; {
				at++
			}
		}
		values[t.columns[n.column]] = itoa(e.makeRoom(&t, n, at, place))
	case counted:
		values[t.columns[n.column]] = itoa(slices.Max(n.values) + 1)
		at = len(rows)
	}
	e.insertRow(t, at, t.newRow(values))
	e.note("queue", "", q.ID)
	return e.done()
}

// makeRoom returns the number of a row that is inserted at index at, and increases the numbers of
// the following rows as far as necessary. wish is the requested number, or 0 for the next one.
func (e *edit) makeRoom(t *table, n numbers, at, wish int) int {
	number := wish
	if number == 0 {
		number = 1
		if at > 0 {
			number = n.values[at-1] + 1
		}
		if n.counting() && at < len(n.values) {
			number = at + 1
		}
	}
	if n.counting() {
		number = min(number, len(n.values)+1)
	}
	taken := number
	for k, r := range t.real() {
		if k < at || n.values[k] > taken {
			continue
		}
		taken++
		e.line(r.line, markdown.SetCell(e.d.text(r.line), n.column, len(t.names), itoa(taken), dash))
	}
	return number
}

// insertRow inserts a row before the real row with an index, or after the last one.
func (e *edit) insertRow(t table, at int, text string) {
	rows := t.real()
	if at >= len(rows) {
		e.addRow(t, text)
		return
	}
	e.insert(rows[at].line, text)
}

// newQueue adds a queue in the layout of a new digest.
func (d *Doc) newQueue(q QueueEntry) (Edited, error) {
	e := d.begin()
	row := markdown.Row("1", escape(q.ID), escape(q.Title), escape(q.Priority), "draft")
	if s, ok := d.first(queue); ok {
		e.addTable(s, queueHeader, queueDelimiter, row)
	} else {
		e.append("Queue", queueHeader, queueDelimiter, row)
	}
	e.note("queue", "", q.ID)
	return e.done()
}

// The table of a new queue.
const (
	queueHeader    = "| # | ID | Title | Priority | Status |"
	queueDelimiter = "|---|----|-------|----------|--------|"
)
