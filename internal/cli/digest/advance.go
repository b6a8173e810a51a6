package digest

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/usecase/digests"
)

func advanceCommand(d *app.App) *cobra.Command {
	var r digests.AdvanceRequest
	cmd := d.Command(app.Spec{
		Use: "advance", Short: "Move on to the next plan of the phase",
		Long: `Make the next plan of the current phase the current one. After the last plan, the phase is marked as
ready for verification; that is refused while one of its plans has no summary. If the counter counts
complete plans, as in "1 of 2 complete", no plan without a summary is passed. The command reads and
writes other counters as GSD's advance-plan does.`,
		Example: "baton state advance\nbaton state advance --json",
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.AdvanceResult, error) {
				return p.Digests.Advance(ctx, r)
			}, pageAdvance)
		},
	})
	cmd.Flags().BoolVar(&r.Force, "force", false, forceRefused)
	return cmd
}

func pageAdvance(p *app.Page, r digests.AdvanceResult) {
	of := ""
	if r.Phase != "" {
		of = " of phase " + r.Phase
	}
	switch {
	case len(r.Changed) == 0 && len(r.Lines) == 0 && !r.Advanced:
		p.Line(app.Plain, "Nothing to do: plan %d%s was the last.", r.CurrentPlan, of)
	case r.Advanced:
		p.Line(app.Good, "Moved on to plan %d of %d%s", r.CurrentPlan, r.TotalPlans, of)
	default:
		p.Line(app.Good, "Plan %d%s was the last: the phase is ready for verification", r.CurrentPlan, of)
	}
	if r.Status != "" {
		p.Line(app.Plain, "  status  %s", r.Status)
	}
	after(p, r.StateChange)
	if !r.Advanced && r.Phase != "" {
		p.Hint("Next: baton state verify %s", r.Phase)
	}
}
