package standing

import (
	"bytes"
	"strings"

	"baton/internal/markdown"
)

// The markers around the derived lines. With them, a block has at most six lines.
const (
	opening = "<!-- baton: the next lines come from the tasks -->"
	closing = "<!-- baton: end -->"
)

// Read returns what the block of a digest says. ok is false without a block.
func Read(src []byte) (f Facts, ok bool) {
	at, ok := find(src)
	if !ok {
		return Facts{}, false
	}
	return read(strings.Split(string(at.Of(src)), "\n")), true
}

// Put returns the digest with a block that says these facts. It replaces the block that is there,
// or inserts one below the title. All other bytes stay. If there is nothing to say, the block goes.
func Put(src []byte, f Facts) []byte {
	words := f.Words()
	if len(words) == 0 {
		return Without(src)
	}
	doc := markdown.Parse(src)
	at, there := find(src)
	if !there {
		at = markdown.Span{Start: place(doc), End: place(doc)}
	}
	eol := doc.EOL(at.Start)
	var text strings.Builder
	if !there && at.Start > 0 && src[at.Start-1] != '\n' {
		text.WriteString(eol)
	}
	text.WriteString(opening + eol)
	for _, w := range words {
		text.WriteString(w[0] + ": " + w[1] + eol)
	}
	text.WriteString(closing + eol)
	if !there {
		text.WriteString(eol)
	}
	return splice(src, at, text.String())
}

// Without returns the digest without its block and the blank line below it.
func Without(src []byte) []byte {
	at, there := find(src)
	if !there {
		return src
	}
	rest := src[at.End:]
	if line, _, _ := bytes.Cut(rest, []byte("\n")); len(rest) > 0 && len(bytes.TrimSpace(line)) == 0 {
		at.End += min(len(line)+1, len(rest))
	}
	return splice(src, at, "")
}

func splice(src []byte, at markdown.Span, text string) []byte {
	if string(at.Of(src)) == text {
		return src
	}
	out := make([]byte, 0, len(src)+len(text))
	return append(append(append(out, src[:at.Start]...), text...), src[at.End:]...)
}

// find returns the block, markers and last line end included. A block without its last marker, or
// with more lines than baton writes, is not one: somebody wrote into it, and nothing of theirs may
// be replaced.
func find(src []byte) (markdown.Span, bool) {
	const most = 4
	for from := 0; from < len(src); {
		line, next := markdown.LineAt(src, from)
		if string(bytes.TrimSpace(line)) != opening {
			from = next
			continue
		}
		at := markdown.Span{Start: from}
		for n, pos := 0, next; n <= most && pos < len(src); n++ {
			line, pos = markdown.LineAt(src, pos)
			if string(bytes.TrimSpace(line)) == closing {
				at.End = pos
				return at, true
			}
			if label, _, ok := strings.Cut(string(line), ":"); !ok || !derived(label) {
				break
			}
		}
		from = next
	}
	return markdown.Span{}, false
}

func derived(label string) bool {
	switch label {
	case labelProgress, labelFocus, labelLast, labelNext:
		return true
	}
	return false
}

// place returns where a new block goes: before the first heading below the title.
func place(doc *markdown.Document) int {
	headings := doc.Headings()
	for i, h := range headings {
		if h.Level > 1 || i > 0 {
			return h.Span.Start
		}
	}
	return len(doc.Bytes())
}
