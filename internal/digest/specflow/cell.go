package specflow

import "baton/internal/markdown"

func blankByte(c byte) bool { return c == ' ' || c == '\t' }

// dash is what a cell without a value holds (5.6.3).
const dash = "—"

// escape makes a text fit for a cell (SF-D13): folded to one line, each pipe escaped once, an
// em dash for nothing.
func escape(text string) string {
	if text = fold(text); text == "" {
		return dash
	}
	return markdown.EscapeCell(markdown.UnescapeCell(text))
}
