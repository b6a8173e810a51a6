package renumber

import (
	"bytes"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Sides separates the two versions of a file in which a merge left conflict markers, around the
// whole file or parts of it. line is the 1-based line of the first marker. It is 0 if there are no
// markers outside fences, or if the markers are out of order.
func Sides(src []byte) (ours, theirs []byte, line int) {
	problem, bad := markdown.Unsafe(src)
	if !bad || problem.Code != report.CodeConflictMarkers {
		return nil, nil, 0
	}
	const (
		both = iota
		first
		base
		second
	)
	at := both
	for text := range bytes.Lines(src) {
		var next int
		switch {
		case bytes.HasPrefix(text, []byte("<<<<<<< ")):
			next = first
		case bytes.HasPrefix(text, []byte("||||||| ")):
			next = base
		case at != both && bytes.Equal(bytes.TrimRight(text, "\r\n"), []byte("=======")):
			next = second
		case at != both && bytes.HasPrefix(text, []byte(">>>>>>> ")):
			next = both
		default:
			if at == both || at == first {
				ours = append(ours, text...)
			}
			if at == both || at == second {
				theirs = append(theirs, text...)
			}
			continue
		}
		// The markers must be in order. The base between the sides is optional.
		if !(next == first && at == both || next == base && at == first || next == second && (at == first ||
			at == base) || next == both && at == second) {
			return nil, nil, 0
		}
		at = next
	}
	if at != both {
		return nil, nil, 0
	}
	return ours, theirs, problem.Line
}
