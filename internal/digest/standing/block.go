package standing

import (
	"bytes"
	"slices"
	"strings"

	"baton/internal/markdown"
)

// The markers around the derived lines. With them, a block has at most six lines.
const (
	opening = "<!-- baton: the next lines come from the tasks -->"
	closing = "<!-- baton: end -->"
)

// block is a block in a digest.
type block struct {
	at      markdown.Span // markers and last line end included
	derived []string      // its lines that baton writes
	foreign string        // lines that somebody else wrote between the markers
}

// Read returns what the block of a digest says. ok is false without a block.
func Read(src []byte) (f Facts, ok bool) {
	b, ok := find(src, 0)
	if !ok {
		return Facts{}, false
	}
	return read(b.derived), true
}

// Put returns the digest with a block that says these facts. It replaces the block that is there,
// or inserts one below the title. Lines of somebody else between the markers go below the block,
// and further blocks go. All other bytes stay. If there is nothing to say, the block goes.
func Put(src []byte, f Facts) []byte {
	words := f.Words()
	if len(words) == 0 {
		return Without(src)
	}
	doc := markdown.Parse(src)
	b, there := find(src, 0)
	if !there {
		b.at = markdown.Span{Start: place(doc), End: place(doc)}
	}
	eol := doc.EOL(b.at.Start)
	var text strings.Builder
	if !there && b.at.Start > 0 && src[b.at.Start-1] != '\n' {
		text.WriteString(eol)
	}
	text.WriteString(opening + eol)
	for _, w := range words {
		text.WriteString(w[0] + ": " + w[1] + eol)
	}
	text.WriteString(closing + eol)
	if !there || b.foreign != "" {
		text.WriteString(eol)
	}
	text.WriteString(b.foreign)
	out := splice(src, b.at, text.String())
	for {
		more, again := find(out, b.at.Start+text.Len())
		if !again {
			return out
		}
		out = more.removed(out)
	}
}

// Without returns the digest without its blocks and the blank lines below them.
func Without(src []byte) []byte {
	for {
		b, there := find(src, 0)
		if !there {
			return src
		}
		src = b.removed(src)
	}
}

// removed returns the digest without the block, but with what somebody else wrote into it.
func (b block) removed(src []byte) []byte {
	rest := src[b.at.End:]
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	if b.foreign == "" && len(rest) > 0 && len(bytes.TrimSpace(line)) == 0 {
		b.at.End += min(len(line)+1, len(rest))
	}
	return splice(src, b.at, b.foreign)
}

func splice(src []byte, at markdown.Span, text string) []byte {
	if string(at.Of(src)) == text {
		return src
	}
	out := make([]byte, 0, len(src)+len(text))
	return append(append(append(out, src[:at.Start]...), text...), src[at.End:]...)
}

// mostLines is the most lines between two markers that belong together.
const mostLines = 40

// find returns the first block from a position on. An example between fences is none, and neither
// is one without its last marker.
func find(src []byte, from int) (block, bool) {
	if !bytes.Contains(src[from:], []byte(opening)) {
		return block{}, false
	}
	fences := markdown.Parse(src).Fences()
	for from < len(src) {
		line, next := markdown.LineAt(src, from)
		fenced := slices.ContainsFunc(fences, func(f markdown.Fence) bool {
			return f.Body.Start <= from && from < f.Body.End
		})
		if string(bytes.TrimSpace(line)) == opening && !fenced {
			if b, ok := blockAt(src, from, next); ok {
				return b, true
			}
		}
		from = next
	}
	return block{}, false
}

// blockAt reads the block that begins at a position.
func blockAt(src []byte, start, pos int) (block, bool) {
	b := block{at: markdown.Span{Start: start}}
	for n := 0; n <= mostLines && pos < len(src); n++ {
		line, next := markdown.LineAt(src, pos)
		text := string(bytes.TrimSpace(line))
		label, _, labelled := strings.Cut(text, ":")
		switch {
		case text == closing:
			b.at.End = next
			return b, true
		case text == opening:
			return block{}, false
		case labelled && derived(label):
			b.derived = append(b.derived, text)
		case text != "":
			b.foreign += string(src[pos:next])
		}
		pos = next
	}
	return block{}, false
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
