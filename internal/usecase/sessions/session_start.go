package sessions

import (
	"context"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/pick"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// StartSession starts a session on a task, or continues the same holder's session. It takes the
// claim, adds inputs, sets the task in progress, and records the time and the commit of the start
// (D18). If claims cannot be stored, it continues without one and reports that (D1). It fails with
// Conflict claim_held, with Violation task_not_ready unless Force is set, with Violation
// task_complete in any case, and with NotFound task_unknown.
func (p Sessions) StartSession(ctx context.Context, r SessionStartRequest) (SessionStartResult, error) {
	out, err := p.startSession(ctx, r)
	if err == nil {
		out.Neighbours = p.neighbours(ctx, p.dirtyFiles(ctx))
	}
	return out, err
}

// startSession is StartSession without the check for lost entries, because a hook has its own check
// and little time for git (D30).
func (p Sessions) startSession(ctx context.Context, r SessionStartRequest) (SessionStartResult, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return SessionStartResult{}, err
	}
	if _, err := p.LoadTask(ctx, p.Store, id); err != nil { // fails before anything is created for the claim
		return SessionStartResult{}, err
	}
	rec := p.Session(id, p.Holder())
	out := SessionStartResult{}
	var warnings []report.Finding
	begin := func(c *workspace.Change) error {
		out = SessionStartResult{
			Task: id, As: c.As, Resumed: rec !=
				nil, Criteria: []tasks.CriterionView{}, Next: []string{}, Inputs: []tasks.InputReceipt{},
			Warnings: []report.Finding{},
		}
		return p.begin(ctx, c, id, r, &out)
	}
	notes, lost, err := p.PreferShared(ctx, begin)
	if err != nil {
		return SessionStartResult{}, err
	}
	if lost != nil {
		out.Claim = nil
		warnings = append(warnings, workspace.ClaimsUnavailable(lost))
	}
	out.Warnings = append(append(out.Warnings, warnings...), notes...)
	p.remember(ctx, id, rec, &out)
	p.SweepCaches()
	return out, nil
}

// begin plans the start of a session.
func (p Sessions) begin(
	ctx context.Context, c *workspace.Change, id task.ID, r SessionStartRequest, out *SessionStartResult,
) error {
	l, err := p.LoadForWrite(ctx, c, id)
	if err != nil {
		return err
	}
	_, busy := p.AtWork(ctx, c, id)
	got, err := tasks.Of(p.Workspace).ClaimIn(ctx, c, l, tasks.ClaimAsk{
		Op: "session.start", Lease: r.Lease, Reason: safetext.Line(r.Reason),
		Force: r.Force || out.Resumed && l.State.Status() == task.StatusInProgress,
	})
	if err != nil {
		return err
	}
	if got.Record != nil {
		out.Claim = got.Record.View()
	}
	h, err := tasks.Of(p.Workspace).Inject(ctx, c.Reader, got.State, l.Name, busy, r.Refresh)
	if err != nil {
		return err
	}
	out.Inputs = append(out.Inputs, h.Begun()...)
	out.Warnings = append(append(out.Warnings, l.Warnings()...), h.Findings...)
	if err := tasks.Of(p.Workspace).KeepInputs(c, l, h); err != nil {
		return err
	}
	return p.briefing(ctx, c, l, h.State, out)
}

// briefing fills in what a session needs to know first (D13).
func (p Sessions) briefing(
	ctx context.Context, c *workspace.Change, l *workspace.Loaded, s *task.State, out *SessionStartResult,
) error {
	out.Title, out.Path = s.Title, l.Name
	known, err := tasks.Of(p.Workspace).Evidence(ctx, c.Reader, l)
	if err != nil {
		return err
	}
	for _, crit := range s.Criteria {
		if !crit.Checked {
			out.Criteria = append(out.Criteria, known.CriterionView(crit))
		}
	}
	steps, from := pick.NextSteps(s)
	out.Next, out.NextFrom = append([]string{}, steps...), from
	if n := len(s.Sessions); n > 0 {
		last := tasks.Of(p.Workspace).SessionView(s.Sessions[n-1], false)
		out.Last = &last
	}
	facts, err := tasks.ArchiveFacts(ctx, c.Reader, l)
	if err != nil {
		return err
	}
	out.Number = s.NextNumber(facts.Tail, p.NumbersBefore(ctx, l))
	out.InputChanged, err = tasks.Of(p.Workspace).InputChanges(ctx, c.Reader, l, s)
	return err
}

// remember saves the session's record; a continued session keeps its start. Without the record the
// session continues, but its commits will not be known.
func (p Sessions) remember(ctx context.Context, id task.ID, rec *workspace.SessionRecord, out *SessionStartResult) {
	if rec == nil {
		rec = &workspace.SessionRecord{Task: id, As: p.Holder(), Started: workspace.Stamp(p.Now())}
		rec.Head, _ = p.Git.Start(ctx)
	}
	if out.Claim != nil {
		rec.Fence = out.Claim.Fence
	}
	if err := p.SaveSession(rec); err != nil {
		out.Warnings = append(out.Warnings, report.CodeSessionUnrecorded.Finding("", 0,
			"the start of the session could not be recorded, so its entry will not list the commits of the "+
				"session: "+report.As(err).Error()))
	}
	out.Session, out.Started = rec.Name, rec.Started
	p.SetActive(id, rec.Fence)
}
