package decision

import (
	"strings"

	"baton/internal/markdown"
)

// begin returns the lines of a new list with its first entry: a bullet in the GSD schema, otherwise
// a table. In a SpecFlow project, the table has the columns of the archive's (specflow.md 5.6.3).
func (sc *scan) begin(archive []byte, e Entry) []string {
	if sc.form == GSD {
		return []string{"- " + e.bullet(sc.form)}
	}
	to := standard(sc.form)
	if sc.form == Specflow && len(archive) > 0 {
		a := scanArchive(archive, sc.form)
		if t := a.target(false); t.pos >= 0 {
			to = a.schemaOf(t.table)
		} else if a.target(true).pos >= 0 {
			return []string{"- " + a.bullet(e, nil)}
		}
	}
	return []string{to.header, to.delimiter, e.line(to)}
}

// newSection returns the line before which a decisions section is inserted, and its heading marks.
// In the GSD schema that is the end of "Accumulated Context", otherwise the end of the file, before
// a footer.
func (sc *scan) newSection() (line int, marks string) {
	lines := sc.d.Lines()
	if sc.form != Specflow {
		for i, h := range sc.d.Headings() {
			if h.Level != 2 || lines[h.Line].Class != markdown.ATX || !strings.EqualFold(string(h.Text.Of(sc.src)),
				"Accumulated Context") {
				continue
			}
			r := region{first: h.Line + 1, last: len(lines)}
			for _, next := range sc.d.Headings()[i+1:] {
				if next.Level <= 2 && lines[next.Line].Class == markdown.ATX {
					r.last = next.Line
					break
				}
			}
			return sc.contentEnd(r), "###"
		}
	}
	return sc.fileEnd(), "##"
}

// contentEnd returns the line after the last line of a region that is neither blank nor a closing
// rule.
func (sc *scan) contentEnd(r region) int {
	end := r.first
	lines := sc.d.Lines()
	for i := r.first; i < r.last && lines[i].Start < sc.hidden; i++ {
		if lines[i].Depth == 0 && (lines[i].Class == markdown.Rule || lines[i].Class == markdown.SetextUnderline) &&
			sc.closes(i, r.last) {
			break
		}
		if lines[i].Class != markdown.Blank {
			end = i + 1
		}
	}
	return end
}

// fileEnd returns the line before which a new section is inserted: a closing rule with its footer,
// or the line after the last one with content.
func (sc *scan) fileEnd() int {
	lines := sc.d.Lines()
	end := len(lines)
	for end > 0 && blankLine(sc.d, end-1) {
		end--
	}
	for i := end - 1; i > 0 && i >= end-8; i-- {
		if lines[i].Class == markdown.Rule && lines[i].Depth == 0 && sc.closes(i, end) {
			return i
		}
	}
	return end
}

// closes reports whether only a footer follows a rule: a few lines of text, without headings, lists
// or tables.
func (sc *scan) closes(rule, last int) bool {
	lines := sc.d.Lines()
	text := 0
	for i := rule + 1; i < last; i++ {
		switch lines[i].Class {
		case markdown.Blank:
		case markdown.Text, markdown.Rule, markdown.Comment:
			if line := sc.d.Text(i); leadingPipe(line) || numbered(line) {
				return false
			}
			text++
		default:
			return false
		}
	}
	return text <= 6
}
