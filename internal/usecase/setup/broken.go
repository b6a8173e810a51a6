package setup

import (
	"fmt"
	"slices"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/report"
)

// faultItems turns files that cannot be edited into items, so that a check continues with the other
// files and counts each fault (agents.md 8.3). Other errors stay errors.
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

// faultText returns why a file cannot be edited, without its name and the line, which are shown
// next to it.
func faultText(name string, f report.Failure) string {
	text := strings.TrimPrefix(strings.TrimPrefix(f.Message, name), ": ")
	return strings.Replace(strings.TrimPrefix(text, " is "), fmt.Sprintf("line %d, column ", f.Line), "column ", 1)
}
