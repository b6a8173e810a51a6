package decision

import (
	"bytes"

	"baton/internal/markdown"
	"baton/internal/report"
)

// sortArchive brings the rows of the archive's tables into time order below the last table's header (specflow.md
// 5.7.6). Headers of tables that are left without a row go; every other line stays where it is.
func (r *rotation) sortArchive() error {
	a := scanArchive(r.given, r.form)
	to := a.target(false)
	if to.pos < 0 {
		return nil
	}
	if a.hidden < len(a.src) {
		return unclosed(a, "the archive")
	}
	rows := chronological(a.items, OldestFirst)
	t := &a.tables[to.table]
	lines := a.d.Lines()
	at := lines[max(t.header, t.delimiter)].Next
	eol := a.d.EOL(at)
	var text []byte
	var edits []markdown.Edit
	var gained [][]byte
	if at == len(a.src) && a.src[at-1] != '\n' {
		text = append(text, eol...)
	}
	for _, row := range rows {
		it := &a.items[row.index]
		if it.bullet {
			continue
		}
		line := a.fit(it, schema{names: t.names})
		gained = append(gained, line)
		text = append(append(text, line...), eol...)
		edits = append(edits, markdown.Edit{Span: it.span})
	}
	// The last line keeps its missing terminator when it is a row again.
	if n := len(edits); n > 0 && a.src[len(a.src)-1] != '\n' && a.lastLineMoves(edits) && a.runsToEnd(at) {
		text = bytes.TrimSuffix(text, []byte(eol))
	}
	edits = append(edits, markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: text})
	for k := range a.tables {
		if o := &a.tables[k]; k != to.table && o.decisions {
			edits = append(edits, markdown.Edit{Span: markdown.Span{Start: lines[o.header].Start, End: lines[max(o.header, o.delimiter)].Next}})
		}
	}
	next, err := markdown.Apply(a.src, edits...)
	if err != nil {
		return &report.Error{Kind: report.Internal, Message: "plan the archive: " + err.Error(), Err: err}
	}
	after := scanArchive(next, r.form)
	if !sorted(after.items) {
		return unverified("the archive would not be in time order", 0)
	}
	if err := sameRows(a, after, gained); err != nil {
		return err
	}
	if !bytes.Equal(next, r.given) {
		r.archive = next
		r.parsed = nil
	}
	return nil
}

// lastLineMoves tells whether one of the edits takes the end of the document.
func (sc *scan) lastLineMoves(edits []markdown.Edit) bool {
	for _, e := range edits {
		if e.Span.End == len(sc.src) {
			return true
		}
	}
	return false
}

// runsToEnd tells whether nothing but rows stands behind pos.
func (sc *scan) runsToEnd(pos int) bool {
	for i := range sc.items {
		if it := &sc.items[i]; it.span.Start == pos {
			pos = it.span.End
		}
	}
	return pos == len(sc.src)
}

// sameRows tells whether the rows afterwards are those that were sorted, and nothing else has become or ceased to be
// a row.
func sameRows(before, after *scan, gained [][]byte) error {
	bullets := 0
	for i := range before.items {
		if before.items[i].bullet {
			bullets++
		}
	}
	if len(after.items) != len(gained)+bullets {
		return unverified("the sorted archive would hold another number of rows", 0)
	}
	rest := &scan{d: after.d, src: after.src}
	for _, it := range after.items {
		if !it.bullet {
			rest.items = append(rest.items, it)
		}
	}
	return grown(&scan{}, rest, gained)
}
