package statusline

import (
	"strings"

	"baton/internal/safetext"
)

// mostColumns limits one text of the line. No real text is nearly as long; the limit keeps a broken
// file from filling the screen.
const mostColumns = 400

// titleColumns is the width to which a task's title is shortened (D24).
const titleColumns = 24

// shown makes a text from a file or from the agent safe for a terminal, on one line and of limited
// length (TS-24).
func shown(text string) string {
	text = safetext.FirstBytes(text, 16*mostColumns)
	if strings.ContainsAny(text, "\r\u0085\u2028\u2029") { // characters that end lines
		text = strings.NewReplacer("\r", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ").Replace(text)
	}
	return safetext.Columns(safetext.Visible(text), mostColumns)
}

// marks are the characters that the line itself uses.
type marks struct {
	bar, dot, full, empty, skull, tail, up, done, newer, warning, down, clean string
}

func marksOf(plain bool) marks {
	if plain {
		return marks{
			bar: " | ", dot: " - ", full: "#", empty: "-", skull: "! ", tail: "...", up: "^", done: "done ",
			newer: "^ ", warning: "! ", down: "v", clean: "=",
		}
	}
	return marks{
		bar: " │ ", dot: " · ", full: "█", empty: "░", skull: "💀 ", tail: "…", up: "↑", done: "✓ ",
		newer: "⬆ ", warning: "⚠ ", down: "↓", clean: "✓",
	}
}

// cells draws a bar of ten cells.
func (m marks) cells(percent int) string {
	return safetext.Bar(percent, m.full, m.empty)
}
