package gsd

import (
	"bytes"

	"baton/internal/frontmatter"
	"baton/internal/markdown"
)

// Doc is a digest in the GSD schema: its bytes, its front matter and the structure of its body. It
// is immutable.
type Doc struct {
	src    []byte
	front  front
	sheet  *frontmatter.Sheet // nil without front matter
	md     *markdown.Document // of the body
	shift  int                // position of md's first byte in src
	titles []title
	whole  bool // statuses count only as a whole (D47)
}

// front describes the place of the front matter (N2).
type front struct {
	body    markdown.Span // between the marks
	end     int           // start of the body, after further blocks of keys
	ok      bool
	open    bool // it begins, but never ends
	stacked int  // line of a further block of keys, 1-based; 0 if there is none
	late    int  // line on which it begins if that is not the first, 1-based; 0 otherwise
	blanks  bool // blanks follow the mark on the first line, so that no reader sees front matter
}

// title is a heading of the body with the spans of its section (1.1). Positions refer to src.
type title struct {
	text  string
	level int
	line  int           // index in md
	head  markdown.Span // the heading's lines
	own   markdown.Span // up to the next heading of any level
	list  markdown.Span // up to the next heading of level 1 to 3
	full  markdown.Span // up to the next heading of the same or a higher level
}

// Parse reads a digest. It accepts any bytes and does not copy them.
func Parse(src []byte) *Doc { return reparse(src, nil) }

// reparse reads a text whose earlier version is known. It does not parse unchanged front matter
// again.
func reparse(src []byte, was *Doc) *Doc {
	d := &Doc{src: src, front: findFront(src), whole: was != nil && was.whole}
	if d.front.ok {
		body := d.front.body.Of(src)
		if was != nil && was.sheet != nil && bytes.Equal(body, was.sheet.Bytes()) {
			d.sheet = was.sheet
		} else {
			d.sheet = frontmatter.OpenSheet(body, eolAt(src, d.front.body.End))
		}
	}
	d.readBody()
	return d
}

// readBody finds the structure of the text after the front matter.
func (d *Doc) readBody() {
	d.shift = d.front.end
	text := d.src[d.shift:]
	if _, ok := frontmatter.Find(text); ok {
		// A rule at the start of the body is not front matter.
		text = append([]byte{'\n'}, text...)
		d.shift--
	}
	d.md = markdown.Parse(text)
	d.findTitles()
}

// findFront finds the front matter as GSD does, which is more lenient than markdown.FrontMatterAt:
// "---" alone on the first line, closed by the first line from the third on that begins with "---"
// (N2, GSD-74). A block after blank lines counts if it contains only keys; a finding reports it,
// because other readers do not see it.
func findFront(src []byte) front {
	start := 0
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		start = len("\ufeff")
	}
	f := front{end: start}
	pos := skipBlank(src, start)
	line, next := markdown.LineAt(src, pos)
	if string(line) != frontmatter.Mark {
		if pos == start && string(bytes.TrimRight(line, " \t")) == frontmatter.Mark {
			body, _, ok := closed(src, next)
			f.blanks = ok && keysOnly(body.Of(src), 1) || !ok && keysOnly(beforeHeading(src[next:]), 2)
		}
		return f
	}
	body, after, ok := closed(src, next)
	switch {
	case !ok:
		f.open = pos == start && keysOnly(beforeHeading(src[next:]), 2)
		return f
	case (pos > start || bytes.HasPrefix(body.Of(src), []byte(frontmatter.Mark))) &&
		!keysOnly(bytes.TrimPrefix(body.Of(src), []byte(frontmatter.Mark)), 1):
		return f
	case bodyLike(body.Of(src)):
		// The rule that seems to close the block is in the body. If somebody forgot the real
		// closing mark, the text up to that rule must not be lost.
		f.open = pos == start && keysOnly(beforeHeading(src[next:]), 1)
		return f
	case prose(body.Of(src)):
		return f
	case pos > start:
		f.late = lineNumber(src, pos)
	}
	f.ok, f.body, f.end = true, body, after
	for {
		pos = skipBlank(src, f.end)
		if line, next = markdown.LineAt(src, pos); string(line) != frontmatter.Mark {
			return f
		}
		body, after, ok = closed(src, next)
		if !ok || !keysOnly(body.Of(src), 1) {
			return f
		}
		if f.stacked == 0 {
			f.stacked = lineNumber(src, pos)
		}
		f.end = after
	}
}

// closed finds the end of the block that starts at pos.
func closed(src []byte, pos int) (body markdown.Span, after int, ok bool) {
	end, after, ok := frontmatter.LooseEnd(src, pos)
	return markdown.Span{Start: pos, End: end}, after, ok
}

// beforeHeading returns the text before its first heading: a line with "#" after a blank line,
// which is rarely a comment in front matter. Everything from there on is the body, even if the
// block was never closed.
func beforeHeading(text []byte) []byte {
	blank := false
	for pos := 0; pos < len(text); {
		line, next := markdown.LineAt(text, pos)
		if blank && bytes.HasPrefix(line, []byte("#")) {
			return text[:pos]
		}
		blank = len(bytes.TrimSpace(line)) == 0
		pos = next
	}
	return text
}

// keysOnly reports whether text has at least this many lines "key: …" at the margin, and otherwise
// only blank, indented and comment lines and list items.
func keysOnly(text []byte, least int) bool {
	n := 0
	for pos := 0; pos < len(text); {
		line, next := markdown.LineAt(text, pos)
		pos = next
		if bytes.HasPrefix(line, []byte("##")) {
			return false // a heading, not a comment
		}
		if len(bytes.TrimSpace(line)) == 0 || line[0] == ' ' || line[0] == '\t' ||
			bytes.HasPrefix(line, []byte("- ")) || line[0] == '#' {
			continue
		}
		colon := 0
		for colon < len(line) && keyByte(line[colon]) {
			colon++
		}
		if colon == 0 || colon == len(line) || line[colon] != ':' {
			return false
		}
		n++
	}
	return n >= least
}

func keyByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// bodyLike reports whether a block between two rules contains something that occurs only in a body:
// a heading, which is a line with "#" between blank lines or one with "##"; a row of a table; the
// mark that ends a YAML document.
func bodyLike(block []byte) bool {
	blank := true
	for pos := 0; pos < len(block); {
		line, next := markdown.LineAt(block, pos)
		pos = next
		if bytes.HasPrefix(line, []byte("##")) || bytes.HasPrefix(line, []byte("|")) || string(line) == "..." {
			return true
		}
		if blank && bytes.HasPrefix(line, []byte("# ")) {
			below, _ := markdown.LineAt(block, min(next, len(block)))
			if next >= len(block) || len(bytes.TrimSpace(below)) == 0 {
				return true
			}
		}
		blank = len(bytes.TrimSpace(line)) == 0
	}
	return false
}

// prose reports whether a block between two rules contains text but no key, or a heading before the
// first key. In these cases the rules do not mark front matter.
func prose(block []byte) bool {
	text := false
	for pos := 0; pos < len(block); {
		line, next := markdown.LineAt(block, pos)
		pos = next
		if bytes.HasPrefix(line, []byte("##")) {
			return true
		}
		line = bytes.TrimLeft(line, " \t")
		colon := 0
		for colon < len(line) && keyByte(line[colon]) {
			colon++
		}
		if colon > 0 && colon < len(line) && line[colon] == ':' {
			return false
		}
		text = text || len(line) > 0 && line[0] != '#'
	}
	return text
}

// skipBlank returns the start of the first non-blank line from pos on, or the end.
func skipBlank(src []byte, pos int) int {
	for pos < len(src) {
		line, next := markdown.LineAt(src, pos)
		if len(bytes.TrimSpace(line)) > 0 {
			return pos
		}
		pos = next
	}
	return pos
}

// lineNumber returns the 1-based line of a position.
func lineNumber(src []byte, pos int) int { return bytes.Count(src[:pos], []byte{'\n'}) + 1 }

// eolAt returns the terminator for a line that is inserted at pos: the one of the line above, or
// else the one of the first line.
func eolAt(src []byte, pos int) string {
	end := bytes.LastIndexByte(src[:pos], '\n')
	if end < 0 {
		end = bytes.IndexByte(src, '\n')
	}
	if end > 0 && src[end-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
