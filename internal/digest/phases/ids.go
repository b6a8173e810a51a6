package phases

import (
	"cmp"
	"strings"
)

// Same reports whether two ids name the same phase. Leading zeros and case do not matter. A project
// code matters only if both have one: PROJ-42 equals 42 but not ABC-42.
func Same(a, b string) bool { return sameKey(key(a), key(b)) }

func sameKey(a, b string) bool {
	if a == b {
		return true
	}
	codeA, restA := splitCode(a)
	codeB, restB := splitCode(b)
	return restA == restB && (codeA == "" || codeB == "")
}

// places are the positions of ids in a list, by what is left of an id without its code.
type places map[string][]int

func (p places) add(id string, at int) {
	_, rest := splitCode(key(id))
	p[rest] = append(p[rest], at)
}

// of returns the positions of the ids that may be the same as id.
func (p places) of(id string) []int {
	_, rest := splitCode(key(id))
	return p[rest]
}

// key returns the form in which ids are compared.
func key(id string) string { return strings.ToLower(plain(strings.TrimSpace(id))) }

// plain removes leading zeros from the number in each part between hyphens: 04.1 becomes 4.1, 46-06
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

// splitCode splits a project code off an id: letters and digits that begin with a letter, followed
// by a hyphen and a digit.
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

// dirCode is splitCode for the name of a folder, in which a code must be in capitals: notes-2026 is
// not phase 2026.
func dirCode(name string) (code, rest string) {
	code, rest = splitCode(name)
	if code != strings.ToUpper(code) {
		return "", name
	}
	return code, rest
}

// lead returns the number at the start of a text: digits, optionally a letter, optionally dotted
// parts. For 12A-buoys it returns 12A.
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

// dotted returns the length of the parts such as ".3" at the start of a text.
func dotted(text string) int {
	n := 0
	for n+1 < len(text) && text[n] == '.' && digit(text[n+1]) {
		for n++; n < len(text) && digit(text[n]); n++ {
		}
	}
	return n
}

// continued extends a leading number by parts of exactly two digits: 46-06 in 46-06-rs.
func continued(name string, n int) int {
	for n+2 < len(name) && name[n] == '-' && digit(name[n+1]) && digit(name[n+2]) && (n+3 == len(name) ||
		name[n+3] == '-') {
		n += 3
	}
	return n
}

// leadCode returns the letters and digits with dotted parts at the start of a name: P0.3 of
// P0.3-piers.
func leadCode(name string) string {
	n := 0
	for n < len(name) && (letter(name[n]) || digit(name[n])) {
		n++
	}
	return name[:n+dotted(name[n:])]
}

// token reads a phase's id at the start of a text and returns the rest. An id must have a digit or
// letter.
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

// sentinel reports whether an id never stands for a phase of a milestone: its leading integer is 0
// or 999 (GSD-28).
func sentinel(id string) bool {
	_, rest := splitCode(id)
	n := 0
	for n < len(rest) && digit(rest[n]) {
		n++
	}
	return n > 0 && (strings.Trim(rest[:n], "0") == "" || strings.TrimLeft(rest[:n], "0") == "999")
}

// compare orders ids: digits as numbers, other characters as text, a project code last.
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

// Earlier compares two ids part by part: numbers as numbers, the letters after them as text. Ids
// that are not numbers have no order of their own.
func Earlier(a, b string) bool {
	for a != "" && b != "" {
		pa, ra, _ := strings.Cut(a, ".")
		pb, rb, _ := strings.Cut(b, ".")
		if digits(pa) == "" || digits(pb) == "" {
			return false
		}
		if c := natural(digits(pa), digits(pb)); c != 0 {
			return c < 0
		}
		ta, tb := strings.TrimLeft(pa, "0123456789"), strings.TrimLeft(pb, "0123456789")
		if ta != tb {
			return strings.ToLower(ta) < strings.ToLower(tb)
		}
		a, b = ra, rb
	}
	return a == "" && b != ""
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
