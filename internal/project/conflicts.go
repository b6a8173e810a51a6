package project

import (
	"slices"

	"baton/internal/report"
)

// conflictMarkers is the code of a document in which a merge left markers.
const conflictMarkers = "conflict_markers"

// settleHint says what a person does about them.
const settleHint = "settle the merge conflict in an editor"

// conflictsFirst puts findings of conflict markers before all others, each with what to do about it: what else is told of such a file is
// of both sides at once.
func conflictsFirst(findings []report.Finding, settle func(path string) string) []report.Finding {
	torn := func(f report.Finding) bool { return f.Code == conflictMarkers }
	if !slices.ContainsFunc(findings, torn) {
		return findings
	}
	var first, rest []report.Finding
	for _, f := range findings {
		if !torn(f) {
			rest = append(rest, f)
			continue
		}
		if hint := settle(f.Path); hint != "" {
			f.Text += "; " + hint
		}
		first = append(first, f)
	}
	return append(first, rest...)
}

// tornFirst is conflictsFirst for the tasks of a list.
func (a all) tornFirst(findings []report.Finding) []report.Finding {
	return conflictsFirst(findings, func(path string) string {
		if at := slices.IndexFunc(a.heads, func(h *head) bool { return h.Name == path }); at >= 0 {
			return a.heads[at].settle
		}
		return ""
	})
}
