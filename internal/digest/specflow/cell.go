package specflow

import "baton/internal/markdown"

func blankByte(c byte) bool { return c == ' ' || c == '\t' }

// dash is the content of a cell without a value (5.6.3).
const dash = "—"

// escape prepares a text for a cell (SF-D13): it is folded to one line, each pipe is escaped once,
// and an empty text becomes an em dash.
func escape(text string) string {
	if text = fold(text); text == "" {
		return dash
	}
	return markdown.EscapeCell(markdown.UnescapeCell(text))
}
