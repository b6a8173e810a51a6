package decision

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// foldedSpec is what SpecFlow's own program puts between a decision and the specification from a
// column that it does not know (specflow.md 7).
const foldedSpec = " — Specification: "

// fromSpecflow reads a row of an archive that SpecFlow's own program may have written. It returns
// false if the row is no decision.
func fromSpecflow(r Row, s Settings) (Row, bool) {
	if at := strings.LastIndex(r.Text, foldedSpec); at >= 0 && r.Spec == "" {
		id := r.Text[at+len(foldedSpec):]
		if spec, rest := bulletSpec(id + ": "); spec == id && rest == "" {
			r.Spec, r.Text = id, r.Text[:at]
		}
	}
	return fromCell(r, s)
}

// fromCell reads a row in which SpecFlow's own program moved the text of a long cell to the
// archive. The row names the key of the cell's row and its column, such as "2026-05-01 (Decision)"
// or "SPEC-7 (Next Step)", and has the date on which the text moved (specflow.md 5.16). A decision
// gets its own date back; any other cell is no decision.
func fromCell(r Row, s Settings) (Row, bool) {
	label, text := r.Spec, r.Text
	if label == "" {
		label, text, _ = strings.Cut(r.Text, ": ")
	}
	key, column, ok := strings.Cut(label, " (")
	if !ok || !strings.HasSuffix(column, ")") {
		return r, true
	}
	switch strings.ToLower(strings.TrimSuffix(column, ")")) {
	case "decision", "summary", "text", "note":
		if day([]byte(key)) != undated {
			r.Date = key
			r.Spec, r.Text = bulletSpec(text)
		}
	case "status", "state", "next step", "next_step", "next", "title", "name", "priority", "created":
		// A person may have written a short text like that; what moved was too long for a cell.
		spec, _ := bulletSpec(key + ": ")
		short := r.Spec == "" && utf8.RuneCountInString(text) <= s.CellCap
		return r, spec == "" || short
	}
	return r, true
}

// WithSpecs returns archived decisions with the specifications of their excerpts among rows. In a
// table with a column for specifications, a whole text alone does not name its own.
func WithSpecs(archived, rows []Row) []Row {
	out := slices.Clone(archived)
	for _, short := range rows {
		if short.Spec == "" || !strings.Contains(short.Text, pointer) {
			continue
		}
		for i, of := range out {
			if of.Spec == "" && of.Raw != short.Raw && of.Date == short.Date && excerptOf(short.Text, of.Text) {
				out[i].Spec = short.Spec
			}
		}
	}
	return out
}

// Whole returns rows without the excerpts of decisions whose whole text is among archived, so that
// such a decision is listed once and in full.
func Whole(rows, archived []Row) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
		return r.IsExcerpt() && slices.ContainsFunc(archived, r.excerpts)
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
