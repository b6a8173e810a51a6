package app

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"baton/internal/report"
)

// AllowedVariable is set to 1 in an agent's shell if its client runs some baton commands without a
// question. Clients compare prefixes of command lines, so they cannot exclude a flag (D56).
const AllowedVariable = "BATON_ALLOWED"

// AskedKey is the annotation of a command that runs another one: only a person may allow it.
const AskedKey = "asked"

// NotAllowed refuses, where an agent's client asks nobody, what runs commands of the caller's
// choice, overrides a rule or leaves the project.
func (d *App) NotAllowed(cmd *cobra.Command) error {
	if d.Env.Getenv == nil || d.Env.Getenv(AllowedVariable) != "1" {
		return nil
	}
	what := ""
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if what == "" && asks(f) {
			what = "--" + f.Name
		}
	})
	if what == "" && cmd.Annotations[AskedKey] != "" {
		what = "`" + cmd.CommandPath() + "`"
	}
	if what == "" {
		return nil
	}
	return &report.Error{
		Kind: report.Violation, Code: report.CodeNotAllowedHere,
		Message: what + " is not allowed here, because the agent's client runs baton without a question",
		Hint:    "leave it out, or ask a person to type: " + d.typed(cmd),
	}
}

// asks reports whether a flag needs a person. --accept with a text adds a criterion, which is
// harmless; without one, it gives up entries that were lost.
func asks(f *pflag.Flag) bool {
	switch f.Name {
	case "force", "steal", "yes", "dir", "tasks-dir", "run":
		return true
	case "accept":
		return f.Value.Type() == "bool"
	}
	return false
}

// typed returns the command line that was given, quoted for a shell; without its operands and flags
// if a page cannot show one of them as it is.
func (d *App) typed(cmd *cobra.Command) string {
	words := []string{"baton"}
	for _, word := range d.Env.Args {
		word, ok := ShellWord(word)
		if !ok {
			return cmd.CommandPath()
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
