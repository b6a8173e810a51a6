package report

// Codes of errors that have no code of their own.
const (
	// somebody else holds it, or changed it in the meantime
	CodeConflict Code = "conflict"
	// a file cannot be understood, or must not be changed
	CodeCorrupt Code = "corrupt"
	// a defect of baton
	CodeInternal Code = "internal"
	// a signal ended the command
	CodeInterrupted Code = "interrupted"
	// another process was writing for too long
	CodeLocked Code = "locked"
	// what was named does not exist
	CodeNotFound Code = "not_found"
	// the command of a check failed
	CodeNotVerified Code = "not_verified"
	// the operating system refused
	CodeRefused Code = "refused"
	// a part of baton is missing, or does not do this
	CodeUnavailable Code = "unavailable"
	// a flag, a value or a word is not allowed
	CodeUsage Code = "usage"
	// a rule refuses it
	CodeViolation Code = "violation"
)
