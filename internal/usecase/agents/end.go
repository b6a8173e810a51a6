package agents

import (
	"context"
	"time"

	"baton/internal/agentsession"
	"baton/internal/protocol"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// agentEnd closes the record of a session. It drafts an entry if the session left none, and
// releases its claim. It also drafts those of sessions that were killed before. It returns no text.
// A client may give a hook no time at the end; then the next session does the rest.
func (p Agents) agentEnd(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	var log sessions.LogLine
	_, err := p.WithAgent(ctx, e, func(rec *agentsession.Record) error {
		if e.SubAgent != "" || !rec.Kept {
			return nil
		}
		p.take(ctx, rec, "", &log)
		w := p.agentWork(ctx, rec)
		where, err := p.draftFor(ctx, rec, w, time.Time{}, true)
		log.Add(err)
		if where != "" {
			log.Say("an entry was drafted for " + where)
		} else {
			sessions.Of(p.Workspace).Stand(ctx, w.id, &log)
		}
		p.Observe(ctx, rec.Docs, &log)
		p.ObserveAll(ctx, &log)
		log.Add(p.releaseAgent(ctx, rec, w.id))
		rec.Ended, rec.Settled = workspace.Stamp(p.Now()), err == nil
		return nil
	})
	if e.SubAgent == "" { // a start looks only at the newest ones
		log.Say(p.draftLeftovers(ctx, agentsession.MostRecords, false))
	}
	return agentsession.Answer{Log: log.String()}, err
}

// releaseAgent ends the running session of a holder on its task, and releases its claims. If the
// holder is the agent's session itself, it releases all of them, because nobody else can have that
// name.
func (p Agents) releaseAgent(ctx context.Context, rec *agentsession.Record, id task.ID) error {
	if p.Session(id, rec.Holder()) != nil {
		// if the record cannot be removed, the next session of this holder continues it
		_ = p.ForgetSession(workspace.SessionName(id, rec.Holder()))
	}
	if !p.SharedExists() {
		return nil
	}
	theirs := func(c workspace.ClaimRecord, on task.ID) bool {
		return c.By == rec.Holder() && (rec.As == "" || on == id)
	}
	book, _ := p.ClaimsNow(ctx)
	held := false
	for on, c := range book.Claims {
		held = held || theirs(c, on)
	}
	if !held {
		return nil
	}
	_, err := p.UpdateShared(ctx, func(c *workspace.Change) error {
		for on, claim := range c.Claims.Claims {
			if theirs(claim, on) {
				c.Claims.Release(on)
			}
		}
		return nil
	})
	return err
}

// agentSubStart describes the session's task to a sub-agent (agents.md 2.3) and records that the
// sub-agent runs.
func (p Agents) agentSubStart(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	var out agentsession.Answer
	_, err := p.WithAgent(ctx, e, func(rec *agentsession.Record) error {
		rec.Sub(e).Started = workspace.Stamp(p.Now())
		w := p.agentWork(ctx, rec)
		if w.state == nil || workspace.Closed(w.state.Status()) {
			return nil
		}
		f, err := sessions.Of(p.Workspace).Facts(ctx, sessions.FactsAsk{
			Task: string(w.id), Session: e.Session, Record: rec,
		})
		if err == nil && f.Task != nil {
			out.Context = protocol.SubTask(f)
		}
		rec.Tell(out.Context)
		return nil
	})
	return out, err
}

// agentSubStop records that a sub-agent is done. It returns no text.
func (p Agents) agentSubStop(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	_, err := p.WithAgent(ctx, e, func(rec *agentsession.Record) error {
		rec.Sub(e).Stopped = workspace.Stamp(p.Now())
		return nil
	})
	return agentsession.Answer{}, err
}
