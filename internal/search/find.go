package search

import (
	"bytes"
	"math/bits"

	"baton/internal/markdown"
	"baton/internal/sorting"
)

// Hit is a part of a document that matches a query.
type Hit struct {
	Part  Part
	Line  int           // 1-based line with the most terms; the first one if there are several
	Text  markdown.Span // that line without its line end
	Lines int           // number of lines in the part that contain a term
}

// Find returns the parts that contain every term, in document order. Terms in the title or in a
// heading above a part also count, if the part itself contains at least one term: a session of the
// task "JWT service" that mentions keys matches "jwt keys". folded is the result of Fold for the
// document's bytes.
func (q Query) Find(o *Outline, folded []byte) []Hit {
	if q.Empty() || !q.Within(folded) {
		return nil
	}
	f := finder{o: o, found: make([]found, len(o.parts))}
	f.mark(q, folded)
	var hits []Hit
	for i := range o.parts {
		at := &f.found[i]
		if at.own == 0 || at.own|f.above(o.parts[i]) != 1<<len(q.terms)-1 {
			continue
		}
		line := o.doc.Lines()[at.best]
		hits = append(hits, Hit{Part: o.parts[i], Line: at.best +
			1, Text: markdown.Span{Start: line.Start, End: line.End}, Lines: at.lines})
	}
	sorting.By(hits, func(a, b Hit) int { return a.Line - b.Line })
	return hits
}

// found is what has been found in a part. Bit i stands for term i.
type found struct {
	own     uint64 // terms in the part
	heading uint64 // terms in the heading at its start
	best    int    // index of the line with the most terms
	most    int    // number of terms on that line
	lines   int
}

type finder struct {
	o     *Outline
	found []found
}

// mark records the terms of every line. It goes through the document once, from each occurrence to
// the next.
func (f *finder) mark(q Query, folded []byte) {
	lines := f.o.doc.Lines()
	if len(lines) == 0 { // a lone byte-order mark is not text, but its bytes could match
		return
	}
	next := make([]int, len(q.terms)) // next occurrence of each term
	for i, term := range q.terms {
		next[i] = from(folded, term, lines[0].Start)
	}
	for {
		at := len(folded)
		for _, n := range next {
			at = min(at, n)
		}
		if at == len(folded) {
			return
		}
		k := f.o.doc.LineAt(at)
		var mask uint64
		for i, term := range q.terms {
			if next[i] < lines[k].Next {
				mask |= 1 << i
				next[i] = from(folded, term, lines[k].Next)
			}
		}
		f.line(k, max(at, lines[k].Start), mask)
	}
}

// from returns the position of term at pos or later, or the length of the text if there is none.
func from(text, term []byte, pos int) int {
	if n := bytes.Index(text[pos:], term); n >= 0 {
		return pos + n
	}
	return len(text)
}

func (f *finder) line(k, pos int, mask uint64) {
	part := f.o.partAt(pos)
	at := &f.found[part]
	if n := bits.OnesCount64(mask); n > at.most {
		at.best, at.most = k, n
	}
	at.own |= mask
	at.lines++
	if p := f.o.parts[part]; p.Entry < 0 && p.Heading >= 0 && pos < f.o.doc.Headings()[p.Heading].Span.End {
		at.heading |= mask
	}
}

// above returns the terms in the headings above a part.
func (f *finder) above(p Part) uint64 {
	var mask uint64
	for at := p.above; at >= 0; at = f.o.parts[at].above {
		mask |= f.found[at].heading
	}
	return mask
}
