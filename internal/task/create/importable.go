package create

import (
	"baton/internal/report"
	"baton/internal/task"
)

// Importable refuses a text without any sign of a task, and a text that ends inside a fence,
// because later additions would end up in the wrong place. It fails with Violation not_a_task or
// unclosed_fence.
func Importable(name string, lenient bool, s *task.State) error {
	hint := "with --lenient, code fences inside code fences are accepted"
	if lenient {
		hint = "a task file has a title \"# Task #ID: TITLE\" and sections such as \"## Progress Log\""
	}
	refused := func(code report.Code, line int, message string) error {
		return &report.Error{
			Op: "task.import", Kind: report.Violation, Code: code, Path: name, Line: line, Message: message,
			Hint: hint,
		}
	}
	for _, f := range s.Findings {
		if f.Code == report.CodeUnclosedFence {
			return refused(f.Code, f.Line, name+" cannot be imported: "+f.Text)
		}
	}
	for _, section := range s.Sections {
		if section.Kind != task.Unknown {
			return nil
		}
	}
	return refused(report.CodeNotATask, 0, name+" has no section of a task file")
}
