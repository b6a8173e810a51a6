package statedir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"baton/internal/report"
	"baton/internal/safetext"
)

// QuoteLimit is the number of bytes that a problem quotes from a file.
const QuoteLimit = 120

// CutText shortens a text from a file without cutting a character.
func CutText(text string) string {
	return safetext.Bytes(text, QuoteLimit)
}

// QuoteText returns a text from a file for use in a message, shortened and with everything escaped
// that could control a terminal.
func QuoteText(text string) string { return strconv.Quote(CutText(text)) }

// PlainName returns a file name for a message: unchanged if all its characters are printable,
// otherwise quoted.
func PlainName(name string) string {
	for _, r := range name {
		if !strconv.IsPrint(r) || r == utf8.RuneError {
			return strconv.Quote(name)
		}
	}
	return name
}

// AllowedText returns the end of a message about a value: the allowed values, and the one that was
// probably meant.
func AllowedText(actual string, allowed []string) string {
	if len(allowed) == 0 {
		return ""
	}
	words := make([]string, len(allowed))
	for i, word := range allowed {
		words[i] = PlainName(word)
	}
	text := "; allowed are " + strings.Join(words, ", ")
	if len(words) == 1 {
		text = "; allowed is " + words[0]
	}
	if meant := MeantWord(actual, allowed); meant != "" {
		text += "; did you mean " + meant + "?"
	}
	return text
}

// MeantWord returns the allowed word that differs only in case and separators, or in at most two
// letters, or "" if there is none.
func MeantWord(actual string, allowed []string) string {
	if actual == "" || len(actual) > QuoteLimit || slices.Contains(allowed, actual) {
		return ""
	}
	fold := strings.NewReplacer("-", "_", " ", "_", ".", "").Replace
	best, least := "", 3
	for _, word := range allowed {
		if n := report.Letters(strings.ToLower(fold(actual)), strings.ToLower(word), 2); n < least && n*2 < len(word) {
			best, least = word, n
		}
	}
	return best
}

// Quotable returns a text from a file for JSON, in which "" and null differ.
func Quotable(text string) *string {
	text = strings.ToValidUTF8(CutText(text), "\uFFFD")
	return &text
}

// Pointer returns the JSON pointer of a field (RFC 6901).
func Pointer(field string) string {
	return "/" + strings.ReplaceAll(strings.ReplaceAll(field, "~", "~0"), "/", "~1")
}

// IsBlank reports whether a character counts as a blank at the ends of a line: Unicode spaces and
// the byte-order mark, but not U+0085 (5.6.2).
func IsBlank(r rune) bool { return r == '\uFEFF' || unicode.IsSpace(r) && r != '\u0085' }

// ShownName returns a name for people and JSON, with each invalid byte as \xNN. raw is nil if the
// name is valid UTF-8.
func ShownName(name string) (shown string, raw []byte) {
	if utf8.ValidString(name) {
		return name, nil
	}
	var b strings.Builder
	for rest := name; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02X`, rest[0])
		} else {
			b.WriteString(rest[:size])
		}
		rest = rest[size:]
	}
	return b.String(), []byte(name)
}

// Say formats a sentence with texts from a file and makes them safe for a terminal.
func Say(format string, texts ...string) string {
	safe := make([]any, len(texts))
	for i, t := range texts {
		safe[i] = Shown(t)
	}
	return fmt.Sprintf(format, safe...)
}

// Shown returns a text for a message: unchanged if it is plain, otherwise quoted with escapes, and
// always of limited length.
func Shown(text string) string {
	text = CutText(text)
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}
