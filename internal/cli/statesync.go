package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
)

func (d *door) stateSyncCommand() *cobra.Command {
	var r project.StateSyncRequest
	cmd := d.command(spec{
		use: "sync", short: "Bring derived values of the digest up to date",
		long: "Write what follows from other files where it has drifted: in a GSD digest and baton's own progress, the current phase\n" +
			"and the next step, from ROADMAP.md and phases/; in SpecFlow the rows of Execution Status. Nothing else changes.\n\n" +
			"--check writes nothing, says what would change, and ends with exit code 6 when there is something.",
		example: "baton state sync\nbaton state sync --check",
		exits:   writing[:],
		run:     func(cmd *cobra.Command, _ []string) error { return d.sync(cmd, r) },
	})
	cmd.Flags().BoolVar(&r.Check, "check", false, "write nothing; exit code 6 when something would change")
	cmd.Flags().BoolVar(&r.AllowDecrease, "allow-decrease", false, "let counts of what is completed go down")
	return cmd
}

// sync prints the answer of a check also when it is that something would change.
func (d *door) sync(cmd *cobra.Command, r project.StateSyncRequest) error {
	var drifted error
	err := answer(d, cmd, func(ctx context.Context, b backend) (project.StateSyncResult, error) {
		got, err := b.StateSync(ctx, r)
		if r.Check && report.CodeOf(err) == "out_of_sync" {
			drifted, err = err, nil
		}
		return got, err
	}, pageSync)
	if err == nil {
		err = drifted
	}
	return err
}

func pageSync(p *page, r project.StateSyncResult) {
	nothing := len(r.Changed) == 0 && len(r.Lines) == 0
	switch {
	case nothing:
		p.line(plain, "Nothing to do: %s is in step.", r.Path)
	case r.Check:
		p.line(warn, "Would bring %s of %s up to date", plural(len(telling(r.StateChange)), "value"), r.Path)
		p.fields(r.StateChange)
	default:
		p.line(good, "Brought %s of %s up to date", plural(len(telling(r.StateChange)), "value"), r.Path)
		p.fields(r.StateChange)
	}
	if f := r.Facts; f != nil {
		p.add(faint, fmt.Sprintf("  phases %d of %d, plans %d of %d", f.CompletedPhases, f.TotalPhases, f.CompletedPlans, f.TotalPlans))
		if f.Percent != nil {
			p.add(accent, "  "+p.bar(*f.Percent))
		}
		p.end()
	}
	if r.Next != nil && r.Next.Action != "" {
		p.line(faint, "  next   %s", nextWords(r.Next.Action, r.Next.Phases))
	}
	if r.Check {
		p.remarks = r.Warnings
		return
	}
	p.after(r.StateChange)
}

func (d *door) stateValidateCommand() *cobra.Command {
	strict := false
	cmd := d.command(spec{
		use: "validate", short: "Look for what is wrong with the digest",
		long: "Print what is wrong or odd in the digest and its archive. It ends with exit code 6 when there are errors, with --strict\n" +
			"also when there are warnings; the findings are printed in each case. `baton state check` is the same.",
		example: "baton state validate\nbaton state validate --strict --json",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			var verdict error
			err := answer(d, cmd, func(ctx context.Context, b backend) (project.StateValidation, error) {
				got, err := b.StateValidate(ctx)
				if err == nil {
					verdict = judged(got, strict)
				}
				return got, err
			}, pageValidation)
			if err == nil {
				err = verdict
			}
			return err
		},
	})
	cmd.Aliases = []string{"check"}
	cmd.Flags().BoolVar(&strict, "strict", false, "warnings count as errors")
	return cmd
}

// judged turns findings that count into the error that gives the exit code.
func judged(r project.StateValidation, strict bool) error {
	errs, warnings := tally(r.Findings)
	if errs == 0 && (!strict || warnings == 0) {
		return nil
	}
	text := plural(errs, "error")
	switch {
	case errs == 0:
		text = plural(warnings, "warning")
	case warnings > 0:
		text += " and " + plural(warnings, "warning")
	}
	return &report.Error{
		Kind: report.Violation, Code: "findings", Path: r.Path, Message: fmt.Sprintf("%s has %s", r.Path, text),
		Hint: "the findings above say what and where", Details: map[string]any{"errors": errs, "warnings": warnings},
	}
}

func tally(list []report.Finding) (errs, warnings int) {
	for _, f := range list {
		switch f.Severity {
		case report.Severe:
			errs++
		case report.Info:
		default:
			warnings++
		}
	}
	return errs, warnings
}

func pageValidation(p *page, r project.StateValidation) {
	for _, f := range r.Findings {
		t, word := warn, "warning"
		switch f.Severity {
		case report.Severe:
			t, word = bad, "error  "
		case report.Info:
			t, word = faint, "note   "
		}
		p.item("", t, word, remark(f)+" ["+f.Code+"]")
	}
	if errs, warnings := tally(r.Findings); errs+warnings == 0 {
		p.add(good, r.Path+" is in order")
	} else {
		p.add(plain, r.Path)
	}
	p.line(faint, "  %s", sizeWords(r.Size.Lines, r.Size.Bytes))
}

// rotateCommand is "state rotate" and "decision rotate", which are one.
func (d *door) rotateCommand(group string) *cobra.Command {
	var r project.RotateRequest
	keep, quiet := 0, false
	name := "baton " + group + " rotate"
	cmd := d.command(spec{
		use: "rotate", short: "Move old decisions to the archive",
		long: "Move the oldest decisions to DECISIONS_ARCHIVE.md when the digest is over its limits, as every command of baton that\n" +
			"changes it does by itself. Rows move byte for byte; the five newest stay, up to seven where that is enough. Within\n" +
			"the limits nothing is done.\n\n" +
			"--sort-archive brings the archive into the order of time instead; it only says so until --apply is given.",
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
			return answer(d, cmd, func(ctx context.Context, b backend) (project.RotateResult, error) {
				return b.StateRotate(ctx, r)
			}, func(p *page, got project.RotateResult) {
				if quiet {
					pageRotationQuiet(p, got)
					return
				}
				pageRotation(p, got, r)
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
func rotated(r project.RotateResult) project.StateChange {
	return project.StateChange{Path: r.Path, Rotation: r.Rotation, Warnings: r.Warnings}
}

// pageRotationQuiet is for hooks: no line at all is the common case.
func pageRotationQuiet(p *page, r project.RotateResult) {
	if r.Rotation.Moved > 0 && !r.DryRun {
		p.line(plain, "%s", movedWords(rotated(r)))
	}
}

func pageRotation(p *page, r project.RotateResult, asked project.RotateRequest) {
	moved := project.DecisionList{Decisions: r.Rows}
	switch {
	case asked.SortArchive && r.DryRun:
		p.line(plain, "Would bring %s into the order of time.", r.Rotation.Archive)
		p.hint("Write it: baton decision rotate --sort-archive --apply")
		p.remarks = r.Warnings
		return
	case asked.SortArchive && r.Rotation.Moved == 0:
		p.line(good, "%s is in the order of time", r.Rotation.Archive)
		p.remarks = r.Warnings
		return
	case r.Rotation.Moved > 0 && r.DryRun:
		p.line(plain, "Would move %s to %s and keep %d:", plural(r.Rotation.Moved, "decision"), r.Rotation.Archive, r.Rotation.Kept)
		p.decisions(moved, decisionColumns)
	case r.Rotation.Moved > 0:
		p.line(good, "%s", movedWords(rotated(r)))
		p.decisions(moved, decisionColumns)
	case r.Rotation.Reason == "no_decisions_section":
		p.line(plain, "Nothing to do: %s has no section of decisions.", r.Path)
	case r.Rotation.Reason == "decisions_exhausted":
		p.line(plain, "Nothing to do: the last %s stay.", plural(r.Rotation.DecisionRows, "decision"))
	default:
		p.line(plain, "Nothing to do: %s is within its limits.", r.Path)
	}
	c := rotated(r)
	c.Rotation.Rotated = false // said above
	p.after(c)
}
