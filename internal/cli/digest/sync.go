package digest

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/digests"
)

func stateSyncCommand(d *app.App) *cobra.Command {
	var r digests.StateSyncRequest
	cmd := d.Command(app.Spec{
		Use: "sync", Short: "Update the derived values of the digest",
		Long: `Update the values that follow from other files. In a GSD digest and in baton's own, these are
progress, current phase and next step, from ROADMAP.md and phases/; in SpecFlow, the rows of
Execution Status. Nothing else changes.

--check writes nothing, shows what would change, and ends with exit code 6 if anything would.`,
		Example: "baton state sync\nbaton state sync --check",
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			use := func(ctx context.Context, p *project.Project) (digests.StateSyncResult, error) {
				return p.Digests.StateSync(ctx, r)
			}
			return app.AnswerDespite(d, cmd, d.Options(cmd), report.CodeOutOfSync, use, pageSync)
		},
	})
	cmd.Flags().BoolVar(&r.Check, "check", false, "write nothing; exit code 6 if anything would change")
	cmd.Flags().BoolVar(&r.AllowDecrease, "allow-decrease", false, "allow counts of completed work to go down")
	return cmd
}

func pageSync(p *app.Page, r digests.StateSyncResult) {
	nothing := len(r.Changed) == 0 && len(r.Lines) == 0
	tone, done := app.Good, "Updated"
	if r.Check {
		tone, done = app.Warn, "Would update"
	}
	if nothing {
		p.Line(app.Plain, "Nothing to do: %s is up to date.", r.Path)
	} else {
		p.Line(tone, "%s %s in %s", done, safetext.Count(len(telling(r.StateChange)), "value"), r.Path)
		fields(p, r.StateChange)
	}
	if f := r.Facts; f != nil {
		p.Add(app.Faint, fmt.Sprintf("  phases %d of %d, plans %d of %d",
			f.CompletedPhases, f.TotalPhases, f.CompletedPlans, f.TotalPlans))
		if f.Percent != nil {
			p.Add(app.Accent, "  "+Bar(p, *f.Percent))
		}
		p.End()
	}
	if r.Next != nil && r.Next.Action != "" {
		p.Line(app.Faint, "  next   %s", NextWords(r.Next.Action, r.Next.Phases))
	}
	if r.Check {
		p.Remarks = r.Warnings
		return
	}
	after(p, r.StateChange)
}

func stateValidateCommand(d *app.App) *cobra.Command {
	strict := false
	cmd := d.Command(app.Spec{
		Use: "validate", Short: "Check the digest",
		Long: "Print what is wrong or unusual in the digest and its archive. The exit code is 6 if " +
			"there are errors or, with --strict, warnings; baton prints the findings in any case. `baton " +
			"state check` is the same command.",
		Example: "baton state validate\nbaton state validate --strict --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			use := func(ctx context.Context, p *project.Project) (digests.StateValidation, error) {
				return p.Digests.StateValidate(ctx)
			}
			return app.AnswerJudged(d, cmd, use, pageValidation, func(got digests.StateValidation) error {
				errs, warnings := tally(oneCause(got.Findings))
				return app.Judge(got.Path, got.Path, errs, warnings, strict)
			})
		},
	})
	cmd.Aliases = []string{"check"}
	cmd.Flags().BoolVar(&strict, "strict", false, "warnings count as errors")
	return cmd
}

// oneCause leaves out that a digest is too long if a finding says that and what fills it.
func oneCause(list []report.Finding) []report.Finding {
	spent := slices.ContainsFunc(list, func(f report.Finding) bool { return f.Code == report.CodeDecisionsExhausted })
	return slices.DeleteFunc(slices.Clone(list), func(f report.Finding) bool {
		return spent && (f.Code == report.CodeOverLines || f.Code == report.CodeOverBytes)
	})
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

func pageValidation(p *app.Page, r digests.StateValidation) {
	list := oneCause(r.Findings)
	for _, f := range list {
		t, word := app.SeverityWords(f.Severity)
		p.Item("", t, word, app.RemarkText(f)+" ["+string(f.Code)+"]")
	}
	if errs, warnings := tally(list); errs+warnings == 0 {
		p.Add(app.Good, r.Path+" is in order")
	} else {
		p.Add(app.Plain, r.Path)
	}
	p.Line(app.Faint, "  %s", sizeWords(r.Size.Lines, r.Size.Bytes))
}
