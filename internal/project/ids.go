package project

import (
	"context"
	"slices"
	"strings"

	"baton/internal/store"
	"baton/internal/task"
)

// ids gives the ids of all tasks that have a state file, in order.
func (p *Project) ids(ctx context.Context, r store.Reader) ([]task.ID, error) {
	files, err := p.listFiles(ctx, r)
	if err != nil {
		return nil, err
	}
	out := make([]task.ID, 0, len(files))
	for _, f := range files {
		out = append(out, f.id)
	}
	return out, nil
}

// taken collects the ids that cannot be given to a new task: those of state files, archives and evidence files (D21).
// Keys are folded, because ids that differ in case only are the same file on some systems; values are the ids as they
// are written.
func (p *Project) taken(ctx context.Context, r store.Reader) (map[string]task.ID, error) {
	files, err := p.listFiles(ctx, r)
	if err != nil {
		return nil, err
	}
	out := make(map[string]task.ID, len(files))
	for _, f := range files {
		out[strings.ToLower(string(f.id))] = f.id
	}
	seen := map[string]bool{}
	for _, d := range append(p.dirs[:len(p.dirs):len(p.dirs)], batonDir(), specfluxDir()) {
		if seen[d.Archive] {
			continue
		}
		seen[d.Archive] = true
		entries, err := r.List(ctx, d.Archive)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			id, ok := task.IDOfFile(e.Name)
			if key := strings.ToLower(string(id)); ok && !e.Dir && out[key] == "" {
				out[key] = id
			}
		}
	}
	return out, nil
}

// named gives the ids that tasks name as dependencies and children: numbers go on behind them, though a person may
// create one of them by name (D21).
func named(heads []*head) []task.ID {
	var out []task.ID
	for _, h := range heads {
		out = append(out, h.State.Meta.Dependencies...)
		out = append(out, h.State.Meta.Children...)
	}
	slices.SortFunc(out, task.CompareIDs)
	return slices.Compact(out)
}
