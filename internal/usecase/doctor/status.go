package doctor

import (
	"context"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// ofStatus checks the status of a task. After a merge in which both sides changed it, a person
// should know the other one. A task that could be complete but is not makes others wait. It is not
// reported while somebody works on it.
func (d *doctor) ofStatus(ctx context.Context, a workspace.All, l *workspace.Loaded) error {
	s := l.State
	if other := s.StatusMerged(); other != "" {
		d.warn(report.CodeStatusMerged, l.Name, "both sides of a merge changed the status of task "+l.ID.Ref()+": "+
			string(s.Status())+" counts, "+string(other)+" does not",
			advice(report.CodeStatusMerged, nil))
	}
	switch s.Status() {
	case task.StatusBacklog, task.StatusReady, task.StatusInProgress:
	default:
		return nil
	}
	if _, kept := s.SetStatus(task.StatusComplete); !kept {
		return nil // its metadata cannot be read, and neither can its status
	}
	if _, held := a.Book.Live(l.ID, d.p.Now()); held || len(s.Criteria) == 0 || s.Output.State == task.OutputEmpty {
		return nil
	}
	parts, err := tasks.Of(d.p).Parts(ctx, d.p.Store, s)
	if err != nil {
		return err
	}
	var open []task.ID
	for _, id := range s.Meta.Children {
		if part := parts[id]; part == nil || part.State.Status() != task.StatusComplete {
			open = append(open, id)
		}
	}
	if len(s.Blockers(tasks.Awaited(l.ID, a.Tasks), open, s.Delegated(parts.Find))) == 0 {
		d.warn(report.CodeCompletionDue, l.Name, "all criteria of task "+l.ID.Ref()+" are checked and its output is "+
			"handed on, but its status is "+string(s.Status()),
			workspace.Remedy{Command: d.command("task complete "+string(l.ID), "")})
	}
	return nil
}
