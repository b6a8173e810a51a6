package agents

import (
	"context"

	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// leaveUnbound keeps what a session without a task did. Where there is nothing but a digest that
// says where the last session stopped, it is written there (F-32). Otherwise it is kept until
// somebody adopts it (D54). where says where it is.
func (p Agents) leaveUnbound(
	ctx context.Context, rec *agentsession.Record, seen *sessionWork,
) (where string, inDigest bool, err error) {
	if len(p.Dirs) == 0 {
		switch path, err := p.stopDigest(ctx, rec, seen); {
		case err != nil:
			return "", false, err
		case path != "":
			return path, true, nil
		}
	}
	more := agentsession.Unbound{
		ID: agentsession.UnboundID(rec.Session), Session: rec.Session, Client: rec.Client,
		From: workspace.Stamp(draftSince(rec)), To: rec.Seen, Branch: safetext.Line(p.Git.Branch()),
		Did: p.draftDid(rec, seen), Next: todosLeft(p.openTodos(rec)),
	}
	for _, c := range seen.commits {
		more.Commits = append(more.Commits, task.Commit{Hash: safetext.StoredHash(c.Hash), Subject: c.Subject})
	}
	kept, readable := sessions.Of(p.Workspace).UnboundOf(more.ID)
	if !readable { // nobody may replace it, because it may still be repaired by hand
		more.ID = agentsession.UnboundID(rec.Session + "\x00" + more.From)
		kept, _ = sessions.Of(p.Workspace).UnboundOf(more.ID)
	}
	if _, moved := p.adoptedAlready(ctx, kept); moved > 0 {
		kept = agentsession.Unbound{}
	}
	kept.Add(more)
	data, err := workspace.Encoded(kept, "")
	if err != nil {
		return "", false, err
	}
	return "no task (" + more.ID + ")", false, p.Store.WriteCache(sessions.UnboundFile(more.ID), data)
}

// UnbindResult is the answer of "session unbind".
type UnbindResult struct {
	Session  string           `json:"session"`
	Task     task.ID          `json:"task,omitempty"` // that it worked on
	Released bool             `json:"released"`
	Warnings []report.Finding `json:"warnings"`
}

// UnbindSession frees an agent's session, the caller's or the named one, from its task: it releases
// the claim and binds the session to no task by itself any more (D54). It fails with NotFound
// session_unknown, and with Conflict as Release does.
func (p Agents) UnbindSession(ctx context.Context, session string) (UnbindResult, error) {
	if err := p.Need("session.unbind"); err != nil {
		return UnbindResult{}, err
	}
	if session == "" {
		session = p.Holder()
	}
	rec := p.AgentRecordOf(session)
	if rec.Started == "" {
		return UnbindResult{}, &report.Error{
			Op: "session.unbind", Kind: report.NotFound, Code: report.CodeSessionUnknown,
			Message: "baton knows no agent's session " + safetext.Quote(session),
			Hint:    "run it inside the session, or name one that `baton waiting` lists",
		}
	}
	free, err := p.lockRecord(ctx, "session.unbind", session)
	if err != nil {
		return UnbindResult{}, err
	}
	defer free()
	rec = p.AgentRecordOf(session)
	w := p.agentWork(ctx, rec)
	out := UnbindResult{Session: session, Task: w.id, Warnings: []report.Finding{}}
	if w.id != "" {
		as, err := p.asHolder(ctx, rec.Holder())
		if err != nil {
			return UnbindResult{}, err
		}
		done, err := tasks.Of(as).Release(ctx, tasks.TaskRequest{ID: string(w.id)})
		if err != nil {
			return UnbindResult{}, err
		}
		out.Released, out.Warnings = done.Changed, append(out.Warnings, done.Warnings...)
	}
	if p.O.Rehearsal != nil {
		return out, nil
	}
	_ = p.ForgetSession(workspace.SessionName(w.id, rec.Holder())) // it is a cache
	p.forgetActive(rec.Holder())
	rec.Bind("", 0, "")
	rec.Freed = workspace.Stamp(p.Now())
	p.SaveAgent(rec)
	return out, nil
}

// forgetActive notes that what a holder started until now does not count any more, even if
// something is started in the same second. It is a cache, so a failure is ignored.
func (p Agents) forgetActive(holder string) {
	book := p.Active()
	old, known := book.Holders[holder]
	if !known {
		return
	}
	old.At = ""
	book.Holders[holder] = old
	if data, err := workspace.Encoded(book, ""); err == nil {
		_ = p.Store.WriteCache(workspace.ActiveName, data)
	}
}
