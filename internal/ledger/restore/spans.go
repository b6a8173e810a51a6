package restore

import (
	"bytes"
	"strings"

	"baton/internal/ledger"
	"baton/internal/markdown"
)

// shape is the form of an entry in its document.
type shape uint8

// The shapes of entries.
const (
	asBlock  shape = iota // lines with blank lines around them: a session, an output
	asItem                // item of a list
	asRow                 // row of a table
	asObject              // object in a list of JSON
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
	doc := markdown.Parse([]byte(e.Raw))
	if len(doc.ListItems(markdown.Span{End: len(e.Raw)})) > 0 && doc.Lines()[0].Class == markdown.Item {
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

// Spans finds the entries of a document in its text. An entry that is not found has an empty span.
func Spans(text []byte, entries []ledger.Entry) []markdown.Span {
	spans := make([]markdown.Span, len(entries))
	from := map[ledger.Kind]int{} // most entries of a kind follow one another
	for i := range entries {
		e := &entries[i]
		start := indexOf(text, e, from[e.Kind])
		if start < 0 {
			start = indexOf(text, e, 0)
		}
		if start >= 0 {
			spans[i] = markdown.Span{Start: start, End: start + len(e.Raw)}
			from[e.Kind] = max(from[e.Kind], spans[i].End)
		}
	}
	return spans
}

// indexOf returns the first position from `from` on at which the lines of an entry begin, or -1.
func indexOf(text []byte, e *ledger.Entry, from int) int {
	for e.Raw != "" && from <= len(text) {
		n := bytes.Index(text[from:], []byte(e.Raw))
		if n < 0 {
			break
		}
		from += n
		if from == 0 || text[from-1] == '\n' || string(text[:from]) == byteOrderMark || e.Raw[0] == '{' {
			return from
		}
		from++
	}
	return -1
}

// mostCopies limits how often Without looks for more copies of an entry.
const mostCopies = 20

// Without returns a document without the entries that have one of the keys. ok is false if they
// cannot be removed without a change to other entries.
func Without(data []byte, read func([]byte) []ledger.Entry, keys map[string]bool) (next []byte, ok bool) {
	var stay []string
	for _, e := range read(data) {
		if !keys[e.Key] {
			stay = append(stay, e.Key)
		}
	}
	for range mostCopies {
		entries := read(data)
		spans := Spans(data, entries)
		var edits []markdown.Edit
		for i := range entries {
			if !keys[entries[i].Key] {
				continue
			}
			form := shapeOf(&entries[i])
			if form == asObject || spans[i].Len() == 0 {
				return nil, false
			}
			if form == asBlock {
				spans[i] = spans[i].WithBlanks(data)
			}
			edits = append(edits, markdown.Edit{Span: spans[i]})
		}
		if len(edits) == 0 {
			left := keysOf(entries)
			for _, key := range stay {
				if !left[key] {
					return nil, false
				}
			}
			return data, true
		}
		var err error
		if data, err = markdown.Apply(data, edits...); err != nil {
			return nil, false
		}
	}
	return nil, false
}
