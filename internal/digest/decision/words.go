package decision

import (
	"slices"
	"strings"
)

// decisionTitle reports whether a heading of the given level begins a decision section (SF-D26;
// gsd.md N8). more has further titles from the configuration, for headings in other languages.
func decisionTitle(form Form, level int, title string, more []string) bool {
	if level != 2 && (form == Specflow || level != 3) {
		return false
	}
	for _, t := range more {
		if strings.EqualFold(strings.TrimSpace(t), title) {
			return true
		}
	}
	low := strings.ToLower(title)
	if form == Specflow {
		return low == "decisions" || low == "recent decisions"
	}
	return low == "decisions" || low == "decisions made" ||
		strings.HasPrefix(low, "accumulated") && strings.HasSuffix(low, "decisions")
}

// canonical returns the canonical name of a column (specflow.md 5.5.3), or its own name in lower
// case if it has none.
func canonical(label string) string {
	name := strings.ToLower(strings.Trim(label, " \t*_`"))
	switch name {
	case "date", "when":
		return "date"
	case "specification", "spec", "spec-id", "spec id":
		return "spec"
	case "decision", "summary", "text":
		return "decision"
	default:
		return name
	}
}

// known reports whether a canonical name can occur in a table of decisions. A header without its
// delimiter row is recognised by having no other columns.
func known(name string) bool {
	switch name {
	case "date", "spec", "decision", "reason", "rationale", "phase":
		return true
	}
	return false
}

// columns returns the canonical names of header cells. Each name that baton needs is used only
// once: of two columns that could be the decision, the one with exactly that name is, or else the
// first. "ID" is the specification only if no other column is (specflow.md 5.5.3).
func columns(labels []string) []string {
	names := make([]string, len(labels))
	for i, label := range labels {
		names[i] = canonical(label)
	}
	for _, want := range [...]string{"date", "spec", "decision"} {
		keep := slices.Index(names, want)
		for i, name := range names {
			if name == want && strings.EqualFold(strings.TrimSpace(labels[i]), want) {
				keep = i
				break
			}
		}
		for i, name := range names {
			if name == want && i != keep {
				names[i] = strings.ToLower(labels[i]) + "\x00" // a unique name
			}
		}
	}
	if id := slices.Index(names, "id"); id >= 0 && !slices.Contains(names, "spec") {
		names[id] = "spec"
	}
	return names
}

// nothing reports whether a cell is empty or contains only dashes (SF-D12).
func nothing(cell []byte) bool {
	for _, r := range string(cell) {
		switch r {
		case ' ', '\t', '-', '–', '—':
		default:
			return false
		}
	}
	return true
}

// noneWord reports whether a text only says that there are no decisions yet (GSD-V3).
func noneWord(text string) bool {
	text = strings.TrimSuffix(strings.TrimSpace(text), ".")
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "none", "none yet", "no decisions yet":
		return true
	}
	return false
}

// templateBullet reports whether a bullet is still the template's: "[Phase X]: [Decision summary]"
// (gsd.md N8).
func templateBullet(text string) bool {
	if text == "" || noneWord(text) {
		return true
	}
	rest, ok := strings.CutPrefix(text, "[Phase ")
	if !ok {
		return false
	}
	phase, rest, ok := strings.Cut(rest, "]")
	rest = strings.TrimSpace(strings.TrimPrefix(rest, ":"))
	if !ok || len(rest) < 3 || rest[0] != '[' || strings.IndexByte(rest, ']') != len(rest)-1 {
		return false
	}
	return strings.EqualFold(rest, "[Decision summary]") || phase == "X" || phase == "Y" || phase == "Z"
}

// specPrefix splits a leading "SPEC-…:" off a text. Rows with two columns name their specification
// like that (SF-D15).
func specPrefix(text string) (spec, rest string, ok bool) {
	if !strings.HasPrefix(text, "SPEC-") {
		return "", text, false
	}
	for i := len("SPEC-"); i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-':
		case c == ':' && i > len("SPEC-"):
			return text[:i], strings.TrimSpace(text[i+1:]), true
		default:
			return "", text, false
		}
	}
	return "", text, false
}
