package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"baton/internal/report"
)

// tree builds the commands. It is called once per run, never at start-up.
func (d *door) tree() *cobra.Command {
	root := d.group("baton", "Keep the state of long-running work in plain Markdown files", "", d.members()...)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetOut(d.env.Stdout)
	root.SetErr(d.env.Stderr)
	root.SetIn(d.env.Stdin)
	root.SetHelpCommand(d.helpCommand())
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { d.unsaid = d.print([]byte(help(cmd))) })
	root.SetFlagErrorFunc(flagError)

	flags := root.PersistentFlags()
	flags.BoolVar(&d.json, "json", false, "print JSON; an error is one JSON object on standard error")
	flags.StringVarP(&d.dir, "dir", "C", "", "act as if started in `DIR`")
	flags.StringVar(&d.as, "as", "", "act as the holder `NAME`")
	flags.StringVar(&d.layout, "layout", "", "use this layout where several exist: `NAME` is baton, specflux, gsd, specflow or devt")
	flags.StringVar(&d.tasksDir, "tasks-dir", "", "look for task files in `DIR` first")
	flags.BoolVar(&d.noColor, "no-color", false, "print no colours")
	if len(d.env.Args) > 0 && strings.HasPrefix(d.env.Args[0], cobra.ShellCompRequestCmd) {
		d.completing(root)
	}
	return root
}

// members builds the commands of the first level. Where the command line begins with the name of one, that is the only
// one: building all costs more time than many a command takes. What looks at all of them, like help and completion,
// does not begin with such a name.
func (d *door) members() []*cobra.Command {
	all := [...]struct {
		name  string
		build func() *cobra.Command
	}{
		{"init", d.initCommand},
		{"task", d.taskCommands},
		{"session", d.sessionCommands},
		{"state", d.stateCommands},
		{"decision", d.decisionCommands},
		{"blocker", d.blockerCommands},
		{"history", d.historyCommand},
		{"dir", d.dirCommands},
		{"search", d.searchCommand},
		{"merge", d.mergeCommands},
		{"snapshot", d.snapshotCommands},
		{"log", d.changeLogCommand},
		{"undo", d.undoCommand},
		{"lost", d.lostCommand},
		{"blame", d.blameCommand},
		{"context", d.contextCommand},
		{"protocol", d.protocolCommand},
		{"plugin", d.pluginCommands},
		{"hook", d.hookCommand},
		{"mcp", d.mcpCommand},
		{"status", d.statusCommand},
		{"statusline", d.statusLineCommand},
		{"doctor", d.doctorCommand},
		{"config", d.configCommands},
		{"completion", d.completionCommand},
		{"selftest", d.selftestCommand},
		{"version", d.versionCommand},
	}
	list := make([]*cobra.Command, 0, len(all))
	for _, m := range all {
		if len(d.env.Args) > 0 && d.env.Args[0] == m.name && m.name != "completion" {
			return []*cobra.Command{m.build()}
		}
	}
	for _, m := range all {
		list = append(list, m.build())
	}
	return list
}

// flagError turns what the flag parser says into a usage error in baton's words.
func flagError(cmd *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	message := err.Error()
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := "--" + e.GetSpecifiedName()
		if short := e.GetSpecifiedShortnames(); short != "" {
			name = "-" + e.GetSpecifiedName()
		}
		u := usage(cmd.CommandPath(), fmt.Sprintf("unknown flag %s for %s", name, called(cmd)))
		if meant := nearestFlag(cmd, e.GetSpecifiedName()); meant != "" {
			u.Hint = fmt.Sprintf("did you mean --%s? All flags: %s", meant, u.Hint)
		}
		return u
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		message = fmt.Sprintf("flag --%s needs a value", e.GetFlag().Name)
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		message = fmt.Sprintf("flag --%s: %q is not %s", e.GetFlag().Name, e.GetValue(), wanted(e.GetFlag()))
	}
	return usage(cmd.CommandPath(), message)
}

// wanted says what a flag's value has to be.
func wanted(flag *pflag.Flag) string {
	switch flag.Value.Type() {
	case "duration":
		return "a length of time like 30m or 1h30m"
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	default:
		return "a value that it takes"
	}
}

// nearestFlag finds the flag of this command that is written most like name.
func nearestFlag(cmd *cobra.Command, name string) string {
	best, least := "", 3
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		away, near := nearness(name, flag.Name)
		if strings.HasPrefix(flag.Name, name) && len(name) > 2 {
			away, near = 1, true
		}
		if near && away < least {
			best, least = flag.Name, away
		}
	})
	return best
}

// exclusive refuses flags that contradict each other.
func exclusive(cmd *cobra.Command, names ...string) error {
	first := ""
	for _, name := range names {
		if !cmd.Flags().Changed(name) {
			continue
		}
		if first != "" {
			return usage(cmd.CommandPath(), fmt.Sprintf("--%s and --%s cannot go together", first, name))
		}
		first = name
	}
	return nil
}

// positive refuses a length of time that is not one.
func positive(cmd *cobra.Command, name string) error {
	flag := cmd.Flags().Lookup(name)
	if flag.Changed && (strings.HasPrefix(flag.Value.String(), "-") || flag.Value.String() == "0s") {
		return usage(cmd.CommandPath(), fmt.Sprintf("flag --%s: %s is not longer than nothing", name, flag.Value))
	}
	return nil
}

// always are the kinds of failure that every command may end with.
var always = [...]report.Kind{report.Internal, report.Usage}
