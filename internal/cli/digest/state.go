package digest

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/usecase/digests"
)

func stateCommands(d *app.App) *cobra.Command {
	return d.Group(
		"state",
		"Read and change the project's digest, STATE.md",
		`The digest says in at most a hundred lines where a project stands. It is STATE.md in .planning
(GSD), .specflow (SpecFlow) or .baton. baton edits it in place: each command changes only the lines
that it has to. When the digest grows past its limits, old decisions move to DECISIONS_ARCHIVE.md in
the same folder.`,
		stateShowCommand(d),
		stateGetCommand(d),
		stateJSONCommand(d),
		stateSetCommand(d),
		statePatchCommand(d),
		stateSyncCommand(d),
		stateValidateCommand(d),
		rotateCommand(d),
		beginCommand(d),
		planCommand(d),
		advanceCommand(d),
		verifyCommand(d),
		phaseCompleteCommand(d),
		pauseCommand(d),
		resumeCommand(d),
		stateNextCommand(d),
		milestoneCommand(d),
		metricCommand(d),
		evolutionCommand(d),
		activeCommands(d),
		queueCommands(d),
		migrateCommand(d),
	)
}

func stateShowCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "show", Short: "Show where the project stands",
		Long: `Print the digest on one screen: milestone and progress, status, what is active or next, the newest
decisions, blockers, and the size of the digest against its limits. --json prints everything.`,
		Example: "baton state show\nbaton state show --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.StateResult, error) {
				return p.Digests.State(ctx)
			}, pageState)
		},
	})
}

func stateGetCommand(d *app.App) *cobra.Command {
	cmd := d.Command(app.Spec{
		Use: "get NAME", Short: "Print one value of the digest",
		Long: "Print one value. In a GSD digest and in baton's own, NAME is a key of the front " +
			"matter (status, progress.percent), a label of the text (\"Last activity\") or the heading of a " +
			"section; fm:NAME, body:NAME and section:NAME choose between them. In SpecFlow, NAME is active, " +
			"status, next, a label of Current Position, or the heading of a section.",
		Example: "baton state get status\nbaton state get progress.percent --json\nbaton state get \"Last activity\"",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.ReadingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.StateValue, error) {
				return p.Digests.StateGet(ctx, args[0])
			}, pageValue)
		},
	})
	cmd.ValidArgsFunction = d.Completer(completeField)
	return cmd
}

func pageValue(p *app.Page, r digests.StateValue) {
	switch {
	case r.Null:
		p.Line(app.Plain, "")
	case r.Value == "" && len(r.List) > 0:
		for _, value := range r.List {
			p.Line(app.Plain, "%s", value)
		}
	default:
		p.Block("", r.Value, 0)
	}
}
