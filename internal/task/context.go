package task

import (
	"strings"
	"unicode/utf8"

	"baton/internal/markdown"
)

// readContext reads the bold key lines and the requirements. A file without a context section (v3, bare) may have
// key lines between its title and its first section.
func (s *State) readContext() {
	sections := s.All(ContextKind)
	if len(sections) == 0 {
		end := len(s.Bytes())
		if len(s.Sections) > 0 {
			end = s.Sections[0].Heading.Start
		}
		s.readKeyLines(markdown.Span{Start: 0, End: end})
		return
	}
	for _, section := range sections {
		end := contentEnd(s.doc, section.Body)
		headings := headingsIn(s.doc, section.Body)
		head := markdown.Span{Start: section.Body.Start, End: max(end, section.Body.Start)}
		if len(headings) > 0 {
			head.End = headings[0].Span.Start
		}
		s.readKeyLines(head)
		for i, heading := range headings {
			name := foldName(s.doc.View(heading.Text))
			if heading.Level != 3 || name != "requirements" && name != "task description" {
				continue
			}
			text := s.trimmed(partBody(headings, i, end))
			s.Context.Requirements = joinTexts(s.Context.Requirements, text)
		}
	}
}

// readKeyLines reads "**Epic:** …" and its like; the first line with a label counts, and only what stands on it.
func (s *State) readKeyLines(within markdown.Span) {
	for _, field := range s.doc.Fields(within) {
		value, _, _ := strings.Cut(s.doc.View(field.Value), "\n")
		value = strings.TrimSpace(value)
		var to *string
		switch foldName(field.Label) {
		case "prd":
			to = &s.Context.PRD
		case "epic":
			to = &s.Context.Epic
		case "repository":
			to = &s.Context.Repository
		case "agent":
			to = &s.Context.Agent
		}
		if to != nil && *to == "" {
			*to = value
		}
	}
}

// partBody is what stands under headings[i] up to the next heading of its level or higher, or to end.
func partBody(headings []markdown.Heading, i, end int) markdown.Span {
	body := markdown.Span{Start: headings[i].Span.End, End: end}
	for _, next := range headings[i+1:] {
		if next.Level <= headings[i].Level {
			body.End = min(next.Span.Start, end)
			break
		}
	}
	body.End = max(body.End, body.Start)
	return body
}

// trimmed gives a span's text with LF line ends and without surrounding blank lines.
func (s *State) trimmed(span markdown.Span) string {
	return trimLines(string(markdown.Fold(string(span.Of(s.Bytes())), "\n")))
}

// trimLines takes blank lines off both ends and the blanks off the last line's end; the first line keeps its indentation.
func trimLines(text string) string {
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || strings.TrimSpace(line) != "" {
			break
		}
		text = rest
	}
	return strings.TrimRight(text, " \t\n")
}

// joinTexts puts the parts of a duplicate section together.
func joinTexts(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

// foldName makes a heading or label comparable: lower case, single blanks, without marks at its ends.
func foldName(name string) string {
	name = strings.Trim(name, "*_: \t")
	for i := 0; i < len(name); i++ {
		// Most names need no folding of blanks, which costs two allocations.
		if c := name[i]; c < ' ' || c >= utf8.RuneSelf || c == ' ' && name[i-1] == ' ' {
			return strings.ToLower(strings.Join(strings.Fields(name), " "))
		}
	}
	return strings.ToLower(name)
}
