package report

import (
	"context"
	"errors"
)

// Failure is an error as every door gives it to programs: the object under "error" (D14). Empty
// fields are left out.
type Failure struct {
	Kind    Kind           `json:"kind"`
	Code    Code           `json:"code"`
	Op      string         `json:"op,omitempty"`
	Message string         `json:"message"`
	Path    string         `json:"path,omitempty"`
	Line    int            `json:"line,omitempty"`
	Hint    string         `json:"hint,omitempty"`
	Details map[string]any `json:"details,omitempty"`
}

// FailureOf makes the object of an error that is not nil. An interruption and a defect of baton
// itself, of which the error says nothing that helps, get words of their own.
func FailureOf(err error) Failure {
	e := As(err)
	f := Failure{e.Kind, CodeOf(e), e.Op, e.Error(), e.Path, e.Line, e.Hint, e.Details}
	if e.Kind == Interrupted && errors.Is(e, context.Canceled) && f.Message == context.Canceled.Error() {
		f.Message = "interrupted before the command was done"
	}
	if f.Hint == "" && e.Kind.Row().Exit == 1 {
		f.Hint = "this is a bug in baton: please report it, with the command that you ran"
	}
	return f
}
