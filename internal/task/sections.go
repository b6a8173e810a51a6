package task

import (
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"baton/internal/markdown"
)

func itoa(n int) string { return strconv.Itoa(n) }

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

// sectionOf reads number, name and kind from a section heading; its body is still open-ended.
func sectionOf(doc *markdown.Document, heading markdown.Heading) Section {
	number, rest := cutNumber(doc.View(heading.Text))
	name := cutParenthetical(rest)
	return Section{
		Kind: kindOf(name), Number: number, Name: name, Heading: heading.Span,
		Body: markdown.Span{Start: heading.Span.End, End: heading.Span.End},
	}
}

// cutNumber takes a leading "3." or "3)" off a heading; -1 when there is none.
func cutNumber(text string) (number int, rest string) {
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

// cutParenthetical takes a trailing "(…)" off, when something stands before it.
func cutParenthetical(text string) string {
	if !strings.HasSuffix(text, ")") {
		return text
	}
	open := strings.LastIndex(text, " (")
	if open <= 0 {
		return text
	}
	return strings.TrimSpace(text[:open])
}

// kindOf recognises a section by its name (TS-D1), whatever its case and whatever marks or emoji stand around it (TS-14).
func kindOf(name string) Kind {
	switch name { // as baton writes them, which takes no folding
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

// bareWords takes everything off both ends that is neither letter nor digit.
func bareWords(text string) string {
	return strings.TrimFunc(text, isMark)
}

// isMark says whether a character is neither letter nor digit: emoji, punctuation, blanks.
func isMark(r rune) bool {
	return r != utf8.RuneError && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// Find gives the first section of a kind: where its writes go, except for the progress log (5.3 rule 2).
func (s *State) Find(k Kind) (Section, bool) {
	for _, section := range s.Sections {
		if section.Kind == k {
			return section, true
		}
	}
	return Section{}, false
}

// FindLast gives the last section of a kind: where sessions are written (5.3 rule 2).
func (s *State) FindLast(k Kind) (Section, bool) {
	for i := len(s.Sections) - 1; i >= 0; i-- {
		if s.Sections[i].Kind == k {
			return s.Sections[i], true
		}
	}
	return Section{}, false
}

// All gives every section of a kind in file order; reads are their concatenation (5.3 rule 2).
func (s *State) All(k Kind) []Section {
	var all []Section
	for _, section := range s.Sections {
		if section.Kind == k {
			all = append(all, section)
		}
	}
	return all
}

// headingsIn gives the headings that begin inside a span.
func headingsIn(doc *markdown.Document, within markdown.Span) []markdown.Heading {
	all := doc.Headings()
	from := sort.Search(len(all), func(i int) bool { return all[i].Span.Start >= within.Start })
	to := from
	for to < len(all) && all[to].Span.Start < within.End {
		to++
	}
	return all[from:to]
}

// trimEnd moves an end back over blank lines: the result stands behind the terminator of the last line with
// something in it, or at start.
func trimEnd(doc *markdown.Document, start, end int) int {
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

// contentEnd is the end of a section's own text: trailing blank lines and a "---" that closes the section are
// left out (5.3 rule 5, TS-47).
func contentEnd(doc *markdown.Document, within markdown.Span) int {
	end := trimEnd(doc, within.Start, within.End)
	if end <= within.Start {
		return end
	}
	last := doc.Lines()[doc.LineAt(end-1)]
	if last.Class == markdown.Rule && last.Start >= within.Start {
		end = trimEnd(doc, within.Start, last.Start)
	}
	return end
}
