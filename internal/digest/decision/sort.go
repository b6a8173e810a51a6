package decision

import (
	"bytes"
	"slices"

	"baton/internal/markdown"
	"baton/internal/report"
)

// sort sorts the archive by time if possible, and otherwise gives the reason.
func (r *rotation) sort(hasArchive bool) error {
	res := &r.out.Result
	if !hasArchive {
		res.SortReason = SortNoneYet
		return nil
	}
	if err := r.sortArchive(); err != nil {
		return err
	}
	if res.ArchiveSorted = !bytes.Equal(r.archive, r.given); !res.ArchiveSorted {
		res.SortReason = unsortedWhy(r.archiveScan())
	}
	return nil
}

// unsortedWhy returns the reason why sorting does not change an archive. nil means an empty
// archive.
func unsortedWhy(a *scan) string {
	if a == nil || len(a.items) == 0 {
		return SortNoneYet
	}
	if line, _ := unsortedAt(a); line > 0 {
		return SortUnsortable
	}
	return SortInOrder
}

// sortArchive sorts the rows of the archive's tables by time and puts them below the last table's
// header (specflow.md 5.7.6). Headers of tables without remaining rows are removed; every other
// line stays.
func (r *rotation) sortArchive() error {
	a := scanArchive(r.given, r.form)
	to := a.target(false)
	if to.pos < 0 {
		return nil
	}
	if a.hidden < len(a.src) {
		return unclosed(a, "the archive")
	}
	t := &a.tables[to.table]
	lines := a.d.Lines()
	at := lines[max(t.header, t.delimiter)].Next
	eol := a.d.EOL(at)
	var text []byte
	var edits []markdown.Edit
	var gained [][]byte
	left := map[int]bool{} // tables that keep rows
	if at == len(a.src) && a.src[at-1] != '\n' {
		text = append(text, closing(a.src, eol)...)
	}
	var movable []item
	for _, it := range a.items {
		if a.movable(&it, to.table) {
			movable = append(movable, it)
		} else {
			left[it.table] = true
		}
	}
	for _, row := range chronological(movable, OldestFirst) {
		it := &movable[row.index]
		line := bytes.TrimLeft(a.fit(it, schema{names: t.names}), " ")
		gained = append(gained, line)
		text = append(append(text, line...), eol...)
		edits = append(edits, markdown.Edit{Span: it.span})
	}
	// The last line still has no line end if it is a row again.
	if n := len(edits); n > 0 && a.src[len(a.src)-1] != '\n' && a.lastLineMoves(edits) && a.runsToEnd(at) {
		text = bytes.TrimSuffix(text, []byte(eol))
	}
	edits = append(edits, markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: text})
	for k := range a.tables {
		if o := &a.tables[k]; k != to.table && o.decisions && !left[k] && a.spare(o, t) {
			edits = append(edits, markdown.Edit{
				Span: markdown.Span{Start: lines[o.header].Start, End: lines[max(o.header, o.delimiter)].Next},
			})
		}
	}
	next, err := markdown.Apply(a.src, edits...)
	if err != nil {
		return &report.Error{Kind: report.Internal, Message: "plan the archive: " + err.Error(), Err: err}
	}
	after := scanArchive(next, r.form)
	if err := sameRows(a, after, to.table, gained); err != nil {
		return err
	}
	if !bytes.Equal(next, r.given) {
		r.archive = next
		r.parsed = nil
	}
	return nil
}

// spare reports whether the header of a table may be removed when its rows are gone. It may not if
// there are bullets next to it, which would then count as decisions.
func (sc *scan) spare(t, target *table) bool {
	lines := sc.d.Lines()
	for _, r := range sc.regions {
		if t.header < r.first || t.header >= r.last || target.header >= r.first && target.header < r.last {
			continue
		}
		for i := r.first; i < r.last; i++ {
			if lines[i].Class == markdown.Item || numbered(sc.d.Text(i)) {
				return false
			}
		}
	}
	return true
}

// lastLineMoves reports whether one of the edits removes the end of the document.
func (sc *scan) lastLineMoves(edits []markdown.Edit) bool {
	for _, e := range edits {
		if e.Span.End == len(sc.src) {
			return true
		}
	}
	return false
}

// runsToEnd reports whether only rows follow pos.
func (sc *scan) runsToEnd(pos int) bool {
	for i := range sc.items {
		if it := &sc.items[i]; it.span.Start == pos {
			pos = it.span.End
		}
	}
	return pos == len(sc.src)
}

// movable reports whether a row can move below the header of another table. A row that does not
// match its own header cannot be converted to other columns.
func (sc *scan) movable(it *item, to int) bool {
	switch {
	case it.bullet:
		return false
	case it.table == to:
		return true
	case it.table < 0:
		return sc.tables[to].date == 0
	}
	return !it.ragged || slices.Equal(sc.tables[it.table].names, sc.tables[to].names)
}

// sameRows reports an error unless the rows after sorting are the same as before, with the sorted
// ones in their new form.
func sameRows(before, after *scan, to int, gained [][]byte) error {
	for i := range before.items {
		if it := &before.items[i]; !before.movable(it, to) {
			gained = append(gained, before.text(it))
		}
	}
	return grown(&scan{}, after, gained)
}
