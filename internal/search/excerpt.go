package search

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"baton/internal/sorting"
)

// Limits for the part of a line that is shown.
const (
	mostRaw     = 2 << 10 // bytes of a line that are kept until it is shown
	mostExcerpt = 160     // characters of an excerpt, including ellipses
	mostBefore  = 40      // characters before the first match, if the excerpt had to be cut
)

// Mark is a range of bytes in an excerpt that matches a term.
type Mark struct{ Start, End int }

// Window returns the part of a long line around its first match, at most mostRaw bytes, without
// cutting a character.
func (q Query) Window(line []byte) []byte {
	if len(line) <= mostRaw {
		return line
	}
	marks := q.marks(Fold(nil, line))
	start := 0
	if len(marks) > 0 {
		start = min(max(0, marks[0].Start-mostRaw/4), len(line)-mostRaw)
	}
	end := start + mostRaw
	for start > 0 && start < end && !utf8.RuneStart(line[start]) {
		start++
	}
	for end < len(line) && end > start && !utf8.RuneStart(line[end]) {
		end--
	}
	return line[start:end]
}

// Excerpt shortens a line around its first match and returns the positions of all matches. text
// must already be safe and on one line, because making it so would move the bytes.
func (q Query) Excerpt(text string) (string, []Mark) {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) <= mostExcerpt {
		return text, q.marks(Fold(nil, []byte(text)))
	}
	start := 0
	if marks := q.marks(Fold(nil, []byte(text))); len(marks) > 0 {
		if before := utf8.RuneCountInString(text[:marks[0].Start]); before > mostBefore*2 {
			start = back(text, marks[0].Start, mostBefore)
		}
	}
	room := mostExcerpt - 1
	out := ""
	if start > 0 {
		out, room = "…", room-1
	}
	out += text[start:ahead(text, start, room)]
	if ahead(text, start, room) < len(text) {
		out += "…"
	}
	return out, q.marks(Fold(nil, []byte(out)))
}

// back returns the position n characters before pos.
func back(text string, pos, n int) int {
	for ; n > 0 && pos > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:pos])
		pos -= size
	}
	return pos
}

// ahead returns the position n characters after pos.
func ahead(text string, pos, n int) int {
	for ; n > 0 && pos < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[pos:])
		pos += size
	}
	return pos
}

// marks returns the ranges of all terms in a folded text, in order. Adjacent ranges are joined.
func (q Query) marks(folded []byte) []Mark {
	var all []Mark
	for _, term := range q.terms {
		for pos := 0; ; {
			n := bytes.Index(folded[pos:], term)
			if n < 0 {
				break
			}
			pos += n
			all = append(all, Mark{pos, pos + len(term)})
			pos += len(term)
		}
	}
	sorting.By(all, func(a, b Mark) int { return a.Start - b.Start })
	var out []Mark
	for _, m := range all {
		if n := len(out); n > 0 && m.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, m.End)
			continue
		}
		out = append(out, m)
	}
	return out
}
