package specflow

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// parseActive reads the value that names an active specification (specflow.md 5.5.2): a bare id, an
// id with a title after a dash, an id in bold or back-ticks, or the path of its file. none reports
// that the value says "none". Without a code such as SPEC-003a a single word is the id, and several
// words are a title without an id.
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

// isNone reports whether a value means "none". In addition to the words of 5.5.2 it accepts "none"
// with a remark after it: "None (SPEC-7 is done)" names no active specification.
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

// unmark strips one pair of back-ticks or bold marks from around a text.
func unmark(text string) string {
	text = strings.TrimSpace(text)
	for _, mark := range [...]string{"**", "__", "`"} {
		if len(text) >= 2*len(mark) && strings.HasPrefix(text, mark) && strings.HasSuffix(text, mark) {
			return strings.TrimSpace(text[len(mark) : len(text)-len(mark)])
		}
	}
	return text
}

// findCode returns the place of the first code: a capital letter, then capitals and digits, then at
// least one part after a hyphen, as in SPEC-003a or SPEC-GSD-A (SF-36). start is -1 if there is no
// code.
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

// codes returns every code of a text, in the order of the text.
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

// idOf returns the id that a cell names, or "" if it names none.
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

// SameID reports whether two ids name the same specification. Case does not matter, and the whole
// id is compared (5.12).
func SameID(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

// idSet is a set of ids that SameID compares, so that looking one up does not compare it with all.
type idSet map[string]bool

func idKey(id string) string { return strings.ToLower(strings.TrimSpace(id)) }

func (s idSet) add(id string)      { s[idKey(id)] = true }
func (s idSet) has(id string) bool { return s[idKey(id)] }

// idsOf returns the set of the ids of a list.
func idsOf[T any](list []T, id func(T) string) idSet {
	out := make(idSet, len(list))
	for _, x := range list {
		out.add(id(x))
	}
	return out
}

func fileID(f ExecutionFile) string { return f.ID }

// Word normalises a status word for comparison (5.4): lower case, underscores for blanks and
// hyphens, review for reviewing, drafting for draft, done for complete. The result is for queries
// only and is never written.
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

// Statuses returns the normalised status words of 5.4 in the order of a specification's life.
func Statuses() []string {
	return []string{
		"idle", "drafting", "auditing", "revision_requested", "external_review", "audited", "needs_decomposition",
		"running",
		"review", "done", "blocked", "archived",
	}
}

// knownStatus reports whether a normalised word is one of 5.4 or means "none".
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

// fold makes a text fit on one line: every run of line breaks and other control characters becomes
// one blank (SF-D13).
func fold(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return r == ' ' || r < 0x20 || r == 0x7f || r == 0x85
	}), " ")
}
