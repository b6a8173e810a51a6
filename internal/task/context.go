package task

import (
	"strings"
	"unicode/utf8"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
)

// readContext reads the bold key lines and the requirements. A file without a context section (v3,
// bare) may have key lines between the title and the first section.
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
		end := ContentEnd(s.doc, section.Body)
		headings := HeadingsIn(s.doc, section.Body)
		head := markdown.Span{Start: section.Body.Start, End: max(end, section.Body.Start)}
		if len(headings) > 0 {
			head.End = headings[0].Span.Start
		}
		s.readKeyLines(head)
		for i, heading := range headings {
			name := FoldName(s.doc.View(heading.Text))
			if heading.Level != 3 || name != "requirements" && name != "task description" {
				continue
			}
			text := s.trimmed(PartBody(headings, i, end))
			s.Context.Requirements = joinTexts(s.Context.Requirements, text)
		}
	}
}

// readKeyLines reads "**Epic:** …" and similar lines. The first line with a label counts, and a
// value ends with its line.
func (s *State) readKeyLines(within markdown.Span) {
	for _, field := range s.doc.Fields(within) {
		value, _, _ := strings.Cut(s.doc.View(field.Value), "\n")
		value = strings.TrimSpace(value)
		var to *string
		switch FoldName(field.Label) {
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

// PartBody returns the text below headings[i], up to the next heading of the same or a higher
// level, or to end.
func PartBody(headings []markdown.Heading, i, end int) markdown.Span {
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

// trimmed returns a span's text with LF line ends and without blank lines around it.
func (s *State) trimmed(span markdown.Span) string {
	return trimLines(string(markdown.Fold(string(span.Of(s.Bytes())), "\n")))
}

// trimLines removes blank lines at both ends and blanks at the end of the last line. The first line
// keeps its indentation.
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

// joinTexts joins the parts of a section that the file has twice.
func joinTexts(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

// FoldName normalises a heading or label for comparison: lower case, single blanks, no marks at its
// ends.
func FoldName(name string) string {
	name = strings.Trim(name, "*_: \t")
	for i := 0; i < len(name); i++ {
		// Folding blanks costs two allocations, and most names do not need it.
		if c := name[i]; c < ' ' || c >= utf8.RuneSelf || c == ' ' && name[i-1] == ' ' {
			return strings.ToLower(strings.Join(strings.Fields(name), " "))
		}
	}
	return strings.ToLower(name)
}

// NoMetadata returns the error of a command that needs metadata in a file that has none (D14).
func (s *State) NoMetadata(op, purpose string) error {
	return &report.Error{
		Op: op, Kind: report.Corrupt, Code: report.CodeMetadataInvalid, Path: StateName(s.ID),
		Message: StateName(s.ID) + " has no readable metadata, which it needs to " + purpose,
		Hint: "repair the JSON of its metadata section, or add one: baton task convert " + string(s.ID) +
			" --to v2 --apply",
	}
}

// Epic returns the title and the id of the task's epic. The id in the metadata takes precedence
// over the one in the context, because a title there may end with the id without "#".
func (s *State) Epic() (title, id string) {
	title, id = ParseEpic(s.Context.Epic)
	if s.Meta.EpicID == "" {
		return title, id
	}
	ref := ID(s.Meta.EpicID).Ref()
	if title == ref {
		title = ""
	}
	return strings.TrimSpace(strings.TrimSuffix(title, "("+ref+")")), s.Meta.EpicID
}

// ParseEpic reads "TITLE (#ID)", "#ID" and "TITLE". A word in parentheses without "#" is part of
// the title, unless it is the key of an issue tracker such as PROJ-4, which is written without "#"
// (D21).
func ParseEpic(text string) (title, id string) {
	text = safetext.OneLine(text)
	if rest, ok := strings.CutPrefix(text, "#"); ok {
		if found, err := ParseID(rest); err == nil {
			return "", string(found)
		}
	}
	rest, closed := strings.CutSuffix(text, ")")
	at := strings.LastIndex(rest, "(")
	if at < 0 || !closed {
		return text, ""
	}
	inner := strings.TrimSpace(rest[at+1:])
	found, err := ParseID(inner)
	if err != nil || !strings.HasPrefix(inner, "#") && !trackerKey(inner) {
		return text, ""
	}
	return strings.TrimSpace(rest[:at]), string(found)
}

// trackerKey reports whether a word is a key as issue trackers assign them: capital letters, a
// hyphen, digits.
func trackerKey(word string) bool {
	name, number, ok := strings.Cut(word, "-")
	return ok && name != "" && number != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" &&
		strings.Trim(number, "0123456789") == ""
}
