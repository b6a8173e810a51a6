package schema

import "regexp/syntax"

// Room is how large the expressions of a file may still be. The file can come from somebody else,
// and a few letters such as .{1000} stand for a large program (F-74).
type Room int

// MostRoom is the room of one file. Expressions of that size take about 10 MB.
const MostRoom Room = 100_000

// TooLarge is the reason why an expression is refused when there is no room for it.
const TooLarge = "the patterns of the file are too large together"

// TooLargeHint says what to do then.
const TooLargeHint = "repeat less: {1,1000} counts a thousand times"

// Take reports whether there is room for an expression, and takes it.
func (r *Room) Take(expression string) bool {
	size := len(expression)
	if tree, err := syntax.Parse(expression, syntax.Perl); err == nil {
		size += weight(tree)
	}
	*r -= Room(size)
	return *r >= 0
}

// weight returns about how many instructions an expression becomes.
func weight(tree *syntax.Regexp) int {
	sum := 1 + len(tree.Rune)/2
	for _, sub := range tree.Sub {
		sum += weight(sub)
	}
	if tree.Op == syntax.OpRepeat {
		sum *= max(tree.Min, tree.Max, 1)
	}
	return sum
}
