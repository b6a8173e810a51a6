package cli

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/tasks"
)

func (d *door) archiveCommand() *cobra.Command {
	r := tasks.ArchiveRequest{Keep: -1}
	cmd := d.about(spec{
		use: "archive ID", short: "Move old sessions to the archive, or read them back",
		long: "Move all sessions but the newest to the task's archive and put a summary in their place. This happens by itself when\n" +
			"a file grows past its limit. --show prints archived sessions with their original bytes. --rebuild-summary makes the\n" +
			"summary anew from the archive.",
		example: "baton task archive 101\nbaton task archive 101 --keep 3\nbaton task archive 101 --show 2-4",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			if err := exclusive(cmd, "keep", "show", "rebuild-summary"); err != nil {
				return err
			}
			if cmd.Flags().Changed("keep") && r.Keep < 0 {
				return usage(cmd.CommandPath(), "--keep cannot be below 0")
			}
			if cmd.Flags().Changed("show") && r.Show == "" {
				return usage(cmd.CommandPath(), "--show needs N or N-M")
			}
			r.ID = args[0]
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.ArchiveResult, error) {
				return p.Tasks.Archive(ctx, r)
			}, func(p *page, a tasks.ArchiveResult) { pageArchive(p, a, r) })
		},
	})
	flags := cmd.Flags()
	flags.IntVar(&r.Keep, "keep", -1, "keep the newest `N` sessions in the task file (default: as configured)")
	flags.StringVar(&r.Show, "show", "", "print archived sessions: `N` or N-M")
	flags.BoolVar(&r.RebuildSummary, "rebuild-summary", false, "make the summary anew from the archive")
	return cmd
}

// sessionRanges names sessions: "session 4", "sessions 1-3, 5".
func sessionRanges(numbers []int) string {
	if len(numbers) == 1 {
		return "session " + ranges(numbers)
	}
	return "sessions " + ranges(numbers)
}

func pageArchive(p *page, r tasks.ArchiveResult, request tasks.ArchiveRequest) {
	p.remarks = r.Warnings
	switch {
	case request.Show != "" && p.env.Terminal:
		p.b.WriteString(harmlessLines(r.Text)) // a terminal must not act on what a file holds (TS-24)
	case request.Show != "":
		p.b.WriteString(r.Text) // the original bytes, for a program or a file (5.14.3)
	case request.RebuildSummary && r.Rebuilt:
		p.line(good, "Made the summary of %s anew from %s", ref(r.Task), r.Path)
	case request.RebuildSummary:
		p.line(plain, "Nothing to do: the summary of %s is as its archive says.", ref(r.Task))
	case len(r.Archived) == 0:
		p.line(plain, "Nothing to do: %s has no session to archive.", ref(r.Task))
	default:
		p.add(good, "Archived").add(plain, " "+sessionRanges(r.Archived)+" of "+ref(r.Task)).
			add(faint, "  "+r.Path).end()
		p.line(plain, "  the task file has %s now", kilobytes(r.Size))
		p.hint("Read them: baton task archive %s --show %d", r.Task, r.Archived[0])
	}
}
