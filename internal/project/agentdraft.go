package project

import (
	"context"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/task"
)

// draftMark begins the first item of an entry that baton wrote for a session that left none (D15). It is how such an entry
// is known again, in any project that reads the file.
const draftMark = "Drafted by baton from facts"

// isDraft tells whether an entry was drafted by baton.
func isDraft(s task.Session) bool { return len(s.Did) > 0 && strings.HasPrefix(s.Did[0], draftMark) }

// What a draft names at most, and how many earlier sessions the start of one looks at.
const (
	mostDraftFiles    = 12
	mostDraftCommands = 8
	mostDraftNext     = 5
	draftText         = 160 // characters of one text
	mostLeftovers     = 6
)

// lastBreath is how long after the last event of a session that vanished a commit counts as its own: a command may have
// been running when it was killed.
const lastBreath = 2 * time.Minute

// draftLeftovers writes the entries that earlier sessions of this checkout owe: those that are over. It gives a line for the
// log of hooks, "" when there is nothing to say. Records that nobody needs go.
func (p *Project) draftLeftovers(ctx context.Context) string {
	var log logLine
	own := p.agentRecordOf(p.o.Session)
	for _, rec := range p.agentBriefs(mostLeftovers) {
		if rec.Settled || rec.Session == p.o.Session || !p.isOver(rec, own) {
			continue
		}
		id, drafted, err := p.draftLeftover(ctx, rec.Session)
		log.add(err)
		if drafted {
			log.say("an entry was drafted for task " + id.Ref() + ", which session " + rec.Session + " left without one")
		}
	}
	p.sweepAgents()
	return log.String()
}

// isOver says whether an earlier session will not come back, as far as anybody knows: it ended, its client is gone, or
// nothing was seen of it for longer than the lease and its client may be gone, or serves the session own now.
func (p *Project) isOver(rec, own *agentRecord) bool {
	lives, known := p.clientLives(rec)
	if rec.Ended != "" || known && !lives {
		return true
	}
	passedOn := own.PID == rec.PID && own.Born == rec.Born
	return p.agentLapsed(rec) && (passedOn || !known)
}

// draftLeftover does it for one session, unless another process is at its record.
func (p *Project) draftLeftover(ctx context.Context, session string) (id task.ID, drafted bool, err error) {
	free, held := p.store.LockCache(ctx, agentLock(session), time.Millisecond)
	if !held {
		return "", false, nil
	}
	defer free()
	rec := p.agentRecordOf(session)
	if rec.Started == "" || rec.Settled {
		return "", false, nil
	}
	w := p.agentWork(ctx, rec)
	if drafted, err = p.draftFor(ctx, rec, w, p.lastSeen(rec).Add(lastBreath)); err != nil {
		return w.id, false, err
	}
	if rec.Settled = p.agentGone(rec); rec.Settled || drafted {
		p.saveAgent(rec)
	}
	return w.id, drafted, nil
}

func (p *Project) lastSeen(rec *agentRecord) time.Time {
	if at := parseStamp(rec.Seen); !at.IsZero() {
		return at
	}
	return p.now()
}

// draftFor writes an entry of facts for a session that changed files or commits and logged nothing since: who it was, the
// commits until then, the files and commands that hooks noted, and the criteria that were checked (D15). It is written as
// the session's own, and says so.
func (p *Project) draftFor(ctx context.Context, rec *agentRecord, w agentWork, until time.Time) (bool, error) {
	if w.state == nil || closed(w.state.Status()) || !p.config().on("hooks.draft") {
		return false, nil
	}
	commits, _ := p.commitsOf(ctx, rec, until)
	if rec.Edits == 0 && len(commits) == 0 {
		return false, nil
	}
	as, err := p.asHolder(ctx, rec.holder())
	if err != nil {
		return false, err
	}
	entry := task.Entry{Did: draftDid(rec, p.now().Location()), Next: draftNext(w.state)}
	if checked := as.checkedSince(ctx, rec, w); checked != "" {
		entry.Did = append(entry.Did, checked)
	}
	work := stretch{since: draftSince(rec, w.state), record: as.session(w.id, rec.holder())}
	for _, c := range commits {
		entry.Commits = append(entry.Commits, task.Commit{Hash: short(c.Hash), Subject: c.Subject})
		work.head = c.Hash
	}
	err = as.writeDraft(ctx, w.id, entry, work)
	if report.KindOf(err) == report.Violation || report.KindOf(err) == report.Usage { // a text that the file cannot take
		entry.Did = entry.Did[:1]
		err = as.writeDraft(ctx, w.id, entry, work)
	}
	if err != nil {
		return false, err
	}
	if l, err := p.loadTask(ctx, p.store, w.id); err == nil {
		w.state = l.State
	}
	p.startOver(rec, w)
	p.checkpoint(ctx, rec)
	rec.Drafted = true
	return true, nil
}

// asHolder opens the project for another holder.
func (p *Project) asHolder(ctx context.Context, as string) (*Project, error) {
	if p.holder() == as {
		return p, nil
	}
	o := p.o
	o.As = as
	return open(ctx, o)
}

// writeDraft appends the entry in one transaction, as Log does. The lease of who may be gone is not renewed.
func (p *Project) writeDraft(ctx context.Context, id task.ID, e task.Entry, work stretch) error {
	hold, _ := p.claimOf(ctx, id)
	_, err := p.update(ctx, func(c *change) error {
		return p.append(ctx, c, id, e, work, hold, &LogResult{})
	})
	if err == nil {
		p.logged(work)
	}
	return err
}
