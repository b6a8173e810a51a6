package markdown

import (
	"bytes"
	"sort"
	"unsafe"
)

// Span is a half-open range of bytes of a document.
type Span struct{ Start, End int }

// Len returns the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// Of returns the span's bytes of src without copying them.
func (s Span) Of(src []byte) []byte { return src[s.Start:s.End] }

// Class is the kind of a line. Every line inside a block quote has the class Quote.
type Class uint8

// The classes of lines.
const (
	Blank           Class = iota // only spaces and tabs, outside fences and comments
	Text                         // paragraph text
	Item                         // begins a list item whose content is text, a heading, a rule or nothing
	ATX                          // heading with leading number signs
	SetextText                   // text that the underline below makes a heading
	SetextUnderline              // the underline itself
	Rule                         // thematic break
	FenceOpen                    // opening fence, also after a list marker
	FenceBody                    // between the fences, blank lines included
	FenceClose                   // closing fence, if the block is closed
	IndentedCode                 // code by four columns of indentation
	Comment                      // part of an HTML comment, blank lines included
	Quote                        // inside a block quote, lazy continuation lines included
	HTML                         // begins with a tag that is the first text of its block
	TableHeader                  // header row
	TableDelimiter               // delimiter row
	TableRow                     // row of the table's body
	FrontMatter                  // part of the leading front matter, its two rules included
)

// Line is one line of a document.
type Line struct {
	Start int   // first byte; on the first line, the byte after the byte-order mark
	End   int   // end of the text, without the line end
	Next  int   // first byte of the next line
	Class Class // what the line is
	Depth uint8 // number of list items that contain the line, by marker or indentation; 255 at most
}

// Document is a Markdown file and its structure. It is immutable. Several goroutines may read it as
// long as nobody changes the bytes that it was parsed from.
type Document struct {
	src      []byte
	lines    []Line
	headings []Heading
	fences   []Fence
	items    []ListItem
	markers  int // lines that look like the start of a list item, so that items are allocated once
	tables   []Table
	openFnc  int // index of the fence that is never closed, or -1
	openCmt  int // line of the comment that is never closed, or -1
	front    Span
	body     Span
}

// grow makes room before the first of several elements: one for every `per` lines that remain.
// Growing step by step would copy the elements several times.
func grow[T any](list []T, lines, per int) []T {
	if list == nil {
		return make([]T, 0, 4+lines/per)
	}
	return list
}

// bom is the UTF-8 byte-order mark.
const bom = "\xef\xbb\xbf"

// Parse finds the structure of src. It accepts every input, does not copy src, and takes time
// linear in its length.
func Parse(src []byte) *Document {
	d := &Document{src: src, openFnc: -1, openCmt: -1}
	d.split()
	s := scanner{d: d, src: src}
	s.stack = s.room[:0]
	s.run()
	return d
}

// split finds the lines. The byte-order mark is not part of the first line, so no edit of a line
// can remove it.
func (d *Document) split() {
	pos := 0
	if d.BOM() {
		pos = len(bom)
	}
	if pos == len(d.src) {
		return
	}
	d.lines = make([]Line, 0, bytes.Count(d.src, []byte{'\n'})+1)
	for pos < len(d.src) {
		end, next := len(d.src), len(d.src)
		if n := bytes.IndexByte(d.src[pos:], '\n'); n >= 0 {
			end, next = pos+n, pos+n+1
			if end > pos && d.src[end-1] == '\r' {
				end--
			}
		}
		if c := d.src[pos]; c == '-' || c == '*' || c == '+' || digit(c) {
			d.markers++
		}
		d.lines = append(d.lines, Line{Start: pos, End: end, Next: next})
		pos = next
	}
}

// Bytes returns the bytes that the document was parsed from.
func (d *Document) Bytes() []byte { return d.src }

// Lines returns all lines. Together they cover everything after the byte-order mark. The caller
// must not change them.
func (d *Document) Lines() []Line { return d.lines }

// BOM reports whether the document begins with a UTF-8 byte-order mark.
func (d *Document) BOM() bool { return bytes.HasPrefix(d.src, []byte(bom)) }

// LineAt returns the 0-based index of the line that contains the byte at pos. For positions outside
// the document it returns the first or the last line, and 0 if there are no lines.
func (d *Document) LineAt(pos int) int {
	i := sort.Search(len(d.lines), func(k int) bool { return d.lines[k].Next > pos })
	return max(0, min(i, len(d.lines)-1))
}

// LineNumber returns the 1-based number of the line that contains the byte at pos, for messages.
func (d *Document) LineNumber(pos int) int { return d.LineAt(pos) + 1 }

// Text returns the text of line i without its line end.
func (d *Document) Text(i int) []byte { return d.src[d.lines[i].Start:d.lines[i].End] }

// View returns the bytes of the span as a string that shares memory with the document. A task file
// needs hundreds of such strings, so copying them would be slow. This is safe because the
// document's bytes never change.
func (d *Document) View(s Span) string {
	return unsafe.String(unsafe.SliceData(d.src[s.Start:s.End]), s.Len())
}

// lineRange returns the lines that begin inside the span, as a half-open range of indexes.
func (d *Document) lineRange(within Span) (first, last int) {
	first, last = d.firstFrom(within.Start), d.firstFrom(within.End)
	return first, max(first, last)
}

// firstFrom returns the index of the first line that begins at pos or later.
func (d *Document) firstFrom(pos int) int {
	return sort.Search(len(d.lines), func(k int) bool { return d.lines[k].Start >= pos })
}

// blank reports whether c is a space or a tab, the only two bytes that count as blanks here.
func blank(c byte) bool { return c == ' ' || c == '\t' }

// trim returns the span without the blanks at both ends.
func trim(src []byte, s Span) Span {
	for s.Start < s.End && blank(src[s.Start]) {
		s.Start++
	}
	for s.End > s.Start && blank(src[s.End-1]) {
		s.End--
	}
	return s
}
