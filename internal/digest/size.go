package digest

import (
	"bytes"
	"cmp"

	"baton/internal/markdown"
	"baton/internal/safetext"
	"baton/internal/sorting"
)

// Size is the size of a document, counted like the limits.
type Size struct {
	Lines int `json:"lines"` // logical lines (SF-D2)
	Bytes int `json:"bytes"`
}

// SizeOf returns the size of a document. A line ends with LF; text after the last LF is one more
// line (SF-D2).
func SizeOf(src []byte) Size {
	n := bytes.Count(src, []byte{'\n'})
	if len(src) > 0 && src[len(src)-1] != '\n' {
		n++
	}
	return Size{Lines: n, Bytes: len(src)}
}

// Limits are the largest sizes of a digest (SF-D1, SF-D28, D33). 0 means no limit.
type Limits struct {
	MaxLines int // lines; default 100
	MaxBytes int // bytes; default 32768
}

// DefaultLimits returns 100 lines and 32 KiB.
func DefaultLimits() Limits { return Limits{MaxLines: 100, MaxBytes: 32768} }

// Over reports whether the size exceeds a limit. A size equal to a limit does not (SF-D1).
func (l Limits) Over(s Size) bool {
	return l.MaxLines > 0 && s.Lines > l.MaxLines || l.MaxBytes > 0 && s.Bytes > l.MaxBytes
}

// OnlyBytes reports whether a digest has too many bytes, but not too many lines.
func (l Limits) OnlyBytes(s Size) bool {
	return l.Over(s) && (l.MaxLines <= 0 || s.Lines <= l.MaxLines)
}

// SectionSize is the size of a section of a digest.
type SectionSize struct {
	Title string `json:"title"`
	Lines int    `json:"lines"`
	Bytes int    `json:"bytes"`
}

// Measured returns the size of a section in the measure that is over its limit.
func (s SectionSize) Measured(byBytes bool) string {
	if byBytes {
		return safetext.Count(s.Bytes, "byte")
	}
	return safetext.Count(s.Lines, "line")
}

// Largest returns the n largest level-2 sections, largest first, by bytes or by lines; sections of
// equal size stay in file order (SF-D6). Only ATX headings begin sections (specflow.md 5.5.1),
// because a rule below the last line of a section must not turn that line into a heading.
func Largest(doc *markdown.Document, n int, byBytes bool) []SectionSize {
	out := []SectionSize{}
	lines, src := doc.Lines(), doc.Bytes()
	open := -1 // start of the last section in out, or -1 if it has ended
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
		if byBytes {
			return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(b.Lines, a.Lines))
		}
		return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(b.Bytes, a.Bytes))
	})
	return out[:max(0, min(n, len(out)))]
}
