package agents

import (
	"context"
	"slices"
	"time"

	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// AdoptRequest names an entry without a task, and the task that it belongs to.
type AdoptRequest struct {
	ID      string // "" to only list the entries
	Task    string
	Dismiss bool // the entry belongs to no task, and is not mentioned any more
	All     bool // list those that were dismissed, too
}

// AdoptResult is the answer of "session adopt".
type AdoptResult struct {
	Unbound []agentsession.Unbound `json:"unbound"` // what still belongs to no task
	Adopted string                 `json:"adopted,omitempty"`
	// the entry that is no longer mentioned
	Dismissed string           `json:"dismissed,omitempty"`
	Task      task.ID          `json:"task,omitempty"`
	Session   int              `json:"session,omitempty"` // number of the new entry
	Warnings  []report.Finding `json:"warnings"`
}

// AdoptSession moves the entry of a session that worked on no task into a task's log (D54), or
// dismisses it: then the entry is kept, and no session hears of it. It fails with NotFound
// session_unknown and task_unknown.
func (p Agents) AdoptSession(ctx context.Context, r AdoptRequest) (AdoptResult, error) {
	const op = "session.adopt"
	if r.Task != "" {
		if err := p.Need(op); err != nil {
			return AdoptResult{}, err
		}
	} else { // a project with only a digest has such entries, too
		at, err := sessions.Of(p.Workspace).AgentProject(ctx, p.O.Session)
		if err != nil {
			return AdoptResult{}, err
		}
		if at == nil {
			return AdoptResult{}, p.NoProject(op)
		}
		p = Of(at)
	}
	out := AdoptResult{Warnings: []report.Finding{}}
	if r.ID == "" {
		out.Unbound = sessions.Of(p.Workspace).Unbound(r.All)
		return out, nil
	}
	u, err := p.adoptable(r.ID)
	if err != nil {
		return AdoptResult{}, err
	}
	// Two calls must not adopt it twice, and its session may still add to it.
	free, err := p.lockRecord(ctx, op, u.Session)
	if err != nil {
		return AdoptResult{}, err
	}
	defer free()
	if u, err = p.adoptable(r.ID); err != nil {
		return AdoptResult{}, err
	}
	if r.Dismiss {
		err := p.dismiss(u)
		out.Dismissed, out.Unbound = u.ID, sessions.Of(p.Workspace).Unbound(false)
		return out, err
	}
	id, err := task.ParseID(r.Task)
	if err != nil {
		return AdoptResult{}, err
	}
	out.Adopted = u.ID
	if out.Task, out.Session = p.adoptedAlready(ctx, u); out.Session == 0 {
		if err := p.adopt(ctx, u, id, &out); err != nil {
			return AdoptResult{}, err
		}
	}
	if err := p.Store.RemoveCache(sessions.UnboundFile(u.ID)); err != nil {
		return out, err
	}
	out.Unbound = sessions.Of(p.Workspace).Unbound(false)
	return out, nil
}

// adopt moves an entry into a task's log. Before that, it notes the task in the entry.
func (p Agents) adopt(ctx context.Context, u agentsession.Unbound, id task.ID, out *AdoptResult) error {
	if p.O.Rehearsal == nil {
		u.Into = id
		data, err := workspace.Encoded(u, "")
		if err != nil {
			return err
		}
		if err := p.Store.WriteCache(sessions.UnboundFile(u.ID), data); err != nil {
			return err
		}
	}
	hold, _ := p.ClaimOf(ctx, id)
	entry := task.Entry{Did: u.Did, Next: u.Next, Commits: u.Commits}
	work := workspace.Sitting{Since: workspace.ParseStamp(u.From)}
	var logged tasks.LogResult
	notes, err := p.Update(ctx, func(c *workspace.Change) error {
		c.Standing = true
		logged = tasks.LogResult{}
		return tasks.Of(p.Workspace).Append(ctx, c, id, entry, work, hold, &logged)
	})
	out.Task, out.Session = id, logged.Session
	out.Warnings = slices.Concat(out.Warnings, logged.Warnings, notes)
	return err
}

// adoptedAlready returns the task and the number of the session into which an earlier call moved an
// entry before it was killed; 0 if none did.
func (p Agents) adoptedAlready(ctx context.Context, u agentsession.Unbound) (task.ID, int) {
	id, err := task.ParseID(string(u.Into))
	if err != nil || len(u.Did) == 0 {
		return "", 0
	}
	l, err := p.LoadTask(ctx, p.Store, id)
	if err != nil {
		return "", 0
	}
	for _, s := range slices.Backward(l.State.Sessions) {
		if slices.Equal(s.Did, u.Did) {
			return id, s.Number
		}
	}
	return "", 0
}

// adoptable returns an entry that can be adopted.
func (p Agents) adoptable(id string) (u agentsession.Unbound, err error) {
	if agentsession.IsUnboundID(id) {
		u, _ = sessions.Of(p.Workspace).UnboundOf(id) // an unreadable one has no session, either
	}
	if u.Session == "" {
		return u, &report.Error{
			Op: "session.adopt", Kind: report.NotFound, Code: report.CodeSessionUnknown,
			Message: "no session left work without a task under the id " + safetext.Quote(id),
			Hint:    "`baton session adopt --all` lists what there is",
		}
	}
	return u, nil
}

// lockRecord locks the record of an agent's session for a command.
func (p Agents) lockRecord(ctx context.Context, op, session string) (free func(), err error) {
	free, held := p.Store.LockCache(ctx, agentsession.RecordLock(session), time.Second)
	if !held {
		return nil, &report.Error{
			Op: op, Kind: report.Locked, Code: report.CodeLockTimeout,
			Message: "the record of the session is in use", Hint: "try again",
		}
	}
	return free, nil
}

// dismiss keeps an entry, but lets no session hear of it any more.
func (p Agents) dismiss(u agentsession.Unbound) error {
	if r := p.O.Rehearsal; r != nil { // the entry is a cache, and nothing else would change
		return r.Plan(context.Background(), p.Store, "", func(*store.Tx) error { return nil })
	}
	if u.Dismissed == "" {
		u.Dismissed = workspace.Stamp(p.Now())
	}
	data, err := workspace.Encoded(u, "")
	if err != nil {
		return err
	}
	return p.Store.WriteCache(sessions.UnboundFile(u.ID), data)
}
