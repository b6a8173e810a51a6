package decision

import (
	"strconv"
	"strings"

	"baton/internal/markdown"
)

// place returns the edits that insert an entry: next to the newest one, instead of placeholders,
// below a header without rows, into an empty section, or into a new one.
func (sc *scan) place(archive []byte, s Settings, e Entry) []markdown.Edit {
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
		return []markdown.Edit{sc.adjacent(newest, dir, e)}
	}
	if len(sc.holders) > 0 {
		return sc.instead(archive, e)
	}
	for k := range sc.tables {
		if sc.tables[k].decisions {
			return []markdown.Edit{sc.belowHeader(k, e)}
		}
	}
	block := sc.begin(archive, e)
	if len(sc.regions) > 0 {
		return []markdown.Edit{blockEdit(sc.d, sc.contentEnd(sc.regions[0]), block)}
	}
	line, marks := sc.newSection()
	return []markdown.Edit{blockEdit(sc.d, line, append([]string{marks + " Decisions", ""}, block...))}
}

// adjacent inserts the entry next to the newest one: below it, or above it if the newest come
// first. In a table, above means directly below the delimiter row.
func (sc *scan) adjacent(newest *item, dir Direction, e Entry) markdown.Edit {
	switch {
	case newest.bullet && dir == NewestFirst:
		return lineEdit(sc.d, newest.span.Start, sc.marker(newest, dir)+sc.bullet(e, newest))
	case newest.bullet:
		return lineEdit(sc.d, newest.span.End, sc.marker(newest, dir)+sc.bullet(e, newest))
	case dir == NewestFirst:
		return sc.belowHeader(newest.table, e)
	}
	return lineEdit(sc.d, newest.span.End, e.line(sc.schemaOf(newest.table)))
}

// belowHeader inserts the entry directly below the delimiter row of a table.
func (sc *scan) belowHeader(table int, e Entry) markdown.Edit {
	t := &sc.tables[table]
	return lineEdit(sc.d, sc.d.Lines()[max(t.header, t.delimiter)].Next, e.line(sc.schemaOf(table)))
}

// marker returns the indentation and marker for a bullet next to another one. Below a number, it is
// the next number.
func (sc *scan) marker(of *item, dir Direction) string {
	text := string(sc.d.Text(of.line))
	mark := text[:markerEnd([]byte(text))]
	number := strings.TrimLeft(mark[:len(mark)-1], " ")
	if n, err := strconv.Atoi(number); err == nil && dir != NewestFirst {
		mark = strings.TrimSuffix(mark[:len(mark)-1], number) + strconv.Itoa(n+1) + mark[len(mark)-1:]
	}
	return mark + " "
}

// instead replaces the placeholders of a section with the first entry.
func (sc *scan) instead(archive []byte, e Entry) []markdown.Edit {
	first := &sc.holders[0]
	var edits []markdown.Edit
	below := first.line // end of the adjacent lines that are replaced
	for i := range sc.holders {
		if h := &sc.holders[i]; h.region == first.region {
			edits = append(edits, markdown.Edit{Span: h.span})
			if h.line == below {
				below++
			}
		}
	}
	var block []string
	switch table := sc.tableOf(first.region); {
	case first.bullet:
		block = []string{sc.marker(first, NewestFirst) + e.bullet(sc.form)}
	case first.table >= 0:
		block = []string{e.line(sc.schemaOf(first.table))}
	case table >= 0: // the line is next to a table, so the row goes into the table
		return append(edits, sc.belowHeader(table, e))
	default:
		block = sc.begin(archive, e)
	}
	eol := sc.d.EOL(first.span.End)
	text := strings.Join(block, eol) + string(sc.raw(first)[len(sc.text(first)):])
	if len(block) > 1 && first.line > 0 && !blankLine(sc.d, first.line-1) { // a blank line separates a table from text
		text = eol + text
	}
	if first.word && sc.leans(below, len(block) > 1) {
		text += eol
	}
	edits[0].Text = []byte(text)
	return edits
}

// leans reports whether line i would become part of a table or bullet that ends directly above it.
func (sc *scan) leans(i int, table bool) bool {
	if i >= len(sc.d.Lines()) || blankLine(sc.d, i) {
		return false
	}
	class := sc.d.Lines()[i].Class
	return table || class != markdown.Item && class != markdown.ATX
}

// tableOf returns the first table of decisions in a region, or -1 if there is none.
func (sc *scan) tableOf(region int) int {
	r := sc.regions[region]
	for k := range sc.tables {
		if t := &sc.tables[k]; t.decisions && t.header >= r.first && t.header < r.last {
			return k
		}
	}
	return -1
}
