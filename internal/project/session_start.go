package project

import (
	"context"

	"baton/internal/report"
	"baton/internal/task"
)

// StartSession begins a session on a task, or goes on with the same holder's: it takes the claim, brings inputs in,
// sets the task in progress and remembers when and at which commit it began (D18). Where claims cannot be kept it goes
// on without one and says so (D1).
// Conflict claim_held; Violation task_not_ready unless Force, and task_complete in any case; NotFound task_unknown.
func (p *Project) StartSession(ctx context.Context, r SessionStartRequest) (SessionStartResult, error) {
	out, err := p.startSession(ctx, r)
	if err == nil {
		out.Warnings = append(out.Warnings, p.lostFrom(ctx, out.Path)...)
	}
	return out, err
}

// startSession is StartSession without a look at what is gone: a hook has one of its own, and git's time is short in it (D30).
func (p *Project) startSession(ctx context.Context, r SessionStartRequest) (SessionStartResult, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return SessionStartResult{}, err
	}
	if _, err := p.loadTask(ctx, p.store, id); err != nil { // before anything is created for the claim
		return SessionStartResult{}, err
	}
	rec := p.session(id, p.holder())
	out := SessionStartResult{}
	var warnings []report.Finding
	begin := func(c *change) error {
		out = SessionStartResult{
			Task: id, As: c.as, Resumed: rec != nil, Criteria: []CriterionView{}, Next: []string{}, Inputs: []InputReceipt{},
			Warnings: []report.Finding{},
		}
		return p.begin(ctx, c, id, r, &out)
	}
	notes, lost, err := p.preferShared(ctx, begin)
	if err != nil {
		return SessionStartResult{}, err
	}
	if lost != nil {
		out.Claim = nil
		warnings = append(warnings, claimsUnavailable(lost))
	}
	out.Warnings = append(append(out.Warnings, warnings...), notes...)
	p.remember(ctx, id, rec, &out)
	p.sweepCaches()
	return out, nil
}

// begin plans the start of a session.
func (p *Project) begin(ctx context.Context, c *change, id task.ID, r SessionStartRequest, out *SessionStartResult) error {
	l, err := p.loadForWrite(ctx, c, id)
	if err != nil {
		return err
	}
	_, busy := p.atWork(ctx, c, id)
	got, err := p.claimIn(ctx, c, l, claimAsk{op: "session.start", lease: r.Lease, force: r.Force || out.Resumed && l.State.Status() == task.StatusInProgress})
	if err != nil {
		return err
	}
	if got.record != nil {
		out.Claim = got.record.view()
	}
	h, err := p.inject(ctx, c.reader, got.state, l.Name, busy, r.Force)
	if err != nil {
		return err
	}
	out.Inputs = append(out.Inputs, h.begun()...)
	out.Warnings = append(append(out.Warnings, l.warnings()...), h.Findings...)
	if string(h.State.Bytes()) != string(got.state.Bytes()) {
		h.State = h.State.Reconcile(task.Reconciliation{Now: c.now})
	}
	if err := p.keepInputs(c, l, h); err != nil {
		return err
	}
	return p.briefing(ctx, c, l, h.State, out)
}

// briefing fills in what a session needs first (D13).
func (p *Project) briefing(ctx context.Context, c *change, l *loaded, s *task.State, out *SessionStartResult) error {
	out.Title, out.Path = s.Title, l.Name
	known, err := p.evidence(ctx, c.reader, l)
	if err != nil {
		return err
	}
	for _, crit := range s.Criteria {
		if !crit.Checked {
			out.Criteria = append(out.Criteria, known.criterionView(crit))
		}
	}
	for _, session := range s.Sessions {
		if len(session.Next) > 0 {
			out.Next = append([]string{}, session.Next...)
		}
	}
	facts, err := archiveFacts(ctx, c.reader, l)
	if err != nil {
		return err
	}
	out.Number = s.NextNumber(facts.Tail)
	out.InputChanged, err = p.inputChanges(ctx, c.reader, l, s)
	return err
}

// remember keeps the session's record: a resumed one keeps its beginning. Without it the session goes on, only its
// commits will not be known.
func (p *Project) remember(ctx context.Context, id task.ID, rec *sessionRecord, out *SessionStartResult) {
	if rec == nil {
		rec = &sessionRecord{Task: id, As: p.holder(), Started: stamp(p.now())}
		rec.Head, _ = p.git.Start(ctx)
	}
	if out.Claim != nil {
		rec.Fence = out.Claim.Fence
	}
	if err := p.saveSession(rec); err != nil {
		out.Warnings = append(out.Warnings, report.Finding{
			Code: "session_unrecorded", Severity: report.Warning,
			Text: "the beginning of the session could not be kept, so its entry will not name the commits made in it: " + report.As(err).Error(),
		})
	}
	out.Session, out.Started = rec.Name, rec.Started
	p.setActive(id, rec.Fence)
}
