package markdown

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"baton/internal/report"
)

// Problem is a reason to refuse writing a document.
type Problem struct {
	Code report.Code // "too_large", "not_utf8", "nul", "conflict_markers"
	Line int         // 1-based, or 0 if no particular line is at fault
	Text string      // what is wrong, worded to follow the file's name: "line 3 contains a NUL byte"
}

// Unsafe finds the first reason not to write src: more than report.MostBytes, invalid UTF-8, a NUL
// byte, or conflict markers outside fences (TS-5, TS-6, TS-25).
func Unsafe(src []byte) (Problem, bool) {
	if len(src) > report.MostBytes {
		return Problem{
			report.CodeTooLarge, 0, fmt.Sprintf("it has %d bytes; baton edits at most %d", len(src),
				report.MostBytes),
		}, true
	}
	if bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")) {
		return Problem{report.CodeNotUTF8, 1, "it is UTF-16, not UTF-8"}, true
	}
	if n := bytes.IndexByte(src, 0); n >= 0 {
		line := lineOf(src, n)
		return Problem{report.CodeNUL, line, fmt.Sprintf("line %d contains a NUL byte", line)}, true
	}
	if !utf8.Valid(src) {
		line := lineOf(src, invalidAt(src))
		return Problem{report.CodeNotUTF8, line, fmt.Sprintf("line %d is not valid UTF-8", line)}, true
	}
	if line := conflict(src); line > 0 {
		return Problem{report.CodeConflictMarkers, line, fmt.Sprintf("line %d begins a merge conflict", line)}, true
	}
	return Problem{}, false
}

// lineOf returns the 1-based line of the byte at pos.
func lineOf(src []byte, pos int) int { return bytes.Count(src[:pos], []byte{'\n'}) + 1 }

// invalidAt returns the position of the first byte that is not UTF-8.
func invalidAt(src []byte) int {
	pos := 0
	for pos < len(src) {
		r, n := utf8.DecodeRune(src[pos:])
		if r == utf8.RuneError && n <= 1 {
			return pos
		}
		pos += n
	}
	return pos
}

const (
	ours   = "<<<<<<< "
	theirs = ">>>>>>> "
)

// conflict returns the 1-based line of the first conflict marker that has a closing one below it,
// or 0 if there is none. Only files that contain both markers are parsed.
func conflict(src []byte) int {
	at := bytes.Index(src, []byte(ours))
	if at < 0 || !bytes.Contains(src[at:], []byte(theirs)) {
		return 0
	}
	first := 0
	for i, ln := range Parse(src).Lines() {
		switch ln.Class {
		case FenceOpen, FenceBody, FenceClose:
			continue
		}
		text := src[ln.Start:ln.End]
		switch {
		case first == 0 && bytes.HasPrefix(text, []byte(ours)):
			first = i + 1
		case first > 0 && bytes.HasPrefix(text, []byte(theirs)):
			return first
		}
	}
	return 0
}
