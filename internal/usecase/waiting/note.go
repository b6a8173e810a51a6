package waiting

import (
	"context"
	"time"

	"baton/internal/agentsession"
	"baton/internal/statusline"
	"baton/internal/usecase/statusbar"
	"baton/internal/workspace"
)

// Note follows an event that this run handled: it keeps the number for the status line up to date
// (D49). It returns whether the event began a wait, or reminds of one, for which the command is
// still to be started. That is never so around a tool.
func (p Waiting) Note(ctx context.Context, e agentsession.Event) (begins bool) {
	rec := p.AgentHandled()
	if rec == nil {
		return false
	}
	began, ended := rec.Turned()
	switch e.Event {
	case agentsession.PreTool, agentsession.PostTool: // they search neither worktrees nor records (D30)
		if n, at := p.prepared(); ended && n.Waiting > 0 {
			n.Waiting--
			p.prepare(n, at)
		}
		return false
	case agentsession.Start: // it opens few files (D30)
		p.countAgain(ctx, workspace.MostNeighboursAtStart)
	case agentsession.Stop, agentsession.Failure:
		p.countAgain(ctx, workspace.MostAgents)
	case agentsession.End:
		if rec.Wait.State.Waits() {
			p.countAgain(ctx, workspace.MostAgents)
		}
		return false
	default:
		if began || ended {
			p.countAgain(ctx, workspace.MostAgents)
		}
	}
	return rec.Begins()
}

// Resume ends the wait of a session that goes on with a tool, of which a client without an event
// for prompts says nothing before. It writes nothing if the session is known to work. Failures are
// ignored, because the guard of the tool must answer in any case.
func (p Waiting) Resume(ctx context.Context, e agentsession.Event) {
	data, err := p.Store.ReadCache(agentsession.RecordFile(e.Session))
	if err != nil {
		return // without a record there is no wait
	}
	rec := agentsession.Brief(data)
	if rec == nil || rec.Session != e.Session || rec.Wait.State == agentsession.Working {
		return
	}
	e.Key = "" // a refused call must be refused twice
	// If the record cannot be saved, the wait ends with the next event.
	_, _ = p.WithAgent(ctx, e, func(*agentsession.Record) error { return nil })
}

// countFresh is for how long the number is not written again if it is the same.
const countFresh = time.Minute

// countAgain counts the sessions that wait, among so many of the newest, and keeps the number for
// the status line. If none waits and none did, it writes no file.
func (p Waiting) countAgain(ctx context.Context, most int) {
	n := p.count(ctx, most)
	old, at := p.prepared()
	switch fresh := p.Now().Sub(at) < countFresh; {
	case n == old.Waiting && (n == 0 || fresh), ctx.Err() != nil:
		return
	case n < old.Waiting && fresh && most < workspace.MostAgents: // some may not be among the newest
		return
	}
	old.Waiting = n
	p.prepare(old, p.Now())
}

// prepared returns what is prepared for the status line, and when it was counted.
func (p Waiting) prepared() (statusline.Prepared, time.Time) {
	line := statusbar.Of(p.Workspace).Prepared()
	return line, workspace.ParseStamp(line.At)
}

// prepare keeps the line with the time at which it was counted.
func (p Waiting) prepare(line statusline.Prepared, at time.Time) {
	line.At = workspace.Stamp(at)
	statusbar.Of(p.Workspace).Prepare(line)
}
