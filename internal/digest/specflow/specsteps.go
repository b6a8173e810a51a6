package specflow

import (
	"strings"

	"baton/internal/markdown"
)

// specSections returns the recorded steps in the order of the file. The quoted summary below the
// title comes first.
func specSections(d *markdown.Document) []SpecSection {
	out := []SpecSection{}
	src := d.Bytes()
	headings := atxHeadings(d)
	if text, line, ok := quotedSummary(d, headings); ok {
		out = append(out, SpecSection{Kind: "summary", Text: text, Line: line})
	}
	for i, h := range headings {
		title := string(h.Text.Of(src))
		kind := stepKind(title, h.Level)
		if kind == "" {
			continue
		}
		// A heading above further steps, such as "Verification", ends where they begin.
		end, container := len(src), false
		for _, next := range headings[i+1:] {
			inner := next.Level > h.Level
			if container = inner && stepKind(string(next.Text.Of(src)), next.Level) != ""; container || !inner {
				end = next.Span.Start
				break
			}
		}
		text := clean(src[h.Span.End:end])
		if text == "" && container {
			continue
		}
		out = append(out, SpecSection{Kind: kind, Title: title, Text: text, Line: h.Line + 1})
	}
	return out
}

// atxHeadings returns the headings that are written with number signs. The other style is left out,
// because a rule that closes front matter after a heading, or one between steps, looks like the
// underline of a heading.
func atxHeadings(d *markdown.Document) []markdown.Heading {
	var out []markdown.Heading
	for _, h := range d.Headings() {
		if d.Lines()[h.Line].Class == markdown.ATX {
			out = append(out, h)
		}
	}
	return out
}

// clean trims blank lines and closing rules from both ends of a step's text.
func clean(text []byte) string {
	s := strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n"))
	return strings.TrimSpace(strings.TrimSuffix(s, "\n---"))
}

// quotedSummary returns the block quote before the first heading of level 2 or deeper.
func quotedSummary(d *markdown.Document, headings []markdown.Heading) (text string, line int, ok bool) {
	var parts []string
	stop := len(d.Lines())
	for _, h := range headings {
		if h.Level > 1 {
			stop = h.Line
			break
		}
	}
	for i := range stop {
		if d.Lines()[i].Class != markdown.Quote {
			if len(parts) > 0 {
				break
			}
			continue
		}
		if len(parts) == 0 {
			line = i + 1
		}
		part := strings.TrimPrefix(strings.TrimSpace(string(d.Text(i))), ">")
		parts = append(parts, strings.TrimSpace(part))
	}
	return strings.TrimSpace(strings.Join(parts, "\n")), line, len(parts) > 0
}

// stepKind returns the kind of step that a heading records: "Audit v1 (…)", "Response v2", "Fix
// Response v1", "Review v3", "Execution Summary", "Verification", "Completion". A step that comes
// in cycles needs a version, because headings of the specification's own text may begin with the
// same words.
func stepKind(title string, level int) string {
	t := strings.ToLower(strings.TrimSpace(title))
	if level < 2 {
		return ""
	}
	for _, c := range [...][2]string{
		{"audit", "audit"},
		{"re-audit", "audit"},
		{"external audit", "audit"},
		{"response", "response"},
		{"fix response", "fix"},
		{"fix", "fix"},
		{"review", "review"},
		{"verification", "verification"},
		{"verify", "verification"},
	} {
		if rest, ok := strings.CutPrefix(t, c[0]+" v"); ok && rest != "" && digit(rest[0]) {
			return c[1]
		}
	}
	switch {
	case level == 2 && (t == "verification" || strings.HasPrefix(t, "verification (") || t == "verification history"):
		return "verification"
	case strings.HasPrefix(t, "execution summary"):
		return "execution"
	case level == 2 && strings.HasPrefix(t, "completion"):
		return "completion"
	}
	return ""
}
