package cli

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/tasks"
)

func (d *door) convertCommand() *cobra.Command {
	var r tasks.ConvertRequest
	cmd := d.about(spec{
		use: "convert ID --to v1|v2", short: "Change a file to another dialect",
		long: "Show how the task's file would look in another dialect. Nothing is written until --apply. v2 is the lean file with\n" +
			"check boxes, v1 the richer one with a feature checklist and a git history.",
		example: "baton task convert 101 --to v1\nbaton task convert 101 --to v1 --apply",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			if r.To == "" {
				return usage(cmd.CommandPath(), called(cmd)+" needs --to v1 or --to v2")
			}
			r.ID = args[0]
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.ConvertResult, error) {
				return p.Tasks.Convert(ctx, r)
			}, func(p *page, c tasks.ConvertResult) { pageConvert(p, c, r.To) })
		},
	})
	cmd.Flags().StringVar(&r.To, "to", "", "the dialect to write: `NAME` is v1 or v2")
	cmd.Flags().BoolVar(&r.Apply, "apply", false, "write it")
	return cmd
}

// pageConvert names dialects as they were asked for: v1 is one name for all that are written as v1.
func pageConvert(p *page, r tasks.ConvertResult, to string) {
	p.remarks = r.Warnings
	switch {
	case r.Applied:
		p.line(good, "Converted %s from %s to %s", ref(r.Task), r.From, to)
	case r.Diff == "":
		p.line(plain, "Nothing to do: %s is in %s already.", ref(r.Task), r.From)
	default:
		p.diff("", r.Diff)
		p.hint("Write it: baton task convert %s --to %s --apply", r.Task, to)
	}
}
