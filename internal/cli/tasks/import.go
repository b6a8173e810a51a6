package tasks

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/tasks"
)

func importCommand(d *app.App) *cobra.Command {
	var r tasks.ImportRequest
	apply := false
	cmd := d.Command(app.Spec{
		Use: "import FILE", Short: "Import a task file from another folder",
		Long: `Copy a task file of any format into this project, byte for byte; - reads standard input. Its id is
--id, else the one in its name, title or metadata, else the next free number. Without --apply, baton
only shows the file that would be written.

--lenient accepts code fences inside code fences, which many samples have: a task file inside a
Markdown fence is taken out of it, and an outer fence gets longer fence lines.`,
		Example: "baton task import task-101-state.md\nbaton task import notes.md --lenient --id 7 --apply",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			data, err := d.File(cmd.Context(), app.FileOperand, args[0])
			if err != nil {
				return err
			}
			d.DryRun, d.Again = !apply, "run the same command with --apply"
			r.Data, r.Name = data, filepath.Base(args[0])
			if args[0] == "-" {
				r.Name = "standard input"
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.ImportResult, error) {
				return p.Tasks.Import(ctx, r)
			}, pageImport)
		},
	})
	cmd.Flags().StringVar(&r.ID, "id", "", "give the task this `ID`")
	cmd.Flags().BoolVar(&apply, "apply", false, "write it")
	cmd.Flags().BoolVar(&r.Lenient, "lenient", false, "read nested code fences as they are meant")
	return cmd
}

// titled returns a title to put after an id; a file may have none.
func titled(title string) string {
	if title == "" {
		return ""
	}
	return "  " + title
}

func pageImport(p *app.Page, r tasks.ImportResult) {
	p.Add(app.Good, "Imported "+r.Task.Ref()).Add(app.Plain, titled(r.Title)).Add(app.Faint, "  "+r.Path).End()
	p.Line(app.Plain, "  %s, dialect %s, %s", r.Status, r.Dialect, safetext.Count(r.Sessions, "session"))
	if r.Changed {
		p.Line(app.Faint, "  its nested code fences were read leniently")
	}
	p.Remarks = r.Warnings
	p.Hint("To see it: baton task show %s", r.Task)
}
