package gsd

import (
	"fmt"

	"baton/internal/report"
	"baton/internal/safetext"
)

// readBack makes sure that an added field can be read back.
func (e *editor) readBack(in scope, name, value string) {
	if e.err != nil {
		return
	}
	if f, ok := e.d.find(in(e.d), name, true); ok && e.d.text(f) == safetext.JoinLines(value) {
		return
	}
	e.fail(&report.Error{
		Kind: report.Internal, Code: report.CodeVerifyFailed,
		Message: fmt.Sprintf("the field %q was not written, because it could not be read back", name),
		Hint:    "change it with an editor",
	})
}

// openEnd refuses to add at the end of a text that ends inside a fence or a comment, because
// readers would take the addition for a part of it (TS-12).
func (e *editor) openEnd() bool {
	line, what := 0, ""
	if f, ok := e.d.md.Unclosed(); ok {
		line, what = f.Open, "code fence"
	} else if at, ok := e.d.md.UnclosedComment(); ok {
		line, what = at, "comment"
	} else {
		return false
	}
	number := e.d.line(e.d.md.Lines()[line].Start + e.d.shift)
	e.fail(&report.Error{
		Kind: report.Corrupt, Code: report.CodeUnclosedFence, Line: number,
		Message: fmt.Sprintf("line %d begins a %s that is never closed, so nothing can be added below it", number,
			what),
		Hint: "close it",
	})
	return true
}
