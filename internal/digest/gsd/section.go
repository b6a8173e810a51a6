package gsd

import (
	"strings"

	"baton/internal/markdown"
)

// findTitles converts the headings of the body to positions of the whole text.
func (d *Doc) findTitles() {
	headings := d.md.Headings()
	text := d.md.Bytes()
	d.titles = make([]title, len(headings))
	end := len(text)
	next := [7]int{end, end, end, end, end, end, end} // start of the next heading of each level or a higher one
	for i := len(headings) - 1; i >= 0; i-- {
		h := headings[i]
		d.titles[i] = title{
			text:  string(h.Text.Of(text)),
			level: h.Level,
			line:  h.Line,
			head:  d.move(h.Span),
			own:   d.move(markdown.Span{Start: h.Span.End, End: next[6]}),
			list:  d.move(markdown.Span{Start: h.Span.End, End: next[3]}),
			full:  d.move(markdown.Span{Start: h.Span.End, End: next[h.Level]}),
		}
		for level := h.Level; level < len(next); level++ {
			next[level] = h.Span.Start
		}
	}
}

// move converts a span of the body to positions of the whole text.
func (d *Doc) move(s markdown.Span) markdown.Span {
	return markdown.Span{Start: s.Start + d.shift, End: s.End + d.shift}
}

// local converts a span of the whole text to positions of the body.
func (d *Doc) local(s markdown.Span) markdown.Span {
	return markdown.Span{Start: max(s.Start-d.shift, 0), End: max(s.End-d.shift, 0)}
}

// body is the span of everything after the front matter.
func (d *Doc) body() markdown.Span {
	return markdown.Span{Start: d.front.end, End: len(d.src)}
}

// titled returns the index of the first heading with one of the names and a level between low and
// high, or -1.
func (d *Doc) titled(low, high int, names ...string) int {
	for i := range d.titles {
		if t := &d.titles[i]; t.level >= low && t.level <= high && named(t.text, names...) {
			return i
		}
	}
	return -1
}

// named reports whether a heading has one of the names. Case and the number of blanks do not
// matter.
func named(text string, names ...string) bool {
	text = strings.Join(strings.Fields(text), " ")
	for _, name := range names {
		if strings.EqualFold(text, name) {
			return true
		}
	}
	return false
}

// positionSection returns the index of the heading Current Position of level 2 or 3 (GSD-9), or
// else that of Current Status or Position if there are fields below it (F-56), or -1. Its fields
// come before the next heading of any level (GSD-8).
func (d *Doc) positionSection() int {
	if i := d.titled(2, 3, "Current Position"); i >= 0 {
		return i
	}
	for i := range d.titles {
		if t := &d.titles[i]; (t.level == 2 || t.level == 3) && named(t.text, "Current Status", "Position") {
			if _, ok := d.find(t.own, "Phase", true); ok {
				return i
			}
		}
	}
	return -1
}

// sessionSection returns the index of the session's heading: Session, or else Session Continuity,
// of level 2 only (GSD-10).
func (d *Doc) sessionSection() int {
	if i := d.titled(2, 2, "Session"); i >= 0 {
		return i
	}
	return d.titled(2, 2, "Session Continuity")
}

// line returns the 1-based line of a position.
func (d *Doc) line(pos int) int { return lineNumber(d.src, pos) }
