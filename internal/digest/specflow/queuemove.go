package specflow

import (
	"slices"

	"baton/internal/markdown"
	"baton/internal/report"
)

// RemoveQueue removes the row of an id from the queue. Rows that are numbered 1 to n are numbered
// again. Errors: NotFound spec_not_queued.
func (d *Doc) RemoveQueue(id string) (Edited, error) {
	t, at, err := d.queued(id)
	if err != nil {
		return d.unchanged(), err
	}
	rows := t.real()
	e := d.begin()
	e.remove(rows[at].line)
	if n, ok := t.numbers(); ok && n.counting() {
		for k, r := range rows[at+1:] {
			e.line(r.line, markdown.SetCell(d.text(r.line), n.column, len(t.names), itoa(at+k+1), dash))
		}
	}
	e.note("queue", t.queueRow(rows[at]).ID, "")
	return e.done()
}

// MoveQueue moves the row of an id to a place in the queue, starting at 1. A number beyond the end
// means the last place. In a numbered queue, the numbers stay and the rows change places. Errors:
// NotFound spec_not_queued; Usage place_invalid.
func (d *Doc) MoveQueue(id string, to int) (Edited, error) {
	t, at, err := d.queued(id)
	if err != nil {
		return d.unchanged(), err
	}
	if to < 1 {
		return d.unchanged(), refuse(report.Usage, report.CodePlaceInvalid,
			"a place in the queue is a number from 1 up, not "+
				itoa(to),
			"1 is the first")
	}
	rows := t.real()
	n, counted := t.numbers()
	order := make([]int, len(rows)) // rows in queue order
	for k := range order {
		order[k] = k
	}
	if counted {
		order = n.order()
	}
	from := slices.Index(order, at)
	to = min(to, len(rows)) - 1
	if from == to {
		return d.unchanged(), nil
	}
	order = slices.Insert(slices.Delete(order, from, from+1), to, at)
	e := d.begin()
	switch {
	case counted && !n.ascending(): // only the numbers determine the order, so the rows stay where they are
		sorted := slices.Sorted(slices.Values(n.values))
		for k, i := range order {
			e.line(rows[i].line, markdown.SetCell(d.text(rows[i].line), n.column, len(t.names), itoa(sorted[k]), dash))
		}
	default:
		for k, i := range order {
			text := d.text(rows[i].line)
			if counted {
				text = markdown.SetCell(text, n.column, len(t.names), itoa(n.values[k]), dash)
			}
			e.line(rows[k].line, text)
		}
	}
	e.note("queue "+t.queueRow(rows[at]).ID, itoa(from+1), itoa(to+1))
	return e.done()
}

// queued returns the table and the index of an id among the real rows.
func (d *Doc) queued(id string) (table, int, error) {
	t, ok := d.queueTable()
	if !ok {
		return t, 0, refuse(report.NotFound, report.CodeSpecNotQueued, "the digest has no queue",
			"add to it with `baton state queue add ID --title T`")
	}
	k, err := t.find(id)
	return t, k, err
}

// find returns the index of an id among the real rows.
func (t *table) find(id string) (int, error) {
	for k, r := range t.real() {
		if old := t.queueRow(r).ID; old != "" && SameID(old, id) {
			return k, nil
		}
	}
	return 0, refuse(report.NotFound, report.CodeSpecNotQueued, quoted(id)+" is not in the queue",
		"`baton state queue list` shows what is queued")
}
