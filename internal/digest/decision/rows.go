package decision

import (
	"bytes"
	"slices"

	"baton/internal/digest"
)

// Contains reports whether a decision is among some, by its exact bytes.
func Contains(rows []Row, raw string) bool {
	return slices.ContainsFunc(rows, func(r Row) bool { return r.Raw == raw })
}

// Without returns the rows that are not among those that stay, by exact bytes and by count: of two
// that read alike one may stay.
func Without(rows, stay []Row) []Row {
	return digest.Minus(rows, stay, func(r Row) string { return r.Raw })
}

// InTime merges two lists, each oldest first, into one: by day, the archive's rows before the
// digest's of the same day. A row without a day has that of the row before it, and a list without
// any day stays where it is.
func InTime(archived, live []Row) []Row {
	out := make([]Row, 0, len(archived)+len(live))
	day, next := "", 0
	for _, row := range archived {
		if row.Date != "" {
			day = row.Date
		}
		for next < len(live) && live[next].Date != "" && live[next].Date < day {
			out = append(out, live[next])
			next++
		}
		out = append(out, row)
	}
	return append(out, live[next:]...)
}

// mostCompared is how many moving rows are looked for in the archive, one after the other.
const mostCompared = 200

// Alike reports whether a row that moves reads like another one, in the archive or among those that
// move. For more than 200 moves it says so without a look.
func Alike(archive []byte, moves []Move) bool {
	if len(moves) > mostCompared {
		return true
	}
	seen := make(map[string]bool, len(moves))
	for _, m := range moves {
		if seen[string(m.Gained)] || bytes.Contains(archive, m.Gained) {
			return true
		}
		seen[string(m.Gained)] = true
	}
	return false
}
