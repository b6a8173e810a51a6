package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/report"
)

// spec is one command: what help says about it and what it does.
type spec struct {
	use     string // name and operands: "check ID CRITERION"
	short   string // one line, without a full stop
	long    string // paragraphs
	example string // lines that really work
	least   int    // operands that must be there
	most    int    // operands that may be there
	exits   []report.Kind
	run     func(cmd *cobra.Command, args []string) error
}

// exitsKey is the annotation that carries a command's kinds of failure to its help.
const exitsKey = "exits"

// neverFails stands there for a command that always ends with exit code 0.
const neverFails = "never"

// command builds a command of the tree. Every command may fail on wrong usage and on baton's own defects, so these
// two are not listed in spec.
func (d *door) command(s spec) *cobra.Command {
	kinds := make([]string, 0, len(s.exits))
	for _, kind := range s.exits {
		kinds = append(kinds, string(kind))
	}
	return &cobra.Command{
		Use: s.use, Short: s.short, Long: s.long, Example: s.example,
		Annotations:           map[string]string{exitsKey: strings.Join(kinds, " ")},
		DisableFlagsInUseLine: true,
		Args: func(cmd *cobra.Command, args []string) error {
			return operands(cmd, s, args)
		},
		RunE: s.run,
	}
}

// operands checks how many there are, in the words of the command's usage line.
func operands(cmd *cobra.Command, s spec, args []string) error {
	_, names, _ := strings.Cut(s.use, " ")
	switch {
	case len(args) < s.least:
		e := usage(cmd.CommandPath(), fmt.Sprintf("%s needs %s", called(cmd), strings.TrimSpace(names)))
		if len(args) == 0 && strings.HasPrefix(names, "ID") {
			e.Hint = hintOfID(cmd) + e.Hint
		}
		return e
	case len(args) > s.most && s.most == 0:
		return usage(cmd.CommandPath(), fmt.Sprintf("%s takes no operand, but %q was given", called(cmd), args[0]))
	case len(args) > s.most:
		e := usage(cmd.CommandPath(), fmt.Sprintf("%s takes %s and nothing more, but %q was given", called(cmd), names, args[s.most]))
		e.Hint = "put a text of several words in quotes; " + e.Hint
		return e
	}
	return nil
}

// idHint is for those who wrote #1, as pages do: a shell takes it for the beginning of a comment.
const idHint = "an id is written 1 or '#1' in a shell, where # begins a comment; "

// hintOfID says what an id looks like: of a specification in the commands of the digest, else of a task.
func hintOfID(cmd *cobra.Command) string {
	if strings.HasPrefix(called(cmd), "state ") {
		return "an id is like SPEC-007; "
	}
	return idHint
}

// group builds a command that only holds others. Alone it prints its help.
func (d *door) group(use, short, long string, members ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, DisableFlagsInUseLine: true,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args)
			}
			return d.print([]byte(help(cmd)))
		},
	}
	cmd.AddCommand(members...)
	return cmd
}

// called is a command's name in a sentence, without the program's, which the line begins with.
func called(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), "baton ")
}

// each visits the tree in alphabetical order, hidden commands left out.
func each(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, child := range cmd.Commands() {
		if !child.Hidden {
			each(child, visit)
		}
	}
}
