package gsd

import "baton/internal/markdown"

// Held is a blocker with its place. Callers use it to recognise the blocker after it has moved.
type Held struct {
	Text    string        // its lines, joined by blanks, without a box
	Span    markdown.Span // whole lines, with their terminators
	Section markdown.Span // line of the heading above it, without terminator
}

// Hold finds the blockers of a digest in the order of the file. It never fails.
func Hold(src []byte) []Held {
	d := &Doc{src: src, front: findFront(src)} // skips the keys of the front matter, which Parse reads
	d.readBody()
	return d.held(blockersTitle)
}

// HoldArchive finds the blockers of a STATE-ARCHIVE.md, or of text appended to one: the bullets of
// every section.
func HoldArchive(src []byte) []Held {
	d := &Doc{src: src}
	d.readBody()
	return d.held(func(t *title) bool { return t.level <= 3 })
}

func (d *Doc) held(wanted func(*title) bool) []Held {
	var out []Held
	for i := range d.titles {
		t := &d.titles[i]
		if !wanted(t) {
			continue
		}
		line, _ := markdown.LineAt(d.src, t.head.Start)
		for _, b := range d.bullets(t.list) {
			out = append(out, Held{
				Text: b.item.Text, Span: b.span, Section: markdown.Span{
					Start: t.head.Start, End: t.head.Start + len(line),
				},
			})
		}
	}
	return out
}
