package cli

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/digests"
)

func (d *door) stateCommands() *cobra.Command {
	return d.group("state", "Read and change the project's digest, STATE.md",
		"The digest says in at most a hundred lines where a project stands. It is STATE.md in .planning (GSD), in .specflow\n"+
			"(SpecFlow) or in .baton, and is changed in place: each command touches the lines that it means and no other. Old\n"+
			"decisions move to DECISIONS_ARCHIVE.md beside it when it grows past its limits.",
		d.stateShowCommand(), d.stateGetCommand(), d.stateSetCommand(), d.statePatchCommand(),
		d.stateSyncCommand(), d.stateValidateCommand(), d.rotateCommand("state"),
		d.beginCommand(), d.planCommand(), d.verifyCommand(), d.phaseCompleteCommand(), d.pauseCommand(), d.resumeCommand(),
		d.stateNextCommand(), d.milestoneCommand(), d.metricCommand(),
		d.activeCommands(), d.queueCommands(), d.migrateCommand())
}

func (d *door) stateShowCommand() *cobra.Command {
	return d.command(spec{
		use: "show", short: "Show where the project stands",
		long: "Print the digest on one screen: milestone and progress, status, what is active or next, the newest decisions,\n" +
			"blockers, and how large the digest is against its limits. --json has everything.",
		example: "baton state show\nbaton state show --json",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.StateResult, error) {
				return p.Digests.State(ctx)
			}, pageState)
		},
	})
}

func (d *door) stateGetCommand() *cobra.Command {
	cmd := d.command(spec{
		use: "get NAME", short: "Print one value of the digest",
		long: "Print one value. In a GSD digest and in baton's own, NAME is a key of the front matter (status, progress.percent),\n" +
			"a label of the text (\"Last activity\") or a section's heading; fm:NAME, body:NAME and section:NAME say which is meant.\n" +
			"In SpecFlow it is active, status, next, a label of Current Position, or a section's heading.",
		example: "baton state get status\nbaton state get progress.percent --json\nbaton state get \"Last activity\"",
		least:   1, most: 1,
		exits: reading[:],
		run: func(cmd *cobra.Command, args []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.StateValue, error) {
				return p.Digests.StateGet(ctx, args[0])
			}, pageValue)
		},
	})
	cmd.ValidArgsFunction = d.completeField
	return cmd
}

func pageValue(p *page, r digests.StateValue) {
	switch {
	case r.Null:
		p.line(faint, "null")
	case r.Value == "" && len(r.List) > 0:
		for _, value := range r.List {
			p.line(plain, "%s", value)
		}
	default:
		p.block("", r.Value, 0)
	}
}
