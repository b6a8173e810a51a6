package safety

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/usecase/history"
)

func undoCommand(d *app.App) *cobra.Command {
	dry := false
	cmd := d.Command(app.Spec{
		Use: "undo [N]", Short: "Undo baton's last change",
		Long: "Undo the last change that baton made, or the last N. If you run it again, it goes back one " +
			"change further.\n\n" +
			"All files of a change go back together. If one of them was changed since, by hand or " +
			"otherwise, nothing is written and that file is named. Claims stay as they are. `baton dir " +
			"restore` brings back what moved in the working folder of agents. What an undo replaces is " +
			"kept: see `baton snapshot list`.",
		Example: "baton undo --dry-run\nbaton undo\nbaton undo 3",
		MaxArgs: 1,
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			r := history.UndoRequest{Count: 1, DryRun: dry}
			if len(args) > 0 {
				var err error
				if r.Count, err = history.UndoCount(args[0]); err != nil {
					return err
				}
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (history.UndoResult, error) {
				return p.History.Undo(ctx, r)
			}, func(p *app.Page, u history.UndoResult) { pageUndo(p, u, r) })
		},
	})
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only show what would change")
	return cmd
}

func pageUndo(p *app.Page, r history.UndoResult, asked history.UndoRequest) {
	p.Remarks = r.Warnings
	if asked.DryRun && r.Diff != "" {
		p.Diff("", r.Diff)
		p.End()
	}
	for _, c := range r.Passed {
		p.Line(app.Faint, "No longer available: %s", change(p, c))
	}
	for _, c := range r.Changes {
		switch {
		case asked.DryRun:
			p.Line(app.Plain, "Would undo %s", change(p, c))
		default:
			p.Line(app.Good, "Undone: %s", change(p, c))
		}
	}
	if !asked.DryRun {
		for _, name := range r.Files {
			p.Line(app.Faint, "  %s", name)
		}
	}
	switch {
	case len(r.Files) == 0:
		p.Line(app.Plain, "Nothing was written: no file differs from what it was then.")
	case asked.DryRun:
		line := "baton undo"
		if asked.Count > 1 {
			line += " " + strconv.Itoa(asked.Count)
		}
		p.DoIt("Nothing was written.", p.Here(line))
	case r.Redo != "":
		p.Hint("To get it back: %s", p.Here("baton snapshot restore "+r.Redo+" --apply"))
	default:
		p.Hint(
			"The previous content is kept. %s lists the changes, %s the versions.", p.Here("baton log"),
			p.Here("baton snapshot list"),
		)
	}
}

// change names a change in a sentence.
func change(p *app.Page, c history.LoggedChange) string {
	text := "change " + strconv.FormatInt(c.Number, 10)
	if c.Command != "" {
		text += " (" + c.Command + ")"
	}
	if c.By != "" {
		text += " by " + c.By
	}
	return text + ", " + p.Clock(c.At)
}
