package app

import (
	"errors"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// ExitCode prints an error, if there is one, and returns the exit code. The JSON of an error is one
// line, so that it is the last one of standard error even if the command of a check wrote there
// first (D19).
func (d *App) ExitCode(err error) int {
	if err == nil || errors.Is(err, workspace.ErrRehearsed) {
		return 0
	}
	e, row := report.As(err), report.KindOf(err).Row()
	f := report.FailureOf(e)
	var out []byte
	if d.JSON || slices.Contains(d.Env.Args, "--json") {
		object := struct {
			Error report.Failure `json:"error"`
		}{f}
		if data, bad := report.EncodeJSON(object, ""); bad == nil {
			out = data
		}
	}
	if out == nil {
		said := f.Message
		if readsOn(f.Code) != "" {
			said += "; baton writes nothing until that is fixed"
		}
		text := d.wrapped("baton: " + safetext.Visible(said))
		if f.Hint != "" {
			text += d.wrapped("hint: " + safetext.Visible(f.Hint))
		}
		if e.Code == report.CodeHistoryCombined {
			text = said + "\n" // prescribed to the letter
		}
		out = []byte(text)
	}
	_, _ = d.Env.Stderr.Write(out) // no other place is left for this error
	return row.Exit
}

// Usage returns the error for a mistake in the command line; help names the command whose help
// shows the right way.
func Usage(help, message string) *report.Error {
	return &report.Error{
		Kind: report.Usage, Code: report.CodeUsage, Message: message,
		Hint: strings.TrimSpace(help) + " --help",
	}
}

// Misuse returns a usage error whose hint is a sentence of its own.
func Misuse(message, hint string) *report.Error {
	return &report.Error{Kind: report.Usage, Code: report.CodeUsage, Message: message, Hint: hint}
}
