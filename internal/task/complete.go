package task

import (
	"slices"
	"strings"
)

// Blockers gives the reasons why the task cannot be completed, one sentence each, none when it can (5.12.2):
// criteria that are not checked, an output that is empty, or minimal while another task depends on this one
// (TS-D29), children that are not complete. A criterion that was handed to a child counts as checked when a child
// in children has checked the one with the same text (5.15). A file that keeps its criteria elsewhere has none.
func (s *State) Blockers(hasDependents bool, openChildren []ID, children ...*State) []string {
	var reasons []string
	if !s.External {
		for _, c := range s.Criteria {
			if !c.Checked && !checkedBy(children, c.Text) {
				reasons = append(reasons, "criterion "+itoa(c.N)+" is not checked: "+cutText(oneLine(c.Text), 80))
			}
		}
	}
	switch {
	case s.Output.State == OutputEmpty:
		reasons = append(reasons, "the chain output is empty")
	case s.Output.State == OutputMinimal && hasDependents:
		reasons = append(reasons, "the chain output is minimal, and other tasks depend on it")
	}
	for _, id := range slices.SortedFunc(slices.Values(openChildren), CompareIDs) {
		reasons = append(reasons, "sub-task "+id.Ref()+" is not complete")
	}
	return reasons
}

// checkedBy says whether a child has checked the criterion of this text.
func checkedBy(children []*State, text string) bool {
	for _, child := range children {
		for _, c := range child.Criteria {
			if c.Checked && strings.TrimSpace(c.Text) == strings.TrimSpace(text) {
				return true
			}
		}
	}
	return false
}
