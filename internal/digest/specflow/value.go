package specflow

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// parseActive reads the value that names an active specification (specflow.md 5.5.2): a bare id,
// one with a title after a dash, in bold or in back-ticks, or a path of its file. none tells that
// the value says that there is none. Without a code such as SPEC-003a a single word is the id, and
// several words are a title without id.
func parseActive(value string) (id, title string, none bool) {
	value = strings.TrimSpace(value)
	if isNone(value) {
		return "", "", true
	}
	start, end := findCode(value)
	if start < 0 {
		word := unmark(value)
		if strings.ContainsAny(word, " \t") {
			return "", word, false
		}
		return strings.TrimSuffix(word[strings.LastIndexByte(word, '/')+1:], ".md"), "", false
	}
	rest := strings.TrimPrefix(value[end:], ".md")
	rest = strings.TrimSpace(strings.TrimLeft(rest, "`*_])"))
	for _, dash := range [...]string{"—", "–", "-", ":"} {
		if cut, ok := strings.CutPrefix(rest, dash); ok {
			rest = strings.TrimSpace(cut)
			break
		}
	}
	return value[start:end], unmark(rest), false
}

// isNone reports whether a value means that nothing is there. Besides the words of 5.5.2 a "none"
// with a remark after it counts: "None (SPEC-7 is done)" names no active specification.
func isNone(value string) bool {
	v := strings.ToLower(strings.Trim(unmark(value), "[](){}_* \t"))
	switch v {
	case "", "-", "--", "---", "–", "—", "none":
		return true
	}
	rest, ok := strings.CutPrefix(v, "none")
	if !ok {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return strings.ContainsRune(" \t|(),;:.–—)]", r)
}

// unmark takes one pair of back-ticks or bold marks from around a text.
func unmark(text string) string {
	text = strings.TrimSpace(text)
	for _, mark := range [...]string{"**", "__", "`"} {
		if len(text) >= 2*len(mark) && strings.HasPrefix(text, mark) && strings.HasSuffix(text, mark) {
			return strings.TrimSpace(text[len(mark) : len(text)-len(mark)])
		}
	}
	return text
}

// findCode returns the place of the first code: a capital letter, capitals and digits, and at least
// one part after a hyphen, as in SPEC-003a or SPEC-GSD-A (SF-36). start is -1 if there is none.
func findCode(text string) (start, end int) {
	for i := 0; i < len(text); i++ {
		if !capital(text[i]) {
			continue
		}
		j := i + 1
		for j < len(text) && (capital(text[j]) || digit(text[j])) {
			j++
		}
		end := j
		for end < len(text) && text[end] == '-' {
			k := end + 1
			for k < len(text) && alphanumeric(text[k]) {
				k++
			}
			if k == end+1 {
				break
			}
			end = k
		}
		if end > j {
			return i, end
		}
		i = j - 1
	}
	return -1, -1
}

// codes returns every code of a text, in its order.
func codes(text string) []string {
	var out []string
	for {
		start, end := findCode(text)
		if start < 0 {
			return out
		}
		out = append(out, text[start:end])
		text = text[end:]
	}
}

// idOf returns the id that a cell names, "" for none.
func idOf(cell string) string {
	id, title, none := parseActive(cell)
	if none || id == "" && title == "" {
		return ""
	}
	if id == "" {
		return title
	}
	return id
}

// SameID reports whether two ids name one specification: case does not matter, the whole id does
// (5.12).
func SameID(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

// Word brings a status word into the form in which statuses are compared (5.4): lower case, blanks
// and hyphens as underscores, reviewing as review, draft as drafting, complete as done. It is for
// queries only, never written.
func Word(status string) string {
	w := strings.ToLower(unmark(status))
	w = strings.NewReplacer(" ", "_", "-", "_").Replace(w)
	switch w {
	case "reviewing":
		return "review"
	case "draft":
		return "drafting"
	case "complete", "completed":
		return "done"
	}
	return w
}

// Statuses returns the status words of 5.4, normalised, in the order of a specification's life.
func Statuses() []string {
	return []string{
		"idle", "drafting", "auditing", "revision_requested", "external_review", "audited", "needs_decomposition",
		"running",
		"review", "done", "blocked", "archived",
	}
}

// knownStatus reports whether a normalised word is one of 5.4, or says that there is none.
func knownStatus(word string) bool {
	switch word {
	case "", "—", "–", "_", "none":
		return true
	}
	return slices.Contains(Statuses(), word)
}

func capital(c byte) bool      { return c >= 'A' && c <= 'Z' }
func digit(c byte) bool        { return c >= '0' && c <= '9' }
func alphanumeric(c byte) bool { return digit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }

// fold makes a text fit for one line: line breaks and other control characters become one blank
// (SF-D13).
func fold(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return r == ' ' || r < 0x20 || r == 0x7f || r == 0x85
	}), " ")
}
