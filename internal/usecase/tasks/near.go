package tasks

import (
	"context"
	"slices"
	"strings"

	"baton/internal/chain"
	"baton/internal/parallel"
	"baton/internal/sorting"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/order"
	"baton/internal/workspace"
	"baton/internal/workspace/index"
)

// loadNear returns the tasks that a change of one task concerns: the task itself, those that depend
// on it with everything that they depend on, its parent, and the parts of all these. In a large
// project, the index says which tasks depend on it, and each of them is read. Without a current
// index, loadNear is LoadAll.
func (p Tasks) loadNear(ctx context.Context, id, parent task.ID) ([]*workspace.Head, error) {
	data, ok := p.rawIndex(ctx)
	if !ok {
		all, _, err := p.LoadAll(ctx, p.Store)
		return all, err
	}
	near := map[task.ID]*workspace.Head{}
	add := func(id task.ID) *workspace.Head {
		h, done := near[id]
		if !done && id != "" {
			h = p.HeadNow(ctx, id)
			near[id] = h
		}
		return h
	}
	if whole := add(parent); whole != nil {
		for _, part := range whole.State.Meta.Children {
			add(part)
		}
	}
	add(id)
	for _, name := range index.Dependants(data, id) {
		f, ok := p.FileOf(name)
		if !ok {
			continue
		}
		h := add(f.Id)
		if h == nil || !slices.Contains(h.State.Meta.Dependencies, id) {
			continue
		}
		for _, other := range slices.Concat(h.State.Meta.Dependencies, h.State.Meta.Children) {
			add(other)
		}
	}
	out := make([]*workspace.Head, 0, len(near))
	for _, h := range near {
		if h != nil {
			out = append(out, h)
		}
	}
	order.ByID(out, func(h *workspace.Head) task.ID { return h.ID })
	return out, ctx.Err()
}

// indexedGraph returns the graph of all tasks as the index has them; nil if it is not current, and
// in a small project. It reads only files without a plain row, so the caller reads a task and its
// dependencies again before it relies on them.
func (p Tasks) indexedGraph(ctx context.Context) (*chain.Graph, error) {
	data, ok := p.rawIndex(ctx)
	if !ok {
		return nil, ctx.Err()
	}
	briefs := index.Briefs(data)
	nodes := make([]chain.Node, len(briefs))
	parallel.Halves(len(briefs), func(begin, end int) {
		for i, b := range briefs[begin:end] {
			f, ok := p.FileOf(b.Name)
			if !ok {
				continue
			}
			n := chain.Node{ID: f.Id, Status: task.Status(b.Status), After: b.After, Priority: b.Priority}
			if b.Status == "" {
				h := p.ReadHead(ctx, p.Store, f)
				n.Status, n.After, n.Priority = h.Status(), h.State.Meta.Dependencies, h.State.Meta.Priority
			}
			nodes[begin+i] = n
		}
	})
	nodes = slices.DeleteFunc(nodes, func(n chain.Node) bool { return n.ID == "" })
	order.ByID(nodes, func(n chain.Node) task.ID { return n.ID })
	return p.WithOlder(ctx, p.Store, nodes)
}

// FoundDuring returns the tasks that somebody found while working on a task, according to the
// index. It opens no other file (D29).
func (p Tasks) FoundDuring(id task.ID) []task.ID {
	data, err := p.Store.ReadCache(index.Name)
	if err != nil {
		return nil
	}
	var out []task.ID
	for _, name := range index.FoundDuring(data, id) {
		if f, ok := p.FileOf(name); ok {
			out = append(out, f.Id)
		}
	}
	order.ByID(out, func(id task.ID) task.ID { return id })
	return out
}

// isFree reports whether an id has no file.
func (p Tasks) isFree(ctx context.Context, id task.ID) bool {
	for _, d := range append(p.SearchDirs(id), workspace.BatonDir(), workspace.SpecfluxDir()) {
		for _, name := range [...]string{d.StateFile(id), d.ArchiveFile(id), d.EvidenceFile(id)} {
			if part, err := p.Store.Head(ctx, name, 1); err != nil || part.Exists {
				return false
			}
		}
	}
	return true
}

// rawIndex returns the index of a large project if it has a row for every file.
func (p Tasks) rawIndex(ctx context.Context) ([]byte, bool) {
	if p.Git.Busy() {
		return nil, false
	}
	return p.Index.Raw(ctx)
}

// highestNumber returns the highest number of a task, as the index has it; known is false if it is
// not current, and in a small project.
func (p Tasks) highestNumber(ctx context.Context) (n int64, known bool) {
	if p.Git.Busy() {
		return 0, false
	}
	mark, ok := p.Index.Current(ctx)
	if !ok || mark.Highest < 0 {
		return 0, false
	}
	return mark.Highest, true
}

// archives returns the folders of archives, of which some may be absent.
func (p Tasks) archives() []string {
	var out []string
	for _, d := range append(p.Dirs[:len(p.Dirs):len(p.Dirs)], workspace.BatonDir(), workspace.SpecfluxDir()) {
		if !slices.Contains(out, d.Archive) {
			out = append(out, d.Archive)
		}
	}
	return out
}

// taken returns the ids that a new task cannot get: those of state files, archives and evidence
// files (D21). Keys are in lower case, because ids that differ only in case are the same file on
// some systems. Values are the ids as written.
func (p Tasks) taken(ctx context.Context, r store.Reader) (map[string]task.ID, error) {
	files, err := p.ListFiles(ctx, r)
	if err != nil {
		return nil, err
	}
	out := make(map[string]task.ID, len(files))
	for _, f := range files {
		out[strings.ToLower(string(f.Id))] = f.Id
	}
	for _, dir := range p.archives() {
		entries, err := r.List(ctx, dir)
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

// named returns the ids that tasks name as dependencies and children. New numbers are above them,
// but a person may create such a task by its id (D21).
func named(all []*workspace.Head) []task.ID {
	var out []task.ID
	for _, h := range all {
		out = append(out, h.State.Meta.Dependencies...)
		out = append(out, h.State.Meta.Children...)
	}
	sorting.By(out, task.CompareIDs)
	return slices.Compact(out)
}
