package task

import (
	"bytes"
	"strings"

	"baton/internal/markdown"
)

// contain makes a text safe to stand inside a section: headings above the given level are written at that level, a
// fence or comment that is left open is closed. Line ends are LF, surrounding blank lines are taken off.
func contain(text string, level int) string {
	text = strings.Trim(string(markdown.Fold(text, "\n")), "\n")
	if strings.TrimSpace(text) == "" {
		return ""
	}
	// A line before the text keeps a "---" at its beginning from being read as front matter.
	src := []byte("\n" + text)
	doc := markdown.Parse(src)
	var edits []markdown.Edit
	for _, heading := range doc.Headings() {
		if heading.Level < level {
			words := strings.Join(strings.Fields(string(heading.Text.Of(src))), " ")
			line := strings.TrimRight(strings.Repeat("#", level)+" "+words, " ")
			if heading.Span.End > heading.Span.Start && src[heading.Span.End-1] == '\n' {
				line += "\n"
			}
			edits = append(edits, markdown.Edit{Span: heading.Span, Text: []byte(line)})
		}
	}
	if out, err := markdown.Apply(src, edits...); err == nil {
		src = out
	}
	src = closeOpen(src)
	return strings.Trim(string(src), "\n")
}

// closeOpen closes a fence or comment that is left open at the end of a text. What cannot be closed is quoted line
// by line, so that nothing behind it becomes code.
func closeOpen(src []byte) []byte {
	doc := markdown.Parse(src)
	closed := src
	if fence, open := doc.Unclosed(); open {
		line := string(doc.Text(fence.Open))
		at := strings.IndexAny(line, "`~")
		run := len(line[at:]) - len(strings.TrimLeft(line[at:], line[at:at+1]))
		closed = append(bytes.TrimRight(src, "\n"), "\n"+strings.Repeat(" ", at)+line[at:at+run]...)
	} else if _, open := doc.UnclosedComment(); open {
		closed = append(bytes.TrimRight(src, "\n"), "\n-->"...)
	} else {
		return src
	}
	doc = markdown.Parse(closed)
	_, fence := doc.Unclosed()
	if _, comment := doc.UnclosedComment(); fence || comment {
		return []byte("\n> " + strings.ReplaceAll(strings.Trim(string(src), "\n"), "\n", "\n> "))
	}
	return closed
}
