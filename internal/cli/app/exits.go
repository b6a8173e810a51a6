package app

import (
	"baton/internal/report"
	"baton/internal/safetext"
)

// always are the kinds of failure that every command may end with.
var always = [...]report.Kind{report.Internal, report.Usage}

// WritingExits are the kinds of failure that every command that writes may end with.
var WritingExits = [...]report.Kind{
	report.NotFound, report.Conflict, report.Locked, report.Violation, report.Corrupt, report.Refused,
}

// ReadingExits are those of commands that only read.
var ReadingExits = [...]report.Kind{report.NotFound, report.Violation, report.Corrupt, report.Refused}

// Judge returns the error of a command that looked for problems: nil unless there are errors or,
// if strict, warnings. what is the subject of its sentence.
func Judge(path, what string, errs, warnings int, strict bool) error {
	if errs == 0 && (!strict || warnings == 0) {
		return nil
	}
	text := safetext.Count(errs, "error")
	switch {
	case errs == 0:
		text = safetext.Count(warnings, "warning")
	case warnings > 0:
		text += " and " + safetext.Count(warnings, "warning")
	}
	return FindingsError(path, what+" has "+text, errs, warnings)
}

// FindingsError returns the error of a command whose answer lists what is wrong: it only gives the
// exit code.
func FindingsError(path, message string, errs, warnings int) error {
	return &report.Error{
		Kind: report.Violation, Code: report.CodeFindings, Path: path, Message: message,
		Hint:    "each finding above says what is wrong and where",
		Details: map[string]any{"errors": errs, "warnings": warnings},
	}
}

// HookExits is the value of ExitsKey for the command that agents call: it never fails, and one of
// its codes is an answer to one client.
const HookExits = "hook"
