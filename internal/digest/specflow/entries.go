package specflow

import (
	"strings"

	"baton/internal/markdown"
)

// Held is a warning and its context, by which it can be recognised later.
type Held struct {
	Text    string        // the warning as one line
	Span    markdown.Span // its line including the line end
	Section markdown.Span // line of the heading above it, without a line end
	Head    markdown.Span // header lines of its table, with line ends; empty outside a table
}

// Hold finds the warnings of a digest in the order of the file (5.5.5). It accepts any text.
func Hold(src []byte) []Held { return Parse(src).heldWarnings() }

func (d *Doc) heldWarnings() []Held {
	var out []Held
	lines := d.md.Lines()
	for _, s := range d.sections {
		if s.kind != warnings {
			continue
		}
		section := markdown.Span{Start: lines[s.head].Start, End: lines[s.head].End}
		rows := map[int]Held{} // of tables, by line; without a text if a row is empty
		for _, t := range d.tables(s) {
			head := markdown.Span{Start: lines[t.header].Start, End: lines[t.delimiter].Next}
			rows[t.header], rows[t.delimiter] = Held{}, Held{}
			for _, r := range t.rows {
				h := Held{}
				if !r.placeholder {
					h = Held{Text: t.warning(r), Head: head}
				}
				rows[r.line] = h
			}
		}
		for i := s.head + 1; i < s.end; i++ {
			h, row := rows[i]
			if !row {
				if !d.prose(i) {
					continue
				}
				h.Text = strings.TrimSpace(d.text(i))
				if d.class(i) == markdown.Item {
					h.Text = strings.TrimSpace(strings.TrimLeft(h.Text, "-*+"))
				}
				if noWarning(h.Text) {
					continue
				}
			} else if h.Text == "" {
				continue
			}
			h.Span, h.Section = markdown.Span{Start: lines[i].Start, End: lines[i].Next}, section
			out = append(out, h)
		}
	}
	return out
}

// warningTexts returns the warnings: the rows of a table, or else the section's prose (5.5.5).
func (d *Doc) warningTexts() []string {
	out := []string{}
	for _, h := range d.heldWarnings() {
		out = append(out, h.Text)
	}
	return out
}
