package app

import (
	"fmt"
	"strings"

	"baton/internal/report"
)

// Printable makes a text that stems from a file or an argument safe and one line long: what a
// terminal would act on becomes visible instead (TS-24). Line ends and tabs become blanks.
func Printable(text string) string {
	return visible(text, ' ', ' ')
}

// PrintableLines does the same for a text of several lines, which keeps its line ends and tabs. The
// carriage return of a CRLF is dropped; any other is shown.
func PrintableLines(text string) string {
	return visible(strings.ReplaceAll(text, "\r\n", "\n"), '\n', '\t')
}

// visible copies a text, with newline and tab written as the caller wants them, controls as their
// pictures, marks of direction as their code points and bytes that are not UTF-8 as U+FFFD.
func visible(text string, newline, tab rune) string {
	clean := true
	for i := 0; i < len(text) && clean; i++ {
		clean = text[i] >= 0x20 && text[i] < 0x7f
	}
	if clean {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 8)
	for _, r := range text {
		switch {
		case r == '\n':
			b.WriteRune(newline)
		case r == '\t':
			b.WriteRune(tab)
		case !dangerous(r):
			b.WriteRune(r) // a byte that is not UTF-8 arrives here as U+FFFD
		case r < 0x20:
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune(0x2421)
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}

// dangerous says whether a terminal might act on the character.
func dangerous(r rune) bool { return report.Dangerous(r) }
