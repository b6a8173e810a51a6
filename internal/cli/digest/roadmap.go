package digest

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/digest/phases"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/digests"
)

func phaseCommands(d *app.App) *cobra.Command {
	return d.Group(
		"phase",
		"Read the phases of the roadmap",
		`ROADMAP.md and the folders in phases/ next to the digest say which phases the milestone has and how
far each is. These commands read them as GSD does and write nothing; baton state has the commands
that begin and complete a phase.`,
		phaseListCommand(d),
		phaseShowCommand(d),
		phaseAnalyzeCommand(d),
	)
}

func phaseListCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "list", Short: "List the phases of the milestone",
		Long: `List the phases of the milestone with their plans: complete, partial (some plans have a summary),
planned, researched, discussed, empty, or no_directory if the phase has no folder.`,
		Example: "baton phase list\nbaton phase list --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.PhaseList, error) {
				return p.Digests.PhaseList(ctx)
			}, pagePhases)
		},
	})
}

func phaseShowCommand(d *app.App) *cobra.Command {
	cmd := d.Command(app.Spec{
		Use: "show [PHASE]", Short: "Show what the roadmap says about a phase",
		Long: `Show goal, dependencies, success criteria and plans of a phase: the one that you name, else the
active one, else the current one. --json also has the section of the roadmap as it is written.`,
		Example: "baton phase show 4\nbaton phase show --json",
		MaxArgs: 1,
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.PhaseDetail, error) {
				return p.Digests.PhaseShow(ctx, app.Operand(args))
			}, pagePhase)
		},
	})
	cmd.ValidArgsFunction = app.FirstOperand(d.Completer(completePhase))
	return cmd
}

func phaseAnalyzeCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "analyze", Short: "Show how far the roadmap is",
		Long: `Show the milestones of the roadmap, how many phases and plans are done, which phase has open plans,
which one needs plans, and which ones have no section in the roadmap.`,
		Example: "baton phase analyze\nbaton phase analyze --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.RoadmapAnalysis, error) {
				return p.Digests.PhaseAnalyze(ctx)
			}, pageRoadmap)
		},
	})
}

// completePhase offers the phases of the milestone.
func completePhase(d *app.App, cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return app.Candidates(d, cmd, func(ctx context.Context, p *project.Project) (ids []string, err error) {
		list, err := p.Digests.PhaseList(ctx)
		for _, f := range list.Phases {
			ids = append(ids, f.Number+"\t"+safetext.Visible(f.Name))
		}
		return ids, err
	})
}

func pagePhases(p *app.Page, r digests.PhaseList) {
	p.Remarks = r.Warnings
	if len(r.Phases) == 0 {
		p.Line(app.Plain, "The milestone has no phases yet.")
		return
	}
	phaseTable(p, r.Phases)
	p.Hint("To see one: baton phase show %s", r.Phases[0].Number)
}

func phaseTable(p *app.Page, list []digests.PhaseView) {
	rows := make([][]app.Cell, 0, len(list))
	for _, f := range list {
		rows = append(rows, []app.Cell{
			{Tone: app.Strong, Text: f.Number},
			{Tone: diskTone(f.DiskStatus), Text: f.DiskStatus},
			{Text: fmt.Sprintf("%d/%d", f.SummaryCount, f.PlanCount)},
			{Text: f.Name},
		})
	}
	p.Table([]app.Column{
		{Name: "PHASE"}, {Name: "STATUS"}, {Name: "PLANS", Right: true}, {Name: "NAME", Shrinks: true},
	}, rows)
}

func diskTone(status string) app.Tone {
	switch status {
	case phases.DiskComplete:
		return app.Good
	case phases.DiskPartial, phases.DiskPlanned:
		return app.Accent
	}
	return app.Faint
}

func pagePhase(p *app.Page, r digests.PhaseDetail) {
	p.Remarks = r.Warnings
	p.Line(app.Strong, "Phase %s", strings.TrimRight(r.Number+": "+safetext.Visible(r.Name), ": "))
	for _, f := range [...][2]string{
		{"status      ", r.DiskStatus},
		{"goal        ", string(r.Goal)},
		{"depends on  ", string(r.DependsOn)},
		{"requirements", r.Requirements},
		{"verification", r.Verification},
		{"folder      ", r.Directory},
	} {
		if f[1] != "" {
			p.Item("  ", app.Faint, f[0], f[1])
		}
	}
	if len(r.SuccessCriteria) > 0 {
		p.Heading("Success criteria")
		for i, text := range r.SuccessCriteria {
			p.Item("  ", app.Faint, fmt.Sprintf("%d.", i+1), text)
		}
	}
	if len(r.Plans) > 0 {
		p.Heading("Plans")
		for _, f := range r.Plans {
			tone, mark := app.Faint, "[ ]"
			if f.HasSummary {
				tone, mark = app.Good, "[x]"
			}
			p.Item("  ", tone, mark, strings.TrimPrefix(f.Path, r.Directory+"/"))
		}
	}
}

func pageRoadmap(p *app.Page, r digests.RoadmapAnalysis) {
	p.Remarks = r.Warnings
	p.Line(app.Plain, "%s  phases %d of %d, plans %d of %d, %d%%",
		r.Path, r.CompletedPhases, r.PhaseCount, r.TotalSummaries, r.TotalPlans, r.ProgressPercent)
	for _, f := range [...][2]string{
		{"open plans  ", phaseNamed(r.Phases, string(r.CurrentPhase))},
		{"needs plans ", phaseNamed(r.Phases, string(r.NextPhase))},
		{"no section  ", strings.Join(r.MissingDetails, ", ")},
	} {
		if f[1] != "" {
			p.Item("  ", app.Faint, f[0], f[1])
		}
	}
	if len(r.Milestones) > 0 {
		p.Heading("Milestones")
		for _, m := range r.Milestones {
			p.Item("  ", app.Faint, p.Marks().Dot, m.Heading)
		}
	}
	if len(r.Phases) > 0 {
		p.Heading("Phases")
		phaseTable(p, r.Phases)
	}
}

// phaseNamed returns a phase with its name, "" for none.
func phaseNamed(list []digests.PhaseView, id string) string {
	for _, f := range list {
		if f.Number == id && id != "" {
			return strings.TrimSpace("phase " + id + "  " + f.Name)
		}
	}
	return ""
}
