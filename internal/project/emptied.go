package project

import (
	"bytes"

	"baton/internal/report"
	"baton/internal/task"
)

// emptied warns of a task file that lost what makes it one: all its text, or its title. Such a file still has its id
// and its place, so that nothing else would tell.
func emptied(name string, s *task.State) []report.Finding {
	switch {
	case len(bytes.TrimSpace(s.Bytes())) == 0:
		return []report.Finding{{
			Code: "empty_file", Severity: report.Warning, Path: name,
			Text: name + " is empty: restore it, where it is in git with `git checkout HEAD -- " + name + "`",
		}}
	case s.Title == "":
		return []report.Finding{{
			Code: "title_missing", Severity: report.Warning, Path: name,
			Text: name + " has no title: its first line should be like `# Task " + s.ID.Ref() + ": TITLE`",
		}}
	}
	return nil
}

// chainFindings warns of what is wrong between tasks: dependencies that no file has, of tasks that are not done with,
// and each circle once.
func (a all) chainFindings() []report.Finding {
	var out []report.Finding
	for _, h := range a.heads {
		if closed(h.status()) {
			continue
		}
		for _, id := range h.State.Meta.Dependencies {
			if _, known := a.graph.Node(id); !known {
				out = append(out, missingFinding(h.ID, id, h.Name))
			}
		}
	}
	for _, cycle := range a.graph.Cycles() {
		out = append(out, cycleFinding(cycle))
	}
	return distinct(out)
}
