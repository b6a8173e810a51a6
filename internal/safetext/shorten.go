package safetext

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Ellipsis is the last character of a text that was cut.
const Ellipsis = "…"

// Columns cuts a text to so many columns of a terminal, between graphemes. A text that was cut ends
// with an ellipsis, which counts.
func Columns(text string, most int) string { return ColumnsWith(text, most, Ellipsis) }

// ColumnsWith does the same with another ending.
func ColumnsWith(text string, most int, tail string) string {
	if len(text) <= most || displaywidth.String(text) <= most {
		return text
	}
	return displaywidth.TruncateString(text, most, tail)
}

// Runes cuts a text to at most so many characters with an ellipsis as the last, between graphemes,
// so that no emoji or combining mark is torn (TS-23). A single grapheme that is longer than that is
// cut between characters.
func Runes(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimRight(WholeRunes(text, most-1), " ") + Ellipsis
}

// WholeRunes returns the beginning of a text, at most so many characters of it, cut as Runes does
// but without an ellipsis.
func WholeRunes(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	count, end := 0, 0
	for g := graphemes.FromString(text); g.Next(); {
		n := utf8.RuneCountInString(g.Value())
		if count+n > most {
			break
		}
		count += n
		end = g.End()
	}
	if end == 0 {
		return FirstRunes(text, most)
	}
	return text[:end]
}

// FirstRunes returns the first characters of a text, at most so many.
func FirstRunes(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return text[:i]
		}
		n++
	}
	return text
}

// Bytes cuts a text to so many bytes, between characters. A text that was cut ends with an
// ellipsis, which does not count.
func Bytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return FirstBytes(text, most) + Ellipsis
}

// FirstBytes returns the first bytes of a text, at most so many, and no half of a character.
func FirstBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most
	for end > 0 && end > most-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// ShortHash returns the first seven digits of a commit's hash, as many as git shows to people.
func ShortHash(hash string) string { return hash[:min(7, len(hash))] }

// StoredHash returns the first twelve digits, which documents keep: they still name one commit when
// the repository has grown.
func StoredHash(hash string) string { return hash[:min(12, len(hash))] }
