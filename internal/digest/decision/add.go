package decision

import (
	"bytes"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Addition is a planned new decision.
type Addition struct {
	Digest  []byte // the resulting digest
	Archive []byte // the resulting archive; the given bytes unless the text was split
	Row     Row    // the decision in Digest
	Moves   []Move // for a split text: what was added to the archive, with nothing lost
}

// Add adds a decision at the newest end of the list, in the columns or the kind of bullet that the
// digest has. The first decision replaces placeholders (specflow.md 5.6.3, 5.7.3; gsd.md 1.7
// add-decision, GSD-V3). If there is no section, Add creates one. It does not rotate.
//
// Errors: Usage for a text that is empty or not UTF-8; Violation "cell_too_large" above s.CellCap
// characters, unless e.Split; Corrupt "unclosed_fence" if the only place is after an unclosed
// fence; Internal "verify_failed" if the new row cannot be read back.
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

// whole adds the full text of a long decision to the archive, as the row that it would be in the
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

// add plans the row, reads the result, and returns it with the index of the new item. If the row
// cannot be read back next to the newest one (for example, below an item without text), it goes to
// the end of the section, and finally into a new section. A decision in an odd place is better than
// a refused one.
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
			"it could not be read back, or another one would be read differently", 0)
	}
	return next, at, nil
}

// added returns the index of the item that the edits inserted. It returns -1 if the item cannot be
// read back, or if one of the others cannot. A row that was not part of a table before may become
// one; that is no loss.
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
