package tasks

import (
	"context"
	"slices"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/workspace"
)

// partFiles are the sub-tasks of a split task, and their sub-tasks, as on disk (5.15).
type partFiles map[task.ID]*workspace.Loaded

// Find returns one of them, or nil. It is for task.State.Delegated.
func (f partFiles) Find(id task.ID) *task.State {
	if l := f[id]; l != nil {
		return l.State
	}
	return nil
}

// Parts reads the sub-tasks of a task. It leaves out missing ones; an unreadable one is an error.
// For a task that was never split, it reads nothing.
func (p Tasks) Parts(ctx context.Context, r store.Reader, s *task.State) (partFiles, error) {
	if len(s.Meta.Children) == 0 {
		return nil, nil
	}
	found := partFiles{}
	todo := append([]task.ID{}, s.Meta.Children...)
	for ; len(todo) > 0; todo = todo[1:] {
		id := todo[0]
		if id == s.ID || found[id] != nil {
			continue
		}
		l, err := p.LoadTask(ctx, r, id)
		if report.CodeOf(err) == report.CodeTaskUnknown {
			continue
		}
		if err != nil {
			return nil, err
		}
		found[id] = l
		todo = append(todo, l.State.Meta.Children...)
	}
	return found, nil
}

// partsComplete reports that a task was the last incomplete part of a split task. The finding names
// the split task, because nothing else reminds anybody of it (5.15).
func partsComplete(done *task.State, all []*workspace.Head) (report.Finding, bool) {
	byID := make(map[task.ID]*workspace.Head, len(all))
	for _, h := range all {
		byID[h.ID] = h
	}
	whole := byID[done.Meta.Parent]
	if whole == nil || whole.Status() != task.StatusDecomposed || !slices.Contains(whole.State.Meta.Children, done.ID) {
		return report.Finding{}, false
	}
	for _, id := range whole.State.Meta.Children {
		if part := byID[id]; id != done.ID && (part == nil || part.Status() != task.StatusComplete) {
			return report.Finding{}, false
		}
	}
	return report.CodePartsComplete.Finding(whole.Name, 0,
		"all parts of task "+whole.ID.Ref()+" are complete: you can complete it too, with its own output"), true
}

// PartsHint returns which parts of a split task can be worked on.
func (p Tasks) PartsHint(ctx context.Context, r store.Reader, s *task.State) string {
	parts, err := p.Parts(ctx, r, s)
	if err != nil {
		return "work on its parts instead: " + workspace.Refs(s.Meta.Children)
	}
	var open []task.ID
	for _, id := range s.Meta.Children {
		if part := parts[id]; part == nil || part.State.Status() != task.StatusComplete {
			open = append(open, id)
		}
	}
	if len(open) == 0 {
		return "all its parts are complete: write its output, then `baton task complete " + string(s.ID) + "`"
	}
	return "work on its open parts instead: " + workspace.Refs(open)
}
