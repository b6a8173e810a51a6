package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

func (d *door) showCommand() *cobra.Command {
	var r tasks.ShowRequest
	cmd := d.about(spec{
		use: "show ID", short: "Show everything about one task",
		long: "Print one task: status, holder, requirements, criteria with their evidence, inputs, the last sessions, next steps and\n" +
			"output. --section prints one section as it stands in the file. --json has everything.",
		example: "baton task show 101\nbaton task show 101 --section \"Progress Log\"\nbaton task show 101 --all --deps --json",
		least:   1, most: 1,
		exits: reading[:],
		run: func(cmd *cobra.Command, args []string) error {
			r.ID = args[0]
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.TaskDetail, error) {
				return p.Tasks.Show(ctx, r)
			}, func(p *page, t tasks.TaskDetail) {
				if t.Section != nil {
					p.block("", t.Section.Text, 0)
					p.remarks = t.Warnings
					return
				}
				pageTask(p, t, r)
			})
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Section, "section", "", "only this section: `NAME` is a kind like progress_log, or a heading")
	flags.BoolVar(&r.Deps, "deps", false, "add the tasks that depend on it, and warnings about other files")
	flags.BoolVar(&r.All, "all", false, "add archived sessions")
	flags.BoolVar(&r.Commits, "commits", false, "list commits, with the line that would revert each")
	return cmd
}

// Lines of a text that the page shows before it says how many more there are.
const (
	inputLines  = 6
	outputLines = 12
)

func pageTask(p *page, t tasks.TaskDetail, r tasks.ShowRequest) {
	if torn := slices.IndexFunc(t.Warnings, func(f report.Finding) bool { return f.Code == "conflict_markers" }); torn >= 0 {
		p.item("", bad, "!", t.Warnings[torn].Text)
		p.end()
		t.Warnings = slices.Delete(slices.Clone(t.Warnings), torn, torn+1)
	}
	p.taskHead(t)
	if t.Requirements != "" {
		p.heading("Requirements")
		p.block("  ", t.Requirements, 0)
	}
	p.criteria("Criteria", t.Criteria)
	p.inputs(t)
	p.sessions(t, r.All)
	p.output(t)
	if r.Deps && len(t.Dependents) > 0 {
		p.heading("Downstream")
		for _, down := range t.Dependents {
			status, _ := standing(tasks.TaskRow{Status: down.Status, Ready: down.Ready, WaitingFor: down.WaitingFor})
			p.line(plain, "  %s %s (%s)", ref(down.ID), down.Title, status)
		}
	}
	if r.Commits {
		p.commits(t.Commits)
	}
	p.findings(t.Warnings)
}

func (p *page) taskHead(t tasks.TaskDetail) {
	p.add(strong, strings.TrimSpace(ref(t.ID)+" "+t.Title)).end()
	done := 0
	for _, c := range t.Criteria {
		if c.Checked {
			done++
		}
	}
	status, tone := standing(tasks.TaskRow{Status: t.Status, Ready: t.Ready, WaitingFor: t.WaitingFor})
	criteria := "no criteria"
	if len(t.Criteria) > 0 {
		criteria = fraction(done, len(t.Criteria)) + " criteria"
	}
	p.add(tone, status).add(plain, " · "+criteria+" · "+plural(t.TotalSessions, "session"))
	if t.ArchivedSessions > 0 {
		p.add(plain, fmt.Sprintf(" (%d archived)", t.ArchivedSessions))
	}
	p.add(plain, " · "+kilobytes(t.SizeBytes))
	if t.Dialect != "v2" { // what every new file is needs no word
		p.add(plain, " · dialect "+t.Dialect)
	}
	p.end()
	if t.Claim != nil {
		p.line(accent, "held by %s until %s", t.Claim.By, p.clock(t.Claim.Until))
		if len(t.Claim.Scope) > 0 {
			p.line(faint, "Scope: %s", strings.Join(t.Claim.Scope, ", "))
		}
	}
	p.why(t)
	p.line(faint, "%s", t.Path)
	for _, fact := range [...][2]string{{"Epic", t.Epic}, {"Repository", t.Repository}, {"PRD", t.PRD}, {"Agent", t.Agent}} {
		if fact[1] != "" {
			p.line(plain, "%-11s %s", fact[0], fact[1])
		}
	}
	if len(t.Dependencies) > 0 {
		p.line(plain, "%-11s %s", "After", refs(t.Dependencies))
	}
	if t.Parent != "" {
		p.line(plain, "%-11s %s", "Part of", ref(t.Parent))
	}
	if len(t.Children) > 0 {
		p.line(plain, "%-11s %s", "Parts", refs(t.Children))
	}
}

// why tells what stands behind a status: what it waits for, who blocked or forced it and for what reason.
func (p *page) why(t tasks.TaskDetail) {
	if len(t.WaitingFor) > 0 {
		p.line(plain, "waits for %s", refs(t.WaitingFor))
	}
	switch {
	case t.Reason != "" && t.Status == "blocked":
		p.item("", bad, "blocked:", t.Reason)
	case t.Reason != "":
		p.item("", plain, "taken up again:", t.Reason)
	}
	if t.Forced != nil {
		p.item("", warn, "completed by force:", t.Forced.Reason)
		for _, text := range t.Forced.Overridden {
			p.item("  ", warn, "overridden:", text)
		}
	}
}

// criteria lists criteria with what stands behind each.
func (p *page) criteria(title string, list []tasks.CriterionView) {
	if len(list) == 0 {
		return
	}
	p.heading("%s", title)
	for _, c := range list {
		mark, tone := "·", faint
		if c.Checked {
			mark, tone = "✓", good
		}
		p.item("  ", tone, mark+" "+ordinal(c.N, len(list))+" ", c.Text)
		switch {
		case c.Checked:
			t, text := proof(c)
			p.line(t, "       %s", text)
		case c.Evidence != nil && c.Evidence.Kind == "run" && !c.Evidence.Passed:
			p.line(bad, "       failed: %s", c.Evidence.Command)
		case c.Verify != "":
			p.line(faint, "       to verify: %s", c.Verify)
		}
	}
}

func (p *page) inputs(t tasks.TaskDetail) {
	if len(t.ChainInputs) > 0 {
		p.heading("Inputs")
	}
	for _, in := range t.ChainInputs {
		p.line(plain, "  From %s", strings.TrimSpace(ref(in.Task)+" "+in.Title))
		p.block("    ", in.Text, inputLines)
	}
	p.inputChanges("", t.InputChanged)
}

func (p *page) output(t tasks.TaskDetail) {
	p.heading("Output")
	switch t.ChainOutput.State {
	case "written":
		p.block("  ", t.ChainOutput.Text, outputLines)
	case "minimal":
		p.line(plain, "  small fix, nothing to hand on")
	default:
		p.line(faint, "  none yet: baton task output %s --summary TEXT", t.ID)
	}
}

func (p *page) commits(list []workspace.CommitView) {
	p.heading("Commits")
	if len(list) == 0 {
		p.line(faint, "  none recorded")
	}
	for _, c := range list {
		// The line is there to be copied: it has the hash as it was recorded, and nothing that is no hash.
		hash, said, _ := strings.Cut(c.Hash, " ")
		if !hashLike(hash) {
			p.line(plain, "%s", strings.TrimRight("  "+c.Hash+" "+c.Subject, " "))
			continue
		}
		p.line(plain, "  %s", strings.Join(strings.Fields(short(hash)+" "+said+" "+c.Subject), " "))
		p.line(faint, "    git revert %s", hash)
	}
}
