package decision

import (
	"bytes"

	"baton/internal/report"
	"baton/internal/safetext"
)

// verify reads both documents again. The digest must have exactly the remaining rows in order, and
// the archive every moved row once more than before (SF-D18; specflow.md 5.8). Otherwise it returns
// an error.
func (r *rotation) verify(moved []dated, gained [][]byte, digest, archive []byte) error {
	gone := make([]bool, len(r.digest.items))
	for _, row := range moved {
		gone[row.index] = true
	}
	rest := scanDigest(digest, r.form, r.s.Titles)
	k := 0
	for i := range r.digest.items {
		if gone[i] {
			continue
		}
		if k >= len(rest.items) || !bytes.Equal(rest.text(&rest.items[k]), r.digest.text(&r.digest.items[i])) {
			return unverified(notRotated, "the digest would lack a row that stays", r.digest.items[i].line+1)
		}
		k++
	}
	if k != len(rest.items) {
		return unverified(notRotated, "the digest would have an additional row", rest.items[k].line+1)
	}
	before := &scan{}
	if len(r.archive) > 0 {
		before = scanArchive(r.archive, r.form)
	}
	return grown(before, scanArchive(archive, r.form), gained)
}

// grown returns an error unless each of the texts occurs once more among the rows of after than of
// before.
func grown(before, after *scan, gained [][]byte) error {
	want := make(map[string]int, len(gained))
	for _, text := range gained {
		want[string(bareLF(bare(text)))]++
	}
	count := func(sc *scan, by int) {
		for i := range sc.items {
			text := bareLF(sc.text(&sc.items[i]))
			if n, ours := want[string(text)]; ours {
				want[string(text)] = n + by
			}
		}
	}
	count(before, 1)
	count(after, -1)
	for _, text := range gained {
		if line := string(bareLF(bare(text))); want[line] != 0 {
			return unverified(notRotated, "the archive would not have this one exactly once more: "+
				safetext.Columns(safetext.Line(line), 60), 0)
		}
	}
	if len(after.items) != len(before.items)+len(gained) {
		return unverified(notRotated, "the archive would read differently in other places", 0)
	}
	return nil
}

// notRotated says what did not happen if a rotation fails its verification.
const notRotated = "decisions were not moved"

// unverified returns the error for a result that fails its verification: what did not happen, and
// why.
func unverified(what, message string, line int) error {
	return &report.Error{
		Kind: report.Internal, Code: report.CodeVerifyFailed, Line: line, Message: what + ": " + message,
		Hint: "nothing was written; write the decision as one row or bullet of plain text, without a heading, fence " +
			"or comment in it, and try again",
	}
}
