package digest

import (
	"bytes"
	"cmp"

	"baton/internal/markdown"
	"baton/internal/sorting"
)

// Size is how large a document is, counted as the limits count it.
type Size struct {
	Lines int `json:"lines"` // logical lines (SF-D2)
	Bytes int `json:"bytes"`
}

// SizeOf measures a document. A line is what LF ends, and what is after the last LF (SF-D2).
func SizeOf(src []byte) Size {
	n := bytes.Count(src, []byte{'\n'})
	if len(src) > 0 && src[len(src)-1] != '\n' {
		n++
	}
	return Size{Lines: n, Bytes: len(src)}
}

// Limits say how large a digest may be (SF-D1, SF-D28, D33). A limit of 0 does not hold.
type Limits struct {
	MaxLines int // lines; default 100
	MaxBytes int // bytes; default 32768
}

// DefaultLimits are 100 lines and 32 KiB.
func DefaultLimits() Limits { return Limits{MaxLines: 100, MaxBytes: 32768} }

// Over reports whether the size is beyond one of the limits; exactly at a limit is within it
// (SF-D1).
func (l Limits) Over(s Size) bool {
	return l.MaxLines > 0 && s.Lines > l.MaxLines || l.MaxBytes > 0 && s.Bytes > l.MaxBytes
}

// SectionSize is how much of a digest one section takes.
type SectionSize struct {
	Title string `json:"title"`
	Lines int    `json:"lines"`
	Bytes int    `json:"bytes"`
}

// Largest returns the n largest second-rank sections, largest first, those of equal size in the
// order of the file (SF-D6). Sections begin at ATX headings only (specflow.md 5.5.1): a rule under
// the last line of one makes no section of it.
func Largest(doc *markdown.Document, n int) []SectionSize {
	out := []SectionSize{}
	lines, src := doc.Lines(), doc.Bytes()
	open := -1 // start of the section that is last in out, or -1 if that is closed
	closeAt := func(end int) {
		if open >= 0 {
			last, size := &out[len(out)-1], SizeOf(src[open:end])
			last.Lines, last.Bytes = size.Lines, size.Bytes
			open = -1
		}
	}
	for _, h := range doc.Headings() {
		if h.Level > 2 || lines[h.Line].Class != markdown.ATX {
			continue
		}
		closeAt(h.Span.Start)
		if h.Level == 2 {
			open = h.Span.Start
			out = append(out, SectionSize{Title: string(h.Text.Of(src))})
		}
	}
	closeAt(len(src))
	sorting.By(out, func(a, b SectionSize) int {
		return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(b.Bytes, a.Bytes))
	})
	return out[:max(0, min(n, len(out)))]
}
