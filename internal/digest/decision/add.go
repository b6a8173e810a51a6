package decision

import (
	"bytes"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Addition is a planned new decision.
type Addition struct {
	Digest  []byte // the digest afterwards
	Archive []byte // the archive afterwards; the given bytes unless the text was split
	Row     Row    // the decision as it is in Digest
	Moves   []Move // of a split text: what the archive gained, with nothing lost
}

// Add puts a decision at the newest end of the list, in the columns or the kind of bullet that the
// digest has, and takes placeholders away when it is the first one (specflow.md 5.6.3, 5.7.3;
// gsd.md 1.7 add-decision, GSD-V3). Where no section is, it makes one. It does not rotate.
//
// Errors: Usage for a text that is empty or not UTF-8; Violation "cell_too_large" above s.CellCap
// characters, unless e.Split; Corrupt "unclosed_fence" when the only place is after an unclosed
// fence; Internal "verify_failed" when the new row would not be read back.
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

// whole puts the full text of a long decision into the archive, as the row that it would be in the
// digest (SF-D35).
func (sc *scan) whole(archive []byte, s Settings, e Entry) ([]byte, []Move, error) {
	full, at, err := sc.add(archive, s, e)
	if err != nil {
		return nil, nil, err
	}
	archived := archiveEdit{
		src: archive, form: sc.form, heading: archiveHeading, template: newArchive(sc.form), eol: sc.d.EOL(0),
	}
	gained, err := archived.put(full, []dated{{index: at, day: full.items[at].day}})
	if err != nil {
		return nil, nil, err
	}
	if err := grown(scanArchive(archive, sc.form), scanArchive(archived.src, sc.form), gained); err != nil {
		return nil, nil, err
	}
	return archived.src, []Move{{Gained: gained[0]}}, nil
}

// add plans the row, reads the result, and gives it with the index of the new item. Where the row
// would not be read back beside the newest one (below an item without text, say), it goes after
// everything in the section, and at last into a section of its own: a decision in an odd place is
// better than one that is refused.
func (sc *scan) add(archive []byte, s Settings, e Entry) (*scan, int, error) {
	tries := [][]markdown.Edit{sc.place(archive, s, e)}
	block := sc.begin(archive, e)
	if len(sc.items) > 0 {
		end := sc.contentEnd(sc.regions[sc.items[len(sc.items)-1].region])
		tries = append(tries, []markdown.Edit{blockEdit(sc.d, end, block)})
	}
	line, marks := sc.newSection()
	tries = append(tries, []markdown.Edit{blockEdit(sc.d, line, append([]string{marks + " Decisions", ""}, block...))})
	var first error
	for _, edits := range tries {
		next, at, err := sc.try(edits, s)
		if err == nil {
			return next, at, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, 0, first
}

// try makes the edits of an addition and reads the result. Errors: Corrupt "unclosed_fence",
// Internal "verify_failed".
func (sc *scan) try(edits []markdown.Edit, s Settings) (*scan, int, error) {
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
	at := next.added(sc, edits)
	if at < 0 {
		return nil, 0, unverified("the decision was not added",
			"it would not be read back, or another one read differently", 0)
	}
	return next, at, nil
}

// added returns the index of the item that the edits have put in, or -1 if it is not read back or
// when one of those that were there is not. A row that no table held before may have become one;
// that is no loss.
func (sc *scan) added(old *scan, edits []markdown.Edit) int {
	at, k := -1, 0
	for i := range sc.items {
		text := sc.text(&sc.items[i])
		if k < len(old.items) && bytes.Equal(text, old.text(&old.items[k])) {
			k++
			continue
		}
		for _, e := range edits {
			if at < 0 && bytes.Contains(e.Text, text) {
				at = i
			}
		}
	}
	if k < len(old.items) {
		return -1
	}
	return at
}
