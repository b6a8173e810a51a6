package markdown

// Fence is a block of fenced code that is not inside a quote.
type Fence struct {
	Open, Close int    // indexes of the fence lines; Close is -1 if the fence is not closed
	Info        string // info string, trimmed
	Body        Span   // bytes between the two fence lines
	Nested      bool   // inside a list item
}

// Fences returns the fences in document order. The caller must not change them.
func (d *Document) Fences() []Fence { return d.fences }

// Unclosed returns the fence that is never closed, if there is one. Everything after its opening
// could be code (TS-12).
func (d *Document) Unclosed() (Fence, bool) {
	if d.openFnc < 0 {
		return Fence{}, false
	}
	return d.fences[d.openFnc], true
}

// UnclosedComment returns the 0-based first line of the comment that is never closed, if there is
// one.
func (d *Document) UnclosedComment() (line int, ok bool) {
	if d.openCmt < 0 {
		return 0, false
	}
	return d.openCmt, true
}

// addFence opens the fence at text. A fence inside a quote is followed to its end but not recorded.
func (s *scanner) addFence(i, run int, text Span) {
	s.mark, s.opened, s.fnc = s.src[text.Start], run, -1
	if s.quotes > 0 {
		return
	}
	ln := s.d.lines[i]
	s.fnc = len(s.d.fences)
	s.d.fences = append(grow(s.d.fences, len(s.d.lines)-i, 16), Fence{
		Open:   i,
		Close:  -1,
		Info:   string(trim(s.src, Span{text.Start + run, text.End}).Of(s.src)),
		Body:   Span{ln.Next, ln.Next},
		Nested: len(s.stack) > 0,
	})
}
