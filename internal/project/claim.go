package project

import (
	"context"
	"errors"
	"strings"
	"time"

	"baton/internal/chain"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
)

// Claim takes the exclusive hold on a task for a time, or renews the caller's own (D1, D3, D17). Taking an own live
// claim again changes nothing but its end.
// Conflict claim_held; Violation task_not_ready or task_complete; NotFound task_unknown, nothing_ready;
// Usage reason_missing for a theft without one; Refused when claims cannot be written here.
func (p *Project) Claim(ctx context.Context, r ClaimRequest) (ClaimResult, error) {
	if err := p.need("task.claim"); err != nil {
		return ClaimResult{}, err
	}
	ask := claimAsk{op: "task.claim", lease: r.Lease, steal: r.Steal, from: r.From, reason: strings.Join(strings.Fields(r.Reason), " "), force: r.Force}
	if len(r.Scope) > 0 {
		var err error
		if ask.scope, err = task.ParseScope(r.Scope); err != nil {
			return ClaimResult{}, err
		}
	}
	if r.Steal && ask.reason == "" {
		return ClaimResult{}, &report.Error{
			Op: ask.op, Kind: report.Usage, Code: "reason_missing",
			Message: "taking a task from its holder needs a reason", Hint: "say with --reason why the holder will not go on",
		}
	}
	var id task.ID
	if !r.Next {
		var err error
		if id, err = task.ParseID(r.ID); err != nil {
			return ClaimResult{}, err
		}
		if _, err := p.loadTask(ctx, p.store, id); err != nil { // before anything is created for the claim
			return ClaimResult{}, err
		}
	}
	var out ClaimResult
	begun := false // the task's file says that it is in progress
	notes, err := p.updateShared(ctx, func(c *change) error {
		out = ClaimResult{Warnings: []report.Finding{}}
		load := func() (*loaded, error) { return p.loadForWrite(ctx, c, id) }
		if r.Next {
			load = func() (*loaded, error) { return p.nextReady(ctx, c) }
		}
		l, err := load()
		if err != nil {
			return err
		}
		id = l.ID
		got, err := p.claimIn(ctx, c, l, ask)
		if err != nil {
			return err
		}
		out.Task, out.Title, out.Path = id, l.State.Title, l.Name
		out.Claim, out.Stolen = *got.record.view(), got.stolen
		begun = got.state.Status() == task.StatusInProgress
		return p.writeTask(c, l, got.state)
	})
	if _, late := errors.AsType[*claimsLost](err); late && begun {
		e := *report.As(err)
		e.Message += "; " + out.Path + " says in_progress already"
		err = &e
	}
	if err != nil {
		return ClaimResult{}, err
	}
	p.setActive(id, out.Claim.Fence)
	out.Warnings = append(append(out.Warnings, notes...), p.o.above.Losses(p).lostFrom(ctx, out.Path)...)
	return out, nil
}

// claimAsk is how a claim is asked for.
type claimAsk struct {
	op     string
	lease  time.Duration // 0 = the configuration's
	steal  bool
	from   string   // the only one from whom it may be taken, "" for anybody
	reason string   // of the theft
	force  bool     // a task that is not ready but not complete either
	scope  []string // path patterns, empty: those of the holder's claim so far
}

// claimGot is a claim that was taken within a change.
type claimGot struct {
	state  *task.State  // in progress; to be written by the caller
	record *claimRecord // nil when the change does not hold the claims
	stolen string       // former holder
}

// claimIn judges whether the caller may take a task, takes the claim when the change holds the claims, and sets the
// task in progress (D17). It writes nothing of the task.
func (p *Project) claimIn(ctx context.Context, c *change, l *loaded, ask claimAsk) (claimGot, error) {
	got := claimGot{state: l.State}
	book := c.claims
	if book == nil {
		book, _ = p.claimsNow(ctx)
	}
	held, live := book.live(l.ID, c.now)
	own := live && held.By == c.as
	if live && !own {
		if !ask.steal || ask.from != "" && held.By != ask.from {
			return got, claimHeld(l.ID, held, c.as, c.now)
		}
		got.stolen = held.By
	}
	if err := p.mayStart(ctx, c.reader, l, ask, own); err != nil {
		return got, err
	}
	if s := l.State.Status(); s != task.StatusInProgress {
		next, ok := l.State.SetStatus(task.StatusInProgress)
		if ok {
			got.state = next.Reconcile(task.Reconciliation{Now: c.now, Started: true})
		} else {
			c.note(statusUnkept(l))
		}
	}
	if c.claims == nil {
		return got, nil
	}
	lease := ask.lease
	if lease <= 0 {
		lease = p.config().lease()
	}
	if got.stolen != "" {
		c.claims.release(l.ID)
	}
	record := c.claims.take(l.ID, c.as, c.now, lease, ask.reason, ask.scope)
	if got.stolen != "" {
		record.From = got.stolen
		c.claims.Claims[l.ID] = record
	}
	got.record = &record
	return got, nil
}

// statusUnkept warns that a file has no place for a status (bare files, or metadata that cannot be read).
func statusUnkept(l *loaded) report.Finding {
	code := "metadata_missing"
	if l.State.Meta.Present {
		code = "metadata_invalid"
	}
	return report.Finding{Code: code, Severity: report.Warning, Path: l.Name, Text: l.Name + " has no metadata that can be read, so its status stays as it is"}
}

// mayStart refuses a task that cannot be taken up (D17).
func (p *Project) mayStart(ctx context.Context, r store.Reader, l *loaded, ask claimAsk, own bool) error {
	status := l.State.Status()
	e := &report.Error{
		Op: ask.op, Kind: report.Violation, Code: "task_not_ready", Path: l.Name,
		Message: "task " + l.ID.Ref() + " is " + string(status) + ", so it cannot be started",
		Hint:    "use --force to start it all the same",
		Details: map[string]any{"status": string(status)},
	}
	switch {
	case status == task.StatusComplete:
		e.Code = "task_complete"
		e.Message = "task " + l.ID.Ref() + " is complete"
		e.Hint = "open it again with `baton task reopen " + string(l.ID) + "`"
		return e
	case ask.force || own:
		return nil
	case !chain.Startable(status):
		if status == task.StatusDecomposed && len(l.State.Meta.Children) > 0 {
			e.Hint = p.partsHint(ctx, r, l.State)
		}
		if status == task.StatusBlocked {
			e.Hint = "`baton task reopen " + string(l.ID) + "` unblocks it; --force starts it all the same"
		}
		return e
	}
	waiting, err := p.waitingFor(ctx, r, l.State)
	if err != nil || len(waiting) == 0 {
		return err
	}
	e.Message, e.Hint = p.waitsFor(ctx, r, l, waiting)
	e.Details["waiting_for"] = waiting
	return e
}

// waitsFor says what a task waits for and what can be done about it: a dependency that is missing or cancelled will
// never be complete by itself (D17).
func (p *Project) waitsFor(ctx context.Context, r store.Reader, l *loaded, waiting []task.ID) (message, hint string) {
	words, never := make([]string, len(waiting)), []task.ID(nil)
	for i, id := range waiting {
		words[i] = id.Ref()
		up, err := p.loadTask(ctx, r, id)
		switch {
		case report.KindOf(err) == report.NotFound:
			words[i] += ", which no task file has"
		case err == nil && up.State.Status() == task.StatusCancelled:
			words[i] += ", which is cancelled"
		default:
			continue
		}
		never = append(never, id)
	}
	hint = "complete what it waits for, or use --force to start it all the same"
	if len(never) > 0 {
		hint = "take " + refs(never) + " out of the dependencies in the metadata of " + l.Name + ", or use --force to start it all the same"
	}
	return "task " + l.ID.Ref() + " waits for " + strings.Join(words, "; "), hint
}

// nextReady gives the first task that is ready under the locks of the change.
func (p *Project) nextReady(ctx context.Context, c *change) (*loaded, error) {
	// The store, not the transaction, is read: a look at every task need not make the change depend on each of them.
	heads, _, err := p.loadAll(ctx, p.store)
	if err != nil {
		return nil, err
	}
	graph, err := p.graph(ctx, p.store, heads)
	if err != nil {
		return nil, err
	}
	faulty := map[task.ID]bool{}
	for _, h := range heads {
		faulty[h.ID] = h.Fault != nil
	}
	claimed := p.claimed(c.claims)
	for _, id := range graph.Ready(claimed) {
		if faulty[id] {
			continue
		}
		l, err := p.loadForWrite(ctx, c, id)
		if report.KindOf(err) == report.Corrupt {
			// One file that must not be changed does not keep everybody from the rest of the queue (TS-5, TS-25).
			c.note(report.Finding{Code: report.CodeOf(err), Severity: report.Warning, Path: report.As(err).Path, Text: "task " + id.Ref() + " is passed over: " + report.As(err).Message})
			continue
		}
		return l, err
	}
	return nil, &report.Error{
		Op: "task.claim", Kind: report.NotFound, Code: "nothing_ready", Message: "no task is ready to be taken",
		Hint: "`baton task list` shows what each task waits for and who holds it",
	}
}

// Release ends the caller's claim on a task; its status stays (D17). Without a claim nothing changes.
// Conflict claim_held when somebody else holds it.
func (p *Project) Release(ctx context.Context, r TaskRequest) (TaskChange, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return TaskChange{}, err
	}
	l, err := p.loadTask(ctx, p.store, id)
	if err != nil {
		return TaskChange{}, err
	}
	out := TaskChange{Task: id, Title: l.State.Title, Status: string(l.State.Status()), Warnings: []report.Finding{}}
	if !p.sharedBorn() {
		return out, nil
	}
	notes, err := p.updateShared(ctx, func(c *change) error {
		if err := c.claims.guard(id, c.as, c.now); err != nil {
			return err
		}
		out.Changed = c.claims.release(id)
		return nil
	})
	if err != nil {
		return TaskChange{}, err
	}
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}
