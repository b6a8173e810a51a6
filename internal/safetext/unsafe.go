package safetext

import (
	"unicode"
	"unicode/utf8"
)

// Unsafe reports whether r must not reach a terminal or a model: a control character, a separator
// that some programs take for the end of a line, or a character that nobody sees, such as a
// zero-width space, a mark of direction, a tag character or an invisible operator. Characters for
// private use count too: nobody knows what they show.
//
// Joiners and variation selectors are part of some scripts and of emoji. They are unsafe only in
// places where they change nothing that a reader sees, so Unsafe reports false for them.
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
		return false // signs of Arabic and Kaithi, which are seen
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Co)
}

// joiner reports whether r joins the characters around it or keeps them apart.
func joiner(r rune) bool { return r == 0x200c || r == 0x200d }

// selector reports whether r chooses one of several forms of the character before it.
func selector(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

// hidden reports whether r is unsafe after the character before, which is 0 at the beginning of a
// text. Of several joiners or selectors in a row only the first is safe: a text could be hidden in
// the others.
func hidden(r, before rune) bool {
	switch {
	case joiner(r):
		return before < 0xa0 || joiner(before) || Unsafe(before) || unicode.IsSpace(before)
	case selector(r):
		return before <= ' ' || joiner(before) || selector(before) || Unsafe(before) || unicode.IsSpace(before)
	}
	return Unsafe(r)
}

// plain reports whether a text is printable ASCII, which most texts are, and for lines also line
// feeds and tabs.
func plain(text string, lines bool) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; (c < 0x20 || c >= 0x7f) && (!lines || c != '\n' && c != '\t') {
			return false
		}
	}
	return true
}
