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
		return usage(cmd.CommandPath(), fmt.Sprintf("%s needs %s", called(cmd), strings.TrimSpace(names)))
	case len(args) > s.most && s.most == 0:
		return usage(cmd.CommandPath(), fmt.Sprintf("%s takes no operand, but %q was given", called(cmd), args[0]))
	case len(args) > s.most:
		e := usage(cmd.CommandPath(), fmt.Sprintf("%s takes %s and nothing more, but %q was given", called(cmd), names, args[s.most]))
		e.Hint = "put a text of several words in quotes; " + e.Hint
		return e
	}
	return nil
}

// group builds a command that only holds others. Alone it prints its help.
func (d *door) group(use, short, long string, members ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, DisableFlagsInUseLine: true,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return d.print([]byte(help(cmd)))
		},
	}
	cmd.AddCommand(members...)
	return cmd
}

// unknownCommand names the command that was probably meant.
func unknownCommand(cmd *cobra.Command, name string) error {
	e := usage(cmd.CommandPath(), fmt.Sprintf("unknown command %q for %s", name, cmd.CommandPath()))
	if meant := nearestCommand(cmd, name); meant != "" {
		e.Hint = fmt.Sprintf("did you mean `%s`? All commands: baton help", meant)
	}
	return e
}

// nearestCommand looks among the group's own commands first, then in the whole tree.
func nearestCommand(cmd *cobra.Command, name string) string {
	best, least := "", 3
	nearer := func(c *cobra.Command) {
		if away := distance(name, c.Name()); away < least && away < len(name) && c.HasParent() && !c.Hidden {
			best, least = c.CommandPath(), away
		}
	}
	for _, child := range cmd.Commands() {
		nearer(child)
	}
	if least > 1 {
		each(cmd.Root(), nearer)
	}
	return best
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

// distance counts the letters to change, add, drop or swap to get from one word to the other.
func distance(a, b string) int {
	before, row := []int(nil), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
