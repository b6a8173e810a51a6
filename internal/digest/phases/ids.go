package phases

import (
	"cmp"
	"strings"
)

// Same reports whether two ids name one phase: padding zeros and case do not matter, and a project
// code counts only where both have one (PROJ-42 is 42, and is not ABC-42).
func Same(a, b string) bool { return sameKey(key(a), key(b)) }

func sameKey(a, b string) bool {
	if a == b {
		return true
	}
	codeA, restA := splitCode(a)
	codeB, restB := splitCode(b)
	return restA == restB && (codeA == "" || codeB == "")
}

// key is what ids are compared by.
func key(id string) string { return strings.ToLower(plain(strings.TrimSpace(id))) }

// plain takes away the zeros that pad the number of a part between hyphens: 04.1 becomes 4.1, 46-06
// becomes 46-6.
func plain(id string) string {
	if !strings.Contains(id, "0") {
		return id
	}
	parts := strings.Split(id, "-")
	for i, part := range parts {
		for len(part) > 1 && part[0] == '0' && digit(part[1]) {
			part = part[1:]
		}
		parts[i] = part
	}
	return strings.Join(parts, "-")
}

// splitCode takes a project code off an id: letters and digits that begin with a letter, a hyphen,
// then a digit.
func splitCode(id string) (code, rest string) {
	at := strings.IndexByte(id, '-')
	if at <= 0 || at+1 >= len(id) || !digit(id[at+1]) || !letter(id[0]) {
		return "", id
	}
	for i := range at {
		if !letter(id[i]) && !digit(id[i]) {
			return "", id
		}
	}
	return id[:at], id[at+1:]
}

// dirCode is splitCode for the name of a folder, where only capitals make a code: notes-2026 is no
// phase 2026.
func dirCode(name string) (code, rest string) {
	code, rest = splitCode(name)
	if code != strings.ToUpper(code) {
		return "", name
	}
	return code, rest
}

// lead returns the number that a text begins with: digits, perhaps a letter, perhaps dotted parts.
// 12A-buoys gives 12A.
func lead(text string) string {
	n := 0
	for n < len(text) && digit(text[n]) {
		n++
	}
	if n == 0 {
		return ""
	}
	if n < len(text) && letter(text[n]) && (n+1 == len(text) || !letter(text[n+1]) && !digit(text[n+1])) {
		n++
	}
	return text[:n+dotted(text[n:])]
}

// dotted returns the length of the parts like ".3" that a text begins with.
func dotted(text string) int {
	n := 0
	for n+1 < len(text) && text[n] == '.' && digit(text[n+1]) {
		for n++; n < len(text) && digit(text[n]); n++ {
		}
	}
	return n
}

// continued lengthens a leading number by parts of exactly two digits: 46-06 of 46-06-rs.
func continued(name string, n int) int {
	for n+2 < len(name) && name[n] == '-' && digit(name[n+1]) && digit(name[n+2]) && (n+3 == len(name) ||
		name[n+3] == '-') {
		n += 3
	}
	return n
}

// leadCode returns the letters and digits, with dotted parts, that a name begins with: P0.3 of
// P0.3-piers.
func leadCode(name string) string {
	n := 0
	for n < len(name) && (letter(name[n]) || digit(name[n])) {
		n++
	}
	return name[:n+dotted(name[n:])]
}

// token reads a phase's id at the start of a text and gives what follows it. There is none without
// a digit or letter.
func token(text string) (id, rest string) {
	n := 0
	for n < len(text) {
		c := text[n]
		if !letter(c) && !digit(c) && c != '_' && (n == 0 || c != '.' && c != '-') {
			break
		}
		n++
	}
	return text[:n], text[n:]
}

func hasDigit(id string) bool { return strings.ContainsAny(id, "0123456789") }

// sentinel reports whether an id stands for no phase of a milestone: its leading integer is 0 or
// 999 (GSD-28).
func sentinel(id string) bool {
	_, rest := splitCode(id)
	n := 0
	for n < len(rest) && digit(rest[n]) {
		n++
	}
	return n > 0 && (strings.Trim(rest[:n], "0") == "" || strings.TrimLeft(rest[:n], "0") == "999")
}

// compare orders ids by number: digits as numbers, everything else by letter, a project code last.
func compare(a, b string) int {
	a, b = key(a), key(b)
	codeA, restA := splitCode(a)
	codeB, restB := splitCode(b)
	return cmp.Or(natural(restA, restB), strings.Compare(codeA, codeB), strings.Compare(a, b))
}

func natural(a, b string) int {
	for a != "" && b != "" {
		if digit(a[0]) && digit(b[0]) {
			x, y := digits(a), digits(b)
			a, b = a[len(x):], b[len(y):]
			x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)); c != 0 {
				return c
			}
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func digits(text string) string {
	n := 0
	for n < len(text) && digit(text[n]) {
		n++
	}
	return text[:n]
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func word(c byte) bool { return letter(c) || digit(c) || c == '_' }
