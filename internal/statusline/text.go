package statusline

import (
	"strings"

	"baton/internal/safetext"
)

// mostColumns bounds one text of the line. No real one comes near; it keeps a broken file from
// filling the screen.
const mostColumns = 400

// titleColumns is where a task's title is cut (D24).
const titleColumns = 24

// shown makes a text from a file or from the agent safe for a terminal, one line long and bounded
// (TS-24).
func shown(text string) string {
	text = safetext.FirstBytes(text, 16*mostColumns)
	if strings.ContainsAny(text, "\r\u0085\u2028\u2029") { // which end lines
		text = strings.NewReplacer("\r", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ").Replace(text)
	}
	return safetext.Columns(safetext.Visible(text), mostColumns)
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
	return safetext.Bar(percent, m.full, m.empty)
}
