package tasks

import (
	"context"
	"path"
	"slices"

	"baton/internal/chain"
	"baton/internal/jsontext"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/workspace"
)

// CancelResult is the answer of "task cancel" and "task delete".
type CancelResult struct {
	Task       task.ID          `json:"task"`
	Title      string           `json:"title"`
	Status     string           `json:"status"`
	Changed    bool             `json:"changed"`
	Path       string           `json:"path"`       // of delete: where the file is now, or would be
	Applied    bool             `json:"applied"`    // of delete: the file was moved
	Dependants []Dependent      `json:"dependants"` // open tasks that wait for it
	Warnings   []report.Finding `json:"warnings"`
}

// Cancel sets a task cancelled, with the reason, and ends the claim. The answer names the open
// tasks that wait for it. It fails with Usage reason_missing, with Violation task_closed for a task
// that is complete or split, and with Conflict claim_held.
func (p Tasks) Cancel(ctx context.Context, r TaskRequest) (CancelResult, error) {
	if r.Reason = safetext.OneLine(r.Reason); r.Reason == "" {
		return CancelResult{}, &report.Error{
			Op: "task.cancel", Kind: report.Usage, Code: report.CodeReasonMissing,
			Message: "cancelling a task needs a reason",
			Hint:    "say with --reason why it will not be done",
		}
	}
	id, err := task.ParseID(r.ID)
	if err != nil {
		return CancelResult{}, err
	}
	var out CancelResult
	notes, err := p.Guarded(ctx, id, func(c *workspace.Change) error {
		l, err := p.LoadForWrite(ctx, c, id)
		if err != nil {
			return err
		}
		next, err := cancelled(l, "task.cancel", r.Reason, c)
		if err != nil {
			return err
		}
		out, err = p.cancelling(ctx, l, next)
		if err != nil {
			return err
		}
		c.Standing, c.Ended = true, id
		out.Warnings = append(out.Warnings, p.doneApart(ctx, c, l)...)
		if c.Claims != nil {
			c.Claims.Release(id)
		}
		return p.WriteTask(c, l, next)
	})
	if err != nil {
		return CancelResult{}, err
	}
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// cancelled returns a task with the status cancelled. A task that is cancelled already stays as it
// is, with its reason.
func cancelled(l *workspace.Loaded, op, reason string, c *workspace.Change) (*task.State, error) {
	switch s := l.State.Status(); s {
	case task.StatusCancelled:
		return l.State, nil
	case task.StatusComplete, task.StatusDecomposed:
		e := &report.Error{
			Op: op, Kind: report.Violation, Code: report.CodeTaskClosed, Path: l.Name,
			Message: "task " + l.ID.Ref() + " is " + string(s) + " and cannot be cancelled",
			Hint:    "open it again first: baton task reopen " + string(l.ID),
		}
		if s == task.StatusDecomposed {
			e.Hint = "cancel its parts: " + workspace.Refs(l.State.Meta.Children)
		}
		return nil, e
	}
	next, ok := l.State.SetStatus(task.StatusCancelled)
	if ok {
		why := `{"at": ` + jsontext.Quote(task.JSONStamp(c.Now)) + `, "by": ` + jsontext.Quote(safetext.Line(c.As)) +
			`, "reason": ` + jsontext.Quote(reason) + `}`
		next, ok = next.SetMeta(task.KeyValue{Key: task.CancelledKey, JSON: why})
	}
	if ok {
		next, ok = next.DeleteMeta(BlockedKey, reopenedKey)
	}
	if !ok {
		return nil, unkept(op, l)
	}
	return next, nil
}

// cancelReason returns why a task was cancelled, or "" if nobody said so.
func cancelReason(s *task.State) string {
	raw, _ := s.MetaRaw(task.CancelledKey)
	node, fault := jsontext.Relaxed(raw)
	if fault != nil {
		return ""
	}
	said, _ := node.Member("reason")
	reason, _ := said.Value.Text(raw)
	return reason
}

// cancelling fills the answer, with the open tasks that wait for the task.
func (p Tasks) cancelling(ctx context.Context, l *workspace.Loaded, next *task.State) (CancelResult, error) {
	out := CancelResult{
		Task: l.ID, Title: next.Title, Status: string(next.Status()), Path: l.Name, Dependants: []Dependent{},
		Changed: string(next.Bytes()) != string(l.State.Bytes()), Warnings: append([]report.Finding{}, l.Doubts()...),
	}
	headers, err := p.loadNear(ctx, l.ID, "")
	if err != nil {
		return out, err
	}
	for _, h := range headers {
		if h.ID == l.ID || workspace.Closed(h.Status()) || !slices.Contains(h.State.Meta.Dependencies, l.ID) {
			continue
		}
		out.Dependants = append(out.Dependants, Dependent{
			ID: h.ID, Title: h.State.Title, Status: string(h.Status()), WaitingFor: []task.ID{l.ID},
		})
		out.Warnings = append(out.Warnings, chain.CancelledFinding(h.ID, l.ID, h.Name))
	}
	return out, nil
}

// Delete cancels a task and moves its file to the archive, where its id stays taken. Without Force,
// which the doors call --apply, it only says what would happen. It fails as Cancel does, and with
// Conflict exists if the archive has a file of that name.
func (p Tasks) Delete(ctx context.Context, r TaskRequest) (CancelResult, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return CancelResult{}, err
	}
	if r.Reason = safetext.OneLine(r.Reason); r.Reason == "" {
		r.Reason = "deleted"
	}
	var out CancelResult
	plan := func(c *workspace.Change) error {
		l, err := p.LoadForWrite(ctx, c, id)
		if err != nil {
			return err
		}
		if l.Outside != nil {
			return l.Outside
		}
		next, err := cancelled(l, "task.delete", r.Reason, c)
		if err != nil {
			return err
		}
		if out, err = p.cancelling(ctx, l, next); err != nil {
			return err
		}
		out.Path = path.Dir(l.Archive) + "/" + task.StateName(id)
		if !r.Force {
			return nil
		}
		if err := workspace.UnsafeError(l.Name, next.Bytes()); err != nil {
			return err
		}
		if c.Claims != nil {
			c.Claims.Release(id)
		}
		c.Tx.CreateLike(out.Path, next.Bytes(), l.Name)
		c.Tx.Discard("", l.Name)
		c.Standing, out.Applied = true, true
		return nil
	}
	notes, err := p.Guarded(ctx, id, plan)
	if err != nil {
		return CancelResult{}, err
	}
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}
