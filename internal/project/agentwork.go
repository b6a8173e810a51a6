package project

import (
	"context"
	"slices"
	"time"

	"baton/internal/task"
)

// agentWork is what a session works on.
type agentWork struct {
	id    task.ID
	state *task.State // nil when there is no task, or none that can be read
}

// agentWork finds the task of a session: the one that its holder took up last, else the one that it was told of. Where the
// session left an entry on it, the reckoning begins anew.
func (p *Project) agentWork(ctx context.Context, rec *agentRecord) agentWork {
	w := agentWork{id: rec.Task}
	if entry, ok := p.active().Holders[rec.holder()]; ok && entry.At >= rec.Started {
		w.id = entry.Task
	}
	if id, err := task.ParseID(string(w.id)); err != nil || id != w.id {
		return agentWork{}
	}
	l, err := p.loadTask(ctx, p.store, w.id)
	if err != nil {
		return agentWork{}
	}
	w.state = l.State
	if p.loggedSince(rec, w) {
		p.startOver(rec, w)
	} else if w.id != rec.Task {
		rec.Task, rec.Base = w.id, w.state.TotalSessions()
	}
	return w
}

// loggedSince says whether the task's log has an entry that it had not when the session began, or at its last entry. On a
// task that the session was not told of, the time of an entry tells.
func (p *Project) loggedSince(rec *agentRecord, w agentWork) bool {
	if w.id == rec.Task {
		return w.state.TotalSessions() > rec.Base
	}
	began := parseStamp(rec.Started).Truncate(time.Minute)
	return slices.ContainsFunc(w.state.Sessions, func(s task.Session) bool {
		return s.HasTime && !began.IsZero() && !s.At(p.now().Location()).Before(began)
	})
}

// startOver sets the reckoning of a session anew: what it did so far was handed on.
func (p *Project) startOver(rec *agentRecord, w agentWork) {
	rec.Task, rec.Base = w.id, w.state.TotalSessions()
	rec.Edits, rec.Files, rec.Commands = 0, nil, nil
	rec.Stops, rec.Since = agentStops{}, stamp(p.now())
	if head := p.git.Place.Begin(); head != "" {
		rec.Head = head
	}
}

// agentLogged notes that the caller wrote an entry, when the caller is a session of an agent. It is a cache: a failure is
// not worth telling.
func (p *Project) agentLogged(ctx context.Context, id task.ID) {
	name := agentFile(p.holder())
	if data, err := p.store.ReadCache(name); err != nil || len(data) == 0 {
		return
	}
	free, held := p.store.LockCache(ctx, agentLock(p.holder()), agentLockPatience)
	if !held {
		return
	}
	defer free()
	l, err := p.loadTask(ctx, p.store, id)
	if err != nil {
		return
	}
	rec := p.agentRecordOf(p.holder())
	if rec.Started == "" {
		return
	}
	p.startOver(rec, agentWork{id, l.State})
	p.checkpoint(ctx, rec)
	p.lookAround(ctx, rec)
	p.saveAgent(rec)
}

// saveAgent keeps a record, whose lock is held; it is a cache.
func (p *Project) saveAgent(rec *agentRecord) {
	if data, err := encoded(rec, ""); err == nil {
		_ = p.store.RewriteCache(agentFile(rec.Session), data)
	}
}

// checkpoint notes the documents as they are now, so that what changes from here on is seen
// as changed by somebody else (agents.md 2.3).
func (p *Project) checkpoint(ctx context.Context, rec *agentRecord) {
	for name, was := range rec.Docs {
		doc, err := p.store.Read(ctx, name)
		if err != nil || !doc.Exists || doc.Size == was.Size && doc.ModTime.UnixNano() == was.ModTime {
			continue
		}
		rec.Docs[name] = docOf(doc)
	}
}
