package checklist

import (
	"strings"

	"baton/internal/task"
)

// Behind divides the text of a box into its title and what it waits for: "after #2" or "after #2
// and #3" at its end, the same in brackets, or "(after: Title)". The references are ids with their
// number sign, or one text that is a title or several with commas between them.
func Behind(text string) (title string, after []string) {
	lower := lowered(text)
	if strings.HasSuffix(text, ")") {
		if i := strings.LastIndex(lower, "(after:"); i >= 0 {
			inner := strings.TrimSpace(text[i+len("(after:") : len(text)-1])
			if ids := idsOf(inner); ids != nil {
				return trimmed(text[:i]), ids
			}
			if inner != "" {
				return trimmed(text[:i]), []string{inner}
			}
		}
		if i := strings.LastIndex(lower, "(after "); i >= 0 {
			if ids := idsOf(text[i+len("(after ") : len(text)-1]); ids != nil {
				return trimmed(text[:i]), ids
			}
		}
		return text, nil
	}
	i := strings.LastIndex(lower, "after ")
	if i < 0 || i > 0 && text[i-1] != ' ' && text[i-1] != ',' && text[i-1] != ';' {
		return text, nil
	}
	if ids := idsOf(text[i+len("after "):]); ids != nil {
		return trimmed(text[:i]), ids
	}
	return text, nil
}

// lowered returns a text with its ASCII letters in lower case, so that positions stay.
func lowered(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// trimmed removes blanks and separators from the end of a title.
func trimmed(title string) string { return strings.TrimRight(title, " ,;:–—-") }

// split divides a list at commas, semicolons and "and".
func split(text string) []string {
	var out []string
	text = strings.NewReplacer(";", ",", " and ", ",", " & ", ",").Replace(text)
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// idsOf returns the ids of a list of nothing but ids, each with its number sign.
func idsOf(text string) []string {
	parts := split(text)
	for _, part := range parts {
		id, ok := strings.CutPrefix(part, "#")
		if _, err := task.ParseID(id); !ok || err != nil {
			return nil
		}
	}
	return parts
}
