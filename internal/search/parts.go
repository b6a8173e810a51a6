package search

import (
	"sort"

	"baton/internal/markdown"
)

// Part is a piece of a document that can match: a heading with its text up to the next heading, or
// an entry that the caller passed.
type Part struct {
	Heading int // index of its heading, or of the heading above it; -1 before the first one
	Entry   int // index of the entry, or -1 for the text of a heading
	above   int // part of the heading above, or -1 if there is none
}

// Outline assigns every byte of a document to exactly one part. The text of an entry is not part of
// the heading around it.
type Outline struct {
	doc   *markdown.Document
	parts []Part
	cuts  []cut
}

// cut is a position at which a part begins, or continues after an entry.
type cut struct{ at, part int }

// NewOutline divides a document by its headings and entries. Entries must be in ascending order; an
// entry that begins inside another one is ignored. A heading inside an entry is part of the entry.
func NewOutline(doc *markdown.Document, entries []markdown.Span) *Outline {
	o := &Outline{doc: doc}
	now := o.begin(Part{Heading: -1, Entry: -1, above: -1}, 0)
	var open []int // parts of the enclosing headings, outermost first
	headings := doc.Headings()
	h, end := 0, 0
	take := func(before int) {
		for ; h < len(headings) && headings[h].Span.Start < before; h++ {
			if headings[h].Span.Start < end {
				continue
			}
			for len(open) > 0 && headings[o.parts[open[len(open)-1]].Heading].Level >= headings[h].Level {
				open = open[:len(open)-1]
			}
			above := -1
			if len(open) > 0 {
				above = open[len(open)-1]
			}
			now = o.begin(Part{Heading: h, Entry: -1, above: above}, headings[h].Span.Start)
			open = append(open, now)
		}
	}
	for i, span := range entries {
		if span.Start < end || span.Len() <= 0 {
			continue
		}
		take(span.Start)
		above := -1
		if o.parts[now].Heading >= 0 {
			above = now
		}
		end = span.End
		o.begin(Part{Heading: o.parts[now].Heading, Entry: i, above: above}, span.Start)
		o.cuts = append(o.cuts, cut{end, now})
	}
	take(len(doc.Bytes()) + 1)
	return o
}

func (o *Outline) begin(p Part, at int) int {
	o.parts = append(o.parts, p)
	o.cuts = append(o.cuts, cut{at, len(o.parts) - 1})
	return len(o.parts) - 1
}

// partAt returns the part that contains a byte. Of two cuts at the same position, the later one
// counts.
func (o *Outline) partAt(pos int) int {
	return o.cuts[sort.Search(len(o.cuts), func(i int) bool { return o.cuts[i].at > pos })-1].part
}

// Section returns the headings above a part, outermost first, including its own. The title, an H1,
// is left out unless it is the only heading.
func (o *Outline) Section(p Part) []string {
	var names []string
	headings := o.doc.Headings()
	at := p.above
	if p.Entry < 0 && p.Heading >= 0 {
		names = append(names, string(headings[p.Heading].Text.Of(o.doc.Bytes())))
	}
	for ; at >= 0; at = o.parts[at].above {
		names = append([]string{string(headings[o.parts[at].Heading].Text.Of(o.doc.Bytes()))}, names...)
	}
	if len(names) > 1 && headings[o.outermost(p)].Level == 1 {
		names = names[1:]
	}
	return names
}

// outermost returns the outermost heading above a part, which must have one.
func (o *Outline) outermost(p Part) int {
	heading := p.Heading
	for at := p.above; at >= 0; at = o.parts[at].above {
		heading = o.parts[at].Heading
	}
	return heading
}
