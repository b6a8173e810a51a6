package safetext

import (
	"unicode"
	"unicode/utf8"
)

// Unsafe reports whether r must not reach a terminal or a model: a control character, a separator
// that some programs read as a line end, or an invisible character such as a zero-width space, a
// direction mark, a tag character or an invisible operator. Private-use characters also count,
// because their appearance is unknown.
//
// Joiners and variation selectors are part of some scripts and of emoji. They are unsafe only where
// they change nothing visible, so Unsafe returns false for them.
func Unsafe(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r < 0xad:
		return false
	case joiner(r), selector(r):
		return false
	case r == 0x2028, r == 0x2029, !utf8.ValidRune(r):
		return true
	case r >= 0x0600 && r <= 0x0605, r == 0x06dd, r == 0x070f, r == 0x08e2, r == 0x110bd, r == 0x110cd:
		return false // visible signs of Arabic and Kaithi
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Co)
}

// joiner reports whether r joins or separates the characters around it.
func joiner(r rune) bool { return r == 0x200c || r == 0x200d }

// selector reports whether r selects a form of the character before it.
func selector(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

// hidden reports whether r is unsafe after the character before; before is 0 at the start of a
// text. Of several joiners or selectors in a row, only the first is safe, because the others could
// encode a hidden text.
func hidden(r, before rune) bool {
	switch {
	case joiner(r):
		return before < 0xa0 || joiner(before) || Unsafe(before) || unicode.IsSpace(before)
	case selector(r):
		return before <= ' ' || joiner(before) || selector(before) || Unsafe(before) || unicode.IsSpace(before)
	}
	return Unsafe(r)
}

// plain reports whether a text is printable ASCII, as most texts are. With lines set, line feeds
// and tabs are allowed, too.
func plain(text string, lines bool) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; (c < 0x20 || c >= 0x7f) && (!lines || c != '\n' && c != '\t') {
			return false
		}
	}
	return true
}
