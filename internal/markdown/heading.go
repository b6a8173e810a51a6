package markdown

// Heading is a heading at the top level of the document. Headings inside fences, comments, quotes,
// list items and code are not recorded.
type Heading struct {
	Level int  // 1..6
	Line  int  // index of its first line
	Span  Span // the whole heading with its line ends; of a setext heading, its text lines and the underline
	Text  Span // the text without marks, closing number signs and blanks around it
}

// Headings returns the headings in document order. The caller must not change them.
func (d *Document) Headings() []Heading { return d.headings }

// Section returns the bytes from heading i to the next heading of the same or a higher rank, or to
// the end.
func (d *Document) Section(i int) Span {
	s := Span{d.headings[i].Span.Start, len(d.src)}
	for _, h := range d.headings[i+1:] {
		if h.Level <= d.headings[i].Level {
			s.End = h.Span.Start
			break
		}
	}
	return s
}

// Body returns the section of heading i without the heading itself.
func (d *Document) Body(i int) Span {
	return Span{d.headings[i].Span.End, d.Section(i).End}
}

// addATX records the heading at text if it is at the top level.
func (s *scanner) addATX(i, level int, text Span) {
	if len(s.stack) > 0 {
		return
	}
	ln := s.d.lines[i]
	t := trim(s.src, Span{text.Start + level, text.End})
	// Closing signs count only after a blank, or if the heading has no text.
	k := t.End
	for k > t.Start && s.src[k-1] == '#' {
		k--
	}
	if k == t.Start || blank(s.src[k-1]) {
		t = trim(s.src, Span{t.Start, k})
	}
	s.d.headings = append(grow(s.d.headings, len(s.d.lines)-i, 12), Heading{
		Level: level, Line: i, Span: Span{ln.Start, ln.Next}, Text: t,
	})
}

// addSetext records the heading that consists of the open paragraph and the underline on line i.
func (s *scanner) addSetext(i int, mark byte) {
	level := 1
	if mark == '-' {
		level = 2
	}
	first := s.d.lines[s.first]
	s.d.headings = append(grow(s.d.headings, len(s.d.lines)-i, 12), Heading{
		Level: level,
		Line:  s.first,
		Span:  Span{first.Start, s.d.lines[i].Next},
		Text:  trim(s.src, Span{first.Start, s.d.lines[i-1].End}),
	})
}
