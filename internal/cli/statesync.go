package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/digests"
)

func (d *door) stateSyncCommand() *cobra.Command {
	var r digests.StateSyncRequest
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
func (d *door) sync(cmd *cobra.Command, r digests.StateSyncRequest) error {
	return answerDespite(d, cmd, d.options(cmd), "out_of_sync", func(ctx context.Context, p *project.Project) (digests.StateSyncResult, error) {
		return p.Digests.StateSync(ctx, r)
	}, pageSync)
}

func pageSync(p *page, r digests.StateSyncResult) {
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
			return answerJudged(d, cmd, func(ctx context.Context, p *project.Project) (digests.StateValidation, error) {
				return p.Digests.StateValidate(ctx)
			}, pageValidation, func(got digests.StateValidation) error { return judged(got, strict) })
		},
	})
	cmd.Aliases = []string{"check"}
	cmd.Flags().BoolVar(&strict, "strict", false, "warnings count as errors")
	return cmd
}

// judged turns findings that count into the error that gives the exit code.
func judged(r digests.StateValidation, strict bool) error {
	errs, warnings := tally(r.Findings)
	if errs == 0 && (!strict || warnings == 0) {
		return nil
	}
	return findings(r.Path, r.Path+" has "+problems(errs, warnings), errs, warnings)
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

func pageValidation(p *page, r digests.StateValidation) {
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
