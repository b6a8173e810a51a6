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
		d := distance(strings.ToLower(word), strings.ToLower(name), 2)
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

// distance counts the letters to insert, remove or replace between two words; more than most counts as most+1.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost = 1 + min(diagonal, row[j], row[j-1])
			}
			diagonal, row[j] = row[j], cost
		}
	}
	return row[len(b)]
}
