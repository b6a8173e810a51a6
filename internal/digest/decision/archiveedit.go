package decision

import (
	"bytes"
	"slices"

	"baton/internal/markdown"
	"baton/internal/report"
)

// archiveEdit adds rows to an archive (specflow.md 5.8).
type archiveEdit struct {
	src      []byte // the archive with the rows added so far
	form     Form
	heading  string // heading of a new section
	section  bool   // only the section with that heading is used (SF-D6)
	apart    bool   // the rows get a new section
	unsorted bool   // the archive was not in time order, so the rows go to its end
	template string // start of an archive that is empty
	eol      string // line end of a new archive, taken from the digest
}

// gain is a row that is being moved: the line or block without its last line end, and what the
// archive has of it afterwards.
type gain struct {
	from *item
	day  int
	text []byte // as it will be written, with LF between lines
	end  []byte // as it is written, with its line ends
}

// put adds the rows, oldest first, and returns what the archive has of each.
func (f *archiveEdit) put(from *scan, rows []dated) ([][]byte, error) {
	gains := make([]gain, len(rows))
	var bullets, lines []int
	for k, r := range rows {
		it := &from.items[r.index]
		gains[k] = gain{from: it, day: r.day}
		if it.bullet {
			bullets = append(bullets, k)
		} else {
			lines = append(lines, k)
		}
	}
	for _, part := range [...][]int{lines, bullets} {
		if len(part) == 0 {
			continue
		}
		if err := f.kind(from, gains, part); err != nil {
			return nil, err
		}
	}
	out := make([][]byte, len(gains))
	for k := range gains {
		out[k] = gains[k].end
	}
	return out, nil
}

// kind adds the rows of one kind. part has their indexes in gains.
func (f *archiveEdit) kind(from *scan, gains []gain, part []int) error {
	if len(bytes.TrimSpace(f.src)) == 0 {
		if n := len(f.src); n > 0 && f.src[n-1] != '\n' {
			f.src = append(slices.Clone(f.src), closing(f.src, f.eol)...)
		}
		f.src = slices.Concat(f.src, markdown.Fold(f.template, f.eol))
	}
	bullets := gains[part[0]].from.bullet
	a := f.scan()
	if !bullets {
		var err error
		if a, err = f.withoutHolders(a); err != nil {
			return err
		}
	}
	f.unsorted = f.unsorted || !sorted(a.items)
	target := a.target(bullets)
	if f.apart || target.pos < 0 || f.section && !a.same(from, gains, part, target) {
		return f.fresh(a, from, gains, part)
	}
	places := []place{target}
	if !bullets && !f.unsorted {
		places = a.rowPlaces()
		if len(places) == 0 {
			places = []place{target}
		}
	}
	// Both lists are sorted from old to new, so a single pass finds each row's place: after the
	// last row that is not newer.
	var edits []markdown.Edit
	at, began := 0, 0
	flush := func(end int) {
		if end > began {
			edits = append(edits, f.edit(a, places[at], gains, part[began:end]))
			began = end
		}
	}
	for n, k := range part {
		g := &gains[k]
		next := at
		for next+1 < len(places) && places[next+1].day <= g.day {
			next++
		}
		if next != at {
			flush(n)
			at = next
		}
		g.text = bareLF(from.text(g.from))
		if !bullets {
			t := &a.tables[places[at].table]
			g.text = from.fit(g.from, schema{names: t.names})
			if !t.bare {
				g.text = piped(g.text)
			}
			if a.d.Lines()[t.header].Class != markdown.TableHeader { // such as below a bullet whose text it would be
				g.text = bytes.TrimLeft(g.text, " ")
			}
		}
	}
	if bullets {
		level(gains, part, target.indent)
	}
	flush(len(part))
	return f.apply(a, edits)
}

// withoutHolders removes the placeholders from a table that now gets its first real row
// (specflow.md 5.6.3, SF-D12).
func (f *archiveEdit) withoutHolders(a *scan) (*scan, error) {
	to := a.target(false)
	for i := range a.items {
		if to.pos < 0 || a.items[i].table == to.table {
			return a, nil
		}
	}
	var edits []markdown.Edit
	for i := range a.holders {
		if h := &a.holders[i]; !h.bullet && !h.word && h.table == to.table {
			edits = append(edits, markdown.Edit{Span: h.span})
		}
	}
	if len(edits) == 0 || to.pos < 0 {
		return a, nil
	}
	text, err := markdown.Apply(f.src, edits...)
	if err != nil {
		return nil, &report.Error{Kind: report.Internal, Message: "plan the archive: " + err.Error(), Err: err}
	}
	if open := edits[len(edits)-1].Span.End == len(f.src) && f.src[len(f.src)-1] != '\n'; open {
		text = bare(text) // the last line had no line end and still has none
	}
	f.src = text
	return f.scan(), nil
}

// same reports whether rows of a further section have the same columns as the table that they join.
// Rows are never converted to other columns.
func (sc *scan) same(from *scan, gains []gain, part []int, to place) bool {
	for _, k := range part {
		it := gains[k].from
		if !it.bullet && (it.table < 0 || !slices.Equal(from.tables[it.table].names, sc.tables[to.table].names)) {
			return false
		}
	}
	return true
}

// edit returns the insertion of rows after a place. A file without a final line end still has none
// afterwards.
func (f *archiveEdit) edit(a *scan, at place, gains []gain, part []int) markdown.Edit {
	eol := a.d.EOL(at.pos)
	open := at.pos == len(a.src) && at.pos > 0 && a.src[at.pos-1] != '\n'
	size := 0
	for _, k := range part {
		size += len(gains[k].text) + 2*bytes.Count(gains[k].text, []byte{'\n'}) + 4
	}
	text := make([]byte, 0, size)
	if open {
		text = append(text, closing(a.src, eol)...)
	}
	for n, k := range part {
		start := len(text)
		text = appendLines(text, gains[k].text, eol)
		if !open || n+1 < len(part) {
			text = append(text, eol...)
		}
		gains[k].end = text[start:len(text):len(text)]
	}
	return markdown.Edit{Span: markdown.Span{Start: at.pos, End: at.pos}, Text: text}
}

// fresh appends a new section for the rows (specflow.md 5.8).
func (f *archiveEdit) fresh(a *scan, from *scan, gains []gain, part []int) error {
	var lines []string
	head := "## " + f.heading
	if at := f.emptySection(a); at < 0 {
		lines = append(lines, head, "")
	}
	var to schema
	for _, k := range part {
		if it := gains[k].from; it.table >= 0 {
			to = from.schemaOf(it.table)
			break
		}
	}
	if !gains[part[0]].from.bullet {
		if to.names == nil {
			to = standard(f.form)
			if n := len(from.d.Cells(gains[part[0]].from.line)); n == 2 {
				to = newSchema([]string{"Date", "Decision"})
			}
		}
		lines = append(lines, to.header, to.delimiter)
	}
	for _, k := range part {
		g := &gains[k]
		g.text = bareLF(from.text(g.from))
		if !g.from.bullet {
			g.text = from.fit(g.from, to)
		}
	}
	if gains[part[0]].from.bullet {
		level(gains, part, 3)
	}
	e := appendBlock(a.d, lines)
	text := e.Text
	eol := a.d.EOL(len(a.src))
	for _, k := range part {
		g := &gains[k]
		start := len(text)
		text = append(appendLines(text, g.text, eol), eol...)
		g.end = text[start:len(text):len(text)]
	}
	e.Text = text
	return f.apply(a, []markdown.Edit{e})
}

// emptySection returns the last region if it is the section to which rows go and is still empty,
// otherwise -1.
func (f *archiveEdit) emptySection(a *scan) int {
	headings := a.d.Headings()
	if len(headings) == 0 {
		return -1
	}
	last := headings[len(headings)-1]
	if last.Level != 2 || string(last.Text.Of(a.src)) != f.heading || len(bytes.TrimSpace(a.src[last.Span.End:])) > 0 {
		return -1
	}
	return len(headings) - 1
}

// apply makes the edits, unless one of them is after an unclosed fence or comment.
func (f *archiveEdit) apply(a *scan, edits []markdown.Edit) error {
	for _, e := range edits {
		if e.Span.Start > a.hidden || a.hidden < len(a.src) && e.Span.Start == len(a.src) {
			return unclosed(a, "the archive")
		}
	}
	next, err := markdown.Apply(f.src, edits...)
	if err != nil {
		return &report.Error{Kind: report.Internal, Message: "plan the archive: " + err.Error(), Err: err}
	}
	f.src = next
	return nil
}

// scan reads the archive as it is now.
func (f *archiveEdit) scan() *scan {
	if f.section {
		return scanSection(f.src, f.form, f.heading)
	}
	return scanArchive(f.src, f.form)
}

// unclosed returns the error for an edit after an unclosed fence or comment. For an archive, it has
// the archive's path.
func unclosed(sc *scan, what string) error {
	line, name := sc.d.LineNumber(sc.hidden), ""
	if sc.rules.archive || sc.rules.dated {
		name = ArchivePath
	}
	return &report.Error{
		Kind: report.Corrupt, Code: report.CodeUnclosedFence, Path: name, Line: line,
		Message: "a code fence or comment in " + what + " is not closed, so the text after it could be " +
			"code",
		Hint: "close it, or remove its beginning",
	}
}
