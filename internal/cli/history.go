package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/digests"
)

func (d *door) historyCommand() *cobra.Command {
	archived := false
	cmd := d.command(spec{
		use: "history [ID]", short: "Show what was finished and decided",
		long: "Without anything, list the finished specifications of a SpecFlow project, newest first, with what they took. With ID,\n" +
			"show one specification: what was planned, audited, reviewed and completed, and its decisions from digest and archive\n" +
			"together. --decisions lists all archived decisions, oldest first, in every kind of project.",
		example: "baton history\nbaton history SPEC-007\nbaton history --decisions",
		most:    1,
		exits:   reading[:],
		run: func(cmd *cobra.Command, args []string) error {
			r := digests.HistoryRequest{ID: phaseOf(args), Decisions: archived}
			if err := r.Check(); err != nil { // before any project is looked for
				return err
			}
			if archived {
				ask := digests.DecisionListRequest{Archived: true}
				return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.DecisionList, error) {
					return p.Digests.Decisions(ctx, ask)
				}, func(p *page, l digests.DecisionList) { pageDecisions(p, l, ask) })
			}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.HistoryResult, error) {
				return p.Digests.History(ctx, r)
			}, pageHistory)
		},
	})
	cmd.Flags().BoolVar(&archived, "decisions", false, "list all archived decisions")
	cmd.ValidArgsFunction = first(d.completeHistory)
	return cmd
}

// pageHistory is the page of finished specifications, or of one.
func pageHistory(p *page, r digests.HistoryResult) {
	p.remarks = r.Warnings
	switch {
	case r.Spec != nil:
		p.specification(r)
		return
	case len(r.Specs) == 0:
		p.line(plain, "No finished specifications yet.")
		if r.Archived > 0 {
			p.hint("Archived decisions, %d: baton history --decisions", r.Archived)
		}
		return
	}
	rows := make([][]cell, 0, len(r.Specs))
	for _, s := range r.Specs {
		rows = append(rows, []cell{
			{strong, s.ID},
			{plain, s.Completed},
			{plain, s.Type},
			{plain, s.Complexity},
			{plain, fmt.Sprint(s.Audits)},
			{plain, fmt.Sprint(s.Reviews)},
			{plain, s.Title},
		})
	}
	p.table([]column{
		{name: "ID"},
		{name: "COMPLETED"},
		{name: "TYPE"},
		{name: "COMPLEXITY"},
		{name: "AUDITS", right: true},
		{name: "REVIEWS", right: true},
		{name: "TITLE", gives: true},
	}, rows)
	p.totals(r)
	p.hint("One of them: baton history %s", r.Specs[0].ID)
}

func (p *page) totals(r digests.HistoryResult) {
	t := r.Totals
	if t == nil || t.Count == 0 {
		return
	}
	p.end()
	p.line(plain, "%s, on average %.1f audits and %.1f reviews", plural(t.Count, "specification"), t.AverageAudits, t.AverageReviews)
	p.line(plain, "passed at once: %.0f%% of audits, %.0f%% of reviews", 100*t.FirstAuditShare, 100*t.FirstReviewShare)
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
		p.line(plain, "%s: %s", group.name, strings.Join(parts, ", "))
	}
}

// sectionLines is how much of a step of a specification is shown; the file has all of it.
const sectionLines = 12

func (p *page) specification(r digests.HistoryResult) {
	s := r.Spec
	p.line(strong, "%s", strings.TrimSpace(s.ID+"  "+s.Title))
	place := s.Path
	if s.Archived {
		place += "  archived"
	}
	p.line(faint, "%s", place)
	widest := 0
	for name := range s.Fields {
		widest = max(widest, len(name))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Fields)) {
		if s.Fields[name] != "" {
			p.item("  ", faint, fmt.Sprintf("%-*s ", widest, name), s.Fields[name])
		}
	}
	for _, section := range s.Sections {
		p.heading("%s", section.Title)
		if strings.TrimSpace(section.Text) != "" {
			p.block("  ", section.Text, sectionLines)
		}
	}
	p.heading("Decisions")
	if len(r.Decisions) == 0 {
		p.line(faint, "  none")
		return
	}
	p.decisions(digests.DecisionList{Decisions: r.Decisions}, 0)
}
