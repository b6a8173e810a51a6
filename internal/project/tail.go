package project

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tailLimit is the most that evidence keeps of a command's output, in bytes (D6).
const tailLimit = 2 << 10

// tail keeps the end of what is written to it: more than the limit, because escape sequences are taken out later.
type tail struct{ buf []byte }

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	const keep = 4 * tailLimit
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*keep {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-keep:]...)
	}
	return len(p), nil
}

// String gives the last tailLimit bytes, neutralised, cut at a character.
func (t *tail) String() string {
	text := strings.TrimRight(neutral(string(t.buf)), "\n")
	if cut := len(text) - tailLimit; cut > 0 {
		for cut < len(text) && !utf8.RuneStart(text[cut]) {
			cut++
		}
		text = text[cut:]
	}
	return text
}

// neutral takes out of a text what a terminal would act on: escape sequences, control characters except line feed
// and tab, and marks that turn the direction of writing (D6, TS-24). Bytes that are not UTF-8 become U+FFFD.
func neutral(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		if text[i] == 0x1b {
			i += escapeLength(text[i:])
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == utf8.RuneError && size == 1:
			b.WriteRune(utf8.RuneError)
		case unicode.IsControl(r), r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// escapeLength measures the escape sequence at the start of text: CSI up to its final byte, OSC and its kin up to
// BEL or ST within the line, anything else two bytes.
func escapeLength(text string) int {
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
