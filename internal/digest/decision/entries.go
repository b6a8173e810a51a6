package decision

import (
	"slices"
	"strings"

	"baton/internal/markdown"
)

// Held is a decision and its context, by which it is recognised wherever it moves.
type Held struct {
	// Words are its words in a fixed order, which does not change if it moves to a table with other
	// columns.
	Words   string
	Text    string        // the decision, for messages
	Scope   string        // the specification, or in other forms the phase, if it names one
	Date    string        // YYYY-MM-DD, or "" if it has none
	Span    markdown.Span // its lines with their line ends
	Section markdown.Span // line of the heading above it, without a line end; empty above the first heading
	Head    markdown.Span // header lines of its table, with line ends; empty outside a table
}

// Hold finds the decisions of a digest in the order of the file. It accepts any text. Placeholders
// do not count.
func Hold(doc []byte, form Form, titles []string) []Held {
	return scanDigest(doc, form, titles).held()
}

// HoldArchive finds the decisions of an archive, or of a text that was appended to one. Entries of
// other sections that moved there (SF-D6) count too, because a part of an archive does not show
// which section it continues.
func HoldArchive(doc []byte, form Form) []Held {
	sc := newScan(doc, form, rules{archive: true})
	sc.wholeFile()
	for k := range sc.regions {
		sc.regions[k].foreign = false
		if sc.tableRows(k); !sc.regions[k].tables {
			sc.bullets(k)
		}
	}
	sc.inOrder()
	return sc.held()
}

func (sc *scan) held() []Held {
	out := make([]Held, 0, len(sc.items))
	above := sectionLines{scan: sc}
	for i := range sc.items {
		it := &sc.items[i]
		row := sc.row(it)
		if sc.rules.archive && sc.form == Specflow {
			row, _ = fromSpecflow(row, DefaultSettings())
		}
		h := Held{
			Span: it.span, Section: above.at(it.line), Words: sc.key(it), Text: row.Text, Scope: row.scope(sc.form),
		}
		if day([]byte(row.Date)) != undated {
			h.Date = row.Date[:len("2006-01-02")]
		}
		if it.table >= 0 {
			t := &sc.tables[it.table]
			lines := sc.d.Lines()
			h.Head = markdown.Span{Start: lines[t.header].Start, End: lines[max(t.header, t.delimiter)].Next}
		}
		if h.Text == "" {
			h.Text = h.Words
		}
		out = append(out, h)
	}
	return out
}

// scope returns the specification or the phase that a row names, in one spelling, or "".
func (r *Row) scope(form Form) string {
	of := r.Phase
	if form == Specflow {
		of = r.Spec
	}
	of = strings.Join(strings.Fields(of), " ")
	if rest, ok := strings.CutPrefix(of, "Phase "); ok {
		of = rest
	}
	if of == "?" || nothing([]byte(of)) {
		return ""
	}
	return of
}

// key returns the words of a decision in sorted order. It leaves out everything that a move between
// tables may add or remove: pipes, dashes for empty cells, names of columns, the colon after a
// specification.
func (sc *scan) key(it *item) string {
	var words []string
	if it.bullet {
		words = keyWords(words, sc.d.View(markdown.Span{
			Start: it.span.Start + markerEnd(sc.d.Text(it.line)), End: it.span.End,
		}))
	} else {
		for _, c := range sc.d.Cells(it.line) {
			if cell := c.Of(sc.src); !nothing(cell) {
				words = keyWords(words, markdown.UnescapeCell(string(cell)))
			}
		}
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// keyWords adds the words of a text. After a dash, the words up to one with a colon are the name of
// a column that the archive's table does not have.
func keyWords(words []string, text string) []string {
	if strings.IndexByte(text, '|') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, `\|`, " "), "|", " ")
	}
	dashed := -1 // number of words at the last dash
	for word := range strings.FieldsSeq(text) {
		if word == dash {
			dashed = len(words)
			continue
		}
		bare := strings.TrimRight(strings.TrimLeft(word, "["), "]:")
		if dashed >= 0 && strings.HasSuffix(word, ":") && len(words)-dashed < 3 {
			words = words[:dashed]
			dashed = -1
			continue
		}
		if bare != "" {
			words = append(words, bare)
		}
	}
	return words
}

// sectionLines finds the headings above a series of ascending lines.
type sectionLines struct {
	*scan
	next int
	last markdown.Span
}

// at returns the line of the nearest heading above a line. A rule below rows does not make a
// heading (specflow.md 5.5.1).
func (s *sectionLines) at(line int) markdown.Span {
	lines := s.d.Lines()
	all := s.d.Headings()
	for s.next < len(all) && all[s.next].Line < line {
		if h := all[s.next]; lines[h.Line].Class == markdown.ATX {
			s.last = markdown.Span{Start: lines[h.Line].Start, End: lines[h.Line].End}
		}
		s.next++
	}
	return s.last
}
