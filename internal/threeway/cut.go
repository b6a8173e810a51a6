package threeway

import (
	"strconv"
	"strings"

	"baton/internal/markdown"
)

// cut divides a document into units.
func (m *merger) cut(src []byte) unit {
	root := unit{kind: part}
	switch {
	case m.form.Lines, m.form.Text:
		kind := prose
		if m.form.Lines {
			kind = entry
		}
		for line := range strings.Lines(string(src)) {
			root.below = append(root.below, unit{
				key: line, kind: kind, text: line, stamp: stampIf(kind == entry, line),
			})
		}
	default:
		c := &cutter{form: m.form, doc: markdown.Parse(src)}
		c.read()
		root.lead = c.blanks(0)
		root.below = c.units(c.at, len(c.doc.Lines()), 0)
	}
	name(root.below)
	root.hoist()
	return root
}

func stampIf(wanted bool, text string) string {
	if wanted {
		return stampIn(text)
	}
	return ""
}

// name makes keys unique among neighbours, and marks the last unit of each group.
func name(units []unit) {
	seen := map[string]int{}
	for i := range units {
		u := &units[i]
		u.last = i+1 == len(units) || units[i+1].group != u.group || u.kind == part && units[i+1].kind != part
		if seen[u.key]++; seen[u.key] > 1 {
			u.key += "\x00" + strconv.Itoa(seen[u.key])
		}
		name(u.below)
	}
}

// hoist moves the blank lines after the last unit of a part to the part itself, so that the part is
// the same whatever follows it.
func (u *unit) hoist() {
	for i := range u.below {
		u.below[i].hoist()
	}
	if n := len(u.below); n > 0 {
		u.gap, u.below[n-1].gap = u.below[n-1].gap+u.gap, ""
	} else if u.kind == part && u.lead != "" {
		u.gap, u.lead = u.lead+u.gap, ""
	}
}

// cutter goes through the lines of a document.
type cutter struct {
	form     Form
	doc      *markdown.Document
	at       int // next line
	headings map[int]markdown.Heading
	items    map[int]int // maps the first line of each outermost item to the line after it
	tables   map[int]markdown.Table
}

func (c *cutter) read() {
	all := markdown.Span{End: len(c.doc.Bytes())}
	c.headings, c.items, c.tables = map[int]markdown.Heading{}, map[int]int{}, map[int]markdown.Table{}
	for _, h := range c.doc.Headings() {
		c.headings[h.Line] = h
	}
	end := 0
	for _, it := range c.doc.ListItems(all) {
		if it.Full.Start >= end && it.Full.Start == c.doc.Lines()[it.Line].Start {
			end = it.Full.End
			c.items[it.Line] = max(it.Line+1, c.lineFrom(end))
		}
	}
	for _, t := range c.doc.Tables(all) {
		c.tables[t.Header] = t
	}
}

// lineFrom returns the first line that begins at pos or later.
func (c *cutter) lineFrom(pos int) int {
	if pos >= len(c.doc.Bytes()) {
		return len(c.doc.Lines())
	}
	return c.doc.LineAt(pos)
}

// lines returns the bytes of a range of lines.
func (c *cutter) lines(from, to int) string {
	all := c.doc.Lines()
	if from >= to {
		return ""
	}
	return string(c.doc.Bytes()[all[from].Start:all[to-1].Next])
}

// blanks returns the blank lines from a line on.
func (c *cutter) blanks(from int) string {
	to := from
	for all := c.doc.Lines(); to < len(all) && all[to].Class == markdown.Blank; to++ {
	}
	c.at = to
	return c.lines(from, to)
}

// units cuts the lines up to end, below a heading of the given level.
func (c *cutter) units(from, end, level int) []unit {
	var out []unit
	for c.at = from; c.at < end; {
		i := c.at
		h, isHeading := c.headings[i]
		table, isTable := c.tables[i]
		switch {
		case isHeading && h.Level <= level:
			return out
		case isHeading:
			out = append(out, c.section(h, end))
		case isTable:
			out = append(out, c.rows(table)...)
		default:
			u := c.block(i, end)
			if n := len(out); n > 0 && u.note != "" && out[n-1].takes(&u) {
				out[n-1].below = append(out[n-1].below, u)
				continue
			}
			out = append(out, u)
		}
	}
	return out
}

// takes reports whether a note directly follows the value to which it belongs.
func (u *unit) takes(note *unit) bool {
	if u.field != note.note || u.gap != "" || u.group != note.group || len(note.below) > 0 {
		return false
	}
	n := len(u.below)
	return n == 0 || u.below[n-1].gap == "" && (u.group == "" || u.below[n-1].note != "")
}

// section returns a heading and everything below it.
func (c *cutter) section(h markdown.Heading, end int) unit {
	heading := string(h.Text.Of(c.doc.Bytes()))
	after := c.lineFrom(h.Span.End)
	u := unit{kind: part, key: strconv.Itoa(h.Level) + " " + fold(heading), text: c.lines(h.Line, after)}
	if c.form.Section != nil {
		if name := c.form.Section(h.Level, heading); name != "" {
			u.key, u.merge = name, c.form.Parts[name]
		}
	}
	if c.form.Session != nil && h.Level > 1 {
		if digits, number, stamp, ok := c.form.Session(heading); ok {
			if c.form.CutNote != nil {
				rest, note := c.form.CutNote(heading)
				if u.cutNote(note); u.was != "" {
					heading = rest
				}
			}
			u.key, u.digits = "session "+fold(heading), digits
			if digits == strconv.Itoa(number) {
				u.number = number
			}
			u.stamp = stampIn(stamp)
		}
	}
	u.lead = c.blanks(after)
	stop := end
	for line := c.at; line < end; line++ {
		if next, ok := c.headings[line]; ok && next.Level <= h.Level {
			stop = line
			break
		}
	}
	u.below = c.units(c.at, stop, h.Level)
	c.at = stop
	return u
}

// fold returns a name in lower case, with single blanks.
func fold(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
