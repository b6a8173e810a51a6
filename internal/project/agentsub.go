package project

import (
	"context"
	"slices"

	"baton/internal/protocol"
)

// agentSubStart tells a sub-agent of the session's task (agents.md 2.3) and keeps that it runs.
func (p *Project) agentSubStart(ctx context.Context, e AgentEvent) (AgentAnswer, error) {
	var out AgentAnswer
	_, err := p.withAgent(ctx, e, func(rec *agentRecord) error {
		rec.sub(e).Started = stamp(p.now())
		w := p.agentWork(ctx, rec)
		if w.state == nil || closed(w.state.Status()) {
			return nil
		}
		f, err := p.facts(ctx, factsAsk{Task: string(w.id), Session: e.Session, Record: rec})
		if err == nil && f.Task != nil {
			out.Context = protocol.SubTask(f)
		}
		rec.tell(out.Context)
		return nil
	})
	return out, err
}

// agentSubStop keeps that a sub-agent is done. Nothing is said.
func (p *Project) agentSubStop(ctx context.Context, e AgentEvent) (AgentAnswer, error) {
	_, err := p.withAgent(ctx, e, func(rec *agentRecord) error {
		rec.sub(e).Stopped = stamp(p.now())
		return nil
	})
	return AgentAnswer{}, err
}

// sub gives the sub-agent of an event; one that was not seen before is added, and the oldest goes when there are too many.
func (r *agentRecord) sub(e AgentEvent) *agentSub {
	id, kind := firstRunes(oneLine(neutral(e.SubAgent)), mostSubName), firstRunes(oneLine(neutral(e.SubType)), mostSubName)
	at := slices.IndexFunc(r.Subs, func(s agentSub) bool { return s.ID == id && (id != "" || s.Type == kind && s.Stopped == "") })
	if at < 0 {
		r.Subs = append(r.Subs, agentSub{ID: id})
		r.Subs = r.Subs[max(0, len(r.Subs)-mostAgentSubs):]
		at = len(r.Subs) - 1
	}
	if kind != "" {
		r.Subs[at].Type = kind
	}
	return &r.Subs[at]
}

// mostSubName bounds what is kept of a sub-agent's names, in characters.
const mostSubName = 128
