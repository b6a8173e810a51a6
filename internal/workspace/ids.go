package workspace

import (
	"context"
	"slices"
	"strings"

	"baton/internal/shared"

	"baton/internal/sorting"
	"baton/internal/store"
	"baton/internal/task"
)

// Ids returns the ids of all tasks that have a state file, in order.
func (p *Workspace) Ids(ctx context.Context, r store.Reader) ([]task.ID, error) {
	files, err := p.ListFiles(ctx, r)
	if err != nil {
		return nil, err
	}
	out := make([]task.ID, 0, len(files))
	for _, f := range files {
		out = append(out, f.Id)
	}
	return out, nil
}

// Taken returns the ids that a new task cannot get: those of state files, archives and evidence
// files (D21). Keys are in lower case, because ids that differ only in case are the same file on
// some systems. Values are the ids as written.
func (p *Workspace) Taken(ctx context.Context, r store.Reader) (map[string]task.ID, error) {
	files, err := p.ListFiles(ctx, r)
	if err != nil {
		return nil, err
	}
	out := make(map[string]task.ID, len(files))
	for _, f := range files {
		out[strings.ToLower(string(f.Id))] = f.Id
	}
	seen := map[string]bool{}
	for _, d := range append(p.Dirs[:len(p.Dirs):len(p.Dirs)], BatonDir(), SpecfluxDir()) {
		if seen[d.Archive] {
			continue
		}
		seen[d.Archive] = true
		entries, err := r.List(ctx, d.Archive)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			id, ok := task.IDOfAnyFile(e.Name)
			if key := strings.ToLower(string(id)); ok && !e.Dir && out[key] == "" {
				out[key] = id
			}
		}
	}
	return out, nil
}

// Named returns the ids that tasks name as dependencies and children. New numbers are above them,
// but a person may create such a task by its id (D21).
func Named(all []*Head) []task.ID {
	var out []task.ID
	for _, h := range all {
		out = append(out, h.State.Meta.Dependencies...)
		out = append(out, h.State.Meta.Children...)
	}
	sorting.By(out, task.CompareIDs)
	return slices.Compact(out)
}

// MaxID is the highest numeric id: 15 digits (D21).
const MaxID = shared.MaxID
