package decision

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
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

// longText is a text of a digest that is too long and no decision.
type longText struct {
	cell  Cell
	where string // date and name, as the excerpt and the archive give them
	whole string
	edit  markdown.Edit // puts the excerpt in its place
}

// compressOthers shortens long cells and lines of a SpecFlow digest that are not decisions. The
// whole texts are added to a section of the archive (SF-D28). A text stays if its excerpt would
// change how something else is read.
func (r *rotation) compressOthers() error {
	if !r.o.Compress || r.form != Specflow || r.s.CellCap <= 0 {
		return nil
	}
	for {
		texts := r.longTexts()
		plan, err := fitting(texts, r.withoutTexts)
		if err != nil || plan == nil {
			return err
		}
		for k, l := range plan.texts {
			r.out.Result.Cells = append(r.out.Result.Cells, l.cell)
			r.out.Moves = append(r.out.Moves, Move{Gained: plan.gained[k]})
		}
		r.digest = scanDigest(plan.digest, r.form, r.s.Titles)
		r.out.Digest, r.archive = plan.digest, plan.archive
		if len(plan.texts) == len(texts) { // otherwise, another one may fit now
			return nil
		}
	}
}

// mostTries limits how often fitting tries parts of a list. A try costs as much as the digest and
// the archive are long, so that ten thousand decisions would take minutes if each was tried alone.
const mostTries = 300

// fitting plans a change for all of a list, or else for the parts of it for which it can be made.
// It halves a part for which it cannot. Where the parts do not go together, the first ones count.
// The plan is nil if there are none.
func fitting[T, P any](list []T, change func([]T) (*P, error)) (*P, error) {
	if len(list) == 0 {
		return nil, nil
	}
	tries := mostTries
	var fits func(part []T) []T
	fits = func(part []T) []T {
		if tries--; tries < 0 || len(part) == 0 {
			return nil
		}
		if _, err := change(part); err == nil {
			return part
		}
		half := len(part) / 2
		if half == 0 {
			return nil
		}
		return slices.Concat(fits(part[:half]), fits(part[half:]))
	}
	plan, err := change(list)
	if report.CodeOf(err) != report.CodeVerifyFailed {
		return plan, err
	}
	half := len(list) / 2
	for list = slices.Concat(fits(list[:half]), fits(list[half:])); len(list) > 0; list = list[:len(list)/2] {
		if plan, err = change(list); report.CodeOf(err) != report.CodeVerifyFailed {
			return plan, err
		}
	}
	return nil, nil
}

// longTexts returns the long cells and lines of the digest that are not decisions.
func (r *rotation) longTexts() []longText {
	sc := r.digest
	owned := map[int]bool{} // lines of decisions
	for i := range sc.items {
		for k := sc.items[i].line; k < len(sc.d.Lines()) && sc.d.Lines()[k].Start < sc.items[i].span.End; k++ {
			owned[k] = true
		}
	}
	var out []longText
	add := func(section, name string, span markdown.Span, text string, written func(string) string) {
		if !r.long(text) {
			return
		}
		l := longText{where: r.o.Today + spaced(name), whole: text}
		l.cell = Cell{section, name, utf8.RuneCountInString(text)}
		l.edit = markdown.Edit{Span: span, Text: []byte(written(shortText(text, l.where)))}
		out = append(out, l)
	}
	above, tables := sectionLines{scan: sc}, columnLines{scan: sc}
	for i, ln := range sc.d.Lines() {
		if owned[i] || ln.End-ln.Start <= r.s.CellCap || ln.End > sc.hidden {
			continue
		}
		section := strings.TrimSpace(strings.TrimLeft(string(above.at(i).Of(sc.src)), "#"))
		switch {
		case sc.isRow(i):
			names, cells := tables.at(i)
			for k, c := range cells {
				name := sc.nameOfRow(cells[:k])
				if k < len(names) {
					name += " " + names[k]
				}
				text := markdown.UnescapeCell(string(c.Of(sc.src)))
				add(section, strings.TrimSpace(name), c, text, markdown.EscapeCell)
			}
		case ln.Class == markdown.Item || ln.Class == markdown.Text:
			name, at := labelOfLine(sc.d.Text(i))
			span := markdown.Span{Start: ln.Start + at, End: ln.End}
			add(section, name, span, string(span.Of(sc.src)), func(text string) string { return text })
		}
	}
	return out
}

// shortened is a digest without some long texts, and the archive with them.
type shortened struct {
	texts           []longText
	digest, archive []byte
	gained          [][]byte
}

// withoutTexts plans to shorten texts. Internal verify_failed means that it would change how
// something else is read.
func (r *rotation) withoutTexts(texts []longText) (*shortened, error) {
	edits := make([]markdown.Edit, len(texts))
	section := "## " + archivedTexts + "\n\n"
	for k, l := range texts {
		edits[k] = l.edit
		section += "- " + l.where + ": " + l.whole + "\n"
	}
	text, err := markdown.Apply(r.digest.src, edits...)
	if err != nil {
		return nil, &report.Error{Kind: report.Internal, Message: "plan the shortening: " + err.Error(), Err: err}
	}
	from := scanSection([]byte(section), r.form, archivedTexts)
	if len(from.items) != len(edits) {
		return nil, unverified("nothing was shortened", "the archive would not have every whole text", 0)
	}
	rows := make([]dated, len(from.items))
	for k := range rows {
		rows[k] = dated{index: k, day: from.items[k].day}
	}
	to := r.archiveFor(archivedTexts, true)
	gained, err := to.put(from, rows)
	if err != nil {
		return nil, err
	}
	before, after := scanSection(r.archive, r.form, archivedTexts), scanSection(to.src, r.form, archivedTexts)
	if err := grown(before, after, gained); err != nil {
		return nil, err
	}
	if !sameItems(r.digest, scanDigest(text, r.form, r.s.Titles), nil) ||
		len(scanArchive(r.archive, r.form).items) != len(scanArchive(to.src, r.form).items) {
		return nil, unverified("nothing was shortened", "a decision would be read differently", 0)
	}
	return &shortened{texts, text, to.src, gained}, nil
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

// columnLines finds the columns of the tables to which a series of ascending lines belongs.
type columnLines struct {
	*scan
	next  int
	names []string
}

// at returns the columns and cells of the row on a line. Surplus cells belong to the last column,
// because somebody did not escape a pipe in it (SF-D13).
func (t *columnLines) at(line int) ([]string, []markdown.Span) {
	lines := t.d.Lines()
	for ; t.next < line; t.next++ {
		switch {
		case lines[t.next].Class == markdown.TableDelimiter:
			t.names = nil
			for _, c := range t.d.Cells(t.next - 1) {
				t.names = append(t.names, strings.TrimSpace(markdown.UnescapeCell(string(c.Of(t.src)))))
			}
		case !t.isRow(t.next):
			t.names = nil
		}
	}
	if !t.isRow(line) {
		return nil, nil
	}
	return t.names, joined(t.d.Cells(line), len(t.names))
}

// joined returns the cells of a row of n columns, the surplus ones with the last column. n is 0 if
// nobody knows.
func joined(cells []markdown.Span, n int) []markdown.Span {
	if n == 0 || len(cells) <= n {
		return cells
	}
	cells[n-1].End = cells[len(cells)-1].End
	return cells[:n]
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
