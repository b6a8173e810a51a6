package cli

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/digest/decision"
	"baton/internal/project"
	"baton/internal/usecase/digests"
)

// rotateCommand is "state rotate" and "decision rotate", which are one.
func (d *door) rotateCommand(group string) *cobra.Command {
	var r digests.RotateRequest
	keep, quiet := 0, false
	name := "baton " + group + " rotate"
	cmd := d.command(spec{
		use: "rotate", short: "Move old decisions to the archive",
		long: "Move the oldest decisions to DECISIONS_ARCHIVE.md when the digest is over its limits, as every command of baton that\n" +
			"changes it does by itself. Rows move byte for byte; the five newest stay, up to seven where that is enough. Within\n" +
			"the limits nothing is done.\n\n" +
			"--sort-archive brings the rows of the archive's tables into the order of time; it only says so until --apply is\n" +
			"given. Bullets stay where they are.",
		example: name + "\n" + name + " --dry-run\n" + name + " --keep 3\n" + name + " --sort-archive --apply",
		exits:   writing[:],
		run: func(cmd *cobra.Command, _ []string) error {
			for _, pair := range [...][2]string{{"dry-run", "apply"}, {"keep", "sort-archive"}, {"dry-run", "quiet"}} {
				if err := exclusive(cmd, pair[0], pair[1]); err != nil {
					return err
				}
			}
			if err := notNegative(cmd, "keep"); err != nil {
				return err
			}
			if r.Apply && !r.SortArchive {
				return usage(cmd.CommandPath(), "--apply goes with --sort-archive")
			}
			if cmd.Flags().Changed("keep") {
				r.Keep = &keep
			}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.RotateResult, error) {
				return p.Digests.StateRotate(ctx, r)
			}, func(p *page, got digests.RotateResult) {
				if quiet {
					pageRotationQuiet(p, got)
					return
				}
				if r.SortArchive && (got.Rotation.ArchiveSorted || everyMove(got) == 0) {
					pageSorted(p, got)
				}
				if !r.SortArchive || everyMove(got) > 0 {
					pageRotation(p, got)
				}
			})
		},
	})
	flags := cmd.Flags()
	flags.BoolVar(&r.DryRun, "dry-run", false, "only say what would move")
	flags.IntVar(&keep, "keep", 0, "move all but the newest `NUMBER`, whatever the size")
	flags.BoolVar(&r.SortArchive, "sort-archive", false, "bring the archive into the order of time")
	flags.BoolVar(&r.Apply, "apply", false, "write what --sort-archive would do")
	flags.BoolVar(&quiet, "quiet", false, "print nothing when nothing was done, else one line")
	return cmd
}

// rotated makes a rotation printable by what prints changes.
func rotated(r digests.RotateResult) digests.StateChange {
	return digests.StateChange{Path: r.Path, Rotation: r.Rotation, Warnings: r.Warnings}
}

// pageRotationQuiet is for hooks: no line at all is the common case.
func pageRotationQuiet(p *page, r digests.RotateResult) {
	if everyMove(r) > 0 && !r.DryRun {
		p.line(plain, "%s", movedWords(rotated(r)))
	}
}

// everyMove counts what moved, or would.
func everyMove(r digests.RotateResult) int { return r.Rotation.Moved + r.Rotation.OtherMoved }

func pageSorted(p *page, r digests.RotateResult) {
	p.remarks = r.Warnings
	switch {
	case r.Rotation.ArchiveSorted && r.DryRun:
		p.line(plain, "Would bring %s into the order of time.", r.Rotation.Archive)
		p.hint("Write it: baton decision rotate --sort-archive --apply")
	case r.Rotation.ArchiveSorted:
		p.line(good, "Brought %s into the order of time", r.Rotation.Archive)
	case r.Rotation.SortReason == decision.SortNoneYet:
		p.line(plain, "Nothing to do: there are no archived decisions yet.")
	case r.Rotation.SortReason == decision.SortUnsortable:
		p.line(plain, "Nothing was sorted: what is out of order in %s are bullets or odd rows, which stay where they are.", r.Rotation.Archive)
	default:
		p.line(plain, "Nothing to do: %s is in the order of time.", r.Rotation.Archive)
	}
}

func pageRotation(p *page, r digests.RotateResult) {
	moved := digests.DecisionList{Decisions: r.Rows}
	switch {
	case r.Rotation.Moved > 0 && r.DryRun:
		p.line(plain, "Would move %s to %s and keep %d:", plural(r.Rotation.Moved, "decision"), r.Rotation.Archive, r.Rotation.Kept)
		p.decisions(moved, decisionColumns)
		if n := r.Rotation.OtherMoved; n > 0 {
			p.line(plain, "Would move %s too.", otherEntries(n))
		}
	case r.Rotation.OtherMoved > 0 && r.DryRun:
		p.line(plain, "Would move %s to %s.", otherEntries(r.Rotation.OtherMoved), r.Rotation.Archive)
	case everyMove(r) > 0:
		p.line(good, "%s", movedWords(rotated(r)))
		p.decisions(moved, decisionColumns)
	case r.Rotation.Reason == decision.NoDecisionsSection:
		p.line(plain, "Nothing to do: %s has no section of decisions.", r.Path)
	case r.Rotation.Reason == decision.DecisionsExhausted && r.Rotation.DecisionRows == 0:
		p.line(plain, "Nothing to do: %s has no decisions to move.", r.Path)
	case r.Rotation.Reason == decision.DecisionsExhausted:
		p.line(plain, "Nothing to do: the last %s stay.", plural(r.Rotation.DecisionRows, "decision"))
	default:
		p.line(plain, "Nothing to do: %s is within its limits.", r.Path)
	}
	c := rotated(r)
	c.Rotation.Rotated = false // said above
	p.after(c)
}
