package markdown

import "bytes"

// FrontMatterAt finds a block of front matter at the very first byte of src, or behind its
// byte-order mark: block with both rules and the terminator of the second, body what stands between
// the rules.
//
// The opening rule is exactly "---", the closing one may have blanks behind it. A rule is not taken
// for the opening of front matter when a blank line follows it, when the block would be empty, or
// when a fence or a heading of the second rank or lower stands before the closing rule: then it
// separates sections (TS-17).
func FrontMatterAt(src []byte) (block, body Span, ok bool) {
	start := 0
	if bytes.HasPrefix(src, []byte(bom)) {
		start = len(bom)
	}
	line, pos := nextLine(src, start)
	if string(line) != "---" {
		return Span{}, Span{}, false
	}
	body.Start = pos
	for first := true; pos < len(src); first = false {
		at := pos
		line, pos = nextLine(src, pos)
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

// isFrontRule reports whether line is "---" with nothing but blanks behind it.
func isFrontRule(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) && allBlank(line[3:])
}

// nextLine returns the text of the line at pos and the start of the next one.
func nextLine(src []byte, pos int) (line []byte, next int) {
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

// frontMatter classifies the leading front matter and gives the index of the first line behind it.
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
