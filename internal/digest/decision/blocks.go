package decision

import (
	"bytes"
	"strings"

	"baton/internal/markdown"
)

// blockEdit inserts lines before line k, which may be after the last line, with a blank line before
// and after them if necessary. A file without a final line end still has none afterwards.
func blockEdit(d *markdown.Document, k int, block []string) markdown.Edit {
	lines := d.Lines()
	pos := len(d.Bytes())
	if k < len(lines) {
		pos = lines[k].Start
	}
	eol := d.EOL(pos)
	open := k == len(lines) && k > 0 && lines[k-1].Next == lines[k-1].End
	var b strings.Builder
	if open {
		b.WriteString(closing(d.Bytes(), eol))
	}
	if k > 0 && !blankLine(d, k-1) {
		b.WriteString(eol)
	}
	for i, line := range block {
		b.WriteString(line)
		if !open || i+1 < len(block) {
			b.WriteString(eol)
		}
	}
	if k < len(lines) && !blankLine(d, k) {
		b.WriteString(eol)
	}
	return markdown.Edit{Span: markdown.Span{Start: pos, End: pos}, Text: []byte(b.String())}
}

// appendBlock appends lines to a document, each with a line end, after a blank line.
func appendBlock(d *markdown.Document, block []string) markdown.Edit {
	end := len(d.Bytes())
	eol := d.EOL(end)
	text := ""
	lines := d.Lines()
	if n := len(lines); n > 0 {
		if lines[n-1].Next == lines[n-1].End {
			text += closing(d.Bytes(), eol)
		}
		if !blankLine(d, n-1) {
			text += eol
		}
	}
	for _, line := range block {
		text += line + eol
	}
	return markdown.Edit{Span: markdown.Span{Start: end, End: end}, Text: []byte(text)}
}

// lineEdit inserts one line at pos, which is the start of a line or the end of the document.
func lineEdit(d *markdown.Document, pos int, line string) markdown.Edit {
	eol := d.EOL(pos)
	text := line + eol
	src := d.Bytes()
	if pos == len(src) && pos > 0 && src[pos-1] != '\n' {
		text = closing(src, eol) + line
	}
	return markdown.Edit{Span: markdown.Span{Start: pos, End: pos}, Text: []byte(text)}
}

// closing returns what is needed to end the last line of a document. Half of a CRLF may already be
// there.
func closing(src []byte, eol string) string {
	if len(src) > 0 && src[len(src)-1] == '\r' {
		return "\n"
	}
	return eol
}

// blankLine reports whether line i contains only blanks.
func blankLine(d *markdown.Document, i int) bool {
	for _, c := range d.Text(i) {
		if c != ' ' && c != '\t' {
			return false
		}
	}
	return true
}

// level reduces the indentation of bullets that are indented deeper than the one above. Otherwise
// they would become part of it.
func level(gains []gain, part []int, above int) {
	for _, k := range part {
		g := &gains[k]
		if deeper := indent(g.text) - above; deeper > 0 {
			var out []byte
			for line := range bytes.Lines(g.text) {
				out = append(out, line[min(deeper, indent(line)):]...)
			}
			g.text = out
		}
		above = indent(g.text)
	}
}

// indent returns the number of blanks at the start of a line.
func indent(line []byte) int {
	return len(line) - len(bytes.TrimLeft(line, " "))
}

// bareLF returns a block with LF between its lines.
func bareLF(block []byte) []byte {
	if bytes.IndexByte(block, '\r') < 0 {
		return block
	}
	return bytes.ReplaceAll(block, []byte("\r\n"), []byte{'\n'})
}

// appendLines appends a block whose lines end in LF, using eol instead.
func appendLines(to, block []byte, eol string) []byte {
	if eol == "\n" {
		return append(to, block...)
	}
	return append(to, bytes.ReplaceAll(block, []byte{'\n'}, []byte(eol))...)
}
