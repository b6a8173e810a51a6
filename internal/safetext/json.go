package safetext

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// EscapeJSON escapes the unsafe characters of a JSON text. They can only be in strings, where an
// escape has the same meaning.
func EscapeJSON(data []byte) []byte {
	return rewriteJSON(data, func(out []byte, r rune, written []byte) []byte {
		switch {
		case len(written) > 0 && written[0] == '\\': // already an escape
			return append(out, written...)
		case r == utf8.RuneError:
			return append(out, "\ufffd"...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			return fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		}
		return fmt.Appendf(out, `\u%04x`, r)
	})
}

// CleanJSON removes the unsafe characters from a JSON text, including escaped ones.
func CleanJSON(data []byte) []byte {
	return rewriteJSON(data, func(out []byte, r rune, _ []byte) []byte {
		if r == utf8.RuneError {
			return append(out, "\ufffd"...)
		}
		return out
	})
}

// rewriteJSON copies a JSON text and calls change for every unsafe character. written is the
// character as it is written. Line ends between values are safe, and so are line feeds and tabs in
// strings.
func rewriteJSON(data []byte, change func(out []byte, r rune, written []byte) []byte) []byte {
	from, before := 0, rune(0)
	var out []byte
	for i := 0; i < len(data); {
		r, size := characterOf(data[i:])
		bad := hidden(r, before) || r == utf8.RuneError && size == 1
		if !bad {
			before = r
		}
		if bad && r != '\n' && r != '\t' && (r != '\r' || size > 1) {
			out = change(append(out, data[from:i]...), r, data[i:i+size])
			from = i + size
		}
		i += size
	}
	if from == 0 {
		return data
	}
	return append(out, data[from:]...)
}

// characterOf returns the first character of a JSON text and the number of bytes in which it is
// written.
func characterOf(data []byte) (rune, int) {
	if data[0] != '\\' || len(data) < 2 {
		if data[0] < utf8.RuneSelf {
			return rune(data[0]), 1
		}
		return utf8.DecodeRune(data)
	}
	r, ok := escape(data)
	if !ok {
		switch data[1] {
		case 'b':
			return '\b', 2
		case 'f':
			return '\f', 2
		case 'r':
			return '\r', 2
		}
		return '\\', 2
	}
	if utf16.IsSurrogate(r) {
		if low, ok := escape(data[6:]); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
			return utf16.DecodeRune(r, low), 12
		}
	}
	return r, 6
}

// escape reads an escape of the form \u0041.
func escape(data []byte) (rune, bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(data[2:6]), 16, 16)
	return rune(n), err == nil
}
