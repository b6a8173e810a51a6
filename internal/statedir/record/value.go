package record

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// exactNumber is the highest number that every reader of the record can represent exactly: 2^53 -
// 1.
const exactNumber = 1<<53 - 1

// read returns the value of a key from its line, or from the lines below it.
func (r *Record) read(name string, spot recordSpot) recordValue {
	var v recordValue
	text := r.text[spot.value:spot.end]
	if r.isBlock(spot) {
		text = r.blockText(spot)
		v.plain = text
	} else {
		if joined, ok := r.continued(spot); ok {
			text = joined
		}
		v.plain = readScalar(text)
		if unquoted, ok := v.plain.(string); ok {
			text = unquoted
		}
	}
	if isJSONKey(name) && v.plain != nil {
		if parsed, ok := parseJSON(text); ok {
			return parsed
		}
	}
	return v
}

// isJSONKey reports whether the value of a key is read as JSON (rule 5). For other keys, text in
// braces stays text (SD-K40).
func isJSONKey(name string) bool { return name == historyKey || strings.HasSuffix(name, "_json") }

// parseJSON returns the value of a JSON text. ok is false if the text is not JSON.
func parseJSON(text string) (recordValue, bool) {
	var out bytes.Buffer
	if !utf8.ValidString(text) || !json.Valid([]byte(text)) || json.Compact(&out, []byte(text)) != nil {
		return recordValue{}, false
	}
	if out.String() == "null" {
		return recordValue{}, true
	}
	return recordValue{json: out.Bytes()}, true
}

// readScalar reads the text after a colon (rules 3 and 4).
func readScalar(text string) any {
	switch text {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	if n, ok := readNumber(text); ok {
		return n
	}
	if inner, ok := inside(text, '"'); ok {
		return unescape(inner)
	}
	if inner, ok := inside(text, '\''); ok {
		// For YAML, a single quote inside ends the text, so the rest would not be part of the
		// value.
		if rest := strings.ReplaceAll(inner, "''", ""); !strings.Contains(rest, "'") {
			return strings.ReplaceAll(inner, "''", "'")
		}
	}
	return text
}

// inside returns the text between two quotes at its ends.
func inside(text string, quote byte) (string, bool) {
	if n := len(text); n >= 2 && text[0] == quote && text[n-1] == quote {
		return text[1 : n-1], true
	}
	return "", false
}

// readNumber reads digits and ignores leading zeros. A number above exactNumber stays a text, so
// that it is not rounded.
func readNumber(text string) (int64, bool) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	digits := strings.TrimLeft(text, "0")
	if digits == "" {
		return 0, true
	}
	if len(digits) > len("9007199254740991") {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil && n <= exactNumber
}

// unescape decodes the escapes of a quoted text. A backslash before any other character stands for
// itself.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			i++
			continue
		}
		r, size := escaped(text[i:])
		b.WriteRune(r)
		i += size
	}
	return b.String()
}

// escaped returns the character for which an escape stands, and the length of the escape.
func escaped(text string) (r rune, size int) {
	switch text[1] {
	case 'n':
		return '\n', 2
	case '"', '\\':
		return rune(text[1]), 2
	case 'x':
		if r, ok := hexRune(text, 2); ok {
			return r, 4
		}
	case 'u':
		r, ok := hexRune(text, 4)
		if !ok {
			break
		}
		if !utf16.IsSurrogate(r) {
			return r, 6
		}
		if len(text) >= 12 && text[6:8] == `\u` {
			second, ok := hexRune(text[6:], 4)
			if pair := utf16.DecodeRune(r, second); ok && pair != utf8.RuneError {
				return pair, 12
			}
		}
	}
	return '\\', 1
}

// hexRune reads the digits of an escape after its letter.
func hexRune(text string, digits int) (rune, bool) {
	if len(text) < 2+digits {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:2+digits], 16, 32)
	return rune(n), err == nil
}
