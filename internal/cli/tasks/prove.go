package tasks

import (
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/tasks"
)

// proveCommand runs a command for a criterion. It is a verb of its own and not only a flag, because
// coding agents allow command lines by their beginning.
func proveCommand(d *app.App) *cobra.Command {
	var r tasks.CheckRequest
	cmd := about(d, app.Spec{
		Use: "prove ID CRITERION -- CMD…", Short: "Check off a criterion if a command succeeds",
		Long: `Check off a criterion if a command succeeds, and keep the command as evidence. CRITERION is its
number, its key or its whole text. A command of one word, such as 'make test && make lint', is a line
for the shell; several words are one command and its arguments.

This is the same as check --run. Where BATON_ALLOWED=1, both are refused: the client of the agent
asks nobody there, so a person has to type them.`,
		Example: "baton task prove 101 1 -- go test ./...\n" +
			"baton task prove 101 \"Tokens are signed\" -- 'make test && make lint'",
		MinArgs: 3, MaxArgs: app.MostIDs,
		Exits: append(app.WritingExits[:], report.NotVerified),
		Run: func(cmd *cobra.Command, args []string) error {
			if cmd.ArgsLenAtDash() != 2 {
				return app.Usage(cmd.CommandPath(), "task prove needs ID CRITERION, then -- and the command")
			}
			if err := app.Positive(cmd, "timeout"); err != nil {
				return err
			}
			if r.Run = commandLine(args[2:]); strings.TrimSpace(r.Run) == "" {
				return app.Usage(cmd.CommandPath(), "the command is empty")
			}
			r.ID = args[0]
			stream := &lineKeeper{to: d.Env.Stderr}
			r.Stream = stream
			return check(d, cmd, r, args[1:2], stream)
		},
	})
	cmd.Annotations[app.AskedKey] = "yes"
	cmd.Flags().DurationVar(&r.Timeout, "timeout", 0, "stop the command after `TIME` (default 10m)")
	by(cmd, &r)
	cmd.ValidArgsFunction = completeCriterion(d, false)
	return cmd
}

// commandLine returns the line for the shell that runs a command. A single word is such a line.
func commandLine(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	quoted := make([]string, len(words))
	for i, word := range words {
		shown, ok := app.ShellWord(word)
		if !ok {
			shown = safetext.ShellQuote(word)
		}
		quoted[i] = shown
	}
	return strings.Join(quoted, " ")
}
