package decision

import (
	"bytes"
	"slices"

	"baton/internal/digest"
)

// Contains reports whether rows has a decision with these exact bytes.
func Contains(rows []Row, raw string) bool {
	return slices.ContainsFunc(rows, func(r Row) bool { return r.Raw == raw })
}

// Without returns rows without those in stay. It compares exact bytes and counts, so one of two
// equal rows may remain.
func Without(rows, stay []Row) []Row {
	return digest.Minus(rows, stay, func(r Row) string { return r.Raw })
}

// InTime merges two lists, each oldest first, by day. On the same day, rows of the archive come
// first. A row without a day has that of the row before it. A list without any day is not
// reordered.
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

// mostCompared is the number of moving rows above which Alike does not compare.
const mostCompared = 200

// Alike reports whether a row that moves is equal to another row, in the archive or among those
// that move. For more than 200 moves it returns true without comparing.
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
