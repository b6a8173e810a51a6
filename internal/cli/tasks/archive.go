package tasks

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/tasks"
)

func archiveCommand(d *app.App) *cobra.Command {
	r := tasks.ArchiveRequest{Keep: -1}
	cmd := about(d, app.Spec{
		Use: "archive ID", Short: "Move old sessions to the archive, or read them back",
		Long: "Move all but the newest sessions to the task's archive and put a summary in their " +
			"place. baton does this automatically when a file grows past its limit. --show prints archived " +
			"sessions with their original bytes. --rebuild-summary rebuilds the summary from the archive.",
		Example: "baton task archive 101\nbaton task archive 101 --keep 3\nbaton task archive 101 --show 2-4",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if err := app.Exclusive(cmd, "keep", "show", "rebuild-summary"); err != nil {
				return err
			}
			if err := app.NotNegative(cmd, "keep"); err != nil {
				return err
			}
			if cmd.Flags().Changed("show") && r.Show == "" {
				return app.Usage(cmd.CommandPath(), "--show needs N or N-M")
			}
			r.ID = args[0]
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.ArchiveResult, error) {
				return p.Tasks.Archive(ctx, r)
			}, func(p *app.Page, a tasks.ArchiveResult) { pageArchive(p, a, r) })
		},
	})
	flags := cmd.Flags()
	flags.IntVar(&r.Keep, "keep", -1, "keep the newest `N` sessions in the task file (default: as configured)")
	flags.StringVar(&r.Show, "show", "", "print archived sessions: `N` or N-M")
	flags.BoolVar(&r.RebuildSummary, "rebuild-summary", false, "rebuild the summary from the archive")
	return cmd
}

// sessionRanges names sessions: "session 4", "sessions 1-3, 5".
func sessionRanges(numbers []int) string {
	if len(numbers) == 1 {
		return "session " + ranges(numbers)
	}
	return "sessions " + ranges(numbers)
}

func pageArchive(p *app.Page, r tasks.ArchiveResult, request tasks.ArchiveRequest) {
	p.Remarks = r.Warnings
	switch {
	case request.Show != "" && p.Env.Terminal:
		p.Raw.WriteString(safetext.VisibleLines(r.Text)) // a terminal must not act on what a file holds (TS-24)
	case request.Show != "":
		p.Raw.WriteString(r.Text) // the original bytes, for a program or a file (5.14.3)
	case request.RebuildSummary && r.Rebuilt:
		p.Line(app.Good, "Rebuilt the summary of %s from %s", r.Task.Ref(), r.Path)
	case request.RebuildSummary:
		p.Line(app.Plain, "Nothing to do: the summary of %s matches its archive.", r.Task.Ref())
	case len(r.Archived) == 0:
		p.Line(app.Plain, "Nothing to do: %s has no sessions to archive.", r.Task.Ref())
	default:
		p.Add(app.Good, "Archived").Add(app.Plain, " "+sessionRanges(r.Archived)+" of "+r.Task.Ref()).
			Add(app.Faint, "  "+r.Path).End()
		p.Line(app.Plain, "  the task file is now %s", app.Kilobytes(r.Size))
		p.Hint("To read them: baton task archive %s --show %d", r.Task, r.Archived[0])
	}
}
