package agents

import (
	"context"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/protocol"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// mostHolds is how often the stops of one session are held (F-37).
const mostHolds = 2

// agentStop saves a checkpoint, binds the session to the task that it works on (D54), and holds the
// stop if the session owes an entry that matters now (F-37): once per prompt, and mostHolds times
// in the whole session. It never holds a stop directly after one that was held, while work runs in
// the background, or in a sub-agent. It holds a stop only if it can record that it did.
func (p Agents) agentStop(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	var out agentsession.Answer
	_, err := p.WithAgent(ctx, e, func(rec *agentsession.Record) error {
		if e.SubAgent != "" {
			return nil
		}
		var log sessions.LogLine
		p.take(ctx, rec, "", &log)
		work := p.agentWork(ctx, rec)
		if words := p.lastWords(e.Text); words != "" {
			rec.Words = words
		}
		if rec.Kept { // otherwise a copy of this event does it
			p.shorten(ctx, &log)
			sessions.Of(p.Workspace).Stand(ctx, work.id, &log)
			p.Observe(ctx, rec.Docs, &log)
			p.ObserveAll(ctx, &log)
			p.checkpoint(ctx, rec)
			p.lookAround(ctx, rec)
		}
		out.Log = log.String()
		if !rec.Kept {
			return nil
		}
		seen := p.workOf(ctx, rec, work, time.Time{})
		owes := p.owes(rec, work, &seen)
		holds := owes && mayHold(e, rec) && p.Settings().On("hooks.hold") && p.asks(e, rec, &seen)
		if rec.Halted(holds, owes); !holds {
			return nil
		}
		out.Hold = p.stopReason(ctx, e, rec, work, &seen)
		if bound := p.boundNote(ctx, rec); bound != "" {
			out.Hold = bound + "\n\n" + out.Hold
		}
		rec.Stops = agentsession.Stops{Prompt: e.Prompt, Held: rec.Stops.Held + 1, Total: rec.Stops.Total + 1}
		rec.Tell(out.Hold)
		rec.Remember(out.Hold)
		return nil
	})
	if err != nil { // otherwise every stop would be held
		out.Hold = ""
	}
	return out, err
}

// mayHold reports whether a stop may be held at all. For a client that does not distinguish
// prompts, one stop is held until something is logged.
func mayHold(e agentsession.Event, rec *agentsession.Record) bool {
	switch held := rec.Stops.Held; {
	case e.Event != agentsession.Stop, e.StopActive, e.Background, e.SubAgent != "", rec.Stops.Total >= mostHolds:
		return false
	default:
		return held == 0 || e.Prompt != "" && e.Prompt != rec.Stops.Prompt
	}
}

// owes reports whether a session owes an entry, and there is a place for it.
func (p Agents) owes(rec *agentsession.Record, w agentWork, seen *sessionWork) bool {
	if w.state == nil {
		return seen.owes(rec) && p.HasState()
	}
	return seen.owes(rec) && !workspace.Closed(w.state.Status())
}

// asks reports whether asking for an entry that is owed matters now: nobody answers the client, so
// the session ends here; the context window is nearly full; or enough has changed.
func (p Agents) asks(e agentsession.Event, rec *agentsession.Record, seen *sessionWork) bool {
	left, known := p.windowLeft(e)
	return rec.Alone || known && left <= windowFirst || seen.moved ||
		len(rec.Files)+len(seen.loose) > p.Settings().Number("hooks.hold_after")
}

// stopReason returns the reason for holding a stop. It names what the documents that the session
// knows lost.
func (p Agents) stopReason(
	ctx context.Context, e agentsession.Event, rec *agentsession.Record, w agentWork, seen *sessionWork,
) string {
	lost := p.stillLost(ctx, rec)
	noteLost(rec, lost)
	if w.state == nil {
		f, _ := sessions.Of(p.Workspace).Facts(ctx, sessions.FactsAsk{Session: e.Session, Record: rec})
		f.Seen, f.Lost = seen.words(rec), sessions.LossWords(lost)
		if seen.paused { // a person's pause is not to be replaced
			f.Project.Path = ""
		}
		return protocol.UnboundReason(f)
	}
	g, err := sessions.Of(p.Workspace).Gather(ctx, sessions.FactsAsk{
		Task: string(w.id), Session: e.Session, Record: rec,
	})
	if err == nil && g.Facts.Task != nil {
		g.Lost, g.Facts.Lost = lost, sessions.LossWords(lost)
		g.Facts.Seen = seen.words(rec)
		sessions.Of(p.Workspace).TaskLacks(&g)
		if text := protocol.StopReason(g.Facts); text != "" {
			return text
		}
	}
	return protocol.Spoken(strings.TrimSpace("Task "+w.id.Ref()+": this session changed files or commits, but the "+
		"task's log has no entry about it. `baton task log "+string(w.id)+" --did TEXT --next TEXT` leaves the "+
		"hand-off, and then the session may end. "+sessions.LossWords(lost)), rec.Tools)
}
