package decision

import (
	"bytes"
	"slices"

	"baton/internal/markdown"
)

// bullets finds the bullet blocks of a region: top-level items and everything that belongs to them
// (specflow.md 5.5.4). A numbered line also counts where Markdown reads it as text, directly below
// a paragraph, because it must still be an item after the one above has moved.
func (sc *scan) bullets(k int) {
	r := sc.regions[k]
	lines := sc.d.Lines()
	if r.first >= r.last {
		return
	}
	within := markdown.Span{Start: lines[r.first].Start, End: lines[r.last-1].Next}
	items := sc.d.ListItems(within)
	from := len(sc.items)
	rows := sc.rowStarts(k)
	end := 0 // end of the current block
	for i, next := r.first, 0; i < r.last; i++ {
		start := lines[i].Start
		for next < len(items) && items[next].Line < i {
			next++
		}
		if next < len(items) && items[next].Line == i && start >= end {
			if above := len(sc.items) - 1; above >= from && sc.below(above, items[next], i) {
				end = rows.cut(start, min(items[next].Full.End, within.End))
				sc.items[above].span.End = end
				continue
			}
			sc.items = append(sc.items, item{
				span: markdown.Span{Start: start}, line: i, region: k, table: -1, bullet: true,
			})
			end = rows.cut(start, min(items[next].Full.End, within.End))
			sc.items[len(sc.items)-1].span.End = end
			continue
		}
		if sc.prose(i) && numbered(sc.d.Text(i)) {
			if last := len(sc.items) - 1; start < end { // a lazy line: the block above ends here
				sc.items[last].span.End = start
			} else {
				end = rows.cut(start, sc.paragraphEnd(i, r.last))
			}
			sc.items = append(sc.items, item{
				span: markdown.Span{Start: start, End: end}, line: i, region: k, table: -1, bullet: true,
			})
		}
	}
	sc.withoutTemplates(from)
	sc.dates(from)
	sc.regions[k].bullets = len(sc.items) > from
}

// rowStarts has the positions at which the headers and rows of a region's decision tables begin, in
// ascending order.
type rowStarts []int

func (sc *scan) rowStarts(k int) rowStarts {
	r := sc.regions[k]
	if !r.tables {
		return nil
	}
	var out rowStarts
	for _, t := range sc.tables {
		if t.decisions && t.header >= r.first && t.header < r.last {
			out = append(out, sc.d.Lines()[t.header].Start)
		}
	}
	for i := range sc.items {
		if it := &sc.items[i]; it.region == k && !it.bullet {
			out = append(out, it.span.Start)
		}
	}
	slices.Sort(out)
	return out
}

// cut returns the end of a block that must not contain a row: end, or the start of the first row
// after the block's start.
func (rows rowStarts) cut(start, end int) int {
	if n, _ := slices.BinarySearch(rows, start); n < len(rows) {
		return min(end, rows[n])
	}
	return end
}

// below reports whether the item on line i belongs to the block above although it begins a new list
// in Markdown: it is indented deeper than the block's own marker, with only blank lines between. An
// example is "10. x" with " - y" below it, which would need one more blank.
func (sc *scan) below(above int, it markdown.ListItem, i int) bool {
	block := sc.items[above]
	if it.Indent <= indent(sc.d.Text(block.line)) {
		return false
	}
	for k := i - 1; k > block.line && sc.d.Lines()[k].Start >= block.span.End; k-- {
		if !blankLine(sc.d, k) {
			return false
		}
	}
	return true
}

// paragraphEnd returns the end of the paragraph that contains line i.
func (sc *scan) paragraphEnd(i, last int) int {
	for i+1 < last && sc.prose(i+1) {
		i++
	}
	return sc.d.Lines()[i].Next
}

// prose reports whether line i is text outside lists. Markdown reads a line directly after a table
// as a row of it.
func (sc *scan) prose(i int) bool {
	ln := sc.d.Lines()[i]
	return ln.Depth == 0 && (ln.Class == markdown.Text || ln.Class == markdown.TableRow && !leadingPipe(sc.d.Text(i)))
}

// withoutTemplates removes the template's bullets from the list, because they are placeholders.
func (sc *scan) withoutTemplates(from int) {
	kept := sc.items[:from]
	for _, it := range sc.items[from:] {
		text := sc.text(&it)
		if bytes.IndexByte(text, '\n') < 0 && len(text) < 200 && templateBullet(string(bulletText(text))) {
			sc.holders = append(sc.holders, it)
		} else {
			kept = append(kept, it)
		}
	}
	sc.items = kept
}

// numbered reports whether a line begins with "2." or "2)", a blank and a text, indented by at most
// three blanks.
func numbered(text []byte) bool {
	k := 0
	for k < len(text) && k < 3 && text[k] == ' ' {
		k++
	}
	start := k
	for k < len(text) && text[k] >= '0' && text[k] <= '9' {
		k++
	}
	return k > start && k-start <= 9 && k+2 < len(text) && (text[k] == '.' || text[k] == ')') && text[k+1] == ' '
}

// markerEnd returns the length of a line's start up to the end of its list marker: "- " or "12. ",
// without the blank.
func markerEnd(text []byte) int {
	k := 0
	for k < len(text) && text[k] == ' ' {
		k++
	}
	if k < len(text) && (text[k] == '-' || text[k] == '*' || text[k] == '+') {
		return k + 1
	}
	for k < len(text) && text[k] >= '0' && text[k] <= '9' {
		k++
	}
	return min(k+1, len(text))
}

// bulletText returns the text of a bullet's first line.
func bulletText(line []byte) []byte {
	return bytes.TrimSpace(line[markerEnd(line):])
}
