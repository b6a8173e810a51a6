package tasks

import (
	"cmp"
	"context"
	"maps"

	"baton/internal/chain"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/inputs"
	"baton/internal/workspace"
)

// Show returns one task (D29). It opens the task's own files, and of other tasks only the
// dependencies; Deps reads all tasks. It fails with NotFound task_unknown or section_unknown.
func (p Tasks) Show(ctx context.Context, r ShowRequest) (TaskDetail, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return TaskDetail{}, err
	}
	// Files that lose entries are read before files that gain them, so that a moving entry may be
	// seen twice but is never missed (D8).
	l, err := p.LoadTask(ctx, p.Store, id)
	if err != nil {
		return TaskDetail{}, err
	}
	out := detail(l)
	known, unread, err := p.evidenceShown(ctx, l)
	if err != nil {
		return TaskDetail{}, err
	}
	if out.Criteria, err = p.Criteria(ctx, l, known); err != nil {
		return TaskDetail{}, err
	}
	hold, doubts := p.ClaimOf(ctx, id)
	out.Claim = hold.Claim
	if out.WaitingFor, err = p.WaitingShown(ctx, p.Store, l.State); err != nil {
		return TaskDetail{}, err
	}
	out.State = StateOf(out.Status, out.WaitingFor)
	if finished(l.State.Status()) {
		out.Claim = nil
	}
	book, _ := p.ClaimsNow(ctx)
	where := p.ElsewhereOf(ctx, p.Store, book, l.State, workspace.AskNow)
	out.CompleteOn, out.ReadyOnce, out.StatusOn = where.CompleteOn(id), where.Once(out.WaitingFor), where.OpenOn(id)
	doubts = append(doubts, where.Findings...)
	out.Ready = chain.Startable(l.State.Status()) && len(out.WaitingFor) == 0 && out.Claim == nil &&
		!where.Has(id)
	out.Forced = forced(l, known)
	out.Warnings = append(out.Warnings, p.Settings().Warnings()...)
	out.Warnings = append(out.Warnings, l.Warnings()...)
	out.Warnings = append(append(out.Warnings, unread...), doubts...)
	if err := p.showOutput(ctx, l, &out); err != nil {
		return TaskDetail{}, err
	}
	if err := p.showSessions(ctx, l, r, &out); err != nil {
		return TaskDetail{}, err
	}
	if out.InputChanged, err = p.InputChanges(ctx, p.Store, l, l.State); err != nil {
		return TaskDetail{}, err
	}
	out.Found = p.FoundDuring(id)
	out.Warnings = append(out.Warnings, WithPath(l.Name, inputs.Orphans(l.State, l.State.Meta.Dependencies))...)
	out.Warnings = append(out.Warnings, WithPath(l.Name, l.State.SizeFindings(p.Limits(), out.TotalSessions))...)
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
	out.Warnings = workspace.ConflictsFirst(workspace.Distinct(out.Warnings), func(string) string {
		return workspace.ConflictHint(l.Name, l.Doc.Data, report.CodeConflictMarkers.Remedy(nil))
	})
	return out, nil
}

// detail returns the contents of the task file itself.
func detail(l *workspace.Loaded) TaskDetail {
	s := l.State
	out := TaskDetail{
		ID: l.ID, Title: s.Title, Status: string(s.Status()), Dialect: string(s.Dialect), Path: l.Name,
		Epic: epicOf(s), Repository: s.Context.Repository, PRD: s.Context.PRD, Agent: s.Context.Agent,
		Requirements: s.Context.Requirements, Dependencies: append([]task.ID{}, s.Meta.Dependencies...),
		Priority: s.Meta.Priority.Shown(), From: s.Meta.From, Source: s.Meta.Source,
		Parent: s.Meta.Parent, Children: s.Meta.Children, Sessions: []workspace.SessionView{},
		ChainInputs: []InputView{},
		SizeBytes:   l.Doc.Size, TotalSessions: s.TotalSessions(), Warnings: []report.Finding{},
	}
	out.Reason = cmp.Or(s.MetaText(BlockedKey), s.MetaText(reopenedKey))
	if out.Status == string(task.StatusCancelled) {
		out.Reason = cancelReason(s)
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

// forced returns why a task was completed by force, from its evidence, or nil if it was not.
func forced(l *workspace.Loaded, known EvidenceBook) *Forced {
	if !l.State.Meta.Forced {
		return nil
	}
	rec := known.Newest(forcedReason)
	if rec == nil {
		return &Forced{}
	}
	return &Forced{Reason: rec.Text, Overridden: rec.Overridden, By: rec.By, At: workspace.Stamp(rec.At)}
}

// evidenceShown reads a task's evidence for display. If it cannot be read, it counts as empty, with
// a warning.
func (p Tasks) evidenceShown(ctx context.Context, l *workspace.Loaded) (EvidenceBook, []report.Finding, error) {
	book, err := p.Evidence(ctx, p.Store, l)
	if err == nil || ctx.Err() != nil {
		return book, nil, ctx.Err()
	}
	return book, []report.Finding{report.CodeEvidenceUnreadable.Finding(l.Evidence, 0,
		"the evidence in "+l.Evidence+" cannot be read, so it counts as empty: "+report.As(err).Error())}, nil
}

// Criteria returns a task's criteria with their evidence, including delegated ones.
func (p Tasks) Criteria(ctx context.Context, l *workspace.Loaded, known EvidenceBook) ([]CriterionView, error) {
	out := []CriterionView{}
	for _, c := range l.State.Criteria {
		out = append(out, known.CriterionView(c))
	}
	return out, p.delegate(ctx, p.Store, l.State, out)
}

// showOutput adds the chain output. A task without one may have an older hand-off file (5.1).
func (p Tasks) showOutput(ctx context.Context, l *workspace.Loaded, out *TaskDetail) error {
	s := l.State
	if s.Output.State == task.OutputEmpty {
		old, _, err := p.OlderOutput(ctx, p.Store, s)
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

// WithPath sets the path of findings that have none.
func WithPath(name string, findings []report.Finding) []report.Finding {
	for i := range findings {
		if findings[i].Path == "" {
			findings[i].Path = name
		}
	}
	return findings
}
