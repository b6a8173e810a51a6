package project

import (
	"context"
	"maps"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
)

// partFiles are the sub-tasks of a split task, and theirs, as they stand on the disk (5.15).
type partFiles map[task.ID]*loaded

// find gives one of them to task.State.Delegated.
func (f partFiles) find(id task.ID) *task.State {
	if l := f[id]; l != nil {
		return l.State
	}
	return nil
}

// parts reads the sub-tasks of a task. One that is missing is left out; one that cannot be read is an error. A task
// that was never split costs nothing.
func (p *Project) parts(ctx context.Context, r store.Reader, s *task.State) (partFiles, error) {
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
		l, err := p.loadTask(ctx, r, id)
		if report.CodeOf(err) == "task_unknown" {
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

// partsComplete says that a task was the last part of a split one that was not complete, and names
// the task that was split: nothing else would bring anybody back to it (5.15).
func partsComplete(done *task.State, heads []*head) (report.Finding, bool) {
	byID := make(map[task.ID]*head, len(heads))
	for _, h := range heads {
		byID[h.ID] = h
	}
	whole := byID[done.Meta.Parent]
	if whole == nil || whole.status() != task.StatusDecomposed || !slices.Contains(whole.State.Meta.Children, done.ID) {
		return report.Finding{}, false
	}
	for _, id := range whole.State.Meta.Children {
		if part := byID[id]; id != done.ID && (part == nil || part.status() != task.StatusComplete) {
			return report.Finding{}, false
		}
	}
	return report.Finding{
		Code: "parts_complete", Severity: report.Info, Path: whole.Name,
		Text: "all parts of task " + whole.ID.Ref() + " are complete: it can be completed too, with an output of its own",
	}, true
}

// partsHint says which parts of a split task there are to work on.
func (p *Project) partsHint(ctx context.Context, r store.Reader, s *task.State) string {
	parts, err := p.parts(ctx, r, s)
	if err != nil {
		return "work on its parts instead: " + refs(s.Meta.Children)
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
	return "work on its open parts instead: " + refs(open)
}

// refs names tasks in a sentence.
func refs(ids []task.ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = id.Ref()
	}
	return strings.Join(words, ", ")
}

// delegate lets the criteria that a task handed to sub-tasks count as those have them, with their evidence. A
// sub-task that cannot be read leaves them as they are: a look at the parent shows what it can.
func (p *Project) delegate(ctx context.Context, r store.Reader, s *task.State, views []CriterionView) error {
	parts, err := p.parts(ctx, r, s)
	if err != nil {
		return ctx.Err()
	}
	delegated := s.Delegated(parts.find)
	for i, c := range s.Criteria {
		if c.Checked || !c.Counts(delegated) {
			continue
		}
		views[i].Checked = true
		for _, id := range slices.SortedFunc(maps.Keys(parts), task.CompareIDs) {
			l := parts[id]
			for _, theirs := range l.State.Criteria {
				if !theirs.Checked || strings.TrimSpace(theirs.Text) != strings.TrimSpace(c.Text) {
					continue
				}
				book, err := p.evidence(ctx, r, l)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil {
					continue // its box counts all the same
				}
				v := book.criterionView(theirs)
				views[i].Verified, views[i].Evidence = v.Verified, v.Evidence
			}
		}
	}
	return nil
}
