package gsd

import (
	"strings"
	"unicode"

	"baton/internal/digest/gsd/template"
	"baton/internal/digest/gsd/words"
)

// The canonical status words (N4).
const (
	statusPaused     = "paused"
	statusExecuting  = "executing"
	statusPlanning   = "planning"
	statusDiscussing = "discussing"
	statusVerifying  = "verifying"
	statusCompleted  = "completed"
	statusUnknown    = "unknown"
)

// Statuses returns the canonical words that a person may write as a status.
func Statuses() []string {
	return []string{statusPlanning, statusDiscussing, statusExecuting, statusVerifying, statusPaused, statusCompleted}
}

// Canonical returns the canonical word for the text of a status, tested in the order of N4. paused
// says that paused_at is set. The word is statusUnknown if no test applies.
func Canonical(raw string, paused bool) string {
	if paused {
		return statusPaused
	}
	word, _ := match(raw)
	return word
}

// StatusText returns the canonical word, or what is written instead of one.
func (m Model) StatusText() string {
	if m.Status == statusUnknown {
		return or(m.StatusRaw, m.Status)
	}
	return m.Status
}

// OwnStatus returns what a person wrote as the Status of the body, if none of the canonical words
// follows from it. The front matter keeps its word then, and both are shown.
func (m Model) OwnStatus() string {
	if m.StatusBody == "" || Canonical(m.StatusBody, false) != statusUnknown || writtenStatus(m.StatusBody) {
		return ""
	}
	return m.StatusBody
}

// match returns the canonical word, and where in raw the part begins that decided it: -1 if no test
// matches.
func match(raw string) (word string, at int) {
	text := strings.ToLower(raw)
	tests := [...]struct{ part, word string }{
		{"paused", statusPaused},
		{"stopped", statusPaused},
		{"executing", statusExecuting},
		{"in progress", statusExecuting},
		{"planning", statusPlanning},
		{"ready to plan", statusPlanning},
		{"discussing", statusDiscussing},
		{"verif", statusVerifying},
		{"complete", statusCompleted},
		{"done", statusCompleted},
		{"ready to execute", statusExecuting},
	}
	for _, t := range tests {
		if at := strings.Index(text, t.part); at >= 0 {
			return t.word, at
		}
	}
	return statusUnknown, -1
}

// ambiguous reports whether the text may mean something other than its canonical word: the deciding
// text is part of another word, or of a long text of no known shape (N4).
func ambiguous(raw string) bool {
	_, at := match(raw)
	if at < 0 {
		return false
	}
	text := []rune(strings.ToLower(raw)[:at])
	if n := len(text); n > 0 && (unicode.IsLetter(text[n-1]) || unicode.IsDigit(text[n-1])) {
		return true
	}
	return len(strings.Fields(raw)) > 6 && !writtenStatus(raw)
}

// writtenStatus reports whether a program wrote the Status in the body, so that it may be replaced:
// it is blank, still the template's, a known default, or has one of the forms of 1.1 and N5.
func writtenStatus(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || template.Unfilled(text) {
		return true
	}
	low := strings.ToLower(text)
	for _, word := range [...]string{
		"ready to execute", "phase complete — ready for verification", "ready to plan", "defining requirements",
		"planning complete", "executing", "in progress", "planning", "verifying", "completed", "done", "active",
		"paused",
		"unknown", "all phases complete", "awaiting next milestone", "discussing",
	} {
		if low == word {
			return true
		}
	}
	for _, stage := range [...]string{"discussing", "planning", "executing", "verifying"} {
		rest, ok := strings.CutPrefix(low, stage+" phase ")
		if !ok {
			continue
		}
		// The patterns of 1.1 are open-ended after the digits of a phase.
		if digitsFirst(rest) && stage != "discussing" || oneWord(rest) {
			return true
		}
	}
	if namesCommand(low) {
		return true
	}
	switch rest, ok := strings.CutPrefix(low, "phase "); {
	case strings.HasPrefix(low, "phase complete"):
		return true
	case ok && digitsFirst(rest) && strings.HasPrefix(strings.TrimLeft(rest, "0123456789"), " complete"):
		return true
	}
	if rest, ok := strings.CutSuffix(low, " milestone complete"); ok && !strings.Contains(rest, " ") {
		return true
	}
	if rest, ok := strings.CutPrefix(low, "complete"); ok {
		return strings.Trim(rest, " ✓✔✅☑\ufe0f") == "" && strings.Count(rest, "")-1 <= 4
	}
	return false
}

// writtenActivity is writtenStatus for Last activity.
func writtenActivity(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || template.Unfilled(text) {
		return true
	}
	date, rest := splitActivity(text)
	if !isDate(date) {
		return false
	}
	if rest == "" {
		return true
	}
	low := strings.TrimRight(strings.ToLower(rest), ".")
	switch low {
	case "paused", "resumed", "roadmap created", "project initialized", "requirements defined", "state initialized":
		return true
	}
	if v, ok := strings.CutPrefix(low, "milestone "); ok {
		return strings.HasSuffix(v, " started") || strings.HasSuffix(v, " completed and archived")
	}
	id, tail, _ := strings.Cut(strings.TrimPrefix(low, "phase "), " ")
	if !strings.HasPrefix(low, "phase ") || id == "" {
		return strings.HasPrefix(low, "completed quick task ") || namesCommand(low) ||
			strings.HasSuffix(low, " milestone complete")
	}
	if tail == "marked complete" || tail == "complete" {
		return true
	}
	if next, ok := strings.CutPrefix(tail, "complete, transitioned to phase "); ok {
		return isID(next)
	}
	stage, what, _ := strings.Cut(tail, " ")
	switch stage {
	case "discussion", "planning", "execution", "verification":
		return what == "started" || what == "finished" || what == "complete" || what == "resumed" ||
			strings.HasPrefix(what, "resumed ") || strings.HasPrefix(what, "complete — ")
	}
	return false
}

// writtenPlan is writtenStatus for the Plan line: a counter with a few words after it, or a text
// that says that there is no plan.
func writtenPlan(text string) bool {
	a, b, tail := words.PlanCount(text)
	for _, nobody := range [...]string{"? of ", "— of "} { // the current plan is unknown
		if rest, ok := strings.CutPrefix(strings.TrimSpace(text), nobody); ok {
			a, b, tail = words.PlanCount("0 of " + rest)
		}
	}
	low := strings.ToLower(strings.TrimSpace(text))
	switch {
	case low == "", template.Unfilled(text), strings.Trim(low, "-—–") == "", strings.HasPrefix(low, "not started"),
		digitsOnly(low):
		return true
	case a != "" && b != "":
		return len(strings.Fields(tail)) <= maxWords
	}
	return len(strings.Fields(text)) <= 2 // "TBD", "3 done"
}

// writtenPhase is writtenStatus for the Phase line. The limit has room for a name and a word for
// the state, but not for prose.
func writtenPhase(text string) bool { return len(strings.Fields(text)) <= 2*maxWords }

// maxWords is how many words after a counter a program may have written.
const maxWords = 8

// writtenFocus is writtenStatus for the Current focus: it names a phase by its number.
func writtenFocus(text string) bool {
	text = strings.TrimSpace(text)
	return text == "" || template.Unfilled(text) || hasPrefixFold(text, "phase ") && words.ParsePhase(text).ID != ""
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// writtenResume is writtenStatus for the Resume file.
func writtenResume(text string) bool {
	text = strings.TrimSpace(text)
	return text == "" || template.Unfilled(text) || strings.EqualFold(text, "none")
}

// oneWord reports whether a text is one word, as the id of a phase is.
func oneWord(text string) bool { return text != "" && !strings.ContainsAny(text, " \t") }

// namesCommand reports whether a text in lower case names one of GSD's commands. GSD's templates
// name the next step in that way, so such a text is a program's (F-51).
func namesCommand(low string) bool {
	return strings.Contains(low, "/gsd-") || strings.Contains(low, "/gsd:")
}

// running returns the phase of a text that says that a stage of it is running, such as "Executing
// Phase 3", or "" for any other text (D46).
func running(text string) string {
	text = strings.TrimSpace(text)
	for _, stage := range [...]string{"discussing phase ", "planning phase ", "executing phase ", "verifying phase "} {
		if len(text) > len(stage) && strings.EqualFold(text[:len(stage)], stage) && oneWord(text[len(stage):]) {
			return text[len(stage):]
		}
	}
	return ""
}

// isID reports whether text is the id of a phase: letters, digits, dots and hyphens, including a
// digit.
func isID(text string) bool {
	digit := false
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digit = true
		case r == '.' || r == '-' || r|0x20 >= 'a' && r|0x20 <= 'z':
		default:
			return false
		}
	}
	return digit
}

func digitsFirst(text string) bool { return text != "" && isDigit(text[0]) }

// isDate reports whether text is YYYY-MM-DD.
func isDate(text string) bool {
	if len(text) != 10 {
		return false
	}
	for i := range len(text) {
		if i == 4 || i == 7 {
			if text[i] != '-' {
				return false
			}
		} else if !isDigit(text[i]) {
			return false
		}
	}
	return true
}

// splitActivity splits "YYYY-MM-DD — text" (1.2). For any other text everything is in the first
// part.
func splitActivity(text string) (date, desc string) {
	text = strings.TrimSpace(text)
	if len(text) < 10 || !isDate(text[:10]) {
		return text, ""
	}
	rest := strings.TrimLeft(text[10:], " \t")
	dashes := 0
	for ; dashes < 2; dashes++ {
		if next, ok := strings.CutPrefix(rest, "—"); ok {
			rest = next
		} else if next, ok := strings.CutPrefix(rest, "-"); ok {
			rest = next
		} else {
			break
		}
	}
	trimmed := strings.TrimLeft(rest, " \t")
	if dashes == 0 || trimmed == rest || trimmed == "" {
		if strings.TrimSpace(text[10:]) == "" {
			return text[:10], ""
		}
		return text, ""
	}
	return text[:10], trimmed
}
