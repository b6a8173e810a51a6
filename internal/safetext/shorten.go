package safetext

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Ellipsis ends a text that was shortened.
const Ellipsis = "…"

// Columns shortens a text to at most so many terminal columns, between graphemes. A shortened text
// ends with an ellipsis, which counts.
func Columns(text string, most int) string { return ColumnsWith(text, most, Ellipsis) }

// ColumnsWith is Columns with another ending.
func ColumnsWith(text string, most int, tail string) string {
	if len(text) <= most || displaywidth.String(text) <= most {
		return text
	}
	return displaywidth.TruncateString(text, most, tail)
}

// Ends shortens a text to at most so many terminal columns by leaving out its middle, as paths of
// files need it. Two thirds of what stays are the end.
func Ends(text string, most int) string {
	if len(text) <= most || displaywidth.String(text) <= most {
		return text
	}
	from := len(text)
	for width := 0; from > 0; {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		width += displaywidth.String(text[from-size : from])
		if width > (most-1)*2/3 {
			break
		}
		from -= size
	}
	return Columns(text, most-displaywidth.String(text[from:])) + text[from:]
}

// Runes shortens a text to at most so many characters, of which an ellipsis is the last. It cuts
// between graphemes, so that no emoji or combined character is torn (TS-23). A single grapheme that
// is longer is cut between characters.
func Runes(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimRight(WholeRunes(text, most-1), " ") + Ellipsis
}

// WholeRunes returns at most so many characters from the start of a text, cut like Runes but
// without an ellipsis.
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

// FirstRunes returns at most so many characters from the start of a text.
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

// Bytes shortens a text to at most so many bytes, between characters. A shortened text ends with an
// ellipsis, which does not count.
func Bytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return FirstBytes(text, most) + Ellipsis
}

// FirstBytes returns at most so many bytes from the start of a text, without cutting a character.
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

// ShortHash returns the first seven digits of a commit's hash, the number that git shows.
func ShortHash(hash string) string { return hash[:min(7, len(hash))] }

// StoredHash returns the first twelve digits of a commit's hash. Documents keep so many because
// they remain unique when the repository grows.
func StoredHash(hash string) string { return hash[:min(12, len(hash))] }
