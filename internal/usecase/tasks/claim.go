package tasks

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"baton/internal/chain"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/claimscope"
	"baton/internal/workspace"
)

// Claim takes a task exclusively for a time, or renews the caller's own claim (D1, D3, D17).
// Claiming a task again that the caller holds changes only the end of the claim. It fails with
// Conflict claim_held, with Violation task_not_ready or task_complete, with NotFound task_unknown
// or nothing_ready, with Usage reason_missing if Steal has no reason, and with Refused if claims
// cannot be written here.
func (p Tasks) Claim(ctx context.Context, r ClaimRequest) (ClaimResult, error) {
	if err := p.Need("task.claim"); err != nil {
		return ClaimResult{}, err
	}
	ask := ClaimAsk{Op: "task.claim", Lease: r.Lease, steal: r.Steal, from: r.From, Reason: strings.Join(
		strings.Fields(r.Reason), " ",
	), Force: r.Force}
	if len(r.Scope) > 0 {
		var err error
		if ask.scope, err = claimscope.Parse(r.Scope); err != nil {
			return ClaimResult{}, err
		}
	}
	if r.Steal && ask.Reason == "" {
		return ClaimResult{}, &report.Error{
			Op: ask.Op, Kind: report.Usage, Code: report.CodeReasonMissing,
			Message: "--steal needs a reason", Hint: "say with --reason why the holder will " +
				"not continue",
		}
	}
	var id task.ID
	if !r.Next {
		var err error
		if id, err = task.ParseID(r.ID); err != nil {
			return ClaimResult{}, err
		}
		if _, err := p.LoadTask(ctx, p.Store, id); err != nil { // fails before anything is created for the claim
			return ClaimResult{}, err
		}
	}
	var out ClaimResult
	begun := false // the task's file was set to in_progress
	notes, err := p.UpdateShared(ctx, func(c *workspace.Change) error {
		out = ClaimResult{Warnings: []report.Finding{}}
		load := func() (*workspace.Loaded, error) { return p.LoadForWrite(ctx, c, id) }
		if r.Next {
			load = func() (*workspace.Loaded, error) { return p.nextReady(ctx, c) }
		}
		l, err := load()
		if err != nil {
			return err
		}
		got, err := p.ClaimIn(ctx, c, l, ask)
		for r.Next && report.CodeOf(err) == report.CodeClaimHeld {
			// Its holder began a command before the claim expired, and renewed it a moment ago.
			if l, err = load(); err == nil {
				got, err = p.ClaimIn(ctx, c, l, ask)
			}
		}
		if err != nil {
			return err
		}
		id = l.ID
		out.Task, out.Title, out.Path = id, l.State.Title, l.Name
		out.Claim, out.Stolen = *got.Record.View(), got.stolen
		begun = got.State.Status() == task.StatusInProgress
		return p.WriteTask(c, l, got.State)
	})
	if _, late := errors.AsType[*workspace.ClaimsLost](err); late && begun {
		e := *report.As(err)
		e.Message += "; " + out.Path + " already says in_progress"
		err = &e
	}
	if err != nil {
		return ClaimResult{}, err
	}
	p.SetActive(id, out.Claim.Fence)
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// ClaimAsk describes a requested claim.
type ClaimAsk struct {
	Op     string
	Lease  time.Duration // 0 = the configured one
	steal  bool
	from   string   // the only holder from whom it may be taken, "" for any
	Reason string   // why it is taken from its holder, or claimed although complete on another branch
	Force  bool     // accept a task that is neither ready nor complete
	scope  []string // path patterns; empty: those of the holder's present claim
}

// claimGot is a claim that was taken within a change.
type claimGot struct {
	State  *task.State            // in progress; the caller writes it
	Record *workspace.ClaimRecord // nil if the change does not lock the claims
	stolen string                 // previous holder
}

// ClaimIn checks whether the caller may start a task, takes the claim if the change locks the
// claims, and sets the task in progress (D17). It does not write the task.
func (p Tasks) ClaimIn(ctx context.Context, c *workspace.Change, l *workspace.Loaded, ask ClaimAsk) (claimGot, error) {
	got := claimGot{State: l.State}
	book := c.Claims
	if book == nil {
		book, _ = p.ClaimsNow(ctx)
	}
	held, live := book.Live(l.ID, c.Now)
	own := live && held.By == c.As
	if live && !own {
		if !ask.steal || ask.from != "" && held.By != ask.from {
			return got, workspace.ClaimHeld(l.ID, held, c.As, c.Now)
		}
		got.stolen = held.By
	}
	where := p.ElsewhereOf(ctx, c.Reader, book, l.State, workspace.AskKeep)
	c.Note(slices.DeleteFunc(slices.Clone(where.Findings), func(f report.Finding) bool {
		// A command that chose the task itself has said so already, about all tasks.
		return slices.ContainsFunc(c.Findings, func(said report.Finding) bool {
			return said.Code == f.Code && (said.Text == f.Text || f.Code == report.CodeMarksIgnored)
		})
	})...)
	if err := p.mayStart(ctx, c.Reader, l, ask, own, where); err != nil {
		return got, err
	}
	if s := l.State.Status(); s != task.StatusInProgress {
		if next, ok := l.State.SetStatus(task.StatusInProgress); ok {
			got.State = next
		} else {
			c.Note(statusUnkept(l))
		}
	}
	if c.Claims == nil {
		return got, nil
	}
	lease := ask.Lease
	if lease <= 0 {
		lease = p.Settings().Lease()
	}
	if got.stolen != "" {
		c.Claims.Release(l.ID)
	}
	record := c.Claims.Take(l.ID, c.As, c.Now, lease, ask.Reason, ask.scope)
	if got.stolen != "" {
		record.From = got.stolen
		c.Claims.Claims[l.ID] = record
	}
	got.Record = &record
	return got, nil
}

// statusUnkept warns that a file cannot store a status, because its metadata cannot be read.
func statusUnkept(l *workspace.Loaded) report.Finding {
	return report.CodeMetadataInvalid.Finding(l.Name, 0,
		l.Name+" has no readable metadata, so its status does not change")
}

// completeElsewhere returns the error for a task that is complete, cancelled or split on a branch
// that is not merged here (D42).
func completeElsewhere(l *workspace.Loaded, op string, on *workspace.CompleteOn) error {
	e := &report.Error{
		Op: op, Kind: report.Violation, Code: report.CodeCompleteElsewhere, Path: l.Name,
		Message: "task " + l.ID.Ref() + " is " + on.Words,
		Hint:    "to do it again all the same, use --force --reason TEXT",
		Details: map[string]any{"task": string(l.ID), "complete_on": on},
	}
	if on.Status == string(task.StatusDecomposed) {
		e.Hint = "to work on it as a whole all the same, use --force --reason TEXT"
		e.Details = map[string]any{"task": string(l.ID), "status_on": on}
	}
	if on.Command != "" {
		e.Hint = "merge it with `" + on.Command + "`; " + e.Hint
	}
	return e
}

// mayStart refuses a task that cannot be started (D17, D42).
func (p Tasks) mayStart(
	ctx context.Context, r store.Reader, l *workspace.Loaded, ask ClaimAsk, own bool, where workspace.Elsewhere,
) error {
	status := l.State.Status()
	e := &report.Error{
		Op: ask.Op, Kind: report.Violation, Code: report.CodeTaskNotReady, Path: l.Name,
		Message: "task " + l.ID.Ref() + " is " + string(status) + ", so it cannot be started",
		Hint:    "use --force to start it anyway", Details: map[string]any{"status": string(status)},
	}
	switch {
	case status == task.StatusComplete:
		e.Code = report.CodeTaskComplete
		e.Message = "task " + l.ID.Ref() + " is complete"
		e.Hint = "open it again with `baton task reopen " + string(l.ID) + "`"
		return e
	case own:
		return nil
	case where.Has(l.ID) && (!ask.Force || ask.Reason == ""):
		return completeElsewhere(l, ask.Op, where.Of(l.ID))
	case ask.Force:
		return nil
	case !chain.Startable(status):
		if status == task.StatusDecomposed && len(l.State.Meta.Children) > 0 {
			e.Hint = p.PartsHint(ctx, r, l.State)
		}
		if status == task.StatusBlocked {
			e.Hint = "`baton task reopen " + string(l.ID) + "` unblocks it; --force starts it anyway"
		}
		return e
	}
	waiting, err := p.WaitingFor(ctx, r, l.State)
	if err != nil || len(waiting) == 0 {
		return err
	}
	e.Message, e.Hint = p.waitsFor(ctx, r, l, waiting, where)
	e.Details["waiting_for"] = waiting
	if once := where.Once(waiting); once != nil {
		e.Details["ready_once"] = once
		if e.Message += "; it is " + once.Words(); once.Command != "" {
			e.Hint = "merge first: `" + once.Command + "`, or use --force to start it anyway"
		}
	}
	return e
}

// waitsFor describes what a task waits for and what to do about it. A dependency that is missing or
// cancelled never becomes complete by itself (D17).
func (p Tasks) waitsFor(
	ctx context.Context, r store.Reader, l *workspace.Loaded, waiting []task.ID, where workspace.Elsewhere,
) (message, hint string) {
	words, never := make([]string, len(waiting)), []task.ID(nil)
	for i, id := range waiting {
		words[i] = id.Ref()
		if on := where.Of(id); on != nil {
			words[i] += ", which is " + on.Words
			continue
		}
		up, err := p.LoadTask(ctx, r, id)
		switch {
		case report.KindOf(err) == report.NotFound:
			words[i] += ", which has no task file"
		case err == nil && up.State.Status() == task.StatusCancelled:
			words[i] += ", which is cancelled"
		default:
			continue
		}
		never = append(never, id)
	}
	hint = "complete what it waits for, or use --force to start it anyway"
	if len(never) > 0 {
		hint = "`baton task edit " + string(l.ID)
		for _, id := range never {
			hint += " --not-after " + string(id)
		}
		hint += "` removes the dependency; or use --force to start it anyway"
	}
	return "task " + l.ID.Ref() + " waits for " + strings.Join(words, "; "), hint
}

// nextReady returns the first task that is ready under the locks of the change. It takes the
// candidates from the index if that is current, and looks at every file before it says that there
// is none (D43).
func (p Tasks) nextReady(ctx context.Context, c *workspace.Change) (*workspace.Loaded, error) {
	graph, err := p.indexedGraph(ctx)
	if err != nil {
		return nil, err
	}
	if graph != nil {
		l, err := p.firstReady(ctx, c, graph, statusOf(graph), nil)
		if report.CodeOf(err) != report.CodeNothingReady {
			return l, err
		}
	}
	// This reads the store and not the transaction, so that the change does not depend on every
	// task.
	headers, _, err := p.LoadAll(ctx, p.Store)
	if err != nil {
		return nil, err
	}
	if graph, err = p.ChainGraph(ctx, p.Store, headers); err != nil {
		return nil, err
	}
	faulty := map[task.ID]bool{}
	for _, h := range headers {
		faulty[h.ID] = h.Fault != nil
	}
	return p.firstReady(ctx, c, graph, workspace.StatusIn(headers), faulty)
}

// statusOf returns the status of each task of a graph.
func statusOf(graph *chain.Graph) func(task.ID) task.Status {
	return func(id task.ID) task.Status {
		n, _ := graph.Node(id)
		return n.Status
	}
}

// firstReady returns the first ready task of a graph, except those that cannot be read. It reads
// the task and what it depends on again.
func (p Tasks) firstReady(
	ctx context.Context, c *workspace.Change, graph *chain.Graph, status func(task.ID) task.Status,
	faulty map[task.ID]bool,
) (*workspace.Loaded, error) {
	where := p.Elsewhere(ctx, c.Claims, status, workspace.AskKeep)
	unoffered := func(id task.ID) bool { // at the time by which the claim is taken, and not a moment later
		_, live := c.Claims.Live(id, c.Now)
		return live || where.Has(id)
	}
	for id := range graph.InOrder() {
		if faulty[id] || !graph.IsReady(id, unoffered) {
			continue
		}
		l, err := p.LoadForWrite(ctx, c, id)
		if report.KindOf(err) == report.Corrupt {
			// One file that must not be changed does not block the rest of the queue (TS-5, TS-25).
			c.Note(report.CodeOf(err).Finding(report.As(err).Path, 0,
				"task "+id.Ref()+" is skipped: "+report.As(err).Message).As(report.Warning))
			continue
		}
		if report.KindOf(err) == report.NotFound { // it went away a moment ago
			continue
		}
		if err != nil && faulty == nil && ctx.Err() == nil {
			continue // nobody has tried to read it yet
		}
		if err != nil {
			return nil, err
		}
		waiting, err := p.WaitingFor(ctx, c.Reader, l.State)
		if err != nil {
			return nil, err
		}
		if len(waiting) == 0 && chain.Startable(l.State.Status()) {
			c.Note(where.Findings...)
			return l, nil
		}
	}
	e := &report.Error{
		Op: "task.claim", Kind: report.NotFound, Code: report.CodeNothingReady, Message: "no task is ready",
		Hint: "`baton task list` shows what each task waits for and who holds it",
	}
	if list := Later(workspace.All{Graph: graph, Elsewhere: where}); len(list) > 0 {
		e.Message += " here; " + list[0].ID.Ref() + " is " + list[0].Words()
		e.Details = map[string]any{"ready_once": list}
		if list[0].Command != "" {
			e.Hint = "merge first: `" + list[0].Command + "`; " + e.Hint
		}
	}
	return nil, e
}

// Release ends the caller's claim on a task; the task's status stays (D17). Without a claim nothing
// changes. It fails with Conflict claim_held if somebody else holds it.
func (p Tasks) Release(ctx context.Context, r TaskRequest) (TaskChange, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return TaskChange{}, err
	}
	l, err := p.LoadTask(ctx, p.Store, id)
	if err != nil {
		return TaskChange{}, err
	}
	out := TaskChange{Task: id, Title: l.State.Title, Status: string(l.State.Status()), Warnings: []report.Finding{}}
	if !p.SharedExists() {
		return out, nil
	}
	notes, err := p.UpdateShared(ctx, func(c *workspace.Change) error {
		if err := c.Claims.Guard(id, c.As, c.Now); err != nil {
			return err
		}
		out.Changed = c.Claims.Release(id)
		return nil
	})
	if err != nil {
		return TaskChange{}, err
	}
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}
