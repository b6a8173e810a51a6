// Package words reads the words of a digest: those of a status that count only as a whole, those
// of a phase and a plan counter, and those for nothing.
package words

import "strings"

// Whole reports whether GSD 1.14 has a canonical word for the text of a status: all of it is a
// known status or has one of the forms that its commands write (D47).
func Whole(text string) bool {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	switch text {
	case "paused", "stopped", "executing", "in progress", "ready to execute", "planning", "ready to plan",
		"planning complete", "discussing", "verifying", "completed", "done", "phase complete",
		"phase complete — ready for verification", "all phases complete", "milestone complete":
		return true
	}
	first, rest, _ := strings.Cut(text, " ")
	if mark, ok := strings.CutPrefix(text, "complete"); ok {
		mark = strings.TrimSpace(mark)
		return mark == "" || mark == "✓" || mark == "✔" || mark == "✅" || mark == "☑"
	}
	switch first {
	case "executing", "planning", "verifying":
		id, ok := strings.CutPrefix(rest, "phase ")
		return ok && !strings.Contains(id, " ")
	case "phase":
		id, ok := strings.CutSuffix(rest, " complete")
		return ok && !strings.Contains(id, " ")
	}
	return rest == "milestone complete"
}

// Null reports whether a value says that there is none.
func Null(value string) bool { return value == "" || value == "null" || value == "~" }

// OrNone returns a value, or the word that GSD's templates have for none.
func OrNone(value string) string {
	if Null(value) {
		return "None"
	}
	return value
}
