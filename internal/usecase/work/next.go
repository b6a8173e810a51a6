package work

import (
	"cmp"
	"context"
	"maps"

	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// Next continues the task that the caller holds, or else the project's active task if nobody holds
// it, or else claims the first ready task, and returns the text for the session. Without an open
// task it returns what the digest recommends. It fails with NotFound nothing_ready if tasks are
// open and none can start, and with NotFound no_project.
func (p Work) Next(ctx context.Context, r NextRequest) (Result, error) {
	const op = "next"
	if !p.Found && p.HasState() {
		return p.project(ctx)
	}
	if err := p.Need(op); err != nil {
		return Result{}, err
	}
	if id := p.held(ctx); id != "" {
		out := Result{What: Continued, Task: id, Warnings: []report.Finding{}}
		return out, p.orient(ctx, &out, r.Lease)
	}
	if out, done, err := p.active(ctx, r); done {
		return out, err
	}
	out, err := p.begin(ctx, BeginRequest{Lease: r.Lease})
	if workspace.SkipShared(err) {
		return p.unclaimed(ctx, r, err)
	}
	if report.CodeOf(err) != report.CodeNothingReady {
		return out, err
	}
	open, why := p.whyNothing(ctx, err)
	if e := report.As(why); e != nil {
		e.Op = op
	}
	if open > 0 {
		return Result{}, why
	}
	shown, err := p.project(ctx)
	if err == nil && shown.Step == nil && why != nil {
		return Result{}, why // all tasks are finished, and the digest recommends nothing
	}
	return shown, err
}

// held returns the open task of this checkout that the caller holds; of several, the one that the
// caller used last.
func (p Work) held(ctx context.Context) task.ID {
	book, _ := p.ClaimsNow(ctx)
	last := p.Active().Holders[p.Holder()].Task
	best := task.ID("")
	for _, id := range sorting.Collected(maps.Keys(book.Claims), task.CompareIDs) {
		c, live := book.Live(id, p.Now())
		if !live || c.By != p.Holder() || best != "" && id != last {
			continue
		}
		if h := p.HeadNow(ctx, id); h != nil && h.Fault == nil && !workspace.Closed(h.Status()) {
			best = id
		}
	}
	return best
}

// active takes up the active task of the project if nobody else is working on it. done reports
// whether it did, or failed for a reason that concerns the caller.
func (p Work) active(ctx context.Context, r NextRequest) (out Result, done bool, err error) {
	of := sessions.Of(p.Workspace)
	found := of.ActiveFor(ctx, nil, workspace.AskKeep)
	if found.ID == "" || found.Proposed {
		return Result{}, false, ctx.Err()
	}
	_, err = of.TakeUp(ctx, found)
	if err == nil {
		out, err = p.begin(ctx, BeginRequest{ID: string(found.ID), Lease: r.Lease})
	}
	if workspace.SkipShared(err) {
		out, err = p.startOn(ctx, found.ID, r)
		return out, true, err
	}
	switch report.KindOf(err) {
	case report.Conflict, report.Violation, report.NotFound: // somebody was faster, or it cannot start
		return Result{}, ctx.Err() != nil, ctx.Err()
	}
	out.Stolen = cmp.Or(found.Gone, found.Person)
	return out, true, err
}

// unclaimed begins a session on the first ready task without a claim, where claims cannot be
// stored, as in a sandbox (D1). It returns the error err if no task is ready.
func (p Work) unclaimed(ctx context.Context, r NextRequest, err error) (Result, error) {
	list, failed := tasks.Of(p.Workspace).Ready(ctx)
	if failed != nil || len(list.Tasks) == 0 {
		return Result{}, err
	}
	return p.startOn(ctx, list.Tasks[0].ID, r)
}

// startOn begins a session on a task without a claim.
func (p Work) startOn(ctx context.Context, id task.ID, r NextRequest) (Result, error) {
	out := Result{What: Started, Task: id, Warnings: []report.Finding{}}
	return out, p.orient(ctx, &out, r.Lease)
}

// project returns what the digest recommends, and the text about the project.
func (p Work) project(ctx context.Context) (Result, error) {
	pack, err := sessions.Of(p.Workspace).Context(ctx, sessions.ContextRequest{})
	if err != nil {
		return Result{}, err
	}
	out := Result{What: Project, Text: pack.Text, Warnings: append([]report.Finding{}, pack.Warnings...)}
	if state, err := digests.Of(p.Workspace).State(ctx); err == nil && state.Next != nil && state.Next.Action != "" {
		out.Step = state.Next
	}
	return out, ctx.Err()
}
