package tasks

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/usecase/tasks"
)

func cancelCommand(d *app.App) *cobra.Command {
	var r tasks.TaskRequest
	cmd := about(d, app.Spec{
		Use: "cancel ID… --reason TEXT", Short: "Give a task up",
		Long: "Set a task to cancelled, with the reason, and end its claim. The answer names the tasks that " +
			"wait for it. `baton task reopen` undoes it.",
		Example: "baton task cancel 101 --reason \"the customer left\"\n" +
			"baton task cancel 101 102 --reason \"both came twice\"",
		MinArgs: 1, MaxArgs: app.MostIDs,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if r.Reason == "" {
				return app.Usage(cmd.CommandPath(), app.CommandName(cmd)+" needs --reason TEXT")
			}
			return app.AnswerEach(d, cmd, args, func(
				ctx context.Context, p *project.Project, id string,
			) (tasks.CancelResult, error) {
				ask := r
				ask.ID = id
				return p.Tasks.Cancel(ctx, ask)
			}, func(p *app.Page, c tasks.CancelResult) {
				if c.Changed {
					headline(p, "Cancelled "+c.Task.Ref(), c.Title, ": "+r.Reason)
				} else {
					p.Line(app.Plain, "Nothing to do: %s is already cancelled.", c.Task.Ref())
				}
				p.Remarks = c.Warnings
				p.Hint("To take it up again: baton task reopen %s", c.Task)
			})
		},
	})
	cmd.Flags().StringVar(&r.Reason, "reason", "", "why it will not be done: `TEXT`")
	return cmd
}

func deleteCommand(d *app.App) *cobra.Command {
	var r tasks.TaskRequest
	cmd := about(d, app.Spec{
		Use: "delete ID", Short: "Cancel a task and move its file to the archive",
		Long: "Cancel a task and move its file to the archive folder. No task gets its id again. " +
			"Without --apply, it only shows what would happen.",
		Example: "baton task delete 101\nbaton task delete 101 --apply --reason \"created twice\"",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			r.ID = args[0]
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.CancelResult, error) {
				return p.Tasks.Delete(ctx, r)
			}, func(p *app.Page, c tasks.CancelResult) {
				word := "Would delete "
				if c.Applied {
					word = "Deleted "
				}
				headline(p, word+c.Task.Ref(), c.Title, "")
				p.Line(app.Plain, "  its file in the archive: %s", c.Path)
				p.Remarks = c.Warnings
				if !c.Applied {
					p.Hint("To do it: baton task delete %s --apply", c.Task)
					return
				}
				p.Hint("To see what you can start: baton task ready")
			})
		},
	})
	cmd.Flags().BoolVar(&r.Force, "apply", false, "do it")
	cmd.Flags().StringVar(&r.Reason, "reason", "", "why it will not be done: `TEXT`")
	return cmd
}
