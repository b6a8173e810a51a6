package digest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/digests"
)

func historyCommand(d *app.App) *cobra.Command {
	archived, texts := false, false
	cmd := d.Command(app.Spec{
		Use: "history [ID]", Short: "List what was finished",
		Long: `List the finished tasks, newest first, and the complete phases of the milestone. In a SpecFlow
project, list the finished specifications instead, newest first, with the effort that each took.
With ID, show one specification: what was planned, audited, reviewed and completed, with its
decisions from digest and archive. --texts shows every text in full of which the digest has only
the beginning.

Archived decisions: baton decision list --archived`,
		Example: "baton history\nbaton history SPEC-007\nbaton history --texts\nbaton history --json",
		MaxArgs: 1,
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			r := digests.HistoryRequest{ID: app.Operand(args), Decisions: archived, Texts: texts}
			if err := r.Check(); err != nil { // before any project is looked for
				return err
			}
			if archived {
				ask := digests.DecisionListRequest{Archived: true}
				return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.DecisionList, error) {
					return p.Digests.Decisions(ctx, ask)
				}, func(p *app.Page, l digests.DecisionList) { pageDecisions(p, l, ask) })
			}
			folder := false
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.HistoryResult, error) {
				_, places := p.FolderRoot()
				folder = len(places) > 0
				return p.Digests.History(ctx, r)
			}, func(p *app.Page, h digests.HistoryResult) {
				if texts {
					pageTexts(p, h)
					return
				}
				pageHistory(p, h)
				if folder && h.Spec == nil {
					p.Hint("Clean-ups of the state folder: baton dir history")
				}
			})
		},
	})
	cmd.Flags().BoolVar(&archived, "decisions", false, "") // the same as decision list --archived
	_ = cmd.Flags().MarkHidden("decisions")                // fails for a flag that is not there
	cmd.Flags().BoolVar(&texts, "texts", false, "show texts in full of which the digest has only the beginning")
	cmd.ValidArgsFunction = app.FirstOperand(d.Completer(completeHistory))
	return cmd
}

// pageHistory prints the finished specifications, or one of them.
func pageHistory(p *app.Page, r digests.HistoryResult) {
	p.Remarks = r.Warnings
	switch {
	case r.Spec != nil:
		specification(p, r)
		return
	case len(r.Tasks)+len(r.Phases) > 0:
		finished(p, r)
		return
	case r.Totals == nil && len(r.Specs) == 0: // no SpecFlow project
		p.Line(app.Plain, "Nothing is finished yet.")
		archivedHint(p, r)
		return
	case len(r.Specs) == 0:
		p.Line(app.Plain, "No finished specifications yet.")
		archivedHint(p, r)
		return
	}
	rows := make([][]app.Cell, 0, len(r.Specs))
	for _, s := range r.Specs {
		rows = append(rows, []app.Cell{
			{Tone: app.Strong, Text: s.ID},
			{Text: s.Completed},
			{Text: s.Type},
			{Text: s.Complexity},
			{Text: fmt.Sprint(s.Audits)},
			{Text: fmt.Sprint(s.Reviews)},
			{Text: s.Title},
		})
	}
	p.Table([]app.Column{
		{Name: "ID"},
		{Name: "COMPLETED"},
		{Name: "TYPE"},
		{Name: "COMPLEXITY"},
		{Name: "AUDITS", Right: true},
		{Name: "REVIEWS", Right: true},
		{Name: "TITLE", Shrinks: true},
	}, rows)
	totals(p, r)
	p.Hint("To see one: baton history %s", r.Specs[0].ID)
}

func archivedHint(p *app.Page, r digests.HistoryResult) {
	if r.Archived > 0 {
		p.Hint("Archived decisions: %d. To list them: baton decision list --archived", r.Archived)
	}
}

// finished prints the finished tasks and phases.
func finished(p *app.Page, r digests.HistoryResult) {
	rows := make([][]app.Cell, 0, len(r.Tasks))
	for _, t := range r.Tasks {
		tone, status := app.Good, ""
		if t.Status != "complete" {
			tone, status = app.Faint, t.Status
		}
		rows = append(rows, []app.Cell{
			{Tone: app.Strong, Text: string(t.ID)},
			{Text: t.Title},
			{Tone: tone, Text: status},
			{Tone: app.Faint, Text: t.Last},
		})
	}
	if len(rows) > 0 {
		p.Table([]app.Column{
			{Name: "ID"}, {Name: "TITLE", Shrinks: true}, {Name: "STATUS"}, {Name: "LAST SESSION"},
		}, rows)
	}
	if len(r.Phases) > 0 {
		p.Heading("%s", safetext.CountOf(len(r.Phases), "complete phase", "complete phases"))
		for _, f := range r.Phases {
			p.Item("  ", app.Strong, f.ID, strings.TrimSpace(f.Name+"  "+safetext.Count(f.Plans, "plan")))
		}
	}
	archivedHint(p, r)
	if len(r.Tasks) > 0 {
		p.Hint("To see one: baton task show %s", r.Tasks[0].ID)
	}
}

func totals(p *app.Page, r digests.HistoryResult) {
	t := r.Totals
	if t == nil || t.Count == 0 {
		return
	}
	p.End()
	p.Line(
		app.Plain, "%s, on average %.1f audits and %.1f reviews", safetext.Count(t.Count, "specification"),
		t.AverageAudits, t.AverageReviews,
	)
	p.Line(
		app.Plain, "passed the first time: %.0f%% of audits, %.0f%% of reviews", 100*t.FirstAuditShare,
		100*t.FirstReviewShare,
	)
	for _, group := range [...]struct {
		name  string
		count map[string]int
	}{{"by type", t.ByType}, {"by complexity", t.ByComplexity}} {
		if len(group.count) == 0 {
			continue
		}
		var parts []string
		for _, word := range slices.Sorted(maps.Keys(group.count)) {
			parts = append(parts, fmt.Sprintf("%d %s", group.count[word], word))
		}
		p.Line(app.Plain, "%s: %s", group.name, strings.Join(parts, ", "))
	}
}

// sectionLines is how much of a step of a specification is shown; the file has all of it.
const sectionLines = 12

func specification(p *app.Page, r digests.HistoryResult) {
	s := r.Spec
	p.Line(app.Strong, "%s", strings.TrimSpace(s.ID+"  "+s.Title))
	place := s.Path
	if place == "" {
		place = "no file"
	}
	if s.Archived {
		place += "  archived"
	}
	p.Line(app.Faint, "%s", place)
	widest := 0
	for name := range s.Fields {
		widest = max(widest, len(name))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Fields)) {
		if s.Fields[name] != "" {
			p.Item("  ", app.Faint, fmt.Sprintf("%-*s ", widest, name), s.Fields[name])
		}
	}
	for _, section := range s.Sections {
		p.Heading("%s", section.Title)
		if strings.TrimSpace(section.Text) != "" {
			p.Block("  ", section.Text, sectionLines)
		}
	}
	p.Heading("Decisions")
	if len(r.Decisions) == 0 {
		p.Line(app.Faint, "  none")
	} else {
		decisions(p, digests.DecisionList{Decisions: r.Decisions}, 0)
	}
	if len(r.Texts) > 0 {
		p.Heading("Whole texts")
		wholeTexts(p, r)
	}
}

// pageTexts prints the whole texts of which the digest has only the beginning.
func pageTexts(p *app.Page, r digests.HistoryResult) {
	p.Remarks = r.Warnings
	if len(r.Texts) == 0 {
		p.Line(app.Plain, "Nothing was shortened: the digest has every text in full.")
		return
	}
	wholeTexts(p, r)
}

func wholeTexts(p *app.Page, r digests.HistoryResult) {
	for _, t := range r.Texts {
		p.Item("  ", app.Strong, strings.TrimSpace(t.Date+" "+t.Name)+":", t.Text)
	}
}
