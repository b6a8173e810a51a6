package tasks

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/inputs"
	"baton/internal/workspace"
)

// forcedReason marks the record in the evidence file with the reason for a forced completion. It is
// not the key of a criterion.
const forcedReason = "completed_forced"

// Complete sets a task complete, passes its output to everything downstream, and returns which
// tasks became ready, in one transaction (5.12.2). Completing again only passes the output on if it
// changed. It fails with Violation not_complete or task_entries_lost, with every reason in
// Details["reasons"], and with Violation complete_elsewhere, unless Force and a Reason are given
// (Usage reason_missing without one), with Conflict claim_held, and with Corrupt metadata_invalid
// for a file that cannot store a status.
func (p Tasks) Complete(ctx context.Context, r TaskRequest) (CompleteResult, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return CompleteResult{}, err
	}
	r.Reason = safetext.Line(r.Reason)
	if r.Force && r.Reason == "" {
		return CompleteResult{}, &report.Error{
			Op: "task.complete", Kind: report.Usage, Code: report.CodeReasonMissing,
			Message: "--force needs a reason", Hint: "say why with --reason, which is kept with the " +
				"evidence",
		}
	}
	var out CompleteResult
	notes, err := p.Guarded(ctx, id, func(c *workspace.Change) error {
		out = CompleteResult{Task: id, HandedTo: []InputReceipt{}, Ready: []TaskRow{}, Warnings: []report.Finding{}}
		return p.finish(ctx, c, id, r, &out)
	})
	if err != nil {
		return CompleteResult{}, err
	}
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// finish plans a completion.
func (p Tasks) finish(ctx context.Context, c *workspace.Change, id task.ID, r TaskRequest, out *CompleteResult) error {
	l, err := p.LoadForWrite(ctx, c, id)
	if err != nil {
		return err
	}
	// This reads the store and not the transaction, so that the change does not depend on every
	// task that it looks at.
	headers, err := p.loadNear(ctx, id, l.State.Meta.Parent)
	if err != nil {
		return err
	}
	for _, h := range headers {
		if h.Fault != nil {
			out.Warnings = append(out.Warnings, report.CodeOf(h.Fault).Finding(h.Name, 0,
				"task "+h.ID.Ref()+" could not be read, although it may wait for this output: "+
					report.As(h.Fault).Error()).As(report.Severe))
		}
	}
	c.Standing = true
	next := l.State
	if next.Status() != task.StatusComplete {
		if next, err = p.completed(ctx, c, l, headers, r, out); err != nil {
			return err
		}
		out.Changed, c.Ended = true, id
		if err := p.WriteTask(c, l, next); err != nil {
			return err
		}
	}
	out.Warnings = append(out.Warnings, l.Doubts()...)
	out.Title, out.Status = next.Title, string(next.Status())
	if c.Claims != nil {
		c.Claims.Release(id)
	}
	done := &workspace.Loaded{ID: id, State: next, Name: l.Name, Archive: l.Archive}
	for _, h := range headers {
		if h.ID != id && slices.Contains(h.State.Meta.Dependencies, id) {
			if err := p.handDown(ctx, c, done, h, out); err != nil {
				return err
			}
		}
	}
	if f, last := partsComplete(next, headers); last {
		out.Parent = next.Meta.Parent
		out.Warnings = append(out.Warnings, f)
	}
	return p.nowReady(ctx, c, headers, next, out)
}

// nowReady lists the tasks that this completion made ready.
func (p Tasks) nowReady(
	ctx context.Context, c *workspace.Change, headers []*workspace.Head, done *task.State, out *CompleteResult,
) error {
	before, err := p.ChainGraph(ctx, p.Store, headers)
	if err != nil {
		return err
	}
	headers = slices.Clone(headers)
	for i, h := range headers {
		if h.ID == done.ID {
			changed := *h
			changed.State = done
			headers[i] = &changed
		}
	}
	a := workspace.All{Tasks: headers, Book: c.Claims}
	if a.Graph, err = p.ChainGraph(ctx, p.Store, headers); err != nil {
		return err
	}
	if a.Book == nil {
		a.Book, _ = p.ClaimsNow(ctx)
	}
	a.Elsewhere = p.Elsewhere(ctx, a.Book, workspace.StatusIn(headers), workspace.AskNow)
	claimed := p.Unoffered(a.Book, a.Elsewhere)
	rows, err := p.Rows(ctx, a, func(h *workspace.Head) bool {
		return h.Fault == nil && a.Graph.IsReady(h.ID, claimed) && !before.IsReady(h.ID, claimed) &&
			slices.Contains(h.State.Meta.Dependencies, done.ID)
	})
	out.Ready = append(out.Ready, rows.Tasks...)
	return err
}

// completed returns the task with status complete, or refuses with all reasons at once.
func (p Tasks) completed(
	ctx context.Context, c *workspace.Change, l *workspace.Loaded, headers []*workspace.Head, r TaskRequest,
	out *CompleteResult,
) (*task.State, error) {
	awaited := Awaited(l.ID, headers)
	reasons, err := p.blockers(ctx, c, l, awaited)
	if err != nil {
		return nil, err
	}
	if on := p.apart(ctx, c, l); on != nil {
		if !r.Force {
			return nil, completeElsewhere(l, "task.complete", on)
		}
		reasons = append(reasons, "it is "+on.Words)
	}
	code, hint := report.CodeNotComplete, whatIsOpen(l.State, awaited)
	lost, doubts := p.O.Above.Losses(p.Workspace).LostWork(ctx, l.Name)
	if lost != "" {
		reasons = append(reasons, lost)
		code, hint = report.CodeTaskEntriesLost, howToGetBack
	}
	if len(reasons) > 0 && !r.Force {
		return nil, &report.Error{
			Op: "task.complete", Kind: report.Violation, Code: code, Path: l.Name,
			Message: "task " + l.ID.Ref() + " is not complete: " + strings.Join(reasons, "; "),
			Hint:    hint, Details: map[string]any{"task": string(l.ID), "reasons": reasons},
		}
	}
	out.Warnings = append(out.Warnings, doubts...)
	next := l.State
	if !awaited {
		if next, err = p.ownOutput(ctx, c.Reader, l, out); err != nil {
			return nil, err
		}
	}
	next, ok := next.SetStatus(task.StatusComplete)
	if !ok {
		return nil, unkept("task.complete", l)
	}
	if len(reasons) > 0 {
		out.Forced, out.Overridden = true, reasons
		next, _ = next.SetMeta(task.KeyValue{Key: "completed_forced", JSON: "true"})
		if err := p.AddEvidence(ctx, c, l, EvidenceRecord{
			Criterion: forcedReason, Text: r.Reason, Kind: EvidenceWord, Passed: true, By: c.As, At: c.Now,
			Overridden: reasons,
		}); err != nil {
			return nil, err
		}
	} else {
		next, _ = next.DeleteMeta("completed_forced")
	}
	waiting, err := p.WaitingShown(ctx, c.Reader, l.State)
	if err != nil {
		return nil, err
	}
	if len(waiting) > 0 {
		out.Warnings = append(out.Warnings, report.CodeDependencyOpen.Finding(l.Name, 0,
			"task "+l.ID.Ref()+" is complete before its dependencies: "+workspace.Refs(waiting)))
	}
	if len(next.Criteria) == 0 && !next.External {
		out.Warnings = append(out.Warnings, report.CodeNoCriteria.Finding(l.Name, 0,
			"task "+l.ID.Ref()+" was completed without any criteria"))
	}
	return next, nil
}

// howToGetBack is the hint for a task that lost criteria or sessions.
const howToGetBack = "`baton lost --restore` puts back what is lost; `baton lost --accept ID` says that an entry was " +
	"removed on purpose (`baton lost` lists the ids); or use --force --reason TEXT"

// whatIsOpen names the commands that do what is missing for a completion, and at the end how to
// complete the task without them.
func whatIsOpen(s *task.State, awaited bool) string {
	var steps []string
	for _, c := range s.Criteria {
		if !c.Checked && !s.External {
			steps = append(steps, "check it: baton task check "+string(s.ID)+" "+strconv.Itoa(c.N)+" --evidence TEXT")
			break
		}
	}
	if awaited && s.Output.State != task.OutputWritten {
		steps = append(steps, "write it: baton task output "+string(s.ID)+" --summary TEXT")
	}
	if len(steps) == 0 {
		steps = append(steps, "finish what is open")
	}
	return strings.Join(steps, "; ") + "; or use --force --reason TEXT"
}

// blockers returns the reasons why a task cannot be complete. A criterion that was delegated to
// sub-tasks counts as checked if a sub-task with the same text checked it (5.15).
func (p Tasks) blockers(
	ctx context.Context, c *workspace.Change, l *workspace.Loaded, awaited bool,
) ([]string, error) {
	parts, err := p.Parts(ctx, c.Reader, l.State)
	if err != nil {
		return nil, err
	}
	var open []task.ID
	for _, id := range l.State.Meta.Children {
		if part := parts[id]; part == nil || part.State.Status() != task.StatusComplete {
			open = append(open, id)
		}
	}
	return l.State.Blockers(awaited, open, l.State.Delegated(parts.Find)), nil
}

// handDown injects the output of a completed task into one that depends on it. A file that cannot
// be read or written does not undo the completion. It is reported, and receives its input at its
// next session start (5.12.2).
func (p Tasks) handDown(
	ctx context.Context, c *workspace.Change, up *workspace.Loaded, h *workspace.Head, out *CompleteResult,
) error {
	switch h.Status() {
	case task.StatusComplete, task.StatusCancelled:
		return nil
	}
	skip := func(err error) error {
		if ctx.Err() != nil {
			return err
		}
		e := report.As(err)
		out.Warnings = append(out.Warnings, report.CodeOf(err).Finding(h.Name, e.Line,
			"the output was not added to task "+h.ID.Ref()+": "+e.Error()+
				"; its next session start adds it").As(report.Severe))
		return nil
	}
	l, err := p.LoadForWrite(ctx, c, h.ID)
	if err != nil {
		return skip(err)
	}
	if l.Doc.Outside {
		return skip(leadsOutside(h.Name))
	}
	who, busy := p.AtWork(ctx, c, l.ID)
	got := handover{State: l.State, atWork: busy}
	if err := p.hand(ctx, c.Reader, up, &got, l.Name, false); err != nil {
		return skip(err)
	}
	out.Warnings = append(out.Warnings, got.Findings...)
	for _, receipt := range got.Receipts {
		to := InputReceipt{Task: l.ID, Title: l.State.Title, Change: receipt.Change}
		if busy && (to.Change == inputs.InputReplaced || to.Change == inputs.InputInserted) {
			to.AtWork = who
			out.Warnings = append(out.Warnings, report.CodeInputChangedAtWork.Finding(l.Name, 0,
				"task "+l.ID.Ref()+" received this output while "+safetext.Clean(who)+" is working on it; "+
					"`baton session start "+string(l.ID)+"` shows the difference"))
		}
		out.HandedTo = append(out.HandedTo, to)
	}
	if err := p.KeepInputs(c, l, got); err != nil {
		return skip(err)
	}
	return nil
}

// delegate gives delegated criteria the state and the evidence that they have in the sub-tasks. If
// a sub-task cannot be read, its criteria stay as they are, so that the parent can still be shown.
func (p Tasks) delegate(ctx context.Context, r store.Reader, s *task.State, views []CriterionView) error {
	parts, err := p.Parts(ctx, r, s)
	if err != nil {
		return ctx.Err()
	}
	delegated := s.Delegated(parts.Find)
	for i, c := range s.Criteria {
		if c.Checked || !c.Counts(delegated) {
			continue
		}
		views[i].Checked = true
		for _, id := range sorting.Collected(maps.Keys(parts), task.CompareIDs) {
			l := parts[id]
			for _, theirs := range l.State.Criteria {
				if !theirs.Checked || strings.TrimSpace(theirs.Text) != strings.TrimSpace(c.Text) {
					continue
				}
				book, err := p.Evidence(ctx, r, l)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil {
					continue // its check still counts
				}
				v := book.CriterionView(theirs)
				views[i].Verified, views[i].Evidence = v.Verified, v.Evidence
			}
		}
	}
	return nil
}
