package decision

import (
	"slices"
	"strings"
)

// Text is the whole of a text of which a digest has only the beginning.
type Text struct {
	Line int    `json:"line"` // of the archive, 1-based
	Date string `json:"date"` // of a decision, its own; otherwise the day on which it was shortened
	Name string `json:"name"` // specification, phase, label or column
	Text string `json:"text"`
}

// Texts returns the whole texts in an archive that are not decisions: those that "state rotate
// --compress" put there, and those of SpecFlow's own program.
func Texts(archive []byte, form Form, s Settings) []Text {
	var out []Text
	sc := scanSection(archive, form, archivedTexts)
	for i := range sc.items {
		it := &sc.items[i]
		date, rest, _ := strings.Cut(string(bulletText(sc.text(it))), " ")
		name, text, named := strings.Cut(rest, ": ")
		switch {
		case !it.bullet:
			continue
		case strings.HasSuffix(date, ":"): // it has no name
			date, name, text = strings.TrimSuffix(date, ":"), "", rest
		case !named:
			name, text = "", rest
		}
		out = append(out, Text{it.line + 1, date, name, text})
	}
	if form != Specflow {
		return out
	}
	for _, r := range scanArchive(archive, form).list().Rows {
		if _, own := fromSpecflow(r, s); own {
			continue
		}
		label, text := r.Spec, r.Text
		if label == "" {
			label, text, _ = strings.Cut(r.Text, ": ")
		}
		name := strings.NewReplacer(" (", " ", ")", "").Replace(label)
		out = append(out, Text{r.Line, r.Date, name, text})
	}
	return out
}

// Shortened returns the archived decisions of which one of the rows is an excerpt.
func Shortened(rows, archived []Row) []Row {
	var excerpts []Row
	for _, r := range rows {
		if r.IsExcerpt() {
			excerpts = append(excerpts, r)
		}
	}
	var out []Row
	for _, of := range archived {
		if slices.ContainsFunc(excerpts, func(r Row) bool { return r.excerpts(of) }) {
			out = append(out, of)
		}
	}
	return out
}

// IsExcerpt reports whether a row has only the beginning of a decision, and says where the rest is.
func (r Row) IsExcerpt() bool { return strings.Contains(r.Text+r.Rationale, pointer) }

// excerpts reports whether a row that is an excerpt is one of an archived row.
func (r Row) excerpts(of Row) bool {
	return of.Raw != r.Raw && of.Date == r.Date &&
		excerptOf(r.Text, of.Text) && excerptOf(r.Rationale, of.Rationale)
}
