package kept

import (
	"slices"

	"baton/internal/ledger"
	"baton/internal/task"
)

// Extended reports whether the document of a session has it afterwards, with more items than before
// (D53).
func Extended(was ledger.Sighting, after []ledger.Sighting) bool {
	return was.Kind == ledger.Session && slices.ContainsFunc(after, func(now ledger.Sighting) bool {
		return now.Kind == ledger.Session && now.Doc == was.Doc && now.Number == was.Number && Extends(was.Raw, now.Raw)
	})
}

// Extends reports whether the text of a session is that of an earlier one with more items.
func Extends(was, now string) bool {
	a, b := sessionIn(was), sessionIn(now)
	return a != nil && b != nil && b.Extends(*a)
}

func sessionIn(raw string) *task.Session {
	s := task.Parse("0", []byte("## Progress Log\n\n"+raw))
	if len(s.Sessions) != 1 {
		return nil
	}
	return &s.Sessions[0]
}
