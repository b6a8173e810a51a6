package phases

import "strings"

// wordAhead reports whether a text begins with a word, in any case, followed by a blank.
func wordAhead(text, word string) bool {
	return len(text) > len(word) && strings.EqualFold(text[:len(word)], word) && (text[len(word)] == ' ' ||
		text[len(word)] == '\t')
}

// phaseHeading reads "[tag] Phase 3 (tag): name".
func phaseHeading(text string) (id, name string, ok bool) {
	if strings.HasPrefix(text, "[") {
		_, rest, closed := strings.Cut(text, "]")
		if !closed {
			return "", "", false
		}
		text = strings.TrimLeft(rest, " \t")
	}
	if !wordAhead(text, "phase") {
		return "", "", false
	}
	id, rest := token(strings.TrimLeft(text[len("phase"):], " \t"))
	rest = strings.TrimLeft(rest, " \t")
	if strings.HasPrefix(rest, "(") {
		_, rest, ok = strings.Cut(rest, ")")
		if !ok {
			return "", "", false
		}
		rest = strings.TrimLeft(rest, " \t")
	}
	if id == "" || !strings.HasPrefix(rest, ":") {
		return "", "", false
	}
	return id, tidy(rest[1:]), true
}

// phaseBullet reads "- [ ] **Phase 3 — name**". The box is optional. Without bold marks, the bullet
// gives a phase's state and name but does not declare a phase.
func phaseBullet(line string) (mention, bool) {
	text := strings.TrimLeft(line, " \t")
	if len(text) < 2 || text[0] != '-' && text[0] != '*' || text[1] != ' ' && text[1] != '\t' {
		return mention{}, false
	}
	text = strings.TrimLeft(text[1:], " \t")
	var m mention
	box := len(text) > 3 && text[0] == '[' && text[2] == ']' && strings.IndexByte(" xX", text[1]) >= 0
	if box {
		m.checked = text[1] != ' '
		text = strings.TrimLeft(text[3:], " \t")
	}
	text, m.strong = strings.CutPrefix(text, "**")
	if !box && !m.strong || !wordAhead(text, "phase") {
		return mention{}, false
	}
	id, rest := token(strings.TrimLeft(text[len("phase"):], " \t"))
	name, ok := behindSeparator(rest)
	if at := strings.LastIndexByte(id, '-'); !ok && at > 0 && at+1 < len(id) && !digit(id[at+1]) { // **Phase 3-Name**
		id, name, ok = id[:at], id[at+1:]+rest, true
	}
	if !ok && m.strong || id == "" {
		return mention{}, false
	}
	m.id, m.name = id, bulletName(name, m.strong)
	return m, true
}

// behindSeparator removes the separator between an id and a name: a dash of any length, or a colon.
func behindSeparator(text string) (string, bool) {
	text = strings.TrimLeft(text, " \t")
	for _, sep := range [...]string{":", "—", "–", "-"} {
		if rest, ok := strings.CutPrefix(text, sep); ok {
			return rest, true
		}
	}
	return "", false
}

// bulletName returns the name in the rest of a bullet: up to the end of the bold text, or to the
// dash before a description.
func bulletName(text string, strong bool) string {
	if strong {
		inside, outside, closed := strings.Cut(text, "**")
		if closed && strings.TrimSpace(inside) == "" {
			inside = outside // **Phase 3:** name
		}
		return tidy(inside)
	}
	for _, sep := range [...]string{" — ", " – ", " - "} {
		text, _, _ = strings.Cut(text, sep)
	}
	return tidy(text)
}

// tidy removes marks and blanks from both ends of a name.
func tidy(name string) string {
	name = strings.Trim(name, " \t*")
	return strings.TrimRight(strings.TrimRight(name, "✅✓✔☑"), " \t*")
}
