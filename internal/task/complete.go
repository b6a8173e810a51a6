package task

import (
	"slices"
	"strconv"
	"strings"

	"baton/internal/safetext"
	"baton/internal/sorting"
)

// Blockers returns the reasons why the task cannot be completed, one sentence each, or nil
// (5.12.2): criteria that do not count as checked; an output that is empty or minimal while another
// task waits for it (TS-D29); children that are not complete. delegated is the
// result of Delegated, or nil for a task without children. Criteria of a file that keeps them
// elsewhere are not considered.
func (s *State) Blockers(awaited bool, openChildren []ID, delegated map[string]bool) []string {
	var reasons []string
	if !s.External {
		for _, c := range s.Criteria {
			if !c.Counts(delegated) {
				reasons = append(reasons, "criterion "+strconv.Itoa(c.N)+" is not checked: "+
					safetext.Runes(safetext.OneLine(c.Text), 80))
			}
		}
	}
	if awaited && s.Output.State != OutputWritten {
		reasons = append(reasons, "the chain output is "+string(s.Output.State)+", and other tasks depend on it")
	}
	for _, id := range sorting.Collected(slices.Values(openChildren), CompareIDs) {
		reasons = append(reasons, "sub-task "+id.Ref()+" is not complete")
	}
	return reasons
}

// Delegated returns the texts of the criteria that the sub-tasks of a split task have checked
// (5.15). It includes the parts of parts, because a part that is split hands its criteria on and
// leaves them unchecked. find returns a task, or nil if it does not exist or cannot be read.
// Delegated returns nil for a task without children.
func (s *State) Delegated(find func(ID) *State) map[string]bool {
	if len(s.Meta.Children) == 0 {
		return nil
	}
	checked := map[string]bool{}
	seen := map[ID]bool{s.ID: true} // a file edited by hand may name its own parent as a child
	for todo := slices.Clone(s.Meta.Children); len(todo) > 0; todo = todo[1:] {
		if seen[todo[0]] {
			continue
		}
		seen[todo[0]] = true
		child := find(todo[0])
		if child == nil {
			continue
		}
		for _, c := range child.Criteria {
			if c.Checked {
				checked[strings.TrimSpace(c.Text)] = true
			}
		}
		todo = append(todo, child.Meta.Children...)
	}
	return checked
}

// Counts reports whether a criterion counts as checked: it is checked itself, or a sub-task that
// received it has checked it.
func (c Criterion) Counts(delegated map[string]bool) bool {
	return c.Checked || delegated[strings.TrimSpace(c.Text)]
}
