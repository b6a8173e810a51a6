package safetext

import "strings"

// Percent returns part as a percentage of whole, rounded half up. A part below 0 counts as 0; if
// whole is 0 or less, the result is 100.
func Percent(part, whole int) int {
	if whole <= 0 {
		return 100
	}
	return (200*max(part, 0) + whole) / (2 * whole)
}

// Bar draws a percentage as ten cells. A cell is full when its tenth is reached, so ten full cells
// mean 100 %.
func Bar(percent int, full, empty string) string {
	n := min(max(percent, 0), 100) / 10
	return strings.Repeat(full, n) + strings.Repeat(empty, 10-n)
}
