package statedir

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"baton/internal/report"
)

// Reasons of problems. They are words of the JSON; the first five are those of the original tool.
const (
	ProblemMissing       = "missing" // half of a pair, or what a phase that is over should have left
	ProblemNoStatus      = "no_status_line"
	ProblemUnreadable    = "unreadable"
	ProblemStatus        = "invalid_status"
	ProblemField         = "missing_required_field"
	ProblemRecommended   = "missing_recommended_field"
	ProblemValue         = "invalid_value" // a verdict or an agent that the contract does not know
	ProblemJSON          = "invalid_json"  // with line and column
	ProblemByteOrderMark = "byte_order_mark"
	ProblemNotObject     = "not_an_object"
	ProblemDuplicate     = "duplicate_key"
	ProblemInherited     = "inherited"   // 5.16
	ProblemFuture        = "future_time" // of the file
)

// actualLength bounds what a problem quotes from a file, in bytes.
const actualLength = 120

// cutText shortens a text from a file between two characters.
func cutText(text string) string {
	if len(text) <= actualLength {
		return text
	}
	end := actualLength
	for end > actualLength-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// quoteText puts a text from a file into a message, cut and with everything escaped that a terminal would act on.
func quoteText(text string) string { return strconv.Quote(cutText(text)) }

// plainName gives a file name for a message: as it is when every character of it can be seen, else quoted.
func plainName(name string) string {
	for _, r := range name {
		if !strconv.IsPrint(r) || r == utf8.RuneError {
			return strconv.Quote(name)
		}
	}
	return name
}

// allowedText ends a message on a value: the values that are allowed, and the one that was probably meant.
func allowedText(actual string, allowed []string) string {
	if len(allowed) == 0 {
		return ""
	}
	words := make([]string, len(allowed))
	for i, word := range allowed {
		words[i] = plainName(word)
	}
	text := "; allowed are " + strings.Join(words, ", ")
	if len(words) == 1 {
		text = "; allowed is " + words[0]
	}
	if meant := meantWord(actual, allowed); meant != "" {
		text += "; did you mean " + meant + "?"
	}
	return text
}

// meantWord gives the allowed word that differs in case and separators only, or in at most two letters; "" for none.
func meantWord(actual string, allowed []string) string {
	if actual == "" || len(actual) > actualLength || slices.Contains(allowed, actual) {
		return ""
	}
	fold := strings.NewReplacer("-", "_", " ", "_", ".", "").Replace
	best, least := "", 3
	for _, word := range allowed {
		if n := report.Letters(strings.ToLower(fold(actual)), strings.ToLower(word), 2); n < least && n*2 < len(word) {
			best, least = word, n
		}
	}
	return best
}
