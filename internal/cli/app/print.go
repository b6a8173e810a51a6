package app

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
)

// Print writes a finished answer to standard output in one piece.
func (d *App) Print(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	if _, err := d.Env.Stdout.Write(data); err != nil {
		return &report.Error{
			Kind: report.Refused, Code: report.CodeOutputRefused, Err: err,
			Message: "cannot write to standard output: " + err.Error(), Hint: "the command itself was carried out",
		}
	}
	return nil
}

// PrintJSON prints a result in its documented form: indented by two spaces, lists never null.
func (d *App) PrintJSON(result any) error {
	data, err := report.EncodeJSON(result, "  ")
	if err != nil {
		return fmt.Errorf("encode result: %w", err)
	}
	return d.Print(data)
}

// PrintRemarks prints warnings for people. Each is one line, wrapped at the terminal's width.
func (d *App) PrintRemarks(findings []report.Finding) {
	var b strings.Builder
	for _, f := range findings {
		b.WriteString(d.wrapped(severity(f.Severity) + ": " + RemarkText(f)))
	}
	// A warning that cannot be shown must not turn a success into a failure.
	_, _ = d.Env.Stderr.Write([]byte(b.String()))
}

// wrapped returns a line of standard error, wrapped if a person reads it in a terminal.
func (d *App) wrapped(line string) string {
	return strings.Join(Wrap(line, d.width()), "\n") + "\n"
}

// RemarkText returns a finding as a sentence. What is wrong with the configuration also says what
// happens then (D27).
func RemarkText(f report.Finding) string {
	text := f.Text
	if then := readsOn(f.Code); then != "" {
		text += "; baton " + then + ", and writes nothing until that is fixed"
	}
	return safetext.Visible(text) + place(f)
}

// readsOn returns what baton does with a configuration that is wrong while it only reads; "" for
// findings about anything else.
func readsOn(code report.Code) string {
	switch code {
	case report.CodeConfigType:
		return "uses the default"
	case report.CodeConfigInvalid, report.CodeConfigUnreadable:
		return "ignores the whole file"
	}
	return ""
}

// severity returns the word for people.
func severity(s report.Severity) string {
	switch s {
	case report.Info:
		return "note"
	case report.Severe:
		return "problem"
	default:
		return "warning"
	}
}

// place says where a finding is, unless its sentence already does: with the whole path, or with the
// file's name and the line.
func place(f report.Finding) string {
	line := strconv.Itoa(f.Line)
	switch {
	case f.Path == "", strings.Contains(f.Text, f.Path):
		return ""
	case f.Line > 0 && strings.Contains(f.Text, path.Base(f.Path)) && strings.Contains(f.Text, "line "+line+" "):
		return ""
	}
	if f.Line > 0 {
		return fmt.Sprintf(" (%s:%d)", safetext.Visible(f.Path), f.Line)
	}
	return " (" + safetext.Visible(f.Path) + ")"
}
