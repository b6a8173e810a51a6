package safetext

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Clean removes unsafe parts from a text: escape sequences, control characters except line feed and
// tab, and invisible characters. Line separators become line feeds, and invalid UTF-8 becomes
// U+FFFD.
func Clean(text string) string {
	if plain(text, true) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	before := rune(0)
	for i := 0; i < len(text); {
		if text[i] == 0x1b {
			i += sequence(text[i:])
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == '\n', r == '\t':
		case r == 0x85, r == 0x2028, r == 0x2029:
			r = '\n'
		case hidden(r, before):
			continue
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// Line cleans a text and returns it as one line, in which each run of blanks and line ends is one
// blank.
func Line(text string) string { return OneLine(Clean(text)) }

// OneLine replaces each run of blanks and line ends with one blank.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// ShellQuote quotes a text as one word of a POSIX shell.
func ShellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// Quote returns a word from outside for use in a message, cleaned and in quotation marks.
func Quote(word string) string { return `"` + Clean(word) + `"` }

// Visible makes a text safe for a terminal, on one line, without hiding anything. Control
// characters become their symbols, other unsafe characters their code points, and line ends and
// tabs become blanks.
func Visible(text string) string {
	if plain(text, false) {
		return text
	}
	return visible(text, " ", " ")
}

// VisibleLines is Visible for a text of several lines, which keeps its line ends and tabs. The
// carriage return of a CRLF is dropped; any other is shown.
func VisibleLines(text string) string {
	if plain(text, true) {
		return text
	}
	return visible(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\t")
}

func visible(text, newline, tab string) string {
	var b strings.Builder
	b.Grow(len(text) + 8)
	before := rune(0)
	for _, r := range text {
		switch {
		case r == '\n':
			b.WriteString(newline)
		case r == '\t':
			b.WriteString(tab)
		case !hidden(r, before):
			b.WriteRune(r) // invalid UTF-8 is U+FFFD here
			before = r
			continue
		case r < 0x20:
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune(0x2421)
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
		before = ' '
	}
	return b.String()
}

// sequence returns the length of the escape sequence at the start of text. CSI ends with its final
// byte, OSC and similar sequences with BEL or ST on the same line, and all others after two bytes.
func sequence(text string) int {
	if len(text) < 2 {
		return len(text)
	}
	switch text[1] {
	case '[':
		for i := 2; i < len(text); i++ {
			if c := text[i]; c >= 0x40 && c <= 0x7e {
				return i + 1
			} else if c < 0x20 || c > 0x7e {
				return i
			}
		}
		return len(text)
	case ']', 'P', 'X', '^', '_':
		for i := 2; i < len(text); i++ {
			switch {
			case text[i] == 0x07:
				return i + 1
			case text[i] == 0x1b && i+1 < len(text) && text[i+1] == '\\':
				return i + 2
			case text[i] == '\n':
				return i
			}
		}
		return len(text)
	}
	if text[1] >= utf8.RuneSelf || text[1] < 0x20 {
		return 1
	}
	return 2
}

// JoinLines joins the lines of a text with single blanks and keeps the other blanks between words.
func JoinLines(text string) string {
	text = strings.TrimSpace(text)
	const ends = "\n\r\u2028\u2029\u0085\v\f"
	if !strings.ContainsAny(text, ends) {
		return text
	}
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(ends, r) })
	kept := parts[:0]
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
}
