package task

import (
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
)

// EnsureSection gives the section of a kind, inserting it where it is missing: at the dialect's place, with the
// dialect's number, one blank line around (5.3 rule 4). A v2 file without chain inputs so gets its section 2 between
// 1 and 3 (TS-46). In a file whose sections are closed by "---", the new one is closed so too.
// Kind Violation, code unclosed_fence, when the place lies behind an unclosed fence.
func (s *State) EnsureSection(k Kind) (*State, Section, error) {
	if section, ok := s.Find(k); ok {
		return s, section, nil
	}
	at, ruled := s.place(k)
	eol := s.doc.EOL(at)
	var b strings.Builder
	if at > 0 {
		before := s.doc.Lines()[s.doc.LineAt(at-1)]
		if before.End == before.Next { // the last line has no terminator yet
			b.WriteString(eol)
		}
		if before.Class != markdown.Blank {
			b.WriteString(eol)
		}
	}
	b.WriteString(s.Dialect.heading(k) + eol)
	if at < len(s.Bytes()) {
		b.WriteString(eol)
		if ruled {
			b.WriteString("---" + eol + eol)
		}
	}
	next, err := s.Splice(markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: []byte(b.String())})
	if err != nil {
		return nil, Section{}, err
	}
	section, ok := next.Find(k)
	if !ok {
		return nil, Section{}, &report.Error{
			Op: "task.edit", Kind: report.Violation, Code: "opaque_section", Path: StateName(s.ID), Line: s.doc.LineNumber(at),
			Message: "a section " + string(k) + " cannot be added to " + StateName(s.ID),
			Hint:    "add the heading by hand: " + s.Dialect.heading(k),
		}
	}
	return next, section, nil
}

// place finds where a missing section belongs: behind the nearest section that comes before it in the order of 5.2,
// else before the first that comes after it, else at the end. ruled says that the section above ends with "---".
func (s *State) place(k Kind) (at int, ruled bool) {
	above, below := -1, -1
	for i, section := range s.Sections {
		if section.Kind == Unknown {
			continue
		}
		if section.Kind.order() < k.order() {
			if above < 0 || section.Kind.order() >= s.Sections[above].Kind.order() {
				above = i
			}
		} else if below < 0 {
			below = i
		}
	}
	switch {
	case above >= 0:
		body := s.Sections[above].Body
		end := trimEnd(s.doc, body.Start, body.End)
		ruled = end > body.Start && s.doc.Lines()[s.doc.LineAt(end-1)].Class == markdown.Rule
		return body.End, ruled
	case below >= 0:
		return s.Sections[below].Heading.Start, false
	}
	return len(s.Bytes()), false
}
