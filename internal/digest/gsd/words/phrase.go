package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Phase is the content of a Phase field such as "3 of 8 (Name) — EXECUTING" (1.2).
type Phase struct {
	ID    string // as written, without a project code
	Total string // the number after "of", or ""
	Name  string // or ""
}

// ParsePhase reads the value of a Phase field. The result is empty for a value that does not begin
// with an id.
func ParsePhase(value string) Phase {
	var p Phase
	rest := strings.TrimLeft(value, " \t")
	if len(rest) >= 6 && strings.EqualFold(rest[:5], "phase") && isBlank(rest[5]) {
		rest = strings.TrimLeft(rest[5:], " \t")
	}
	id, rest := phaseToken(projectCode(rest))
	if id == "" {
		return p
	}
	p.ID = id
	if of, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t"), "of"); ok && of != "" && isBlank(of[0]) {
		of = strings.TrimLeft(of, " \t")
		n := 0
		for n < len(of) && isDigit(of[n]) {
			n++
		}
		p.Total = of[:n]
	}
	p.Name = phaseName(rest)
	return p
}

// projectCode removes a prefix such as "ABC-".
func projectCode(text string) string {
	n := 0
	for n < len(text) && (text[n] >= 'A' && text[n] <= 'Z' || n > 0 && isDigit(text[n])) {
		n++
	}
	if n == 0 || n+1 >= len(text) || text[n] != '-' || !isDigit(text[n+1]) {
		return text
	}
	return text[n+1:]
}

// phaseToken reads digits, an optional letter, and dotted parts, up to the end of a word.
func phaseToken(text string) (id, rest string) {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	if n == 0 {
		return "", text
	}
	if n < len(text) && isLetter(text[n]) {
		n++
	}
	for n+1 < len(text) && text[n] == '.' && isDigit(text[n+1]) {
		for n++; n < len(text) && isDigit(text[n]); n++ {
		}
	}
	if n < len(text) && (isLetter(text[n]) || isDigit(text[n]) || text[n] == '_') {
		return "", text
	}
	return text[:n], text[n:]
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// maxName is the length of the longest accepted phase name, in characters (1.2).
const maxName = 200

// phaseName finds the name in the text after the id (1.2, GSD-76).
func phaseName(rest string) string {
	plain, paren := WithoutParens(rest)
	dash := DashText(plain)
	name := dash
	if dash == "" || StateWord(dash) || paren != "" && AllCaps(dash) {
		if paren != "" {
			name = paren
		}
	}
	switch strings.ToLower(name) {
	case "complete", "executing", "not started":
		return ""
	}
	return name
}

// ShortName returns a name as it is read from a Phase line, which leaves out what is in
// parentheses. It returns "" for a name without them.
func ShortName(name string) string {
	if !strings.Contains(name, "(") {
		return ""
	}
	plain, _ := WithoutParens(name)
	return strings.TrimSpace(plain)
}

// WithoutParens removes everything in parentheses and returns the first such text.
func WithoutParens(text string) (plain, first string) {
	var b strings.Builder
	for {
		open := strings.IndexByte(text, '(')
		if open < 0 {
			break
		}
		// Inner parentheses belong to the name: "Core (D1a)" in "(Core (D1a))".
		depth, end := 0, -1
		for i := open; i < len(text) && end < 0; i++ {
			switch text[i] {
			case '(':
				depth++
			case ')':
				if depth--; depth == 0 {
					end = i
				}
			}
		}
		if end < 0 {
			break
		}
		if inner := strings.TrimSpace(text[open+1 : end]); first == "" && inner != "" &&
			utf8.RuneCountInString(inner) <= maxName {
			first = inner
		}
		b.WriteString(text[:open])
		text = text[end+1:]
	}
	b.WriteString(text)
	return b.String(), first
}

// DashText returns the text after the first em dash that is followed by at most 200 characters.
func DashText(text string) string {
	for {
		at := strings.Index(text, "—")
		if at < 0 {
			return ""
		}
		text = strings.TrimLeft(text[at+len("—"):], " \t")
		if n := utf8.RuneCountInString(text); n > 0 && n <= maxName {
			return strings.TrimSpace(text)
		}
	}
}

// StateWord reports whether a text describes the state of a phase and not its name.
func StateWord(text string) bool {
	low := strings.ToLower(text)
	switch low {
	case "complete", "completed", "executing", "not started", "planning", "planned", "ready", "done", "in progress",
		"blocked", "paused", "verifying":
		return true
	}
	return strings.HasPrefix(low, "ready to ") || strings.HasPrefix(low, "milestone:")
}

// AllCaps reports whether text is one word in capital letters.
func AllCaps(text string) bool {
	return text != "" && !strings.ContainsAny(text, " \t") && text == strings.ToUpper(text) &&
		text != strings.ToLower(text)
}

// PlanCount reads the plan counter: "A of B…" or "A". B is "?" if the number of plans is unknown.
// tail is the text after it, which every change keeps.
func PlanCount(value string) (a, b, tail string) {
	value = strings.TrimSpace(value)
	n := 0
	for n < len(value) && isDigit(value[n]) {
		n++
	}
	a, rest := value[:n], value[n:]
	if a == "" {
		return "", "", value
	}
	of, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t"), "of")
	if !ok || of == "" || !isBlank(of[0]) {
		return a, "", rest
	}
	of = strings.TrimLeft(of, " \t")
	for n = 0; n < len(of) && isDigit(of[n]); n++ {
	}
	if n == 0 && strings.HasPrefix(of, "?") {
		n = 1
	}
	if n == 0 {
		return a, "", rest
	}
	return a, of[:n], of[n:]
}

// Counts reports whether the words after a plan counter say that it counts complete plans.
func Counts(tail string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(tail), func(r rune) bool { return !unicode.IsLetter(r) }) {
		switch word {
		case "complete", "completed", "done", "landed":
			return true
		}
	}
	return false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
