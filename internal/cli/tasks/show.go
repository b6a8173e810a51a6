package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

func showCommand(d *app.App) *cobra.Command {
	var r tasks.ShowRequest
	cmd := about(d, app.Spec{
		Use: "show ID…", Short: "Show everything about a task",
		Long: "Print one task: status, holder, requirements, criteria with their evidence, inputs, " +
			"the last sessions, next steps and output. --section prints one section as it is in the file. " +
			"--json prints everything.",
		Example: "baton task show 101\nbaton task show 101 102\nbaton task show 101 --section \"Progress Log\"\n" +
			"baton task show 101 --all --deps --json",
		MinArgs: 1, MaxArgs: app.MostIDs,
		Exits: app.ReadingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			last := map[task.ID]bool{} // no task waits for its output
			return app.AnswerEach(d, cmd, args, func(
				ctx context.Context, p *project.Project, id string,
			) (tasks.TaskDetail, error) {
				ask := r
				ask.ID = id
				t, err := p.Tasks.Show(ctx, ask)
				// It takes time to look at other tasks, so they count only once the output is due.
				if err == nil && !d.JSON && t.Section == nil && stepOf(nil, t).needsOutput {
					last[t.ID] = !p.Tasks.IsAwaited(ctx, t.ID)
				}
				return t, err
			}, func(p *app.Page, t tasks.TaskDetail) {
				if t.Section != nil {
					p.Block("", t.Section.Text, 0)
					p.Remarks = t.Warnings
					return
				}
				pageTask(p, t, r, last[t.ID])
			})
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Section, "section", "", "only this section: `NAME` is a kind like progress_log, or a heading")
	flags.BoolVar(&r.Deps, "deps", false, "add the tasks that depend on it, and warnings about other files")
	flags.BoolVar(&r.All, "all", false, "add archived sessions")
	flags.BoolVar(&r.Commits, "commits", false, "list commits, each with the command that reverts it")
	return cmd
}

// Lines of a text that the page shows before it says how many more there are.
const (
	inputLines  = 6
	outputLines = 12
)

func pageTask(p *app.Page, t tasks.TaskDetail, r tasks.ShowRequest, last bool) {
	if torn := slices.IndexFunc(
		t.Warnings, func(f report.Finding) bool { return f.Code == report.CodeConflictMarkers },
	); torn >= 0 {
		p.Item("", app.Bad, "!", t.Warnings[torn].Text)
		p.End()
		t.Warnings = slices.Delete(slices.Clone(t.Warnings), torn, torn+1)
	}
	taskHead(p, t)
	if t.Requirements != "" {
		p.Heading("Requirements")
		p.Block("  ", t.Requirements, 0)
	}
	criteria(p, "Criteria", t.Criteria)
	inputs(p, t)
	sessionList(p, t, r.All)
	output(p, t, last)
	if r.Deps && len(t.Dependents) > 0 {
		p.Heading("Downstream")
		for _, down := range t.Dependents {
			status, _ := app.TaskStatus(
				tasks.TaskRow{Status: down.Status, Ready: down.Ready, WaitingFor: down.WaitingFor},
			)
			p.Item("  ", app.Plain, down.ID.Ref(), strings.TrimSpace(down.Title+" ("+status+")"))
		}
	}
	if r.Commits {
		commits(p, t.Commits)
	}
	p.Findings(t.Warnings)
	if t.Status == "cancelled" {
		p.End()
		p.Hint("To take it up again: baton task reopen %s", t.ID)
	}
}

func taskHead(p *app.Page, t tasks.TaskDetail) {
	p.Wrapped(app.Strong, strings.TrimSpace(t.ID.Ref()+" "+t.Title))
	done := 0
	for _, c := range t.Criteria {
		if c.Checked {
			done++
		}
	}
	status, tone := app.TaskStatus(tasks.TaskRow{Status: t.Status, Ready: t.Ready, WaitingFor: t.WaitingFor})
	criteria := "no criteria"
	if len(t.Criteria) > 0 {
		criteria = Fraction(done, len(t.Criteria)) + " criteria"
	}
	dot := " " + p.Marks().Dot + " "
	p.Add(tone, status).Add(app.Plain, dot+criteria+dot+safetext.Count(t.TotalSessions, "session"))
	if t.ArchivedSessions > 0 {
		p.Add(app.Plain, fmt.Sprintf(" (%d archived)", t.ArchivedSessions))
	}
	p.Add(app.Plain, dot+app.Kilobytes(t.SizeBytes))
	if t.Dialect != "v2" { // what every new file is needs no word
		p.Add(app.Plain, dot+"dialect "+dialectName(t.Dialect))
	}
	p.End()
	if t.Claim != nil {
		p.Line(app.Accent, "%s", p.Held(t.Claim.By, t.Claim.Until))
		if len(t.Claim.Scope) > 0 {
			p.Line(app.Faint, "Scope: %s", strings.Join(t.Claim.Scope, ", "))
		}
	}
	why(p, t)
	p.Line(app.Faint, "%s", t.Path)
	for _, fact := range [...][2]string{
		{"Epic", t.Epic}, {"Repository", t.Repository}, {"PRD", t.PRD}, {"Agent", t.Agent},
	} {
		if fact[1] != "" {
			p.Line(app.Plain, "%-11s %s", fact[0], fact[1])
		}
	}
	if t.Priority != "" {
		p.Line(app.Plain, "%-11s %s", "Priority", t.Priority)
	}
	if t.Source != "" {
		p.Line(app.Plain, "%-11s %s", "Imported", t.Source)
	}
	if t.From != "" {
		p.Line(app.Plain, "%-11s %s", "Found in", t.From.Ref())
	}
	if len(t.Found) > 0 {
		p.Line(app.Plain, "%-11s %s", "Led to", refs(t.Found))
	}
	if len(t.Dependencies) > 0 {
		p.Line(app.Plain, "%-11s %s", "After", refs(t.Dependencies))
	}
	if t.Parent != "" {
		p.Line(app.Plain, "%-11s %s", "Part of", t.Parent.Ref())
	}
	if len(t.Children) > 0 {
		p.Line(app.Plain, "%-11s %s", "Parts", refs(t.Children))
	}
}

// why tells what stands behind a status: what it waits for, who blocked or forced it and for what
// reason.
func why(p *app.Page, t tasks.TaskDetail) {
	if t.CompleteOn != nil {
		p.Wrapped(app.Good, t.CompleteOn.Words)
	}
	if t.StatusOn != nil {
		p.Wrapped(app.Accent, t.StatusOn.Words)
	}
	if len(t.WaitingFor) > 0 {
		p.Wrapped(app.Plain, "waits for "+refs(t.WaitingFor))
	}
	if once := t.ReadyOnce; once != nil && once.Command != "" {
		p.Wrapped(app.Plain, once.Words()+": `"+once.Command+"`")
	} else if once != nil {
		p.Wrapped(app.Plain, once.Words())
	}
	switch {
	case t.Reason != "" && t.Status == "blocked":
		p.Item("", app.Bad, "blocked:", t.Reason)
	case t.Reason != "" && t.Status == "cancelled":
		p.Item("", app.Plain, "cancelled:", t.Reason)
	case t.Reason != "":
		p.Item("", app.Plain, "reopened:", t.Reason)
	}
	if t.Forced != nil {
		p.Item("", app.Warn, "completed by force:", t.Forced.Reason)
		for _, text := range t.Forced.Overridden {
			p.Item("  ", app.Warn, "overridden:", text)
		}
	}
}

// criteria lists criteria with what stands behind each.
func criteria(p *app.Page, title string, list []tasks.CriterionView) {
	if len(list) == 0 {
		return
	}
	p.Heading("%s", title)
	for _, c := range list {
		mark, tone := p.Marks().Dot, app.Faint
		if c.Checked {
			mark, tone = p.Marks().Done, app.Good
		}
		p.Item("  ", tone, mark+" "+app.Ordinal(c.N, len(list))+" ", c.Text)
		switch {
		case c.Checked:
			t, text := proof(c)
			p.Below(t, "       ", text)
		case c.Evidence != nil && c.Evidence.Kind == "run" && !c.Evidence.Passed:
			p.Below(app.Bad, "       ", "failed: "+c.Evidence.Command)
		case c.Verify != "":
			p.Below(app.Faint, "       ", "to verify: "+c.Verify)
		}
	}
}

func inputs(p *app.Page, t tasks.TaskDetail) {
	if len(t.ChainInputs) > 0 {
		p.Heading("Inputs")
	}
	for _, in := range t.ChainInputs {
		p.Item("  ", app.Plain, "From", strings.TrimSpace(in.Task.Ref()+" "+in.Title))
		p.Block("    ", in.Text, inputLines)
	}
	inputChanges(p, "", t.InputChanged)
}

func output(p *app.Page, t tasks.TaskDetail, last bool) {
	if t.Status == "cancelled" && t.ChainOutput.State == "empty" {
		return
	}
	p.Heading("Output")
	switch t.ChainOutput.State {
	case "written":
		p.Block("  ", t.ChainOutput.Text, outputLines)
	case "minimal":
		p.Line(app.Plain, "  small fix, no output for other tasks")
	default:
		if last {
			p.Line(app.Faint, "  none, and no task waits for it")
			return
		}
		p.Line(app.Faint, "  none yet: baton task output %s --summary TEXT", t.ID)
	}
}

func commits(p *app.Page, list []workspace.CommitView) {
	p.Heading("Commits")
	if len(list) == 0 {
		p.Line(app.Faint, "  none recorded")
	}
	for _, c := range list {
		// The line is there to be copied: it has the hash as it was recorded, and nothing that is
		// no hash.
		hash, said, _ := strings.Cut(c.Hash, " ")
		if !hashLike(hash) {
			p.Line(app.Plain, "%s", strings.TrimRight("  "+c.Hash+" "+c.Subject, " "))
			continue
		}
		p.Line(app.Plain, "  %s", strings.Join(strings.Fields(safetext.ShortHash(hash)+" "+said+" "+c.Subject), " "))
		p.Line(app.Faint, "    git revert %s", hash)
	}
}
