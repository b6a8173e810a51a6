package decision

import (
	"bytes"
	"strconv"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Addition is a planned new decision.
type Addition struct {
	Digest  []byte // the digest afterwards
	Archive []byte // the archive afterwards; the given bytes unless the text was split
	Row     Row    // the decision as it stands in Digest
	Moves   []Move // of a split text: what the archive gained, with nothing lost
}

// Add puts a decision at the newest end of the list, in the columns or the kind of bullet that the digest has, and
// takes placeholders away when it is the first one (specflow.md 5.6.3, 5.7.3; gsd.md 1.7 add-decision, GSD-V3). Where
// no section is, it makes one. It does not rotate.
//
// Errors: Usage for a text that is empty or not UTF-8; Violation "cell_too_large" above s.CellCap characters, unless
// e.Split; Corrupt "unclosed_fence" when the only place is behind an unclosed fence; Internal "verify_failed" when
// the new row would not be read back.
func Add(doc, archive []byte, form Form, s Settings, e Entry) (Addition, error) {
	e, err := e.clean()
	if err != nil {
		return Addition{}, err
	}
	split, err := e.limit(s.CellCap)
	if err != nil {
		return Addition{}, err
	}
	sc := scanDigest(doc, form, s.Titles)
	out := Addition{Archive: archive}
	if split {
		if out.Archive, out.Moves, err = sc.whole(archive, s, e); err != nil {
			return Addition{}, err
		}
		e = e.excerpt()
	}
	next, at, err := sc.add(archive, s, e)
	if err != nil {
		return Addition{}, err
	}
	out.Digest, out.Row = next.src, next.row(&next.items[at])
	return out, nil
}

// whole puts the full text of a long decision into the archive, as the row that it would be in the digest (SF-D35).
func (sc *scan) whole(archive []byte, s Settings, e Entry) ([]byte, []Move, error) {
	full, at, err := sc.add(archive, s, e)
	if err != nil {
		return nil, nil, err
	}
	shelf := shelf{src: archive, form: sc.form, heading: archiveHeading, template: newArchive(sc.form), eol: sc.d.EOL(0)}
	gained, err := shelf.put(full, []dated{{index: at, day: full.items[at].day}})
	if err != nil {
		return nil, nil, err
	}
	if err := grown(scanArchive(archive, sc.form), scanArchive(shelf.src, sc.form), gained); err != nil {
		return nil, nil, err
	}
	return shelf.src, []Move{{Gained: gained[0]}}, nil
}

// add plans the row, reads the result, and gives it with the index of the new item.
func (sc *scan) add(archive []byte, s Settings, e Entry) (*scan, int, error) {
	edits, err := sc.place(archive, s, e)
	if err != nil {
		return nil, 0, err
	}
	for _, edit := range edits {
		if edit.Span.Start > sc.hidden {
			return nil, 0, unclosed(sc, "the digest")
		}
	}
	text, err := markdown.Apply(sc.src, edits...)
	if err != nil {
		return nil, 0, &report.Error{Kind: report.Internal, Message: "plan the decision: " + err.Error(), Err: err}
	}
	next := scanDigest(text, sc.form, s.Titles)
	at := -1
	for i := range next.items {
		if i >= len(sc.items) || !bytes.Equal(next.text(&next.items[i]), sc.text(&sc.items[i])) {
			at = i
			break
		}
	}
	if at < 0 || len(next.items) != len(sc.items)+1 {
		return nil, 0, unverified("the new decision would not be read back", 0)
	}
	for i := at; i < len(sc.items); i++ {
		if !bytes.Equal(next.text(&next.items[i+1]), sc.text(&sc.items[i])) {
			return nil, 0, unverified("another decision would read differently", sc.items[i].line+1)
		}
	}
	return next, at, nil
}

// place gives the edits that put the entry where it belongs.
func (sc *scan) place(archive []byte, s Settings, e Entry) ([]markdown.Edit, error) {
	dir, _ := sc.direction(s, func() *scan {
		if len(archive) == 0 {
			return nil
		}
		return scanArchive(archive, sc.form)
	})
	if n := len(sc.items); n > 0 {
		newest := &sc.items[n-1]
		if dir == NewestFirst {
			newest = &sc.items[0]
		}
		return []markdown.Edit{sc.beside(newest, dir, e)}, nil
	}
	if len(sc.holders) > 0 {
		return sc.instead(e), nil
	}
	for k := range sc.tables {
		if t := &sc.tables[k]; t.decisions {
			return []markdown.Edit{lineEdit(sc.d, sc.d.Lines()[max(t.header, t.delimiter)].Next, e.line(sc.schemaOf(k)))}, nil
		}
	}
	if len(sc.regions) > 0 {
		k, block := sc.contentEnd(sc.regions[0]), sc.begin(archive, e)
		return []markdown.Edit{blockEdit(sc.d, k, block)}, nil
	}
	k, level := sc.newSection()
	return []markdown.Edit{blockEdit(sc.d, k, append([]string{level + " Decisions", ""}, sc.begin(archive, e)...))}, nil
}

// beside puts the entry next to the newest one: below it, or above it when the newest come first, there directly
// under the delimiter row.
func (sc *scan) beside(newest *item, dir Direction, e Entry) markdown.Edit {
	pos := newest.span.End
	if dir == NewestFirst {
		pos = newest.span.Start
	}
	if newest.bullet {
		return lineEdit(sc.d, pos, sc.marker(newest, dir)+e.bullet(sc.form))
	}
	if newest.table < 0 {
		to := standard(sc.form)
		if len(sc.d.Cells(newest.line)) == 2 {
			to = newSchema([]string{"Date", "Decision"})
		}
		return lineEdit(sc.d, pos, e.line(to))
	}
	t := &sc.tables[newest.table]
	if dir == NewestFirst {
		pos = sc.d.Lines()[max(t.header, t.delimiter)].Next
	}
	return lineEdit(sc.d, pos, e.line(sc.schemaOf(newest.table)))
}

// marker gives the indentation and the marker of a bullet's neighbour; below a number comes the next one.
func (sc *scan) marker(of *item, dir Direction) string {
	text := string(sc.d.Text(of.line))
	mark := text[:markerEnd([]byte(text))]
	number := strings.TrimLeft(mark[:len(mark)-1], " ")
	if n, err := strconv.Atoi(number); err == nil && dir != NewestFirst {
		mark = strings.TrimSuffix(mark[:len(mark)-1], number) + strconv.Itoa(n+1) + mark[len(mark)-1:]
	}
	return mark + " "
}

// instead puts the first entry in the place of the placeholders.
func (sc *scan) instead(e Entry) []markdown.Edit {
	first := &sc.holders[0]
	lines := []string{"- " + e.bullet(sc.form)}
	switch {
	case first.bullet:
		lines[0] = sc.marker(first, NewestFirst) + e.bullet(sc.form)
	case first.table >= 0:
		lines[0] = e.line(sc.schemaOf(first.table))
	default:
		if k := sc.tableOf(first.region); k >= 0 {
			break
		}
		lines = sc.begin(nil, e)
	}
	var edits []markdown.Edit
	for i := range sc.holders {
		if h := &sc.holders[i]; h.region == first.region {
			edits = append(edits, markdown.Edit{Span: h.span})
		}
	}
	if k := sc.tableOf(first.region); first.word && k >= 0 {
		// The line is beside a table: the row goes there.
		pos := sc.d.Lines()[max(sc.tables[k].header, sc.tables[k].delimiter)].Next
		return append(edits, lineEdit(sc.d, pos, e.line(sc.schemaOf(k))))
	}
	end := sc.raw(first)[len(sc.text(first)):]
	eol := sc.d.EOL(first.span.End)
	edits[0].Text = append([]byte(strings.Join(lines, eol)), end...)
	if len(lines) > 1 { // a table stands apart from text
		if first.line > 0 && !blankLine(sc.d, first.line-1) {
			edits[0].Text = append([]byte(eol), edits[0].Text...)
		}
		if next := first.line + 1; next < len(sc.d.Lines()) && !blankLine(sc.d, next) {
			edits[0].Text = append(edits[0].Text, eol...)
		}
	}
	return edits
}

// tableOf gives the first table of decisions in a region, -1 without one.
func (sc *scan) tableOf(region int) int {
	r := sc.regions[region]
	for k := range sc.tables {
		if t := &sc.tables[k]; t.decisions && t.header >= r.first && t.header < r.last {
			return k
		}
	}
	return -1
}
