package importing

import (
	"strings"

	"baton/internal/markdown"
	"baton/internal/safetext"
	"baton/internal/task/create"
)

// Body divides a text into requirements and criteria, which are its boxes. ticked is how many of
// them are ticked.
func Body(text string) (requirements string, criteria []create.Criterion, ticked int) {
	src := markdown.Fold(text, "\n")
	doc := markdown.Parse(src)
	var edits []markdown.Edit
	for _, box := range doc.TaskItems(markdown.Span{End: len(src)}) {
		words := safetext.OneLine(string(box.Text.Of(src)))
		if words == "" {
			continue
		}
		if box.Checked {
			ticked++
		}
		criteria = append(criteria, create.Criterion{Text: words})
		line := doc.Lines()[box.Line]
		edits = append(edits, markdown.Edit{Span: markdown.Span{Start: line.Start, End: line.Next}})
	}
	rest, err := markdown.Apply(src, edits...)
	if err != nil {
		return Squeeze(string(src)), nil, 0 // two boxes on one line
	}
	return Squeeze(string(rest)), criteria, ticked
}

// Criteria divides a text about when a task is done into criteria: one for each list item, or else
// one for each line.
func Criteria(text string) (criteria []create.Criterion, ticked int) {
	for line := range strings.SplitSeq(string(markdown.Fold(text, "\n")), "\n") {
		words := strings.TrimSpace(line)
		if words == "" || strings.HasPrefix(words, "<!--") || strings.HasPrefix(words, "#") &&
			strings.Trim(words, "#") != "" && strings.TrimLeft(words, "#")[0] == ' ' {
			continue
		}
		words = unmarked(words)
		for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
			if rest, ok := strings.CutPrefix(words, box); ok {
				words = strings.TrimSpace(rest)
				if box != "[ ] " {
					ticked++
				}
			}
		}
		if words != "" && words != "[ ]" {
			criteria = append(criteria, create.Criterion{Text: words})
		}
	}
	return criteria, ticked
}

// unmarked returns a line without the marker of a list item.
func unmarked(line string) string {
	for _, mark := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return strings.TrimSpace(rest)
		}
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	rest := line[digits:]
	if digits > 0 && digits < 4 && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")) {
		return strings.TrimSpace(rest[2:])
	}
	return line
}

// Parts joins texts that are not blank. A part with a heading gets it above its text.
func Parts(parts ...[2]string) string {
	var b strings.Builder
	for _, part := range parts {
		text := Squeeze(string(markdown.Fold(part[1], "\n")))
		if strings.TrimSpace(text) == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		if part[0] != "" {
			b.WriteString("#### " + part[0] + "\n\n")
		}
		b.WriteString(text)
	}
	return b.String()
}

// Squeeze keeps at most one blank line between lines, and none at the ends.
func Squeeze(text string) string {
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return strings.Trim(text, "\n")
}
