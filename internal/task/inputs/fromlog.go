package inputs

import (
	"slices"
	"strings"

	"baton/internal/sorting"
	"baton/internal/task"
)

// FromLog lists what the sessions of a task did, in their order, or else its criteria. It
// returns "" for a task without either.
func FromLog(s *task.State) string {
	lead, items := "What the sessions did (nobody wrote an output):", []string{}
	for _, session := range sorting.By(slices.Clone(s.Sessions), inOrder) {
		items = append(append(items, session.Did...), session.Notes...)
	}
	if len(items) == 0 {
		lead = "These criteria are checked (nobody wrote an output):"
		for _, c := range s.Criteria {
			if c.Checked {
				items = append(items, c.Text)
			}
		}
	}
	if len(items) == 0 {
		return ""
	}
	var text strings.Builder
	text.WriteString(lead + "\n")
	for _, item := range items {
		text.WriteString("\n- " + strings.ReplaceAll(strings.TrimSpace(item), "\n", "\n  "))
	}
	return text.String()
}

// inOrder compares sessions by their number.
func inOrder(a, b task.Session) int { return a.Number - b.Number }
