package safetext

import "strings"

// Percent returns the share of whole that part is, in percent, halves rounded up. A part below 0
// counts as 0, and nothing of nothing is all of it.
func Percent(part, whole int) int {
	if whole <= 0 {
		return 100
	}
	return (200*max(part, 0) + whole) / (2 * whole)
}

// Bar draws a percentage in ten cells. A cell is full when its tenth is reached, so that ten full
// cells mean that everything is done.
func Bar(percent int, full, empty string) string {
	n := min(max(percent, 0), 100) / 10
	return strings.Repeat(full, n) + strings.Repeat(empty, 10-n)
}
