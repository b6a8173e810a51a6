package agentconfig

import (
	"bytes"
	"strings"

	"baton/internal/markdown"
)

// appendTail adds a block of lines to the end of a file, after a blank line. A file that ends
// without a line end still does so afterwards, so that cutTail can restore it. block has "\n"
// between its lines and none at its end.
func appendTail(src []byte, present bool, block string) []byte {
	eol := eolOf(src)
	block = string(markdown.Fold(block, eol))
	switch {
	case !present:
		return []byte(block + eol)
	case len(src) == 0:
		return []byte(block)
	case bytes.HasSuffix(src, []byte("\n")):
		return []byte(string(src) + eol + block + eol)
	}
	return []byte(string(src) + eol + eol + block)
}

// cutTail removes the block between two positions, and the blank line before it. exists is false if
// baton created the file and nothing else is in it.
func cutTail(src []byte, start, end int) (out []byte, exists bool) {
	behind := endOfLine(src, end)
	if behind == end { // the file's last line has no line end
		eol := lastEOL(src[:start])
		if eol != "" && strings.HasSuffix(string(src[:start-len(eol)]), eol) {
			start -= 2 * len(eol)
		}
		return splice(src, start, end), true
	}
	if start == 0 && behind == len(src) {
		return nil, false
	}
	if eol := lastEOL(src[:start]); eol != "" && src[max(0, start-len(eol)-1)] == '\n' && start > len(eol) {
		start -= len(eol)
	}
	return splice(src, start, behind), true
}

// endOfLine returns the position after the line end at pos, or pos if there is none.
func endOfLine(src []byte, pos int) int {
	if pos < len(src) && src[pos] == '\r' && pos+1 < len(src) && src[pos+1] == '\n' {
		return pos + 2
	}
	if pos < len(src) && src[pos] == '\n' {
		return pos + 1
	}
	return pos
}

// lastEOL returns the line end at the end of a text, or "".
func lastEOL(src []byte) string {
	switch {
	case bytes.HasSuffix(src, []byte("\r\n")):
		return "\r\n"
	case bytes.HasSuffix(src, []byte("\n")):
		return "\n"
	}
	return ""
}

// splice returns the text without the bytes between two positions.
func splice(src []byte, start, end int) []byte {
	out := make([]byte, 0, len(src)-(end-start))
	return append(append(out, src[:start]...), src[end:]...)
}
