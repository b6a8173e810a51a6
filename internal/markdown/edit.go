package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"baton/internal/sorting"
)

// Edit replaces the bytes of Span with Text. An empty span inserts; an empty text deletes.
type Edit struct {
	Span Span
	Text []byte
}

// Apply returns src with the edits made; they may be in any order, and src itself does not change.
// Insertions at the same position keep their order and come before a replacement that begins there.
// Edits that overlap or lie outside src are a programming error: Apply then returns src and an
// error.
func Apply(src []byte, edits ...Edit) ([]byte, error) {
	sorted := slices.Clone(edits)
	sorting.By(sorted, func(a, b Edit) int {
		if a.Span.Start != b.Span.Start {
			return a.Span.Start - b.Span.Start
		}
		return min(a.Span.Len(), 1) - min(b.Span.Len(), 1)
	})
	size, pos := len(src), 0
	for _, e := range sorted {
		if e.Span.Start < pos || e.Span.End < e.Span.Start || e.Span.End > len(src) {
			return src, fmt.Errorf("apply edit at bytes %d to %d of %d: overlaps another edit or lies outside",
				e.Span.Start, e.Span.End, len(src))
		}
		pos = e.Span.End
		size += len(e.Text) - e.Span.Len()
	}
	out := make([]byte, 0, size)
	pos = 0
	for _, e := range sorted {
		out = append(out, src[pos:e.Span.Start]...)
		out = append(out, e.Text...)
		pos = e.Span.End
	}
	return append(out, src[pos:]...), nil
}

// EOL returns the line end for a line that is inserted at pos: that of the nearest line above that
// has one. At the start it is the one that most lines of the file have, and "\n" in a file without
// line ends (TS-1, TS-2).
func (d *Document) EOL(pos int) string {
	start := 0
	if d.BOM() {
		start = len(bom)
	}
	if pos > start && len(d.lines) > 0 {
		for i := d.LineAt(pos - 1); i >= 0; i-- {
			if eol := d.eol(i); eol != "" {
				return eol
			}
		}
	}
	crlf := bytes.Count(d.src, []byte("\r\n"))
	if crlf > 0 && 2*crlf > bytes.Count(d.src, []byte{'\n'}) {
		return "\r\n"
	}
	return "\n"
}

// eol returns the line end of line i, or "" if it has none.
func (d *Document) eol(i int) string {
	switch d.lines[i].Next - d.lines[i].End {
	case 0:
		return ""
	case 1:
		return "\n"
	default:
		return "\r\n"
	}
}

// Fold returns text with the line end eol on every line. The lines of text end in LF or CRLF.
func Fold(text, eol string) []byte {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if eol != "\n" {
		text = strings.ReplaceAll(text, "\n", eol)
	}
	return []byte(text)
}

// WithBlanks extends a span of src by the blank lines after it.
func (s Span) WithBlanks(src []byte) Span {
	for {
		n := bytes.IndexByte(src[s.End:], '\n')
		if n < 0 || len(bytes.TrimSpace(src[s.End:s.End+n])) > 0 {
			return s
		}
		s.End += n + 1
	}
}
