package task

import (
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"baton/internal/markdown"
	"baton/internal/report"
)

// readStructure finds the sections, the dialect and the title.
func (s *State) readStructure() {
	headings := s.doc.Headings()
	for i, heading := range headings {
		if heading.Level != 2 {
			continue
		}
		section := sectionOf(s.doc, heading)
		section.Body.End = len(s.Bytes())
		for _, next := range headings[i+1:] {
			if next.Level <= 2 {
				section.Body.End = next.Span.Start
				break
			}
		}
		s.Sections = append(s.Sections, section)
	}
	s.Dialect = detect(s.Sections)
	s.readTitle(headings)
}

// sectionOf reads number, name and kind from a section heading. The end of its body is not set yet.
func sectionOf(doc *markdown.Document, heading markdown.Heading) Section {
	number, rest := CutNumber(doc.View(heading.Text))
	name := CutParenthetical(rest)
	return Section{
		Kind: KindOf(name), Number: number, Name: name, Heading: heading.Span,
		Body: markdown.Span{Start: heading.Span.End, End: heading.Span.End},
	}
}

// CutNumber removes a leading "3." or "3)" from a heading and returns the number, or -1 if there is
// none.
func CutNumber(text string) (number int, rest string) {
	whole := text
	text = strings.TrimLeftFunc(text, isMark) // "🚀 4. Chain Output" (TS-14)
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > 6 || digits == len(text) || text[digits] != '.' && text[digits] != ')' {
		return -1, whole
	}
	number, _ = strconv.Atoi(text[:digits])
	return number, strings.TrimSpace(text[digits+1:])
}

// CutParenthetical removes a "(…)" at the end, if there is text before it.
func CutParenthetical(text string) string {
	if !strings.HasSuffix(text, ")") {
		return text
	}
	open := strings.LastIndex(text, " (")
	if open <= 0 {
		return text
	}
	return strings.TrimSpace(text[:open])
}

// KindOf recognises a section by its name (TS-D1). Case is ignored, and so are marks or emoji
// around the name (TS-14).
func KindOf(name string) Kind {
	switch name { // names as baton writes them need no folding
	case "Metadata":
		return Metadata
	case "Context":
		return ContextKind
	case "Chain Inputs":
		return ChainInputs
	case "Progress Log":
		return ProgressLog
	case "Chain Output":
		return ChainOutput
	}
	switch strings.ToLower(strings.Join(strings.Fields(bareWords(name)), " ")) {
	case "metadata":
		return Metadata
	case "static context", "context":
		return ContextKind
	case "chain inputs":
		return ChainInputs
	case "feature checklist":
		return FeatureChecklist
	case "progress log":
		return ProgressLog
	case "git history":
		return GitHistory
	case "chain output":
		return ChainOutput
	}
	return Unknown
}

// bareWords removes all characters from both ends that are neither letters nor digits.
func bareWords(text string) string {
	return strings.TrimFunc(text, isMark)
}

// isMark reports whether a character is neither letter nor digit: emoji, punctuation, blanks.
func isMark(r rune) bool {
	return r != utf8.RuneError && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// Find returns the first section of a kind. Edits go there, except for the progress log (5.3
// rule 2).
func (s *State) Find(k Kind) (Section, bool) {
	for _, section := range s.Sections {
		if section.Kind == k {
			return section, true
		}
	}
	return Section{}, false
}

// FindLast returns the last section of a kind, which is where sessions are added (5.3 rule 2).
func (s *State) FindLast(k Kind) (Section, bool) {
	for i := len(s.Sections) - 1; i >= 0; i-- {
		if s.Sections[i].Kind == k {
			return s.Sections[i], true
		}
	}
	return Section{}, false
}

// All returns every section of a kind in file order. They are read as one (5.3 rule 2).
func (s *State) All(k Kind) []Section {
	var all []Section
	for _, section := range s.Sections {
		if section.Kind == k {
			all = append(all, section)
		}
	}
	return all
}

// HeadingsIn returns the headings that begin inside a span.
func HeadingsIn(doc *markdown.Document, within markdown.Span) []markdown.Heading {
	all := doc.Headings()
	from := sort.Search(len(all), func(i int) bool { return all[i].Span.Start >= within.Start })
	to := from
	for to < len(all) && all[to].Span.Start < within.End {
		to++
	}
	return all[from:to]
}

// TrimEnd moves an end back over blank lines: to the end of the last non-blank line, or to start.
func TrimEnd(doc *markdown.Document, start, end int) int {
	lines := doc.Lines()
	for end > start {
		line := lines[doc.LineAt(end-1)]
		if line.Class != markdown.Blank {
			return end
		}
		end = max(line.Start, start)
	}
	return end
}

// ContentEnd returns the end of a section's text, without trailing blank lines and without a "---"
// that closes the section (5.3 rule 5, TS-47).
func ContentEnd(doc *markdown.Document, within markdown.Span) int {
	end := TrimEnd(doc, within.Start, within.End)
	if end <= within.Start {
		return end
	}
	last := doc.Lines()[doc.LineAt(end-1)]
	if last.Class == markdown.Rule && last.Start >= within.Start {
		end = TrimEnd(doc, within.Start, last.Start)
	}
	return end
}

// EnsureSection returns the section of a kind and inserts it if it is missing: in the dialect's
// place, with the dialect's number, between blank lines (5.3 rule 4). For example, a v2 file
// without chain inputs gets section 2 between 1 and 3 (TS-46). If the file closes its sections with
// "---", so does the new one. Errors: Violation unclosed_fence if the place is after an unclosed
// fence.
func (s *State) EnsureSection(k Kind) (*State, Section, error) {
	if section, ok := s.Find(k); ok {
		return s, section, nil
	}
	at, ruled := s.place(k)
	eol := s.doc.EOL(at)
	var b strings.Builder
	if at > 0 {
		before := s.doc.Lines()[s.doc.LineAt(at-1)]
		if before.End == before.Next { // the last line has no line end yet
			b.WriteString(eol)
		}
		if before.Class != markdown.Blank {
			b.WriteString(eol)
		}
	}
	b.WriteString(s.Dialect.Heading(k) + eol)
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
			Op: "task.edit", Kind: report.Violation, Code: report.CodeOpaqueSection, Path: StateName(s.ID),
			Line: s.doc.LineNumber(at), Message: "a section " + string(k) + " cannot be added to " + StateName(s.ID),
			Hint: "add the heading by hand: " + s.Dialect.Heading(k),
		}
	}
	return next, section, nil
}

// place finds the position of a missing section: after the nearest section that precedes it in the
// order of 5.2, else before the first one that follows it, else at the end. ruled reports whether
// the section above ends with "---".
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
		end := TrimEnd(s.doc, body.Start, body.End)
		ruled = end > body.Start && s.doc.Lines()[s.doc.LineAt(end-1)].Class == markdown.Rule
		return body.End, ruled
	case below >= 0:
		return s.Sections[below].Heading.Start, false
	}
	return len(s.Bytes()), false
}
