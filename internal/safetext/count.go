package safetext

import "strconv"

// Count returns a number with what it counts: "1 session", "2 sessions".
func Count(n int, noun string) string { return CountOf(n, noun, noun+"s") }

// CountOf does the same for words with a plural of their own: "1 entry", "2 entries".
func CountOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Noun returns one where n is 1, else many.
func Noun(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
