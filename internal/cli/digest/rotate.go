package digest

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/digest/decision"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/digests"
)

// rotateCommand is "state rotate", of which "decision rotate" is an alias.
func rotateCommand(d *app.App) *cobra.Command {
	var r digests.RotateRequest
	keep, quiet := 0, false
	const name = "baton state rotate"
	cmd := d.Command(app.Spec{
		Use: "rotate", Short: "Move old decisions to the archive",
		Long: `Move the oldest decisions to DECISIONS_ARCHIVE.md if the digest is over its limits. Every command
that changes the digest does this automatically. Rows move byte for byte. The five newest stay, or
up to seven if they fit. Within the limits, nothing happens.

--compress also shortens cells of more than 500 characters. The whole texts go to the archive, and
the digest keeps their beginnings with a note where to find the rest. In a SpecFlow digest, this
includes long texts that are not decisions.

--sort-archive sorts the rows of the archive's tables by date. Bullets stay where they are.`,
		Example: name + "\n" + name + " --dry-run\n" + name + " --keep 3\n" + name + " --compress\n" +
			name + " --sort-archive",
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			for _, pair := range [...][2]string{
				{"dry-run", "apply"}, {"keep", "sort-archive"}, {"dry-run", "quiet"}, {"compress", "sort-archive"},
			} {
				if err := app.Exclusive(cmd, pair[0], pair[1]); err != nil {
					return err
				}
			}
			if err := app.NotNegative(cmd, "keep"); err != nil {
				return err
			}
			if cmd.Flags().Changed("apply") && !r.SortArchive {
				return app.Usage(cmd.CommandPath(), "--apply needs --sort-archive")
			}
			if cmd.Flags().Changed("keep") {
				r.Keep = &keep
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.RotateResult, error) {
				return p.Digests.StateRotate(ctx, r)
			}, func(p *app.Page, got digests.RotateResult) {
				if quiet { // for hooks, which mostly have nothing to say
					if everyMove(got) > 0 && !got.DryRun {
						p.Line(app.Plain, "%s", app.MovedWords(rotated(got)))
					}
					return
				}
				if r.SortArchive && (got.Rotation.ArchiveSorted || everyMove(got) == 0) {
					pageSorted(p, got)
				}
				if len(got.Rotation.Cells) > 0 {
					pageCompressed(p, got)
				}
				if !r.SortArchive || everyMove(got) > 0 {
					pageRotation(p, got)
				}
			})
		},
	})
	flags := cmd.Flags()
	flags.BoolVar(&r.DryRun, "dry-run", false, "only show what would change")
	flags.IntVar(&keep, "keep", 0, "move all but the newest `NUMBER`, whatever the size")
	flags.BoolVar(&r.Compress, "compress", false, "shorten long cells; the archive gets the whole texts")
	flags.BoolVar(&r.SortArchive, "sort-archive", false, "sort the archive by date")
	app.OldSpelling(flags, "apply")
	flags.BoolVar(&quiet, "quiet", false, "print nothing if nothing was done, else one line")
	return cmd
}

// rotated makes a rotation printable by what prints changes.
func rotated(r digests.RotateResult) digests.StateChange {
	return digests.StateChange{Path: r.Path, Rotation: r.Rotation, Warnings: r.Warnings}
}

// everyMove counts what moved, or would.
func everyMove(r digests.RotateResult) int { return r.Rotation.Moved + r.Rotation.OtherMoved }

func pageSorted(p *app.Page, r digests.RotateResult) {
	p.Remarks = r.Warnings
	switch {
	case r.Rotation.ArchiveSorted && r.DryRun:
		p.Line(app.Plain, "Would sort %s by date.", r.Rotation.Archive)
		p.Hint("To write it: baton state rotate --sort-archive")
	case r.Rotation.ArchiveSorted:
		p.Line(app.Good, "Sorted %s by date", r.Rotation.Archive)
	case r.Rotation.SortReason == decision.SortNoneYet:
		p.Line(app.Plain, "Nothing to do: there are no archived decisions yet.")
	case r.Rotation.SortReason == decision.SortUnsortable:
		p.Line(
			app.Plain,
			"Nothing was sorted: the entries of %s that are out of order are bullets or irregular "+
				"rows, which stay where they are.",
			r.Rotation.Archive,
		)
	default:
		p.Line(app.Plain, "Nothing to do: %s is sorted by date.", r.Rotation.Archive)
	}
}

// pageCompressed prints which texts were shortened, or would be.
func pageCompressed(p *app.Page, r digests.RotateResult) {
	n := safetext.Count(len(r.Rotation.Cells), "long text")
	if r.DryRun {
		p.Line(app.Plain, "Would shorten %s; %s gets the whole of each:", n, r.Rotation.Archive)
	} else {
		p.Line(app.Good, "%s shortened; %s has the whole of each:", n, r.Rotation.Archive)
	}
	for _, c := range r.Rotation.Cells {
		p.Line(app.Plain, "  %s  %s", joined(c.Section, c.Name), safetext.Count(c.Characters, "character"))
	}
	if !r.DryRun {
		p.Hint("To read them: baton history --texts")
	}
}

// joined returns a section and the name of a text in it.
func joined(section, name string) string {
	if name == "" {
		return section
	}
	return section + ": " + name
}

func pageRotation(p *app.Page, r digests.RotateResult) {
	moved := digests.DecisionList{Decisions: r.Rows}
	switch {
	case r.Rotation.Moved > 0 && r.DryRun:
		p.Line(
			app.Plain, "Would move %s to %s and keep %d:", safetext.Count(r.Rotation.Moved, "decision"),
			r.Rotation.Archive, r.Rotation.Kept,
		)
		decisions(p, moved, ValueColumns)
		if n := r.Rotation.OtherMoved; n > 0 {
			p.Line(app.Plain, "Would also move %s.", app.OtherEntries(n))
		}
	case r.Rotation.OtherMoved > 0 && r.DryRun:
		p.Line(app.Plain, "Would move %s to %s.", app.OtherEntries(r.Rotation.OtherMoved), r.Rotation.Archive)
	case everyMove(r) > 0:
		p.Line(app.Good, "%s", app.MovedWords(rotated(r)))
		decisions(p, moved, ValueColumns)
	case len(r.Rotation.Cells) > 0:
	case r.Rotation.Reason == decision.NotMovable:
		p.Line(app.Plain, "Nothing to do: if the decision on line %d of %s moved, the text around it would be read "+
			"differently.", r.Rotation.UnmovedLine, r.Path)
	case r.Rotation.Reason == decision.NoDecisionsSection:
		p.Line(app.Plain, "Nothing to do: %s has no section for decisions.", r.Path)
	case r.Rotation.Reason == decision.DecisionsExhausted && r.Rotation.DecisionRows == 0:
		p.Line(app.Plain, "Nothing to do: %s has no decisions to move.", r.Path)
	case r.Rotation.Reason == decision.DecisionsExhausted && r.Rotation.DecisionRows == 1:
		p.Line(app.Plain, "Nothing to do: the newest decision always stays.")
	case r.Rotation.Reason == decision.DecisionsExhausted:
		p.Line(app.Plain, "Nothing to do: the newest %s always stay.", safetext.Count(
			r.Rotation.DecisionRows, "decision",
		))
	default:
		p.Line(app.Plain, "Nothing to do: %s is within its limits.", r.Path)
	}
	c := rotated(r)
	c.Rotation.Rotated = false // said above
	after(p, c)
}
