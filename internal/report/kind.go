package report

// Kind says what sort of failure an error is. Programs see kinds in JSON and as exit codes, so
// kinds are only ever added.
type Kind string

// The kinds of failure. The sentence beside each says what belongs there (D14).
const (
	Internal  Kind = "internal"  // a defect of baton itself
	Usage     Kind = "usage"     // a bad id, flag or value
	NotFound  Kind = "not_found" // an unknown id, no project, nothing ready
	Conflict  Kind = "conflict"  // a claim of somebody else, an id that is taken, a file that changed meanwhile
	Locked    Kind = "locked"    // a lock could not be taken in time
	Violation Kind = "violation" // a rule forbids it: open criteria, empty output, a cycle, a path outside
	// NUL bytes, not UTF-8, conflict markers, over 64 MiB, or broken metadata that is needed
	Corrupt     Kind = "corrupt"
	Unavailable Kind = "unavailable"  // a program that is missing, such as batond
	Refused     Kind = "refused"      // the system said no: permission, read-only, no space, I/O
	NotVerified Kind = "not_verified" // the command of a check failed or timed out
	Interrupted Kind = "interrupted"  // a signal ended the command
)

// Row is one row of the table: what a kind is for programs.
type Row struct {
	Exit int  // exit code of the process
	Code Code // code in JSON answers
}

// Row returns the kind's row of the one table of exit codes. It is a switch and not a map, so that
// nothing is built at start-up.
func (k Kind) Row() Row {
	switch k {
	case Usage:
		return Row{2, CodeUsage}
	case NotFound:
		return Row{3, CodeNotFound}
	case Conflict:
		return Row{4, CodeConflict}
	case Locked:
		return Row{5, CodeLocked}
	case Violation:
		return Row{6, CodeViolation}
	case Corrupt:
		return Row{7, CodeCorrupt}
	case Unavailable:
		return Row{8, CodeUnavailable}
	case Refused:
		return Row{9, CodeRefused}
	case NotVerified:
		return Row{10, CodeNotVerified}
	case Interrupted:
		return Row{130, CodeInterrupted}
	default:
		return Row{1, CodeInternal}
	}
}

// Kinds lists every kind, in the order of their exit codes, for tables in docs and help texts.
func Kinds() []Kind {
	return []Kind{
		Internal, Usage, NotFound, Conflict, Locked, Violation, Corrupt, Unavailable, Refused, NotVerified,
		Interrupted,
	}
}
