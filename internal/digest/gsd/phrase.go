package gsd

import (
	"strings"
	"unicode/utf8"
)

// phasePhrase is the content of a Phase field such as "3 of 8 (Name) — EXECUTING" (1.2).
type phasePhrase struct {
	id    string // as written, without a project code
	total string // the number after "of", or ""
	name  string // or ""
}

// parsePhase reads the value of a Phase field. The result is empty for a value that does not begin
// with an id.
func parsePhase(value string) phasePhrase {
	var p phasePhrase
	rest := strings.TrimLeft(value, " \t")
	if len(rest) >= 6 && strings.EqualFold(rest[:5], "phase") && isBlank(rest[5]) {
		rest = strings.TrimLeft(rest[5:], " \t")
	}
	id, rest := phaseToken(projectCode(rest))
	if id == "" {
		return p
	}
	p.id = id
	if of, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t"), "of"); ok && of != "" && isBlank(of[0]) {
		of = strings.TrimLeft(of, " \t")
		n := 0
		for n < len(of) && isDigit(of[n]) {
			n++
		}
		p.total = of[:n]
	}
	p.name = phaseName(rest)
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
	plain, paren := withoutParens(rest)
	dash := dashText(plain)
	name := dash
	if dash == "" || statusWord(dash) || paren != "" && allCaps(dash) {
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

// shortName returns a name as it is read from a Phase line, which leaves out what is in
// parentheses. It returns "" for a name without them.
func shortName(name string) string {
	if !strings.Contains(name, "(") {
		return ""
	}
	plain, _ := withoutParens(name)
	return strings.TrimSpace(plain)
}

// withoutParens removes everything in parentheses and returns the first such text.
func withoutParens(text string) (plain, first string) {
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

// dashText returns the text after the first em dash that is followed by at most 200 characters.
func dashText(text string) string {
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

// statusWord reports whether a text describes the state of a phase and not its name.
func statusWord(text string) bool {
	low := strings.ToLower(text)
	switch low {
	case "complete", "completed", "executing", "not started", "planning", "planned", "ready", "done", "in progress",
		"blocked", "paused", "verifying":
		return true
	}
	return strings.HasPrefix(low, "ready to ") || strings.HasPrefix(low, "milestone:")
}

// allCaps reports whether text is one word in capital letters.
func allCaps(text string) bool {
	return text != "" && !strings.ContainsAny(text, " \t") && text == strings.ToUpper(text) &&
		text != strings.ToLower(text)
}

// planPhrase reads the plan counter: "A of B…" or "A". B is "?" if the number of plans is unknown.
// tail is the text after it, which every change keeps.
func planPhrase(value string) (a, b, tail string) {
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

// Phase returns the id of the phase that something new belongs to: the active one, or else the
// current one, or "" if the digest names none. The value may say more than an id ("Phase 1 -
// Core"), or that no phase has begun ("Not started").
func (m Model) Phase() string {
	if m.ActivePhase != "" {
		return m.ActivePhase
	}
	if id := parsePhase(m.CurrentPhase).id; id != "" {
		return id
	}
	if strings.ContainsAny(m.CurrentPhase, "0123456789") && !strings.ContainsAny(m.CurrentPhase, " \t") {
		return m.CurrentPhase
	}
	return ""
}
