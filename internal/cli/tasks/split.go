package tasks

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/tasks"
)

func splitCommand(d *app.App) *cobra.Command {
	var r tasks.SplitRequest
	cmd := about(d, app.Spec{
		Use: "split ID", Short: "Split a large task into chained parts",
		Long: "Propose sub-tasks for what is still open. Nothing is written without --apply, which " +
			"creates them as a chain, hands over the state of the parent, and sets it to decomposed. " +
			"--dismiss hides the proposal for five more sessions.",
		Example: "baton task split 101\nbaton task split 101 --apply\nbaton task split 101 --dismiss",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if err := app.Exclusive(cmd, "apply", "dismiss"); err != nil {
				return err
			}
			r.ID = args[0]
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.SplitResult, error) {
				return p.Tasks.Split(ctx, r)
			}, pageSplit)
		},
	})
	cmd.Flags().BoolVar(&r.Apply, "apply", false, "create the sub-tasks")
	cmd.Flags().BoolVar(&r.Dismiss, "dismiss", false, "hide the proposal for five more sessions")
	return cmd
}

func pageSplit(p *app.Page, r tasks.SplitResult) {
	p.Remarks = r.Warnings
	switch {
	case r.Applied:
		p.Line(app.Good, "Split %s into %s", r.Task.Ref(), safetext.Count(len(r.Created), "task"))
		for _, t := range r.Created {
			p.Add(app.Plain, "  "+t.ID.Ref()+" "+t.Title).Add(app.Faint, "  "+t.Path).End()
		}
		p.Hint("Next: baton task ready")
	case r.Dismissed:
		p.Line(app.Plain, "The proposal for %s is hidden for five more sessions.", r.Task.Ref())
	case len(r.Suggested) == 0:
		if r.Open < 2 {
			p.Line(app.Plain, "Nothing to split: %s has fewer than two open criteria.", r.Task.Ref())
			return
		}
		p.Line(app.Plain, "Nothing to split: the %d open criteria of %s fit into one part.", r.Open, r.Task.Ref())
	default:
		// The box of the file's own notice says the same in less: the criteria that each part would
		// get are missing.
		for _, part := range r.Suggested {
			p.Line(app.Strong, "%s %s (about %s)", part.ID.Ref(), part.Title, safetext.Count(part.Estimate, "session"))
			for _, text := range part.Criteria {
				p.Item("  ", app.Faint, p.Marks().Dot, strings.TrimSpace(text))
			}
		}
		p.Hint("To create them: baton task split %s --apply", r.Task)
	}
}
