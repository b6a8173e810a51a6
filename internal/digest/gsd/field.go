package gsd

import (
	"bytes"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"baton/internal/markdown"
)

// field is a labelled value of the body (1.1). Its positions refer to the whole text.
type field struct {
	line  int           // index in md
	start int           // start of the line, or of its part after a lone carriage return
	value markdown.Span // trimmed; if empty, the place to write a value
	bold  bool
	cell  bool // the second cell of a row of a table
	label string
}

// text returns the value as read: a pipe in a cell loses its backslash.
func (d *Doc) text(f field) string {
	s := string(f.value.Of(d.src))
	if f.cell {
		s = markdown.UnescapeCell(s)
	}
	return s
}

// find looks for a field within a span. Bold labels win over plain ones, and plain ones over two
// cells of a table, regardless of their order (GSD-3). Readers skip an empty value; writers may
// fill it (GSD-V1).
func (d *Doc) find(within markdown.Span, name string, empty bool) (field, bool) {
	var plain, row field
	var hasPlain, hasRow bool
	first, last := d.lines(within)
	lines := d.md.Lines()
	for i := first; i < last; i++ {
		switch lines[i].Class {
		case markdown.Blank, markdown.FenceOpen, markdown.FenceBody, markdown.FenceClose, markdown.Comment,
			markdown.FrontMatter:
			continue
		}
		at := lines[i].Start + d.shift
		text := d.src[max(at, 0) : lines[i].End+d.shift]
		if f, ok := boldField(text, name); ok && (empty || f.value.Len() > 0) {
			return f.at(i, at), true
		}
		if !hasPlain {
			if f, ok := plainField(text, name); ok && (empty || f.value.Len() > 0) {
				plain, hasPlain = f.at(i, at), true
			}
		}
		if !hasRow && !hasPlain {
			if f, ok := rowField(text, name); ok {
				row, hasRow = f.at(i, at), true
			}
		}
	}
	if hasPlain {
		return plain, true
	}
	return row, hasRow
}

// lines returns the lines of the body that begin inside a span.
func (d *Doc) lines(within markdown.Span) (first, last int) {
	lines := d.md.Lines()
	span := d.local(within)
	first = sort.Search(len(lines), func(k int) bool { return lines[k].Start >= span.Start })
	last = sort.Search(len(lines), func(k int) bool { return lines[k].Start >= span.End })
	return first, max(first, last)
}

// at moves a field from its line to its place in the text.
func (f field) at(line, pos int) field {
	f.line, f.start = line, f.start+pos
	f.value.Start += pos
	f.value.End += pos
	return f
}

// boldField reads "**Name:** value". Only blanks, quote marks, a list marker and a box may precede
// the label, so a label that is quoted in a sentence does not count (GSD-V12).
func boldField(line []byte, name string) (field, bool) {
	pos := 0
	for {
		pos += blanks(line[pos:])
		rest := line[pos:]
		switch {
		case len(rest) > 0 && rest[0] == '>':
			pos++
			continue
		case len(rest) > 1 && strings.IndexByte("-*+", rest[0]) >= 0 && isBlank(rest[1]):
			pos += 2
			continue
		case len(rest) > 3 && rest[0] == '[' && rest[2] == ']' && isBlank(rest[3]):
			pos += 4
			continue
		}
		if n := numberMark(rest); n > 0 {
			pos += n
			continue
		}
		break
	}
	inner, ok := bytes.CutPrefix(line[pos:], []byte("**"))
	if !ok {
		return field{}, false
	}
	end := bytes.Index(inner, []byte(":**"))
	if end < 0 || !alike(string(inner[:end]), name) {
		return field{}, false
	}
	f := field{start: 0, bold: true, label: string(inner[:end])}
	f.value = rest(line, pos+2+end+3)
	return f, true
}

// numberMark returns the length of a marker such as "1." and the blank after it.
func numberMark(b []byte) int {
	n := 0
	for n < len(b) && n < 9 && b[n] >= '0' && b[n] <= '9' {
		n++
	}
	if n == 0 || n+1 >= len(b) || b[n] != '.' && b[n] != ')' || !isBlank(b[n+1]) {
		return 0
	}
	return n + 2
}

// plainField reads "Name: value" at the start of the line, or after one of the unusual characters
// that also end a line.
func plainField(line []byte, name string) (field, bool) {
	for start := 0; ; {
		end := start + breakAt(line[start:])
		part := line[start:end]
		if colon := bytes.IndexByte(part, ':'); colon > 0 && alike(string(part[:colon]), name) {
			return field{start: start, label: string(part[:colon]), value: rest(line, start+colon+1)}, true
		}
		if end == len(line) {
			return field{}, false
		}
		_, size := utf8.DecodeRune(line[end:])
		start = end + size
	}
}

// rowField reads "| Name | value |": exactly two cells, not indented, not a row of dashes.
func rowField(line []byte, name string) (field, bool) {
	row := bytes.TrimRight(line, " \t")
	if len(row) < 3 || row[0] != '|' {
		return field{}, false
	}
	middle := markdown.Pipe(row, 1)
	if middle < 0 || markdown.Pipe(row, middle+1) != len(row)-1 {
		return field{}, false
	}
	named, cell := markdown.CellOf(row, 1, middle), markdown.CellOf(row, middle+1, len(row)-1)
	label := string(row[named.Start:named.End])
	if strings.Trim(label, "-: \t") == "" || !alike(label, name) {
		return field{}, false
	}
	value := markdown.Span{Start: cell.Start, End: cell.End}
	if value.Len() == 0 && cell.Low < cell.High { // inside the padding
		value = markdown.Span{Start: cell.Low + 1, End: cell.Low + 1}
	}
	return field{cell: true, label: label, value: value}, true
}

// rest returns the trimmed value from pos to the end of the line. If the value is empty, the span
// is the place directly after pos.
func rest(line []byte, pos int) markdown.Span {
	s := markdown.Span{Start: pos, End: pos + breakAt(line[pos:])}
	trimmed := bytes.TrimSpace(line[s.Start:s.End])
	if len(trimmed) == 0 {
		return markdown.Span{Start: pos, End: pos}
	}
	s.Start += bytes.Index(line[s.Start:s.End], trimmed)
	return markdown.Span{Start: s.Start, End: s.Start + len(trimmed)}
}

// breakAt returns the position of the first character other than LF that ends a line for a field
// (1.1), or the length if there is none.
func breakAt(b []byte) int {
	for i := 0; i < len(b); i++ {
		if b[i] == '\r' || b[i] == 0xe2 && i+2 < len(b) && b[i+1] == 0x80 && (b[i+2] == 0xa8 || b[i+2] == 0xa9) {
			return i
		}
	}
	return len(b)
}

// blanks counts the blanks and tabs at the start of b.
func blanks(b []byte) int {
	n := 0
	for n < len(b) && isBlank(b[n]) {
		n++
	}
	return n
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// alike compares the names of fields regardless of case. A non-ASCII character whose capital is
// ASCII does not match that capital, and characters beyond 16 bits match only themselves (1.1,
// GSD-12).
func alike(a, b string) bool {
	for a != "" && b != "" {
		ra, na := utf8.DecodeRuneInString(a)
		rb, nb := utf8.DecodeRuneInString(b)
		if ra != rb && capital(ra) != capital(rb) {
			return false
		}
		a, b = a[na:], b[nb:]
	}
	return a == "" && b == ""
}

func capital(r rune) rune {
	up := unicode.ToUpper(r)
	if r > 0xffff || r > 0x7f && up <= 0x7f {
		return r
	}
	return up
}
