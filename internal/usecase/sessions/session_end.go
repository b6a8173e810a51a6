package sessions

import (
	"context"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/workspace"
)

// EndSession ends the caller's session, named by task or by its own name, and releases the claim
// (D18). It fails with Violation nothing_logged if no entry was written since the start, unless
// NoLog is set, and with NotFound session_unknown.
func (p Sessions) EndSession(ctx context.Context, r SessionEndRequest) (SessionEndResult, error) {
	if err := p.Need("session.end"); err != nil {
		return SessionEndResult{}, err
	}
	var rec *workspace.SessionRecord
	if id, err := task.ParseID(r.Name); err == nil {
		rec = p.Session(id, p.Holder())
	}
	if rec == nil {
		rec = p.SessionNamed(r.Name)
	}
	if rec == nil {
		return SessionEndResult{}, workspace.UnknownSession(r.Name)
	}
	if rec.Logged == 0 && !r.NoLog {
		return SessionEndResult{}, &report.Error{
			Op: "session.end", Kind: report.Violation, Code: report.CodeNothingLogged,
			Message: "nothing was logged for task " + rec.Task.Ref() + " since the session started at " +
				workspace.Moment(rec.Started, p.Now()),
			Hint: "leave a hand-off with `baton task log " + string(rec.Task) +
				" --did TEXT --next TEXT`, or end with --no-log",
			Details: map[string]any{"task": string(rec.Task), "started": rec.Started},
		}
	}
	out := SessionEndResult{Session: rec.Name, Task: rec.Task, Logged: rec.Logged, Warnings: []report.Finding{}}
	// A session named by its own name may belong to another holder whose agent is gone. Then only
	// its claim is released, and only if it is still the one that the session took.
	if !p.SharedExists() && p.O.Rehearsal == nil {
		p.Stand(ctx, rec.Task, nil)
	} else {
		notes, err := p.UpdateShared(ctx, func(c *workspace.Change) error {
			c.Standing, c.LeftTask = true, rec.Task
			held, ok := c.Claims.Claims[rec.Task]
			out.Released = ok && held.By == rec.As && (rec.Fence == 0 || held.Fence == rec.Fence) &&
				c.Claims.Release(rec.Task)
			return nil
		})
		if err != nil && !workspace.SkipShared(err) {
			return SessionEndResult{}, err
		}
		if err != nil {
			out.Released = false
			notes = append(notes, workspace.ClaimsUnavailable(err))
		}
		out.Warnings = append(out.Warnings, notes...)
	}
	if err := p.ForgetSession(rec.Name); err != nil {
		return SessionEndResult{}, err
	}
	return out, nil
}

// Stand brings the lines about the tasks in baton's own digest up to date, after a session worked
// on a task (F-12).
func (p Sessions) Stand(ctx context.Context, id task.ID, log *LogLine) {
	_, err := p.Update(ctx, func(c *workspace.Change) error {
		c.Standing, c.LeftTask = true, id
		return nil
	})
	if err != nil && log != nil {
		log.Add(err)
	}
}
