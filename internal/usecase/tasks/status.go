package tasks

import (
	"context"
	"slices"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/workspace"
)

// Metadata keys with a reason that moves to the issues of the next entry (5.12.1).
const (
	BlockedKey  = workspace.BlockedKey
	reopenedKey = "reopened_reason"
)

// Block sets a task blocked, stores the reason for the next entry and ends the claim (D17). It
// fails with Usage reason_missing, with Violation task_closed for a task that is complete,
// cancelled or decomposed, and with Conflict claim_held.
func (p Tasks) Block(ctx context.Context, r TaskRequest) (TaskChange, error) {
	if safetext.OneLine(r.Reason) == "" {
		return TaskChange{}, &report.Error{
			Op: "task.block", Kind: report.Usage, Code: report.CodeReasonMissing,
			Message: "blocking a task needs a reason", Hint: "say with --reason what it waits for, because the next " +
				"session reads it",
		}
	}
	return p.setStatus(ctx, r, statusChange{
		op: "task.block", to: task.StatusBlocked, key: BlockedKey,
		check: func(l *workspace.Loaded) error {
			switch s := l.State.Status(); s {
			case task.StatusComplete, task.StatusCancelled, task.StatusDecomposed:
				return &report.Error{
					Op: "task.block", Kind: report.Violation, Code: report.CodeTaskClosed, Path: l.Name,
					Message: "task " + l.State.ID.Ref() + " is " + string(s) + " and cannot be blocked",
					Hint:    "open it again first: baton task reopen " + string(l.State.ID),
				}
			}
			return nil
		},
	})
}

// Reopen sets a task in progress, whatever its status (D17). A reason is stored for the next entry.
// A cancelled task on which nobody worked is ready again.
func (p Tasks) Reopen(ctx context.Context, r TaskRequest) (TaskChange, error) {
	return p.setStatus(ctx, r, statusChange{op: "task.reopen", to: task.StatusInProgress, key: reopenedKey})
}

// reopened returns the status of a task that is reopened.
func reopened(s *task.State, to task.Status) task.Status {
	if to == task.StatusInProgress && s.Status() == task.StatusCancelled && s.TotalSessions() == 0 {
		return task.StatusReady
	}
	return to
}

// builtOn names the open tasks that were started with the output of a task that is reopened.
func (p Tasks) builtOn(ctx context.Context, l *workspace.Loaded, out *TaskChange) error {
	headers, _, err := p.LoadAll(ctx, p.Store)
	if err != nil {
		return err
	}
	for _, h := range headers {
		s := h.Status()
		if s != task.StatusInProgress && s != task.StatusInReview || !slices.Contains(h.State.Meta.Dependencies, l.ID) {
			continue
		}
		out.BuiltOn = append(out.BuiltOn, h.ID)
		out.Warnings = append(out.Warnings, report.CodeBuiltOnReopened.Finding(h.Name, 0, "task "+h.ID.Ref()+", "+
			strings.ReplaceAll(string(s), "_", " ")+", was built on the output of task "+l.ID.Ref()+
			", which is reopened now"))
	}
	return nil
}

// statusChange is a command's change of the status.
type statusChange struct {
	op    string
	to    task.Status
	key   string // metadata key for the reason
	check func(*workspace.Loaded) error
}

// setStatus makes one status change. Repeating it changes nothing (TS-31).
func (p Tasks) setStatus(ctx context.Context, r TaskRequest, s statusChange) (TaskChange, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return TaskChange{}, err
	}
	var out TaskChange
	notes, err := p.Guarded(ctx, id, func(c *workspace.Change) error {
		l, err := p.LoadForWrite(ctx, c, id)
		if err != nil {
			return err
		}
		if s.check != nil {
			if err := s.check(l); err != nil {
				return err
			}
		}
		c.Standing = s.op == "task.reopen"
		to := reopened(l.State, s.to)
		next, ok := l.State.SetStatus(to)
		if !ok {
			return unkept(s.op, l)
		}
		if reason := safetext.OneLine(r.Reason); reason != "" {
			if next, ok = next.SetMeta(task.KeyValue{Key: s.key, JSON: jsontext.Quote(reason)}); !ok {
				return unkept(s.op, l)
			}
		}
		out = TaskChange{Task: id, Title: next.Title, Status: string(to), Warnings: []report.Finding{}}
		out.Warnings = append(out.Warnings, p.doneApart(ctx, c, l)...)
		if !next.SameAs(l.State) {
			out.Changed = true
			if s.to == task.StatusInProgress && l.State.Status() == task.StatusComplete {
				if err := p.builtOn(ctx, l, &out); err != nil {
					return err
				}
			}
			if err := p.WriteTask(c, l, next); err != nil {
				return err
			}
		}
		if s.to == task.StatusBlocked && c.Claims != nil {
			c.Claims.Release(id)
		}
		return nil
	})
	if err != nil {
		return TaskChange{}, err
	}
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// unkept returns the error for a file that cannot store a status, because its metadata are broken.
func unkept(op string, l *workspace.Loaded) error {
	e := &report.Error{
		Op: op, Kind: report.Corrupt, Code: report.CodeMetadataInvalid, Path: l.Name,
		Message: "the metadata of " + l.Name + " cannot be read, so the task's status cannot be stored",
		Hint:    "repair the JSON in its Metadata section; everything else in the file keeps working",
	}
	for _, f := range l.State.Findings {
		if f.Code == report.CodeMetadataInvalid {
			e.Line = f.Line
		}
	}
	return e
}
