package project

import (
	"context"
	"maps"

	"baton/internal/chain"
	"baton/internal/report"
	"baton/internal/task"
)

// Show gives one task as it stands (D29). It opens the task's own files, and of others only those that it depends
// on; Deps looks at all. NotFound task_unknown, section_unknown.
func (p *Project) Show(ctx context.Context, r ShowRequest) (TaskDetail, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return TaskDetail{}, err
	}
	// What loses entries is read before what gains them, so that one on its way is seen twice and never not at all (D8).
	l, err := p.loadTask(ctx, p.store, id)
	if err != nil {
		return TaskDetail{}, err
	}
	out := detail(l)
	known, unread, err := p.evidenceShown(ctx, l)
	if err != nil {
		return TaskDetail{}, err
	}
	if out.Criteria, err = p.criteria(ctx, l, known); err != nil {
		return TaskDetail{}, err
	}
	hold, doubts := p.claimOf(ctx, id)
	out.Claim = hold.Claim
	if out.WaitingFor, err = p.waitingShown(ctx, p.store, l.State); err != nil {
		return TaskDetail{}, err
	}
	out.Ready = chain.Startable(l.State.Status()) && len(out.WaitingFor) == 0 && out.Claim == nil
	out.Forced = forced(l, known)
	out.Warnings = append(out.Warnings, p.config().warnings()...)
	out.Warnings = append(out.Warnings, l.warnings()...)
	out.Warnings = append(append(out.Warnings, unread...), doubts...)
	if err := p.showOutput(ctx, l, &out); err != nil {
		return TaskDetail{}, err
	}
	if err := p.showSessions(ctx, l, r, &out); err != nil {
		return TaskDetail{}, err
	}
	if out.InputChanged, err = p.inputChanges(ctx, p.store, l, l.State); err != nil {
		return TaskDetail{}, err
	}
	out.Warnings = append(out.Warnings, withPath(l.Name, l.State.Orphans(l.State.Meta.Dependencies))...)
	out.Warnings = append(out.Warnings, withPath(l.Name, l.State.SizeFindings(p.limits(), out.TotalSessions))...)
	if r.Deps {
		if err := p.showDeps(ctx, l, &out); err != nil {
			return TaskDetail{}, err
		}
	}
	if r.Commits {
		out.Commits = commitsOf(l.State, out.Sessions)
	}
	if r.Section != "" {
		if out.Section, err = sectionView(l, r.Section); err != nil {
			return TaskDetail{}, err
		}
	}
	out.Warnings = conflictsFirst(distinct(out.Warnings), func(string) string { return conflictHint(l.Name, l.Doc.Data, settleHint) })
	return out, nil
}

// detail is what the task file itself says.
func detail(l *loaded) TaskDetail {
	s := l.State
	out := TaskDetail{
		ID: l.ID, Title: s.Title, Status: string(s.Status()), Dialect: string(s.Dialect), Path: l.Name,
		Epic: epicOf(s), Repository: s.Context.Repository, PRD: s.Context.PRD, Agent: s.Context.Agent,
		Requirements: s.Context.Requirements, Dependencies: append([]task.ID{}, s.Meta.Dependencies...),
		Parent: s.Meta.Parent, Children: s.Meta.Children, Sessions: []SessionView{}, ChainInputs: []InputView{},
		SizeBytes: l.Doc.Size, TotalSessions: s.TotalSessions(), Warnings: []report.Finding{},
	}
	out.Reason = s.MetaText(blockedKey)
	if out.Reason == "" {
		out.Reason = s.MetaText(reopenedKey)
	}
	out.ArchivedSessions = out.TotalSessions - len(s.Sessions)
	if s.Summary != nil {
		out.ArchivedSummary = s.Summary.Body
	}
	for _, in := range s.Inputs {
		out.ChainInputs = append(out.ChainInputs, InputView{Task: in.Task, Title: in.Title, Text: in.Text})
	}
	return out
}

// forced tells why a task was completed by force, from its evidence; nil when it was not.
func forced(l *loaded, known evidenceBook) *Forced {
	if !l.State.Meta.Forced {
		return nil
	}
	rec := known.newest(forcedReason)
	if rec == nil {
		return &Forced{}
	}
	return &Forced{Reason: rec.Text, Overridden: rec.Overridden, By: rec.By, At: stamp(rec.At)}
}

// evidenceShown reads a task's evidence for a look at the task: what cannot be read counts as none, with a warning.
func (p *Project) evidenceShown(ctx context.Context, l *loaded) (evidenceBook, []report.Finding, error) {
	book, err := p.evidence(ctx, p.store, l)
	if err == nil || ctx.Err() != nil {
		return book, nil, ctx.Err()
	}
	return book, []report.Finding{{
		Code: "evidence_unreadable", Severity: report.Warning, Path: l.Evidence,
		Text: "the evidence in " + l.Evidence + " cannot be read and counts as none: " + report.As(err).Error(),
	}}, nil
}

// criteria gives a task's criteria with their evidence, as they count.
func (p *Project) criteria(ctx context.Context, l *loaded, known evidenceBook) ([]CriterionView, error) {
	out := []CriterionView{}
	for _, c := range l.State.Criteria {
		out = append(out, known.criterionView(c))
	}
	return out, p.delegate(ctx, p.store, l.State, out)
}

// showOutput gives the chain output; a task without one may have it in an older hand-over file (5.1).
func (p *Project) showOutput(ctx context.Context, l *loaded, out *TaskDetail) error {
	s := l.State
	if s.Output.State == task.OutputEmpty {
		old, _, err := p.olderOutput(ctx, p.store, s)
		if err != nil {
			return err
		}
		if old != nil {
			s = old
		}
	}
	out.ChainOutput = OutputView{State: string(s.Output.State), Text: s.Output.Text}
	if len(s.Output.Parts) > 0 {
		out.ChainOutput.Parts = make(map[string]string, len(s.Output.Parts))
		for part, text := range maps.All(s.Output.Parts) {
			out.ChainOutput.Parts[string(part)] = text
		}
	}
	return nil
}

// withPath puts the file's name on findings that have none.
func withPath(name string, findings []report.Finding) []report.Finding {
	for i := range findings {
		if findings[i].Path == "" {
			findings[i].Path = name
		}
	}
	return findings
}

// distinct keeps the first of equal findings.
func distinct(findings []report.Finding) []report.Finding {
	seen := make(map[report.Finding]bool, len(findings))
	out := findings[:0]
	for _, f := range findings {
		if !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	return out
}
