package project

import (
	"context"
	"time"

	"baton/internal/task"
)

// agentEnd closes the record of a session: an entry is drafted where it left none, its claim is released, and nothing is
// said. A client may give a hook no time at the end, so that the next session does what was not done here.
func (p *Project) agentEnd(ctx context.Context, e AgentEvent) (AgentAnswer, error) {
	var log logLine
	_, err := p.withAgent(ctx, e, func(rec *agentRecord) error {
		if e.SubAgent != "" || !rec.kept {
			return nil
		}
		w := p.agentWork(ctx, rec)
		drafted, err := p.draftFor(ctx, rec, w, time.Time{})
		log.add(err)
		if drafted {
			log.say("an entry was drafted for task " + w.id.Ref())
		}
		p.observe(ctx, rec.Docs, &log)
		p.observeAll(ctx, &log)
		log.add(p.releaseAgent(ctx, rec, w.id))
		rec.Ended, rec.Settled = stamp(p.now()), err == nil
		return nil
	})
	return AgentAnswer{Log: log.String()}, err
}

// releaseAgent ends the running session of a holder on its task, and its claims: all of them where the holder is the agent's
// session itself, which nobody else can be.
func (p *Project) releaseAgent(ctx context.Context, rec *agentRecord, id task.ID) error {
	if p.session(id, rec.holder()) != nil {
		_ = p.endSession(sessionName(id, rec.holder())) // a record that stays is taken up by the next session of this holder
	}
	if !p.sharedBorn() {
		return nil
	}
	theirs := func(c claimRecord, on task.ID) bool { return c.By == rec.holder() && (rec.As == "" || on == id) }
	book, _ := p.claimsNow(ctx)
	held := false
	for on, c := range book.Claims {
		held = held || theirs(c, on)
	}
	if !held {
		return nil
	}
	_, err := p.updateShared(ctx, func(c *change) error {
		for on, claim := range c.claims.Claims {
			if theirs(claim, on) {
				c.claims.release(on)
			}
		}
		return nil
	})
	return err
}
