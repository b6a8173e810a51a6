package project

import (
	"context"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
)

// unknownTask is the error for an id without a file; its hint names ids that look alike.
func (p *Project) unknownTask(ctx context.Context, r store.Reader, id task.ID) error {
	if err := p.need("task.load"); err != nil {
		return err
	}
	known, err := p.ids(ctx, r)
	if err != nil {
		return err
	}
	known = slices.DeleteFunc(known, func(k task.ID) bool { return k == id }) // a link to nothing is in the listing
	if err := p.o.above.Losses(p).goneTaskError(ctx, id, known); err != nil {
		return err
	}
	hint := "`baton task list` shows the tasks that there are"
	if near := nearest(string(id), known); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, ", ") + "? " + hint
	} else if len(known) == 0 {
		hint = "there are no tasks yet; create one with `baton task new TITLE`"
	}
	return &report.Error{
		Op: "task.load", Kind: report.NotFound, Code: "task_unknown",
		Message: "there is no task " + id.Ref(), Hint: hint,
		Details: map[string]any{"task": string(id)},
	}
}

// nearest gives at most three names that are at most two letters away, or differ in case only, closest first.
func nearest(word string, known []task.ID) []string {
	type near struct {
		name     string
		distance int
	}
	var found []near
	for _, k := range known {
		name := string(k)
		d := report.Letters(strings.ToLower(word), strings.ToLower(name), 2)
		if d <= 2 && d < len(word) && d < len(name) {
			found = append(found, near{name, d})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return a.distance - b.distance })
	var names []string
	for _, f := range found[:min(3, len(found))] {
		names = append(names, f.name)
	}
	return names
}
