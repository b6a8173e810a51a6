package report

import (
	"context"
	"errors"
	"strings"
)

// Error is the one error type of baton. Every failure that a person or a program sees is one of
// these.
//
// Message is a full clear sentence without the program's name. Code is the documented word for the
// failure ("task_unknown", "claim_held"), stable for programs. Empty fields are left out of JSON
// (D14).
type Error struct {
	Op      string         // operation, "task.show"
	Kind    Kind           // decides the exit code
	Code    Code           // names the failure for programs; Kind when empty
	Message string         // one sentence; Err's text when empty
	Path    string         // file the failure is about, relative to the project's root with slashes
	Line    int            // 1-based line in Path, 0 when unknown
	Hint    string         // what to do next, one sentence
	Details map[string]any // further facts for programs
	Err     error          // cause
}

// Error gives the sentence that is printed after "baton: ".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Message)
	if e.Message == "" && e.Err != nil {
		b.WriteString(e.Err.Error())
	}
	if b.Len() == 0 {
		b.WriteString(string(e.Kind))
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// As finds the *Error in err's chain. A cancelled context is Interrupted, a deadline that passed is
// Locked (only lock waits and git calls have deadlines), anything else is Internal.
func As(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	kind := Internal
	switch {
	case errors.Is(err, context.Canceled):
		kind = Interrupted
	case errors.Is(err, context.DeadlineExceeded):
		kind = Locked
	}
	return &Error{Kind: kind, Message: err.Error(), Err: err}
}

// KindOf gives the kind of err; "" for nil.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	return As(err).Kind
}

// CodeOf gives the code of err, its kind's wire code when it has none; "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	e := As(err)
	if e.Code != "" {
		return e.Code
	}
	return e.Kind.Row().Code
}
