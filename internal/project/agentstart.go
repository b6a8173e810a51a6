package project

import (
	"context"
	"slices"
	"strings"

	"baton/internal/protocol"
	"baton/internal/report"
	"baton/internal/task"
)

// What the orientation of a session may take (agents.md 1.5).
const (
	orientationTarget = 3000
	orientationMost   = 8000
)

// agentStart tells a session where it stands and takes or renews the claim of its task (agents.md 2.3). The record's lock is
// held while the event is noted and again while the outcome is, and not in between: a second copy of the event waits for it
// only 200 ms, and git may take longer.
func (p *Project) agentStart(ctx context.Context, e AgentEvent) (AgentAnswer, error) {
	if e.SubAgent != "" {
		return AgentAnswer{}, nil // a sub-agent is told of its task at its own event
	}
	var rec *agentRecord
	twice, err := p.withAgent(ctx, e, func(r *agentRecord) error {
		rec = r
		p.noteClient(r)
		return nil
	})
	if twice {
		return AgentAnswer{}, nil
	}
	var log logLine
	log.add(err)
	if rec == nil {
		rec = p.agentRecordOf(e.Session)
	}
	log.say(p.draftLeftovers(ctx))
	ask := factsAsk{Session: e.Session, Source: e.Source, Git: true, Record: rec, live: p.askGit(ctx, true)}
	active := p.activeFor(ctx, rec)
	ask.active = &active
	if before := p.recordBefore(ask); before != nil {
		ask.ours = p.active().wrote(active.ID, before.lastSeen(e.Session))
	}
	began := p.beginFor(ctx, &ask, &log)
	g, err := p.gatherShort(ctx, ask, &log)
	if err != nil {
		return AgentAnswer{Log: log.String()}, err
	}
	log.add(p.lossFacts(ctx, &g, p.observe(ctx, g.docs, &log)))
	log.doubts(g.doubts)
	g.facts.Warnings = distinctTexts(slices.Concat(began, g.facts.Warnings))
	g.facts.Warnings = g.facts.Warnings[:min(mostFactWarnings, len(g.facts.Warnings))]
	text := protocol.Orientation(g.facts, protocol.Limit{Target: orientationTarget, Characters: orientationMost}).Text
	again := e
	again.Key = ""
	_, err = p.withAgent(ctx, again, func(r *agentRecord) error {
		p.markFiles(ctx, r)
		noteKnown(r, &g, e.Source)
		r.tell(text)
		return nil
	})
	log.add(err)
	return AgentAnswer{Context: text, Log: log.String()}, nil
}

// noteKnown notes what the session was told of: from then on it is what changed since. A session that goes on with the same
// task keeps what it did and where it began.
func noteKnown(r *agentRecord, g *gathered, source string) {
	r.Docs = g.docs
	noteLost(r, g.lost)
	r.Injected.State, r.Tip = toldState(g), g.head
	fresh := r.Head == "" && r.Task == ""
	if g.task != nil && !g.facts.Proposed && r.Task != g.task.ID {
		fresh = fresh || r.Task != ""
		r.Task, r.Base = g.task.ID, g.task.State.TotalSessions()
	}
	if fresh || r.Head == "" {
		r.Head = g.head
	}
	if source == "compact" { // the window is empty again (agents.md 6.3)
		r.Context = agentContext{}
	}
}

// hashBefore is the hash of the task's file before its status and inputs are written.
func (p *Project) hashBefore(ctx context.Context, active agentTask) map[string]string {
	l, err := p.loadTask(ctx, p.store, active.ID)
	if err != nil {
		return nil
	}
	return map[string]string{l.Name: docOf(l.Doc).Hash}
}

// beginFor takes or renews the claim of the active task, and gives what the session has to know about it. Nothing is taken
// that is only proposed.
func (p *Project) beginFor(ctx context.Context, ask *factsAsk, log *logLine) []string {
	active := *ask.active
	if active.ID == "" || active.Proposed {
		return nil
	}
	hold, doubts := p.claimOf(ctx, active.ID)
	if hold.Claim != nil && hold.Mine && p.session(active.ID, p.holder()) != nil {
		p.goOn(ctx, active.ID) // without a wait for the disk
		return nil
	}
	ask.before = p.hashBefore(ctx, active)
	var out []string
	if told, err := p.takeUp(ctx, active); err != nil {
		log.add(err)
	} else if told != "" {
		out = append(out, told)
	}
	started, err := p.startSession(ctx, SessionStartRequest{ID: string(active.ID)})
	if err != nil {
		log.add(err)
		if ctx.Err() == nil && report.CodeOf(err) != "claim_held" { // who holds it is told with the task
			out = append(out, "the task could not be claimed: "+harmless(report.As(err).Error()))
		}
		return out
	}
	for _, f := range started.Warnings {
		if f.Code == "claims_unavailable" && len(doubts) == 0 { // else it is told with the task
			out = append(out, harmless(f.Text))
		}
	}
	return out
}

// goOn renews the claim of a task that the holder is at. The task stays the active one: only what is not noted yet is, since
// a beginning is no command that wrote the task.
func (p *Project) goOn(ctx context.Context, id task.ID) {
	fence := p.extend(ctx, id)
	if p.active().Holders[p.holder()].Task != id {
		p.setActive(id, fence)
	}
}

// logLine gathers what goes to the log of hooks, in one line.
type logLine struct {
	parts  []string
	locked bool // a lock was not to be had in time
}

func (l *logLine) add(err error) {
	if err != nil {
		l.locked = l.locked || report.KindOf(err) == report.Locked
		l.say(report.CodeOf(err) + ": " + report.As(err).Error())
	}
}

// doubts adds what could not be judged.
func (l *logLine) doubts(list []report.Finding) {
	for _, f := range list {
		l.say(f.Code + ": " + f.Text)
	}
}

func (l *logLine) say(text string) {
	if text != "" {
		l.parts = append(l.parts, harmless(text))
	}
}

// String is the line, "" when there is nothing to say.
func (l *logLine) String() string { return strings.Join(l.parts, "; ") }
