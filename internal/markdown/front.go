package markdown

import "bytes"

// FrontMatterAt finds front matter at the start of src, or after its byte-order mark. block
// includes both rules and the line end of the second one; body is the text between them.
//
// The opening rule is exactly "---"; blanks may follow the closing one. The rule only separates
// sections (TS-17) if a blank line follows it, if the block would be empty, or if a fence or a
// heading below level 1 comes before the closing rule.
func FrontMatterAt(src []byte) (block, body Span, ok bool) {
	start := 0
	if bytes.HasPrefix(src, []byte(bom)) {
		start = len(bom)
	}
	line, pos := LineAt(src, start)
	if string(line) != "---" {
		return Span{}, Span{}, false
	}
	body.Start = pos
	for first := true; pos < len(src); first = false {
		at := pos
		line, pos = LineAt(src, pos)
		if rule := isFrontRule(line); rule || first && allBlank(line) {
			if first {
				break
			}
			body.End = at
			return Span{start, pos}, body, true
		}
		if bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~")) || atxLevel(line) > 1 {
			break
		}
	}
	return Span{}, Span{}, false
}

// isFrontRule reports whether line is "---", with nothing but blanks after it.
func isFrontRule(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) && allBlank(line[3:])
}

// LineAt returns the text of the line that begins at pos, without its line end, and the start of
// the next line.
func LineAt(src []byte, pos int) (line []byte, next int) {
	n := bytes.IndexByte(src[pos:], '\n')
	if n < 0 {
		return src[pos:], len(src)
	}
	return bytes.TrimSuffix(src[pos:pos+n], []byte{'\r'}), pos + n + 1
}

// FrontMatter returns the block and the body of the document's front matter.
func (d *Document) FrontMatter() (block, body Span, ok bool) {
	return d.front, d.body, d.front.Len() > 0
}

// frontMatter classifies the lines of the leading front matter and returns the index of the first
// line after it.
func (s *scanner) frontMatter() int {
	block, body, ok := FrontMatterAt(s.src)
	if !ok {
		return 0
	}
	s.d.front, s.d.body = block, body
	i := 0
	for ; i < len(s.d.lines) && s.d.lines[i].Start < block.End; i++ {
		s.d.lines[i].Class = FrontMatter
	}
	return i
}
