package safetext

import "strconv"

// Count returns a number and its noun: "1 session", "2 sessions".
func Count(n int, noun string) string { return CountOf(n, noun, noun+"s") }

// CountOf is Count for nouns with an irregular plural: "1 entry", "2 entries".
func CountOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Noun returns one if n is 1, otherwise many.
func Noun(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
