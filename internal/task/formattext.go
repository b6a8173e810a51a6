package task

import (
	"strings"

	"baton/internal/markdown"
	"baton/internal/safetext"
)

// flattenHeadings gives text with LF line ends and every top-level heading replaced by what say makes of it: the
// heading's level and text go in, a whole line comes out, "" drops the heading. Headings inside fences, quotes and
// list items are content and stay.
func flattenHeadings(text string, say func(level int, name string) string) string {
	src := markdown.Fold(text, "\n")
	doc := markdown.Parse(src)
	var edits []markdown.Edit
	for _, h := range doc.Headings() {
		line := say(h.Level, safetext.OneLine(string(h.Text.Of(src))))
		if line != "" && strings.HasSuffix(string(h.Span.Of(src)), "\n") {
			line += "\n"
		}
		edits = append(edits, markdown.Edit{Span: h.Span, Text: []byte(line)})
	}
	out, err := markdown.Apply(src, edits...)
	if err != nil { // headings never overlap
		return string(src)
	}
	return string(out)
}

// boldHeading is a heading as a bold line: it reads the same and is no structure (5.11.2).
func boldHeading(_ int, name string) string {
	name = strings.Trim(name, "* ")
	if name == "" {
		return ""
	}
	return "**" + name + "**"
}

// openBlock finds a fence or comment in text that is not closed: its 1-based line and what would close it.
// Written into a file it would swallow everything behind it (TS-12).
func openBlock(text string) (line int, closer string, open bool) {
	doc := markdown.Parse([]byte(text))
	if f, ok := doc.Unclosed(); ok {
		opening := strings.TrimLeft(string(doc.Text(f.Open)), " \t")
		mark := opening[:1]
		return f.Open + 1, opening[:len(opening)-len(strings.TrimLeft(opening, mark))], true
	}
	if n, ok := doc.UnclosedComment(); ok {
		return n + 1, "-->", true
	}
	return 0, "", false
}

// closeBlocks closes what text leaves open, so that it can be embedded.
func closeBlocks(text string) string {
	if _, closer, open := openBlock(text); open {
		return strings.TrimRight(text, "\n") + "\n" + closer
	}
	return text
}
