package statusline

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// mostColumns bounds one text of the line. No real one comes near; it keeps a broken file from
// filling the screen.
const mostColumns = 400

// titleColumns is where a task's title is cut (D24).
const titleColumns = 24

// harmless makes a text from a file or from the agent safe for a terminal and one line long:
// controls become their pictures, marks that turn the direction of writing their code points, line
// ends and tabs blanks (TS-24).
func harmless(text string) string {
	clean := true
	for i := 0; i < len(text) && clean; i++ {
		clean = text[i] >= 0x20 && text[i] < 0x7f
	}
	if !clean {
		var b strings.Builder
		for _, r := range text[:min(len(text), 16*mostColumns)] {
			b.WriteString(visible(r))
		}
		text = b.String()
	}
	return cut(text, mostColumns, "…")
}

func visible(r rune) string {
	switch {
	case r == '\n', r == '\r', r == '\t', r == 0x85, r == 0x2028, r == 0x2029:
		return " "
	case r < 0x20:
		return string(0x2400 + r)
	case r == 0x7f:
		return "\u2421"
	case r > 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, !utf8.ValidRune(r):
		return fmt.Sprintf("<U+%04X>", r)
	}
	return string(r) // a byte that is not UTF-8 arrives here as U+FFFD
}

// cut shortens a text to so many columns, at a grapheme, the tail included.
func cut(text string, columns int, tail string) string {
	if len(text) <= columns || displaywidth.String(text) <= columns {
		return text
	}
	return strings.TrimRight(displaywidth.TruncateString(text, columns, tail), " ")
}

// marks are the characters that are the line's own.
type marks struct {
	bar, dot, full, empty, skull, tail, up string
}

func marksOf(plain bool) marks {
	if plain {
		return marks{bar: " | ", dot: " - ", full: "#", empty: "-", skull: "! ", tail: "...", up: "^"}
	}
	return marks{bar: " │ ", dot: " · ", full: "█", empty: "░", skull: "💀 ", tail: "…", up: "↑"}
}

// cells draws a bar of ten cells.
func (m marks) cells(percent int) string {
	filled := percent / 10
	return strings.Repeat(m.full, filled) + strings.Repeat(m.empty, 10-filled)
}
