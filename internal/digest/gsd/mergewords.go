package gsd

import (
	"strings"

	"baton/internal/digest/gsd/template"
	"baton/internal/digest/gsd/words"
	"baton/internal/threeway"
)

// mergeFate distinguishes a person's words from a program's values. Programs compute counters,
// dates and positions again, so one value is enough. A sentence may be a hand-off, and only its
// author could write it again.
func mergeFate(label, text string, front bool) threeway.Fate {
	program := nothingSaid(text)
	if front {
		program = program || frontOfProgram(label, text)
	} else {
		program = program || bodyOfProgram(label, text)
	}
	if program {
		return threeway.Passes
	}
	return threeway.Kept
}

// nothingSaid reports whether a value is empty or still the template's.
func nothingSaid(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "-", "–", "—", "none", "none.", "none yet", "none yet.", "null", "~", "n/a", "tbd", "unknown":
		return true
	}
	return template.Unfilled(text)
}

func bodyOfProgram(label, text string) bool {
	switch label {
	case "status":
		return shortStatus(text)
	case "last activity":
		return writtenActivity(text)
	case "phase", "current phase":
		return phaseOnly(text)
	case "plan", "current plan":
		a, _, tail := words.PlanCount(text)
		tail = strings.TrimSpace(tail)
		return a != "" && (tail == "" || tail == "in current phase") || strings.EqualFold(text, "not started")
	case "progress":
		return !hasWords(text)
	case "trend":
		return text == "Improving" || text == "Stable" || text == "Degrading"
	case "total phases", "total plans in phase", "total plans completed", "average duration", "total execution time",
		"last 5 plans":
		return reckoned(text)
	case "last session", "last date", "last updated":
		return !hasWords(text)
	}
	return strings.HasPrefix(label, "state updated") && !hasWords(text)
}

func frontOfProgram(label, text string) bool {
	switch label {
	case "gsd_state_version", "last_updated", "active_phase", "next_action", "next_phases", "current_phase",
		"current_plan", "state_head":
		return true
	case "status":
		return shortStatus(text)
	case "last_activity":
		return writtenActivity(text) || !hasWords(text)
	}
	return strings.HasPrefix(label, "progress.") && reckoned(text)
}

// shortStatus reports whether a status is a program's, with no words added.
func shortStatus(text string) bool {
	return writtenStatus(text) && len(strings.Fields(text)) <= 3 ||
		strings.EqualFold(text, "phase complete — ready for verification")
}

// phaseOnly reports whether the value of a Phase field consists of id, total, name and a word for
// its state.
func phaseOnly(text string) bool {
	plain, _ := words.WithoutParens(text)
	dash := words.DashText(plain)
	if words.ParsePhase(text).ID == "" {
		return strings.EqualFold(text, "not started")
	}
	return dash == "" && len(strings.Fields(plain)) <= 4 || words.StateWord(dash) || words.AllCaps(dash)
}

// reckoned reports whether a text consists of numbers with units.
func reckoned(text string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
		return r == ' ' || r == ',' || r == '/' || r == '%' || r == '~'
	}) {
		switch word = strings.TrimLeft(word, "0123456789.:"); word {
		case "", "-", "s", "sec", "m", "min", "mins", "minutes", "h", "hour", "hours", "d", "day", "days", "of", "plan",
			"plans", "phases":
		default:
			return false
		}
	}
	return true
}

// hasWords reports whether a text is more than numbers, dates and bars: it contains a word of
// letters that is not a time zone.
func hasWords(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if isLetters(word) && word != "UTC" && word != "GMT" || len(word) > 3 &&
			isLetters(strings.Trim(word, "().,;:!?")) {
			return true
		}
	}
	return false
}

func isLetters(word string) bool {
	if word == "" {
		return false
	}
	for _, r := range word {
		if r < 'A' || r > 'Z' && r < 'a' || r > 'z' && r < 0xc0 || r > 0x2000 {
			return false
		}
	}
	return true
}

// mergeCell lets numbers in the cells of the table of phases be replaced.
func mergeCell(_, text string) threeway.Fate {
	if nothingSaid(text) || reckoned(text) {
		return threeway.Passes
	}
	return threeway.Kept
}

// mergeDay returns the day of the last moment that the digest names.
func mergeDay(src []byte) string {
	last := activity(src)
	return last[:min(len(last), 10)]
}
