package gsd

import (
	"bytes"
	"strings"

	"baton/internal/digest/gsd/template"
	"baton/internal/markdown"
)

// block is one top-level bullet of a section with everything that belongs to it.
type block struct {
	item Item
	span markdown.Span // whole lines
	done bool          // its box is checked
}

// Blockers returns the blockers in the order of the file: the bullets of every section of level 2
// or 3 that is called Blockers, Blockers/Concerns or Concerns (N9). Words such as None do not
// count.
func (d *Doc) Blockers() []Item {
	out := []Item{}
	for _, b := range d.blockers() {
		out = append(out, b.item)
	}
	return out
}

func (d *Doc) blockers() []block {
	var out []block
	for i := range d.titles {
		if blockersTitle(&d.titles[i]) {
			out = append(out, d.bullets(d.titles[i].list)...)
		}
	}
	return out
}

// todosSection returns the heading of the pending todos, or -1 if there is none.
func (d *Doc) todosSection() int { return d.titled(2, 3, "Pending Todos", "Todos") }

// todos returns the pending todos: bullets without a checked box.
func (d *Doc) todos() []Item {
	out := []Item{}
	if i := d.todosSection(); i >= 0 {
		for _, b := range d.bullets(d.titles[i].list) {
			if !b.done {
				out = append(out, b.item)
			}
		}
	}
	return out
}

// bullets returns the top-level bullets within a span. The text of a bullet is its lines, joined by
// blanks.
func (d *Doc) bullets(within markdown.Span) []block {
	var out []block
	end := 0
	line, counted := 1, 0 // counted is a position, line its line
	for _, it := range d.md.ListItems(d.local(within)) {
		span := d.move(it.Full)
		if span.Start < end {
			continue // nested below the previous one
		}
		end = span.End
		marker := d.move(it.Marker)
		b := block{span: span}
		text := strings.Join(strings.Fields(string(d.src[marker.End:span.End])), " ")
		for _, box := range [...]string{"[ ] ", "[x] ", "[X] "} {
			if rest, ok := strings.CutPrefix(text, box); ok {
				text, b.done = rest, box != "[ ] "
			}
		}
		if isNone(text) || template.Unfilled(strings.ReplaceAll(text, "]: [", "] [")) {
			continue
		}
		line += bytes.Count(d.src[counted:span.Start], []byte{'\n'})
		counted = span.Start
		b.item = Item{Line: line, Text: text}
		out = append(out, b)
	}
	return out
}

// isNone reports whether a line says that there is nothing: None or None yet, with or without a
// full stop (GSD-V3).
func isNone(text string) bool {
	text = strings.TrimRight(strings.TrimSpace(text), ".")
	return text == "" || strings.EqualFold(text, "none") || strings.EqualFold(text, "none yet")
}
