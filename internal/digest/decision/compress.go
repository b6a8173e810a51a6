package decision

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
)

// pointer begins the note that says where the whole text of an excerpt is (specflow.md 5.16).
const pointer = "… [full text: " + ArchivePath

// archivedTexts is the section of an archive for whole texts that are not decisions.
const archivedTexts = "Archived Texts"

// Cell is a text of a digest that was shortened because it is too long.
type Cell struct {
	Section    string `json:"section"`
	Name       string `json:"name"`       // label, column or date
	Characters int    `json:"characters"` // of the whole text
}

// long reports whether a text is over the cap and is not an excerpt already.
func (r *rotation) long(text string) bool {
	return len(text) > r.s.CellCap && utf8.RuneCountInString(text) > r.s.CellCap && !strings.Contains(text, pointer)
}

// shortText returns the beginning of a long text, and where the whole text is.
func shortText(text, where string) string {
	return safetext.WholeRunes(text, excerptLength) + pointer + spaced(where) + "]"
}

// compressOthers shortens long cells and lines of a SpecFlow digest that are not decisions. The
// whole texts are added to a section of the archive (SF-D28).
func (r *rotation) compressOthers() error {
	if !r.o.Compress || r.form != Specflow || r.s.CellCap <= 0 {
		return nil
	}
	sc := r.digest
	owned := map[int]bool{} // lines of decisions
	for i := range sc.items {
		for k := sc.items[i].line; k < len(sc.d.Lines()) && sc.d.Lines()[k].Start < sc.items[i].span.End; k++ {
			owned[k] = true
		}
	}
	var edits []markdown.Edit
	var whole strings.Builder
	whole.WriteString("## " + archivedTexts + "\n\n")
	above := sectionLines{scan: sc}
	for i, ln := range sc.d.Lines() {
		if owned[i] || ln.End-ln.Start <= r.s.CellCap || ln.End > sc.hidden {
			continue
		}
		section := strings.TrimSpace(strings.TrimLeft(string(above.at(i).Of(sc.src)), "#"))
		add := func(span markdown.Span, name string, escape bool) {
			text := string(span.Of(sc.src))
			if escape {
				text = markdown.UnescapeCell(text)
			}
			if !r.long(text) {
				return
			}
			where := r.o.Today + spaced(name)
			short := shortText(text, where)
			if escape {
				short = markdown.EscapeCell(short)
			}
			edits = append(edits, markdown.Edit{Span: span, Text: []byte(short)})
			whole.WriteString("- " + where + ": " + text + "\n")
			r.out.Result.Cells = append(r.out.Result.Cells, Cell{section, name, utf8.RuneCountInString(text)})
		}
		switch {
		case sc.isRow(i):
			names, row := sc.columnsAbove(i), sc.d.Cells(i)
			for k, c := range row {
				name := ""
				if k < len(names) {
					name = names[k]
				}
				name = strings.TrimSpace(sc.nameOfRow(row[:k]) + " " + name)
				add(c, name, true)
			}
		case ln.Class == markdown.Item || ln.Class == markdown.Text:
			name, at := labelOfLine(sc.d.Text(i))
			add(markdown.Span{Start: ln.Start + at, End: ln.End}, name, false)
		}
	}
	if len(edits) == 0 {
		return nil
	}
	text, err := markdown.Apply(sc.src, edits...)
	if err != nil {
		return &report.Error{Kind: report.Internal, Message: "plan the shortening: " + err.Error(), Err: err}
	}
	from := scanSection([]byte(whole.String()), r.form, archivedTexts)
	if len(from.items) != len(edits) {
		return unverified("nothing was shortened", "the archive would not have every whole text", 0)
	}
	rows := make([]dated, len(from.items))
	for k := range rows {
		rows[k] = dated{index: k, day: from.items[k].day}
	}
	archived := r.archiveFor(archivedTexts, true)
	gained, err := archived.put(from, rows)
	if err != nil {
		return err
	}
	if err := grown(scanSection(r.archive, r.form, archivedTexts), scanSection(archived.src, r.form, archivedTexts),
		gained); err != nil {
		return err
	}
	next := scanDigest(text, r.form, r.s.Titles)
	if !sameItems(sc, next, nil) ||
		len(scanArchive(r.archive, r.form).items) != len(scanArchive(archived.src, r.form).items) {
		return unverified("nothing was shortened", "a decision would be read differently", 0)
	}
	for k := range rows {
		r.out.Moves = append(r.out.Moves, Move{Gained: gained[k]})
	}
	r.digest, r.out.Digest, r.archive = next, text, archived.src
	return nil
}

// nameOfRow returns the first short cell that has a letter, such as the id of a specification.
func (sc *scan) nameOfRow(cells []markdown.Span) string {
	for _, c := range cells {
		text := markdown.UnescapeCell(string(c.Of(sc.src)))
		if len(text) <= 40 && strings.ContainsFunc(text, unicode.IsLetter) {
			return text
		}
	}
	return ""
}

// columnsAbove returns the names of the columns of the table that row i belongs to.
func (sc *scan) columnsAbove(i int) []string {
	for i--; i > 0 && sc.isRowOrDelimiter(i); i-- {
		if sc.d.Lines()[i].Class == markdown.TableDelimiter {
			var names []string
			for _, c := range sc.d.Cells(i - 1) {
				names = append(names, strings.TrimSpace(markdown.UnescapeCell(string(c.Of(sc.src)))))
			}
			return names
		}
	}
	return nil
}

func (sc *scan) isRowOrDelimiter(i int) bool {
	return sc.isRow(i) || sc.d.Lines()[i].Class == markdown.TableDelimiter
}

// labelOfLine returns the bold label at the start of a line, and where the text after it begins.
func labelOfLine(line []byte) (string, int) {
	at := 0
	for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
		at++
	}
	if at+1 < len(line) && strings.IndexByte("-*+", line[at]) >= 0 && line[at+1] == ' ' {
		at += 2
	}
	for at < len(line) && line[at] == ' ' {
		at++
	}
	rest := string(line[at:])
	name, after, ok := strings.Cut(strings.TrimPrefix(rest, "**"), "**")
	if !ok || !strings.HasPrefix(rest, "**") || utf8.RuneCountInString(name) > 60 {
		return "", at
	}
	if !strings.HasSuffix(name, ":") && !strings.HasPrefix(after, ":") {
		return "", at
	}
	after = strings.TrimLeft(strings.TrimPrefix(after, ":"), " ")
	return strings.TrimSuffix(name, ":"), len(line) - len(after)
}

// compressRows shortens long decisions that stay in the digest. The archive gets the whole row in
// its place by date, so that the decision is the same entry as before (SF-D28).
func (r *rotation) compressRows() error {
	if !r.o.Compress || r.s.CellCap <= 0 {
		return nil
	}
	sc := scanDigest(r.out.Digest, r.form, r.s.Titles)
	var rows []dated
	var edits []markdown.Edit
	changed := map[int]bool{}
	for _, row := range chronological(sc.items, r.out.Result.Direction) {
		it := &sc.items[row.index]
		own := sc.shorter(it, r)
		if len(own) == 0 {
			continue
		}
		edits, rows, changed[row.index] = append(edits, own...), append(rows, row), true
		read := sc.row(it)
		r.out.Result.Cells = append(r.out.Result.Cells, Cell{
			"Decisions", strings.TrimSpace(read.Date + spaced(read.Spec+read.Phase)),
			utf8.RuneCountInString(read.Text + read.Rationale),
		})
	}
	if len(rows) == 0 {
		return nil
	}
	edits = sorting.By(edits, func(a, b markdown.Edit) int { return a.Span.Start - b.Span.Start })
	text, err := markdown.Apply(sc.src, edits...)
	if err != nil {
		return &report.Error{Kind: report.Internal, Message: "plan the shortening: " + err.Error(), Err: err}
	}
	archived := r.archiveFor(archiveHeading, false)
	gained, err := archived.put(sc, rows)
	if err != nil {
		return err
	}
	if !sameItems(sc, scanDigest(text, r.form, r.s.Titles), changed) {
		return unverified("no decision was shortened", "another one would be read differently", 0)
	}
	before := &scan{}
	if len(r.archive) > 0 {
		before = scanArchive(r.archive, r.form)
	}
	if err := grown(before, scanArchive(archived.src, r.form), gained); err != nil {
		return err
	}
	r.take(sc, rows, gained)
	r.out.Shortened = len(rows)
	r.out.Digest, r.archive = text, archived.src
	r.out.Result.ArchiveUnsorted = r.out.Result.ArchiveUnsorted || archived.unsorted
	return nil
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
	var edits []markdown.Edit
	for _, c := range sc.d.Cells(it.line) {
		if text := markdown.UnescapeCell(string(c.Of(sc.src))); r.long(text) {
			edits = append(edits, markdown.Edit{Span: c, Text: []byte(markdown.EscapeCell(shortText(text, where)))})
		}
	}
	return edits
}

// sameItems reports whether two scans have the same decisions in the same order, apart from those
// that were changed.
func sameItems(a, b *scan, changed map[int]bool) bool {
	if len(a.items) != len(b.items) {
		return false
	}
	for i := range a.items {
		if !changed[i] && string(a.text(&a.items[i])) != string(b.text(&b.items[i])) {
			return false
		}
	}
	return true
}

// Whole returns rows without the excerpts of decisions whose whole text is among archived, so that
// such a decision is listed once and in full.
func Whole(rows, archived []Row) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
		if !strings.Contains(r.Text+r.Rationale, pointer) {
			return false
		}
		return slices.ContainsFunc(archived, func(of Row) bool {
			return of.Raw != r.Raw && of.Date == r.Date && excerptOf(r.Text, of.Text) &&
				excerptOf(r.Rationale, of.Rationale)
		})
	})
}

// excerptOf reports whether a text is another one, or its beginning with a note where the rest is.
func excerptOf(short, whole string) bool {
	if short == whole {
		return true
	}
	head, _, cut := strings.Cut(short, pointer)
	return cut && strings.HasPrefix(whole, head)
}
