package decision

import (
	"strings"
	"unicode/utf8"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/sorting"
)

// compressRows shortens long decisions that stay in the digest. The archive gets the whole row in
// its place by date, so that the decision is the same entry as before (SF-D28). A decision stays as
// it is if its excerpt would change how another one is read.
func (r *rotation) compressRows() error {
	if !r.o.Compress || r.s.CellCap <= 0 {
		return nil
	}
	for {
		sc := scanDigest(r.out.Digest, r.form, r.s.Titles)
		var long []longRow
		for _, row := range chronological(sc.items, r.out.Result.Direction) {
			if edits := sc.shorter(&sc.items[row.index], r); len(edits) > 0 {
				long = append(long, longRow{row, edits})
			}
		}
		plan, err := fitting(long, func(some []longRow) (*shortRows, error) { return r.withoutRows(sc, some) })
		if err != nil || plan == nil {
			return err
		}
		r.takeShort(sc, plan)
		if len(plan.rows) == len(long) { // otherwise, another one may fit now
			return nil
		}
	}
}

// takeShort records the decisions of a scan that were shortened.
func (r *rotation) takeShort(sc *scan, plan *shortRows) {
	for _, row := range plan.rows {
		read := sc.row(&sc.items[row.index])
		r.out.Result.Cells = append(r.out.Result.Cells, Cell{
			"Decisions", strings.TrimSpace(read.Date + spaced(read.Spec+read.Phase)),
			utf8.RuneCountInString(read.Text + read.Rationale),
		})
	}
	r.take(sc, plan.rows, plan.gained)
	r.out.Shortened += len(plan.rows)
	r.out.Digest, r.archive = plan.digest, plan.archive.src
	r.out.Result.ArchiveUnsorted = r.out.Result.ArchiveUnsorted || plan.archive.unsorted
}

// longRow is a decision that is too long, and what shortens it.
type longRow struct {
	dated
	edits []markdown.Edit
}

// shortRows is a digest with excerpts of some decisions, or without them, and the archive with the
// whole of them.
type shortRows struct {
	rows    []dated
	digest  []byte
	archive *archiveEdit
	gained  [][]byte
}

// withoutRows plans to shorten decisions of a scan. Internal verify_failed means that another one
// would be read differently.
func (r *rotation) withoutRows(sc *scan, long []longRow) (*shortRows, error) {
	out := &shortRows{archive: r.archiveFor(archiveHeading, false)}
	var edits []markdown.Edit
	changed := map[int]bool{}
	for _, l := range long {
		edits, out.rows, changed[l.index] = append(edits, l.edits...), append(out.rows, l.dated), true
	}
	edits = sorting.By(edits, func(a, b markdown.Edit) int { return a.Span.Start - b.Span.Start })
	var err error
	if out.digest, err = markdown.Apply(sc.src, edits...); err != nil {
		return nil, &report.Error{Kind: report.Internal, Message: "plan the shortening: " + err.Error(), Err: err}
	}
	if out.gained, err = out.archive.put(sc, out.rows); err != nil {
		return nil, err
	}
	if !sameItems(sc, scanDigest(out.digest, r.form, r.s.Titles), changed) {
		return nil, unverified("no decision was shortened", "another one would be read differently", 0)
	}
	before := &scan{}
	if len(r.archive) > 0 {
		before = scanArchive(r.archive, r.form)
	}
	after := scanArchive(out.archive.src, r.form)
	if after.hidden < len(after.src) {
		return nil, unverified("no decision was shortened", "the archive would have an open fence or comment", 0)
	}
	if err := grown(before, after, out.gained); err != nil {
		return nil, err
	}
	return out, nil
}

// shorter returns the edits that shorten a decision, or none if it is not long.
func (sc *scan) shorter(it *item, r *rotation) []markdown.Edit {
	read := sc.row(it)
	where := strings.TrimSpace(read.Date + spaced(read.Spec))
	if read.Spec == "" && read.Phase != "" && read.Phase != "?" {
		where += " Phase " + strings.TrimPrefix(read.Phase, "Phase ")
	}
	if it.bullet {
		text := folded(sc.text(it))
		if !r.long(text) {
			return nil
		}
		raw := sc.text(it)
		start := it.span.Start + markerEnd(sc.d.Text(it.line))
		span := markdown.Span{Start: start, End: it.span.Start + len(raw)}
		return []markdown.Edit{{Span: span, Text: []byte(" " + shortText(text, where))}}
	}
	columns := 0
	if it.table >= 0 {
		columns = len(sc.tables[it.table].names)
	}
	var edits []markdown.Edit
	for _, c := range joined(sc.d.Cells(it.line), columns) {
		if text := markdown.UnescapeCell(string(c.Of(sc.src))); r.long(text) {
			edits = append(edits, markdown.Edit{Span: c, Text: []byte(markdown.EscapeCell(shortText(text, where)))})
		}
	}
	return edits
}
