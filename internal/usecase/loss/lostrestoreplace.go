package loss

import (
	"slices"
	"strings"

	"baton/internal/ledger"
	"baton/internal/markdown"
	"baton/internal/workspace"
)

// outline is a document with the places of its entries.
type outline struct {
	*Restorer
	doc     *markdown.Document
	entries []ledger.Entry
	looks   []shape         // of entries
	ranks   []rank          // of entries
	spans   []markdown.Span // of entries, empty where the text is not found
	at      map[string]int  // index of the entry with a key
	hidden  int             // first byte that a fence or comment hides which is never closed
	memo
}

// shape is how an entry stands in its document.
type shape uint8

// The shapes of entries.
const (
	asBlock  shape = iota // lines with blank ones around them: a session, an output
	asItem                // of a list
	asRow                 // of a table
	asObject              // of a list in JSON
)

func shapeOf(e *ledger.Entry) shape {
	text := strings.TrimLeft(e.Raw, " \t")
	switch {
	case e.Head != "" || strings.HasPrefix(text, "|"):
		return asRow
	case strings.HasPrefix(text, "{"):
		return asObject
	case e.Kind == ledger.Output:
		return asBlock
	}
	if doc := markdown.Parse([]byte(e.Raw)); len(doc.ListItems(markdown.Span{End: len(e.Raw)})) > 0 && doc.Lines()[0].Class == markdown.Item {
		return asItem
	}
	return asBlock
}

func shapesOf(entries []ledger.Entry) []shape {
	out := make([]shape, len(entries))
	for i := range entries {
		out[i] = shapeOf(&entries[i])
	}
	return out
}

func (r *Restorer) outline(now []byte) *outline {
	o := &outline{Restorer: r, doc: markdown.Parse(now), entries: r.Read(now), at: map[string]int{}, hidden: len(now)}
	if f, ok := o.doc.Unclosed(); ok {
		o.hidden = o.doc.Lines()[f.Open].Start
	}
	if line, ok := o.doc.UnclosedComment(); ok {
		o.hidden = min(o.hidden, o.doc.Lines()[line].Start)
	}
	o.looks, o.ranks = shapesOf(o.entries), ranksOf(o.entries)
	o.spans = EntrySpans(now, o.entries)
	for i := range o.entries {
		if _, twice := o.at[o.entries[i].Key]; !twice {
			o.at[o.entries[i].Key] = i
		}
	}
	return o
}

// EntrySpans finds the entries of a document in it; one that is not found is empty. Those of a kind mostly follow one another, but
// boxes come before the features of a checklist that may stand above them.
func EntrySpans(text []byte, entries []ledger.Entry) []markdown.Span {
	spans := make([]markdown.Span, len(entries))
	from := map[ledger.Kind]int{}
	for i := range entries {
		e := &entries[i]
		start := workspace.PlaceOf(text, e, from[e.Kind])
		if start < 0 {
			start = workspace.PlaceOf(text, e, 0)
		}
		if start >= 0 {
			spans[i] = markdown.Span{Start: start, End: start + len(e.Raw)}
			from[e.Kind] = max(from[e.Kind], spans[i].End)
		}
	}
	return spans
}

// standing gives the span of an entry of the book, if it is in the document.
func (o *outline) standing(known int) (at int, ok bool) {
	at, ok = o.at[o.known[known].Key]
	return at, ok && o.spans[at].Len() > 0
}

// neighbours gives the nearest entries of the document, of those of the same kind, section and shape that the book has before and behind one; -1
// for none.
func (o *outline) neighbours(known int) (before, behind int) {
	if o.before == nil {
		o.before, o.behind = o.nearest(1), o.nearest(-1)
	}
	return o.before[known], o.behind[known]
}

// nearest gives for each entry of the book the last one of its class that was passed on the way to it.
func (o *outline) nearest(step int) []int {
	out, last := make([]int, len(o.known)), map[int]int{}
	i := 0
	if step < 0 {
		i = len(o.known) - 1
	}
	for ; i >= 0 && i < len(o.known); i += step {
		out[i] = -1
		if at, ok := last[o.classes[i]]; ok {
			out[i] = at
		}
		if at, ok := o.standing(i); ok {
			last[o.classes[i]] = at
		}
	}
	return out
}

// put is a text that goes into a document.
type put struct {
	known int           // index of the entry
	span  markdown.Span // what it takes the place of: nothing, or a placeholder
	shape shape
	above string // heading that comes with it, "" without one
	tight bool   // nothing stands between the heading, which comes with it or is there, and the first entry
	head  string // header of a table that comes with it, "" without one
	apart bool   // the entry stands in no list yet
	first bool   // it stands before all others of its list
	sign  int    // of its list, see sorted
	text  string // its bytes, where they are not the entry's
}

// place finds the best place for an entry: beside its neighbours in the book, else in its section, else in a section that comes with it.
func (o *outline) place(known int) put {
	e := &o.known[known]
	one := put{known: known, shape: o.shapes[known]}
	if e.Kind == ledger.Output {
		return o.placeOutput(one)
	}
	if before, behind := o.neighbours(known); before >= 0 || behind >= 0 {
		return o.beside(one, before, behind)
	}
	if one.shape == asObject {
		return o.placeObject(one)
	}
	h := o.heading(e)
	if i := o.lastLike(known, h < 0 && e.Kind != ledger.Criterion); i >= 0 {
		return o.beside(one, i, -1)
	}
	if h >= 0 || e.Section == "" {
		return o.below(one, h)
	}
	return o.anew(one)
}

// beside puts an entry behind the one before it in the book, else before the one behind it; where the list is sorted, at its place in it.
func (o *outline) beside(one put, before, behind int) put {
	anchor := before
	if before < 0 {
		anchor = behind
	}
	list := o.listOf(anchor)
	p, _ := slices.BinarySearch(list.entries, anchor)
	if before >= 0 {
		p++
	}
	lo, hi, sign, same := o.sorted(list, one.known)
	one.sign = sign
	if p = min(max(p, lo), hi); same && o.known[one.known].Number > 0 {
		p = hi
	}
	pos := o.spans[list.entries[0]].Start
	if p > 0 {
		pos = o.spans[list.entries[p-1]].End
	}
	one.first = p == 0
	one.span = markdown.Span{Start: pos, End: pos}
	if one.shape == asRow {
		text, ok := o.refitted(&o.known[one.known], o.tableAbove(pos))
		if one.text = text; !ok {
			return o.below(one, o.heading(&o.entries[anchor]))
		}
	}
	return one
}
