package tasks

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
)

func convertCommand(d *app.App) *cobra.Command {
	var r tasks.ConvertRequest
	cmd := about(d, app.Spec{
		Use: "convert ID --to v1|v2", Short: "Convert a task file to another dialect",
		Long: "Show how the task's file would look in another format (dialect). Nothing is written " +
			"without --apply. v2 is the lean file with check boxes, v1 the longer one with a feature " +
			"checklist and a git history.",
		Example: "baton task convert 101 --to v1\nbaton task convert 101 --to v1 --apply",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if r.To == "" {
				return app.Usage(cmd.CommandPath(), app.CommandName(cmd)+" needs --to v1 or --to v2")
			}
			r.ID = args[0]
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.ConvertResult, error) {
				return p.Tasks.Convert(ctx, r)
			}, func(p *app.Page, c tasks.ConvertResult) { pageConvert(p, c, r.To) })
		},
	})
	cmd.Flags().StringVar(&r.To, "to", "", "the dialect to write: `NAME` is v1 or v2")
	cmd.Flags().BoolVar(&r.Apply, "apply", false, "write the file")
	return cmd
}

// pageConvert names dialects as they were asked for: v1 is one name for all that are written as v1.
func pageConvert(p *app.Page, r tasks.ConvertResult, to string) {
	p.Remarks = r.Warnings
	switch {
	case r.Applied:
		p.Line(app.Good, "Converted %s from %s to %s", r.Task.Ref(), dialectName(r.From), to)
	case r.Diff == "":
		p.Line(app.Plain, "Nothing to do: %s is already in %s.", r.Task.Ref(), dialectName(r.From))
	default:
		p.Diff("", r.Diff)
		p.Hint("To write it: baton task convert %s --to %s --apply", r.Task, to)
	}
}

// dialectName returns the name of a dialect that pages show. People ask for v1, not for its forms.
func dialectName(dialect string) string {
	switch task.Dialect(dialect) {
	case task.V1A, task.V1B:
		return "v1 without metadata"
	case task.V1C:
		return "v1"
	}
	return dialect
}
