package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/history"
)

func (d *door) undoCommand() *cobra.Command {
	dry := false
	cmd := d.command(spec{
		use: "undo [N]", short: "Take back the last change that baton made",
		long: "Take back the last change that baton made, or the last N. Run again, it goes one further back.\n\n" +
			"Files that one change wrote go back together. Nothing is written when something was built on it: when a file was changed\n" +
			"since, by hand or by other means, that file is named. Claims stay as they are, and what moved in the working folder\n" +
			"of agents comes back with `baton dir restore`. What an undo replaces is kept: see `baton snapshot list`.",
		example: "baton undo --dry-run\nbaton undo\nbaton undo 3",
		most:    1,
		exits:   writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			r := history.UndoRequest{Count: 1, DryRun: dry}
			if len(args) > 0 {
				var err error
				if r.Count, err = history.UndoCount(args[0]); err != nil {
					return err
				}
			}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (history.UndoResult, error) {
				return p.History.Undo(ctx, r)
			}, func(p *page, u history.UndoResult) { pageUndo(p, u, r) })
		},
	})
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only show what would change")
	return cmd
}

func pageUndo(p *page, r history.UndoResult, asked history.UndoRequest) {
	p.remarks = r.Warnings
	if asked.DryRun && r.Diff != "" {
		p.block("", r.Diff, 0)
		p.end()
	}
	for _, c := range r.Passed {
		p.line(faint, "Not there any more: %s", p.change(c))
	}
	for _, c := range r.Changes {
		switch {
		case asked.DryRun:
			p.line(plain, "Would take back %s", p.change(c))
		default:
			p.line(good, "Taken back: %s", p.change(c))
		}
	}
	if !asked.DryRun {
		for _, name := range r.Files {
			p.line(faint, "  %s", name)
		}
	}
	switch {
	case len(r.Files) == 0:
		p.line(plain, "No file differs from what it was then, so nothing was written.")
	case asked.DryRun:
		line := "baton undo"
		if asked.Count > 1 {
			line += " " + strconv.Itoa(asked.Count)
		}
		p.doIt("Nothing was written.", p.here(line))
	case r.Redo != "":
		p.hint("To have it again: %s", p.here("baton snapshot restore "+r.Redo+" --apply"))
	default:
		p.hint("What the files held is kept: %s names the changes, %s the versions.", p.here("baton log"), p.here("baton snapshot list"))
	}
}

// change names a change in a sentence.
func (p *page) change(c history.LoggedChange) string {
	text := "change " + strconv.FormatInt(c.Number, 10)
	if c.Command != "" {
		text += " (" + c.Command + ")"
	}
	if c.By != "" {
		text += " by " + c.By
	}
	return text + ", " + p.clock(c.At)
}
