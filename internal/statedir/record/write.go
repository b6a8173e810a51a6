package record

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"baton/internal/statedir"
)

// encode returns a value in the first form that both YAML and the original tool read unchanged
// (5.6.3).
func (v recordValue) encode() string {
	if v.json != nil {
		return encodeJSON(string(v.json))
	}
	switch plain := v.plain.(type) {
	case bool:
		return strconv.FormatBool(plain)
	case int64:
		return strconv.FormatInt(plain, 10)
	case string:
		return encodeText(plain)
	}
	return "null"
}

// encodeText returns a text. The quoted form is always correct. The others are for the original
// tool, which does not know that a backslash in quotes is doubled.
func encodeText(s string) string {
	switch {
	case needsQuotes(s):
		return quoteRecord(s)
	case !strings.Contains(s, `\`):
		if strings.ContainsAny(s, `:#"`) {
			return quoteRecord(s)
		}
	case strings.HasSuffix(s, ":"), hasAny(s, ": ", ":\t", " #", "\t#"):
		return quoteRecord(s)
	}
	return s
}

// needsQuotes reports whether YAML would read a text without quotes as another value, or reject it.
func needsQuotes(s string) bool {
	return s == "" || readScalar(s) != any(s) || resolves(s) || !isPlain(s)
}

// isPlain reports whether a non-empty text can begin and end without quotes, and contains no
// character that needs an escape.
func isPlain(s string) bool {
	if s == "-" || s == "?" || strings.IndexByte("[]{}&*!|>%@'\"`,#", s[0]) >= 0 {
		return false
	}
	if strings.TrimFunc(s, statedir.IsBlank) != s || (s[0] == '-' || s[0] == '?') && (s[1] == ' ' || s[1] == '\t') {
		return false
	}
	return !strings.ContainsFunc(s, mustEscape)
}

// hasAny reports whether a text contains one of several parts.
func hasAny(s string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}

// mustEscape reports whether a character needs an escape: control characters except TAB, characters
// that some readers treat as line ends, and characters that YAML does not allow.
func mustEscape(r rune) bool {
	switch r {
	case '\t':
		return false
	case '\u2028', '\u2029', '\ufeff', '\ufffe', '\uffff':
		return true
	}
	return unicode.IsControl(r)
}

// quoteRecord returns a text in double quotes, always on one line (SD-D16).
func quoteRecord(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case mustEscape(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	b.WriteByte('"')
	return b.String()
}

// encodeJSON returns a JSON text without blanks. A list or an object is quoted, unless it contains
// a backslash, because the original tool would not read a doubled one.
func encodeJSON(text string) string {
	if text[0] != '{' && text[0] != '[' {
		if text[0] != '"' {
			return text // true, false or a number, which YAML reads in the same way
		}
		return encodeText(text)
	}
	if strings.Contains(text, `\`) && flowYAML(text) {
		return text
	}
	return quoteRecord(text)
}

// longestFlowKey is the longest key in unquoted JSON, because YAML looks no further for the colon
// after it.
const longestFlowKey = 1000

// flowYAML reports whether YAML reads a JSON text unchanged. It does except for three escapes and
// very long keys.
func flowYAML(text string) bool {
	if strings.ContainsFunc(text, mustEscape) {
		return false
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		begin := i
		for i++; text[i] != '"'; i++ {
			if text[i] != '\\' {
				continue
			}
			if i++; text[i] == '/' || text[i] == 'u' && strings.IndexByte("dD", text[i+1]) >= 0 {
				return false
			}
		}
		if i-begin > longestFlowKey && i+1 < len(text) && text[i+1] == ':' {
			return false
		}
	}
	return true
}
