package app

import (
	"strings"

	"baton/internal/report"
)

// meaningForDoctor is what an exit code says of the doctor, where it is more exact than of all
// commands; "" else.
func meaningForDoctor(called string, kind report.Kind) string {
	if called == "doctor" && kind == report.Violation {
		return "errors were found, with --strict also warnings; or refused by a rule: the message says which"
	}
	return ""
}

// CountProblems counts them for a sentence.
func CountProblems(errs, warnings int) string {
	switch {
	case errs == 0:
		return Plural(warnings, "warning")
	case warnings == 0:
		return Plural(errs, "error")
	}
	return Plural(errs, "error") + " and " + Plural(warnings, "warning")
}

// FindingsError is the error that gives a command its exit code whose answer names what is wrong.
func FindingsError(path, message string, errs, warnings int) error {
	return &report.Error{
		Kind: report.Violation, Code: "findings", Path: path, Message: message,
		Hint: "the findings above say what and where", Details: map[string]any{"errors": errs, "warnings": warnings},
	}
}

// meaningInFolder is what an exit code says of a command of this group, where it is more exact than
// of all commands; "" else.
func meaningInFolder(called string, kind report.Kind) string {
	name, inGroup := strings.CutPrefix(called, "dir ")
	switch {
	case !inGroup:
	case kind == report.NotFound:
		return notFoundInFolder(name)
	case kind == report.Conflict && name == "restore":
		return "conflict: a name is taken in the folder, or its files changed meanwhile"
	case kind == report.Conflict && name == "unlock":
		return "conflict: a living process holds the lock"
	case kind == report.Conflict && name == "slug":
		return "conflict: two titles have one slug, or another lane has it"
	case kind == report.Conflict:
		return "conflict: the files changed meanwhile"
	case kind == report.Violation && name == "validate":
		return "errors were found, with --strict also warnings; or refused by a rule: the message says which"
	case kind == report.Violation && name == "lint":
		return "references were found that the contract does not allow; or refused by a rule: the message says which"
	case kind == report.Refused && (name == "cleanup" || name == "reset" || name == "evict" || name == "begin" || name == "restore"):
		return "refused by the system: an entry could not be moved, permission, read-only, no space"
	}
	return ""
}

func notFoundInFolder(name string) string {
	switch name {
	case "restore":
		return "not found: no such snapshot, no such entry in it, or no project here"
	case "contract":
		return "not found: no schema of that name, or no project here"
	case "lint":
		return "not found: no such file or folder, or no project here"
	}
	return "not found: no project here"
}

// HookExits stands in the place of kinds of failure for the command that agents call: it never
// fails, and one of its codes is a word to one client.
const HookExits = "hook"
