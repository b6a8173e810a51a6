package tasks

import (
	"context"
	"slices"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/inputs"
	"baton/internal/workspace"
)

// Awaited reports whether a task that is not finished depends on this one. Then the output must be
// written by somebody who knows what that task needs (F-17).
func Awaited(id task.ID, all []*workspace.Head) bool {
	return slices.ContainsFunc(all, func(h *workspace.Head) bool {
		if h.ID == id || h.State == nil || !slices.Contains(h.State.Meta.Dependencies, id) {
			return false
		}
		return h.Status() != task.StatusComplete && h.Status() != task.StatusCancelled
	})
}

// IsAwaited is Awaited for a task by its id, for a hint. If it cannot be found out, or only by
// reading the files of a large project, the answer is yes.
func (p Tasks) IsAwaited(ctx context.Context, id task.ID) bool {
	if _, ok := p.rawIndex(ctx); !ok {
		if files, err := p.ListFiles(ctx, p.Store); err != nil || len(files) > workspace.MostLooked {
			return true
		}
	}
	near, err := p.loadNear(ctx, id, "")
	return err != nil || Awaited(id, near)
}

// ownOutput returns a task that nobody waits for with an output made of its own log, and adds a
// note to the answer. A task with an output, also in an older hand-off file, stays as it is, and so
// does one with neither sessions nor criteria.
func (p Tasks) ownOutput(
	ctx context.Context, r store.Reader, l *workspace.Loaded, out *CompleteResult,
) (*task.State, error) {
	s := l.State
	if s.Output.State != task.OutputEmpty {
		return s, nil
	}
	if old, _, err := p.OlderOutput(ctx, r, s); err != nil || old != nil {
		return s, ctx.Err() // an older file that cannot be read is still the output
	}
	text := inputs.FromLog(s)
	if text == "" {
		return s, nil
	}
	next, err := inputs.SetOutput(s, map[task.Part]string{task.PartSummary: text}, "")
	if err != nil {
		return s, ctx.Err() // without a place for an output, the task is complete without one
	}
	out.Warnings = append(out.Warnings, report.CodeOutputFromLog.Finding(l.Name, 0,
		"no task waits for "+l.ID.Ref()+", so its output is what its log says; "+
			"`baton task output "+string(l.ID)+" --summary TEXT` replaces it"))
	return next, nil
}
