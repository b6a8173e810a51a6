package markdown

import (
	"bytes"
	"strings"

	"baton/internal/safetext"
)

// FlattenHeadings returns text with LF line ends in which every top-level heading is replaced by
// the result of say. say gets the heading's level and text and returns a whole line, or "" to drop
// the heading. Headings inside fences, quotes and list items are content and stay.
func FlattenHeadings(text string, say func(level int, name string) string) string {
	src := Fold(text, "\n")
	doc := Parse(src)
	var edits []Edit
	for _, h := range doc.Headings() {
		line := say(h.Level, safetext.OneLine(string(h.Text.Of(src))))
		if line != "" && strings.HasSuffix(string(h.Span.Of(src)), "\n") {
			line += "\n"
		}
		edits = append(edits, Edit{Span: h.Span, Text: []byte(line)})
	}
	out, err := Apply(src, edits...)
	if err != nil { // impossible: headings never overlap
		return string(src)
	}
	return string(out)
}

// BoldHeading returns a heading as a bold line, which looks similar but is not structure (5.11.2).
func BoldHeading(_ int, name string) string {
	name = strings.Trim(name, "* ")
	if name == "" {
		return ""
	}
	return "**" + name + "**"
}

// OpenBlock finds a fence or comment that is never closed. It returns its 1-based line and the text
// that would close it. Written into a file, such a block would swallow everything after it (TS-12).
func OpenBlock(text string) (line int, closer string, open bool) {
	doc := Parse([]byte(text))
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

// CloseBlocks closes an open fence or comment, so that text can be embedded.
func CloseBlocks(text string) string {
	if _, closer, open := OpenBlock(text); open {
		return strings.TrimRight(text, "\n") + "\n" + closer
	}
	return text
}

// Contain makes a text safe to be inside a section. Headings above the given level are lowered to
// it, and open fences and comments are closed. Line ends are LF; blank lines at both ends are
// removed.
func Contain(text string, level int) string {
	text = strings.Trim(string(Fold(text, "\n")), "\n")
	if strings.TrimSpace(text) == "" {
		return ""
	}
	// A line before the text keeps a leading "---" from being read as front matter.
	src := []byte("\n" + text)
	doc := Parse(src)
	var edits []Edit
	for _, heading := range doc.Headings() {
		if heading.Level < level {
			words := strings.Join(strings.Fields(string(heading.Text.Of(src))), " ")
			line := strings.TrimRight(strings.Repeat("#", level)+" "+words, " ")
			if heading.Span.End > heading.Span.Start && src[heading.Span.End-1] == '\n' {
				line += "\n"
			}
			edits = append(edits, Edit{Span: heading.Span, Text: []byte(line)})
		}
	}
	if out, err := Apply(src, edits...); err == nil {
		src = out
	}
	src = closeOpen(src)
	return strings.Trim(string(src), "\n")
}

// closeOpen closes a fence or comment that is open at the end of a text. If that is not possible,
// it quotes every line, so that nothing after the text becomes code.
func closeOpen(src []byte) []byte {
	doc := Parse(src)
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
	doc = Parse(closed)
	_, fence := doc.Unclosed()
	if _, comment := doc.UnclosedComment(); fence || comment {
		return []byte("\n> " + strings.ReplaceAll(strings.Trim(string(src), "\n"), "\n", "\n> "))
	}
	return closed
}
