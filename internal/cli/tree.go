package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"baton/internal/cli/agents"
	"baton/internal/cli/app"
	"baton/internal/cli/digest"
	"baton/internal/cli/folder"
	"baton/internal/cli/safety"
	"baton/internal/cli/tasks"
)

// tree builds the commands. It is called once per run, never at start-up.
func tree(d *app.App) *cobra.Command {
	d.WholeTree = func() *cobra.Command {
		whole := tree(&app.App{})
		whole.InitDefaultHelpCmd()
		return whole
	}
	root := d.Group("baton", "Keep the state of long-running work in plain Markdown files", "", members(d)...)
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return d.UnknownCommand(cmd, args)
		}
		return bare(d, cmd)
	}
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return d.NotAllowed(cmd) }
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetOut(d.Env.Stdout)
	root.SetErr(d.Env.Stderr)
	root.SetIn(d.Env.Stdin)
	root.SetHelpCommand(helpCommand(d))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { d.HelpError = printHelp(d, cmd) })
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if words := unknownWords(d, cmd); len(words) > 0 {
			return d.UnknownCommand(cmd, words) // its flags cannot be known
		}
		return flagError(cmd, err)
	})

	flags := root.PersistentFlags()
	flags.BoolVar(&d.JSON, "json", false, "print JSON; errors are JSON on standard error")
	flags.StringVarP(&d.Dir, "dir", "C", "", "act as if started in `DIR`")
	flags.StringVar(&d.As, "as", "", "act as `NAME`")
	flags.StringVar(
		&d.Layout, "layout", "",
		"use this layout if there are several: `NAME` is baton, specflux, gsd, specflow or devt",
	)
	flags.StringVar(&d.TasksDir, "tasks-dir", "", "look for task files in `DIR` first")
	flags.Var(&d.Color, "color", "use colours: `WHEN` is auto, always or never")
	flags.BoolVar(&d.NoColor, "no-color", false, "the same as --color never")
	if len(d.Env.Args) > 0 && strings.HasPrefix(d.Env.Args[0], cobra.ShellCompRequestCmd) {
		completing(d, root)
	}
	return root
}

// members builds the commands of the first level. Where the command line begins with the name of
// one, that is the only one: building all costs more time than many a command takes. What looks at
// all of them, like help and completion, does not begin with such a name.
func members(d *app.App) []*cobra.Command {
	own := []app.Builder{
		{Name: "status", Build: statusCommand},
		{Name: "next", Build: nextCommand},
		{Name: "search", Build: searchCommand},
		{Name: "config", Build: configCommands},
		{Name: "mcp", Build: mcpCommand},
		{Name: "selftest", Build: selftestCommand},
		{Name: "completion", Build: completionCommand},
		{Name: "version", Build: versionCommand},
	}
	all := slices.Concat(
		own, tasks.Commands(tasks.DigestSession{Start: digest.StartSession, End: digest.EndSession}), digest.Commands(),
		folder.Commands(), safety.Commands(), agents.Commands(),
	)
	list := make([]*cobra.Command, 0, len(all))
	for _, m := range all {
		if len(d.Env.Args) > 0 && d.Env.Args[0] == m.Name && m.Name != "completion" {
			return []*cobra.Command{d.DryRuns(m.Build(d))}
		}
	}
	for _, m := range all {
		list = append(list, d.DryRuns(m.Build(d)))
	}
	return list
}

// unknownWords returns the words of the command line from the one on that a group does not know as
// one of its commands; none if there is no such word.
func unknownWords(d *app.App, cmd *cobra.Command) []string {
	if !cmd.HasSubCommands() {
		return nil
	}
	path := strings.Fields(cmd.CommandPath())[1:]
	for i, word := range d.Env.Args {
		switch {
		case len(path) > 0 && word == path[0]:
			path = path[1:]
		case len(path) == 0 && strings.HasPrefix(word, "-"):
			return nil // whether the next word is its value is not known
		case len(path) == 0:
			return d.Env.Args[i:]
		}
	}
	return nil
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
		u := app.Usage(cmd.CommandPath(), fmt.Sprintf("unknown flag %s for %s", name, app.CommandName(cmd)))
		if strings.ContainsAny(e.GetSpecifiedName()+e.GetSpecifiedShortnames(), " \t\n") {
			u.Hint = "a text that begins with - goes after --: " + cmd.CommandPath() + " -- TEXT; all flags: " + u.Hint
		} else if meant := nearestFlag(cmd, e.GetSpecifiedName()); meant != "" {
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
	return app.Usage(cmd.CommandPath(), message)
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
	case "color":
		return "auto, always or never"
	default:
		return "a valid value"
	}
}

// nearestFlag finds the flag of this command that is written most like name.
func nearestFlag(cmd *cobra.Command, name string) string {
	if meant := app.UsualFlag(cmd.Flags(), name); meant != "" {
		return meant
	}
	best, least := "", 3
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden {
			return
		}
		away, near := app.Nearness(name, flag.Name)
		if strings.HasPrefix(flag.Name, name) && len(name) > 2 {
			away, near = 1, true
		}
		if near && away < least {
			best, least = flag.Name, away
		}
	})
	return best
}
