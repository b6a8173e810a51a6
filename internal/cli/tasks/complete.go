package tasks

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/tasks"
)

func completeCommand(d *app.App) *cobra.Command {
	var r tasks.TaskRequest
	cmd := about(d, app.Spec{
		Use: "complete ID…", Short: "Finish a task and pass its output on",
		Long: `Complete a task. The command is refused while criteria are open, criteria or sessions are lost,
another task waits for an output that is not written, or parts of a split task are not complete, and
if the task is complete on another branch that is not merged here; --force with a reason completes it
anyway and records the reason. The output goes to every task that depends on this one, and you see
which tasks are now ready. If no task waits for it, a missing output is made of the log. Several
tasks are completed one after the other, until one is refused.`,
		Example: "baton task complete 101\nbaton task complete 101 102\n" +
			"baton task complete 101 --force --reason \"the last criterion moved to 140\"",
		MinArgs: 1, MaxArgs: app.MostIDs,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			switch {
			case r.Force && r.Reason == "":
				return app.Usage(cmd.CommandPath(), "--force needs --reason TEXT")
			case r.Reason != "" && !r.Force:
				return app.Usage(cmd.CommandPath(), "--reason needs --force")
			}
			others := true // wait for the whole
			return app.AnswerEach(
				d, cmd, args, func(ctx context.Context, p *project.Project, id string) (tasks.CompleteResult, error) {
					ask := r
					ask.ID = id
					done, err := p.Tasks.Complete(ctx, ask)
					if err == nil && !d.JSON && done.Parent != "" {
						others = p.Tasks.IsAwaited(ctx, done.Parent)
					}
					return done, err
				}, func(p *app.Page, done tasks.CompleteResult) { pageComplete(p, done, others) },
			)
		},
	})
	cmd.Flags().BoolVar(&r.Force, "force", false, "complete it even if something is missing; needs --reason")
	cmd.Flags().StringVar(&r.Reason, "reason", "", "why it counts as complete anyway: `TEXT`")
	return cmd
}

func pageComplete(p *app.Page, r tasks.CompleteResult, awaited bool) {
	if r.Changed {
		p.Add(app.Good, "Completed "+r.Task.Ref()).Add(app.Plain, titled(r.Title)).End()
	} else {
		p.Line(app.Plain, "Nothing to do: %s is already complete.", r.Task.Ref())
	}
	for _, text := range r.Overridden {
		p.Item("  ", app.Warn, "overridden:", text)
	}
	for _, in := range r.HandedTo {
		what := "its output went to"
		switch in.Change {
		case "unchanged":
			what = "its output is in"
		case "kept_edited":
			what = "a person's own version stays in"
		}
		p.Line(app.Plain, "  %s %s %s", what, in.Task.Ref(), in.Title)
	}
	for _, f := range r.Warnings {
		if f.Code != report.CodePartsComplete { // stands on the page
			p.Remarks = append(p.Remarks, f)
		}
	}
	if r.Parent != "" {
		p.Line(app.Plain, "Ready to complete: %s, all its parts are done", r.Parent.Ref())
	}
	if len(r.Ready) == 0 {
		if r.Parent != "" {
			p.Hint("Next: %s", outputStep(r.Parent, awaited))
		}
		return
	}
	p.Line(app.Plain, "Now ready:")
	for _, t := range r.Ready {
		p.Line(app.Plain, "  %s %s", t.ID.Ref(), t.Title)
	}
	p.Hint("Next: baton session start %s", r.Ready[0].ID)
}
