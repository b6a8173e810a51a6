package agents

import (
	"context"
	"slices"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// agentWork is the work of a session.
type agentWork struct {
	id    task.ID
	state *task.State // nil if there is no readable task
}

// taskOf returns the task that the holder of a session started last, or else the one that the
// session was given; "" for none.
func (p Agents) taskOf(rec *agentsession.Record) task.ID {
	on := rec.Task
	entry, ok := p.Active().Holders[rec.Holder()]
	if ok && entry.At >= rec.Started && entry.At >= rec.Freed {
		on = entry.Task
	}
	if id, err := task.ParseID(string(on)); err != nil || id != on { // the caches may contain anything
		return ""
	}
	return on
}

// agentWork reads the task of a session. If the session left an entry on it, counting starts over.
// A task that was closed and handed over is not the session's any more, so what it does afterwards
// belongs to no task.
func (p Agents) agentWork(ctx context.Context, rec *agentsession.Record) agentWork {
	w := agentWork{id: p.taskOf(rec)}
	if w.id == "" {
		return agentWork{}
	}
	l, err := p.LoadTask(ctx, p.Store, w.id)
	if err != nil {
		return agentWork{}
	}
	w.state = l.State
	if w.id == rec.Finished && !w.open() {
		return agentWork{}
	}
	if p.loggedSince(rec, w) {
		p.startOver(rec, w)
	} else if w.id != rec.Task {
		rec.Bind(w.id, w.state.TotalSessions(), "")
	}
	return w
}

// loggedSince reports whether the task's log has a new entry since the session began, or since its
// last entry, that may be the session's own. For a task that the session was not given, all entries
// since it began are new.
func (p Agents) loggedSince(rec *agentsession.Record, w agentWork) bool {
	base := 0
	if w.id == rec.Task {
		if base = rec.Base; w.state.TotalSessions() <= base {
			return false
		}
		if n := len(w.state.Sessions); n == 0 || w.state.Sessions[n-1].Number <= base { // they were archived
			return true
		}
	}
	return slices.ContainsFunc(w.state.Sessions, func(s task.Session) bool {
		return s.Number > base && p.mayBeOf(rec, s)
	})
}

// mayBeOf reports whether a session may have written an entry. Those that another session or a
// person wrote beside it, or that came with a merge, hand over nothing of what it did.
func (p Agents) mayBeOf(rec *agentsession.Record, s task.Session) bool {
	began := draftSince(rec).Truncate(time.Minute)
	if s.HasTime && (began.IsZero() || s.At(p.Now().Location()).Before(began)) {
		return false
	}
	if sessions.IsDraft(s) {
		return strings.Contains(s.Did[0], " session "+draftWords(rec.Session)+" from ")
	}
	return !slices.ContainsFunc(s.Issues, func(issue string) bool {
		return sessions.IsClaimNote(issue) && !strings.HasPrefix(issue, "Written by "+safetext.Line(rec.Holder())+" ")
	})
}

// startOver resets what a session did, because that was handed over.
func (p Agents) startOver(rec *agentsession.Record, w agentWork) {
	if w.state != nil {
		rec.Bind(w.id, w.state.TotalSessions(), "")
		if rec.Finished = ""; !w.open() {
			rec.Finished = w.id
		}
	}
	rec.StartOver(workspace.Stamp(p.Now()), p.Git.Place.Begin())
}

// NoteLogged is a workspace.Follow. It records in the session's record, which is a cache, that an
// agent's session wrote an entry, closed a task after it had handed over its work, or wrote into a
// digest where it stopped.
func NoteLogged(ctx context.Context, w *workspace.Workspace, c *workspace.Change) {
	switch {
	case c.Logged != "":
		Of(w).noteLogged(ctx, c.Logged, false)
	case c.Ended != "":
		Of(w).noteLogged(ctx, c.Ended, true)
	case c.Stops:
		Of(w).noteStopped(ctx)
	}
}

// noteLogged records an entry or, with ended, the end of a task. Work that was not handed over when
// the task ended still belongs to the task.
func (p Agents) noteLogged(ctx context.Context, id task.ID, ended bool) {
	name := agentsession.RecordFile(p.Holder())
	if data, err := p.Store.ReadCache(name); err != nil || len(data) == 0 {
		return
	}
	free, held := p.Store.LockCache(ctx, agentsession.RecordLock(p.Holder()), agentsession.LockPatience)
	if !held {
		return
	}
	defer free()
	l, err := p.LoadTask(ctx, p.Store, id)
	if err != nil {
		return
	}
	rec := p.AgentRecordOf(p.Holder())
	if rec.Started == "" {
		return
	}
	if ended {
		head := p.Git.Place.Head()
		if w := p.agentWork(ctx, rec); w.id == id && rec.Edits == 0 && (head == "" || head == rec.Head) &&
			len(p.looseFiles(ctx, rec, time.Time{})) == 0 {
			rec.Finished = id
			p.SaveAgent(rec)
		}
		return
	}
	rec.Moved(p.Git.Place.Begin(), p.Now()) // the entry has these commits
	did := rec.WorkNow()
	p.startOver(rec, agentWork{id, l.State})
	if rec.Undo = nil; rec.SubRuns() {
		rec.Undo = &did
	}
	p.checkpoint(ctx, rec)
	p.lookAround(ctx, rec)
	p.SaveAgent(rec)
}

// checkpoint records the documents as they are, so that later changes count as somebody else's
// (agents.md 2.3).
func (p Agents) checkpoint(ctx context.Context, rec *agentsession.Record) {
	for name, was := range rec.Docs {
		doc, err := p.Store.Read(ctx, name)
		if err != nil || !doc.Exists || doc.Size == was.Size && doc.ModTime.UnixNano() == was.ModTime {
			continue
		}
		rec.Docs[name] = workspace.DocOf(doc)
	}
}
