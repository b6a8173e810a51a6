package app

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/report"
)

// Spec is one command: what help says about it and what it does.
type Spec struct {
	Use     string // name and operands: "check ID CRITERION"
	Short   string // one line, without a full stop
	Long    string // paragraphs
	Example string // lines that really work
	MinArgs int    // operands that must be there
	MaxArgs int    // operands that may be there
	Exits   []report.Kind
	Run     func(cmd *cobra.Command, args []string) error
}

// Builder builds one command of the first level.
type Builder struct {
	Name  string
	Build func(*App) *cobra.Command
}

// ExitsKey is the annotation with a command's kinds of failure, for its help.
const ExitsKey = "exits"

// NeverFails is its value for a command that always ends with exit code 0.
const NeverFails = "never"

// Command builds a command of the tree. Every command may fail on wrong usage and on baton's own
// defects, so these two are not listed in spec.
func (d *App) Command(s Spec) *cobra.Command {
	kinds := make([]string, 0, len(s.Exits))
	for _, kind := range s.Exits {
		kinds = append(kinds, string(kind))
	}
	return &cobra.Command{
		Use: s.Use, Short: s.Short, Long: s.Long, Example: s.Example,
		Annotations:           map[string]string{ExitsKey: strings.Join(kinds, " ")},
		DisableFlagsInUseLine: true,
		Args: func(cmd *cobra.Command, args []string) error {
			return operands(cmd, s, args)
		},
		RunE: s.Run,
	}
}

// operands checks the number of operands. Its errors name them as the usage line does.
func operands(cmd *cobra.Command, s Spec, args []string) error {
	_, names, _ := strings.Cut(s.Use, " ")
	switch {
	case len(args) < s.MinArgs:
		e := Usage(cmd.CommandPath(), fmt.Sprintf("%s needs %s", CommandName(cmd), strings.TrimSpace(names)))
		if len(args) == 0 && strings.HasPrefix(names, "ID") {
			id := IDHint
			if strings.HasPrefix(CommandName(cmd), "state ") {
				id = "an id is like SPEC-007; "
			}
			e.Hint = id + e.Hint
		}
		return e
	case len(args) > s.MaxArgs && s.MaxArgs == 0:
		return Unwanted(cmd, args[0])
	case len(args) > s.MaxArgs:
		e := Usage(
			cmd.CommandPath(),
			fmt.Sprintf("%s takes %s and nothing more, but %q was given", CommandName(cmd), names, args[s.MaxArgs]),
		)
		e.Hint = "put a text of several words in quotes; " + e.Hint
		return e
	}
	return nil
}

// Unwanted returns the error for an operand of a command that takes none.
func Unwanted(cmd *cobra.Command, word string) error {
	return Usage(cmd.CommandPath(), fmt.Sprintf("%s takes no argument, but %q was given", CommandName(cmd), word))
}

// Operand returns the first operand, "" if there is none.
func Operand(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// IDHint is for people who typed #1, as pages write it: in a shell, that begins a comment.
const IDHint = "write an id as 1 or '#1': in a shell, an unquoted # begins a comment; "

// Group builds a command that only holds others. Alone it prints its help.
func (d *App) Group(use, short, long string, members ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, DisableFlagsInUseLine: true,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return d.UnknownCommand(cmd, args)
			}
			return d.Print([]byte(Help(cmd)))
		},
	}
	cmd.AddCommand(members...)
	return cmd
}

// CommandName returns a command's name without "baton", because messages begin with that.
func CommandName(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), "baton ")
}

// EachCommand visits the tree in alphabetical order, hidden commands left out.
func EachCommand(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, child := range cmd.Commands() {
		if !child.Hidden {
			EachCommand(child, visit)
		}
	}
}

// Completer gives the candidates for one word of a command line.
type Completer = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

// Completer makes the completion of a command or flag from a function that asks the project.
func (d *App) Completer(
	ask func(*App, *cobra.Command, []string, string) ([]string, cobra.ShellCompDirective),
) Completer {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		return ask(d, cmd, args, word)
	}
}
