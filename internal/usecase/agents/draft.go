package agents

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// How many items a draft names, and how many earlier sessions a session start checks.
const (
	mostDraftFiles    = 12
	mostDraftCommands = 8
	mostDraftNext     = 5
	draftText         = 160 // characters of one text
	mostLeftovers     = 6   // records that a session's start looks at if none of them owes an entry
)

// agentRecordAge is for how long after its last event a record of a session is kept.
const agentRecordAge = 14 * 24 * time.Hour

// lastBreath is how long after the last event of a vanished session a commit still counts as its
// own. A command may still have been running when the session was killed.
const lastBreath = 2 * time.Minute

// DraftLeftovers writes the missing entries of earlier sessions of this checkout that are over. It
// returns a line for the hook log, or "". It writes so many drafts that the session's start stays
// quick; its end and the next start go on. It also removes records that are no longer needed.
func (p Agents) DraftLeftovers(ctx context.Context) string {
	said := p.draftLeftovers(ctx, mostLeftovers, true)
	p.SweepAgents()
	return said
}

// draftLeftovers does this for the newest records. It looks at more if there are many, or if one of
// them owed an entry. settles says whether nothing more is expected of a session that is gone.
// Until a start settles it, `waiting` shows that it died.
func (p Agents) draftLeftovers(ctx context.Context, most int, settles bool) string {
	var log sessions.LogLine
	own, drafted := p.AgentRecordOf(p.O.Session), 0
	if len(p.AgentFiles()) > agentsession.MostRecords+1 { // some were kept because they may owe an entry
		most = agentsession.MostUnsettled
	}
	look := p.AgentBriefs(most)
	for i := 0; i < len(look); i++ {
		rec := look[i]
		if rec.Settled || rec.Session == p.O.Session || !p.isOver(rec, own) {
			continue
		}
		if drafted == agentsession.MostRecords || ctx.Err() != nil {
			break
		}
		where, err := p.draftLeftover(ctx, rec.Session, settles)
		log.Add(err)
		if where != "" {
			log.Say("an entry was drafted for " + where + ", because session " + rec.Session + " left none")
			if drafted++; drafted == 1 { // others may have been killed at the same time
				look = append(look, p.AgentBriefs(agentsession.MostRecords)...)
			}
		}
	}
	return log.String()
}

// SweepAgents removes records that are no longer used: those unchanged for two weeks, and the
// oldest if there are too many. A record with work that is in no entry yet is kept, as long as
// there are not very many. SweepAgents also removes what killed processes left.
func (p Agents) SweepAgents() {
	kept, stale := 0, false
	for _, i := range p.AgentListing() {
		switch {
		case !strings.HasSuffix(i.Name, ".json"):
			stale = stale || strings.HasSuffix(i.Name, ".tmp")
		case kept < agentsession.MostRecords && p.Now().Sub(i.ModTime) < agentRecordAge,
			kept < agentsession.MostUnsettled && p.isUnsettled("agents/"+i.Name):
			kept++
		default:
			_ = p.Store.RetireCache("agents/" + i.Name) // the next start tries again
		}
	}
	if stale {
		_ = p.Store.SweepCaches("agents", "") // it only frees space
	}
}

// isUnsettled reports whether a file is the record of a session that may still owe an entry.
func (p Agents) isUnsettled(name string) bool {
	var rec agentsession.Record
	data, err := p.Store.ReadCache(name)
	return err == nil && len(data) <= agentsession.MostBytes && json.Unmarshal(data, &rec) == nil &&
		agentsession.RecordFile(rec.Session) == name && !rec.Settled && (rec.Edits > 0 || len(rec.Commands) > 0)
}

// isOver reports whether an earlier session will probably not come back. It ended, or its client is
// gone. Or it was not seen for longer than the lease, and its client may be gone or now serves the
// current session.
func (p Agents) isOver(rec, own *agentsession.Record) bool {
	lives, known := p.ClientLives(rec)
	if rec.Ended != "" || known && !lives {
		return true
	}
	passedOn := own.PID == rec.PID && own.StartID == rec.StartID
	return p.AgentLapsed(rec) && (passedOn || !known)
}

// draftLeftover does this for one session, unless another process uses its record.
func (p Agents) draftLeftover(ctx context.Context, session string, settles bool) (where string, err error) {
	free, held := p.Store.LockCache(ctx, agentsession.RecordLock(session), time.Millisecond)
	if !held {
		return "", nil
	}
	defer free()
	rec := p.AgentRecordOf(session)
	if rec.Started == "" || rec.Settled {
		return "", nil
	}
	w := p.agentWork(ctx, rec)
	if where, err = p.draftFor(ctx, rec, w, p.lastSeen(rec).Add(lastBreath), true); err != nil {
		return "", err
	}
	if rec.Settled = settles && p.AgentGone(rec); rec.Settled || where != "" {
		p.SaveAgent(rec)
	}
	return where, nil
}

func (p Agents) lastSeen(rec *agentsession.Record) time.Time {
	if at := workspace.ParseStamp(rec.Seen); !at.IsZero() {
		return at
	}
	return p.Now()
}

// draftFor writes an entry for a session that changed files or commits and logged nothing since
// (D15). The entry contains facts: the session's name, its commits, the files and commands that
// hooks recorded, and the criteria that were checked. It is in the session's own name, and says
// that it is a draft. A task that was closed before its work was logged gets it, too. over says
// whether the session is. where says to what it was added, "" if nothing was owed.
func (p Agents) draftFor(
	ctx context.Context, rec *agentsession.Record, w agentWork, until time.Time, over bool,
) (where string, err error) {
	if !p.Settings().On("hooks.draft") {
		return "", nil
	}
	seen := p.workOf(ctx, rec, w, until)
	seen.over = over
	if !seen.owes(rec) || rec.Edits == 0 && len(seen.commits) == 0 && len(seen.loose) == 0 {
		return "", nil
	}
	if w.state == nil {
		var inDigest bool
		if where, inDigest, err = p.leaveUnbound(ctx, rec, &seen); inDigest && !over {
			return where, err // the next draft replaces this one, so it must contain everything
		}
	} else {
		where, err = "task "+w.id.Ref(), p.draftEntry(ctx, rec, &w, &seen)
	}
	if err != nil {
		return "", err
	}
	p.startOver(rec, w)
	p.checkpoint(ctx, rec)
	rec.Drafted = true
	return where, nil
}

// draftEntry writes the draft of a session into its task's log. A later draft of the session
// extends it (D53).
func (p Agents) draftEntry(ctx context.Context, rec *agentsession.Record, w *agentWork, seen *sessionWork) error {
	as, err := p.asHolder(ctx, rec.Holder())
	if err != nil {
		return err
	}
	entry := task.Entry{Did: p.draftDid(rec, seen), Next: draftNext(w.state, p.openTodos(rec))}
	if checked := Of(as).checkedSince(ctx, rec, *w); checked != "" {
		entry.Did = append(entry.Did, checked)
	}
	work := workspace.Sitting{
		Since: draftSince(rec), Record: as.Session(w.id, rec.Holder()), Extend: rec.Draft,
	}
	for _, c := range seen.commits {
		entry.Commits = append(entry.Commits, task.Commit{Hash: safetext.StoredHash(c.Hash), Subject: c.Subject})
		work.Head = c.Hash
	}
	rec.Draft, err = Of(as).writeDraft(ctx, w.id, entry, work)
	// the file cannot contain this text
	if report.KindOf(err) == report.Violation || report.KindOf(err) == report.Usage {
		entry.Did = entry.Did[:1]
		rec.Draft, err = Of(as).writeDraft(ctx, w.id, entry, work)
	}
	if l, fault := p.LoadTask(ctx, p.Store, w.id); err == nil && fault == nil {
		w.state = l.State
	}
	return err
}

// asHolder opens the project as another holder.
func (p Agents) asHolder(ctx context.Context, as string) (*workspace.Workspace, error) {
	if p.Holder() == as {
		return p.Workspace, nil
	}
	o := p.O
	o.As = as
	return workspace.Open(ctx, o)
}

// writeDraft appends the entry in one transaction, as Log does, and returns the hash of the entry.
// It does not renew the lease, because the holder is probably gone.
func (p Agents) writeDraft(
	ctx context.Context, id task.ID, e task.Entry, work workspace.Sitting,
) (hash string, err error) {
	hold, _ := p.ClaimOf(ctx, id)
	var logged tasks.LogResult
	_, err = p.Update(ctx, func(c *workspace.Change) error {
		c.Standing = true
		logged = tasks.LogResult{}
		return tasks.Of(p.Workspace).Append(ctx, c, id, e, work, hold, &logged)
	})
	if err == nil {
		p.Logged(work, "") // a log does not extend a draft
	}
	return logged.Entry, err
}
