package setup

import (
	"fmt"
	"slices"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/report"
)

// faultItems makes items of the files that cannot be edited: a check goes on with the others, and
// each of them counts (agents.md 8.3). What is no fault of a file stays an error.
func faultItems(edits []agentconfig.Edit, err error) ([]agentconfig.Edit, error) {
	if !slices.ContainsFunc(edits, func(e agentconfig.Edit) bool { return e.Err != nil }) {
		return edits, err
	}
	for i := range edits {
		e := &edits[i]
		if e.Err == nil {
			continue
		}
		fault := report.FailureOf(e.Err)
		e.Items = append(e.Items, agentconfig.Item{
			Name: "settings", Status: agentconfig.Conflict, Line: fault.Line, Text: faultText(e.Name, fault),
		})
		e.After, e.Exists, e.Err = e.Before, e.Existed, nil
	}
	return edits, nil
}

// faultText is why a file cannot be edited, without its name and the line, which stand beside it.
func faultText(name string, f report.Failure) string {
	text := strings.TrimPrefix(strings.TrimPrefix(f.Message, name), ": ")
	return strings.Replace(strings.TrimPrefix(text, " is "), fmt.Sprintf("line %d, column ", f.Line), "column ", 1)
}
