package app

import (
	"baton/internal/report"
	"baton/internal/safetext"
)

// CountProblems counts them for a sentence.
func CountProblems(errs, warnings int) string {
	switch {
	case errs == 0:
		return safetext.Count(warnings, "warning")
	case warnings == 0:
		return safetext.Count(errs, "error")
	}
	return safetext.Count(errs, "error") + " and " + safetext.Count(warnings, "warning")
}

// FindingsError returns the error that gives a command its exit code whose answer names what is
// wrong.
func FindingsError(path, message string, errs, warnings int) error {
	return &report.Error{
		Kind: report.Violation, Code: report.CodeFindings, Path: path, Message: message,
		Hint: "the findings above show what and where", Details: map[string]any{"errors": errs, "warnings": warnings},
	}
}

// HookExits takes the place of kinds of failure for the command that agents call: it never
// fails, and one of its codes is a word to one client.
const HookExits = "hook"
