package digests

import (
	"context"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/workspace"
)

// finished is the history of a project without SpecFlow: its finished tasks, and the complete
// phases of its digest, if it has one.
func (p Digests) finished(ctx context.Context, d *DigestDoc, id string) (HistoryResult, error) {
	out := HistoryResult{Specs: []specflow.SpecSummary{}, Warnings: []report.Finding{}}
	if id != "" {
		return out, &report.Error{
			Op: "history", Kind: report.Usage, Code: report.CodeNotSupported,
			Message: "this project has no specifications, only tasks and phases",
			Hint:    "`baton history` lists those that are finished; `baton task show ID` shows a task",
		}
	}
	if d != nil {
		out.Warnings = append(out.Warnings, d.findings...)
		_, archived, err := d.decisions(ctx)
		if err != nil {
			return HistoryResult{}, err
		}
		out.Archived = len(archived)
		facts, notes, err := PhaseFacts(ctx, d.At, d.At.Store, d.Place, gsd.Parse(d.Data).Model())
		if err != nil {
			return HistoryResult{}, err
		}
		out.Warnings = append(out.Warnings, notes...)
		for _, f := range facts.Phases {
			if f.Complete() {
				out.Phases = append(out.Phases, FinishedPhase{ID: f.ID, Name: f.Name, Plans: f.Plans})
			}
		}
	}
	if !p.Found {
		return out, ctx.Err()
	}
	all, err := p.Everything(ctx, p.Store)
	if err != nil {
		return HistoryResult{}, err
	}
	out.Warnings = append(out.Warnings, all.Findings...)
	last := map[task.ID]task.Session{}
	for _, h := range all.Tasks {
		if h.Status() != task.StatusComplete && h.Status() != task.StatusCancelled {
			continue
		}
		out.Tasks = append(out.Tasks, p.finishedTask(ctx, h, last))
	}
	out.Tasks = sorting.By(out.Tasks, func(a, b FinishedTask) int {
		if c := last[b.ID].Time.Compare(last[a.ID].Time); c != 0 {
			return c
		}
		return task.CompareIDs(b.ID, a.ID)
	})
	return out, ctx.Err()
}

// finishedTask returns a finished task with the time of its last session, which it also puts into
// last. A file that cannot be read now has none; all its findings are reported already.
func (p Digests) finishedTask(ctx context.Context, h *workspace.Head, last map[task.ID]task.Session) FinishedTask {
	out := FinishedTask{ID: h.ID, Title: h.State.Title, Status: string(h.Status())}
	l, err := p.LoadTask(ctx, p.Store, h.ID)
	if err != nil || len(l.State.Sessions) == 0 {
		return out
	}
	newest := l.State.Sessions[0]
	for _, s := range l.State.Sessions[1:] {
		if s.Time.After(newest.Time) {
			newest = s
		}
	}
	out.Last, last[h.ID] = newest.Stamp, newest
	return out
}
