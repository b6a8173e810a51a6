package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"baton/internal/project"
	"baton/internal/report"
)

// failure is the error object of --json (D14). Empty fields are left out.
type failure struct {
	Kind    report.Kind    `json:"kind"`
	Code    string         `json:"code"`
	Op      string         `json:"op,omitempty"`
	Message string         `json:"message"`
	Path    string         `json:"path,omitempty"`
	Line    int            `json:"line,omitempty"`
	Hint    string         `json:"hint,omitempty"`
	Details map[string]any `json:"details,omitempty"`
}

// end reports an error, if there is one, and gives the exit code. The object is one line: a check's command may have
// written to standard error before it, and then the last line is the object (D19).
func (d *door) end(err error) int {
	if err == nil {
		return 0
	}
	e := report.As(err)
	if e.Kind == report.Interrupted && errors.Is(e, context.Canceled) && e.Error() == context.Canceled.Error() {
		said := *e
		said.Message = "interrupted before the command was done"
		e = &said
	}
	row := e.Kind.Row()
	hint := e.Hint
	if hint == "" && row.Exit == 1 {
		hint = "this is a defect of baton: please report it with the command that you ran"
	}
	var out []byte
	if d.json || slices.Contains(d.env.Args, "--json") {
		object := struct {
			Error failure `json:"error"`
		}{failure{e.Kind, report.CodeOf(e), e.Op, e.Error(), e.Path, e.Line, hint, e.Details}}
		if data, bad := encode(object, ""); bad == nil {
			out = data
		}
	}
	if out == nil {
		said := e.Error()
		if readsOn(report.CodeOf(e)) != "" {
			said += "; nothing is written until it is right"
		}
		text := "baton: " + harmless(said) + "\n"
		if hint != "" {
			text += "hint: " + harmless(hint) + "\n"
		}
		if e.Code == project.HistoryCombined {
			text = said + "\n" // prescribed to the letter
		}
		out = []byte(text)
	}
	_, _ = d.env.Stderr.Write(out) // nothing is left to tell it to
	return row.Exit
}

// usage is a mistake in the command line; help names the command whose help shows the right way.
func usage(help, message string) *report.Error {
	return &report.Error{Kind: report.Usage, Code: "usage", Message: message, Hint: strings.TrimSpace(help) + " --help"}
}

// misuse is a usage error whose hint is a sentence of its own.
func misuse(message, hint string) *report.Error {
	return &report.Error{Kind: report.Usage, Code: "usage", Message: message, Hint: hint}
}
