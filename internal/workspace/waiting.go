package workspace

import (
	"context"
	"path"
	"slices"
	"strings"

	"baton/internal/chain"
	"baton/internal/parallel"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/order"
)

// MissingFinding returns the finding for a task that depends on up, which has no file. name is the
// file of the task.
func MissingFinding(id, up task.ID, name string) report.Finding {
	return report.CodeDependencyMissing.Finding(name, 0,
		"task "+id.Ref()+dependsOn(up))
}

func dependsOn(up task.ID) string { return " depends on " + up.Ref() + ", which has no task file" }

// LacksFile reports whether a finding says that a task depends on the task of a missing file.
func LacksFile(f report.Finding, file string) bool {
	up, ok := task.IDOfStateFile(path.Base(file))
	return ok && f.Code == report.CodeDependencyMissing && strings.HasSuffix(f.Text, dependsOn(up))
}

// CycleFinding returns the finding for tasks that depend on each other in a circle.
func CycleFinding(cycle []task.ID) report.Finding {
	return report.CodeDependencyCycle.Finding("", 0, "these tasks wait for each other: "+chain.Arrow(cycle))
}

// Closed reports whether a task is finished, so that its inputs no longer matter.
func Closed(s task.Status) bool {
	return s == task.StatusComplete || s == task.StatusCancelled || s == task.StatusDecomposed
}

// WaitingFor returns the dependencies of a task that are not complete or have no file. It reads no
// other tasks (D17).
func (p *Workspace) WaitingFor(ctx context.Context, r store.Reader, s *task.State) ([]task.ID, error) {
	var out []task.ID
	for _, id := range s.Meta.Dependencies {
		done, err := p.isDone(ctx, r, s.ID, id)
		if err != nil {
			return nil, err
		}
		if !done {
			out = append(out, id)
		}
	}
	return out, nil
}

func (p *Workspace) isDone(ctx context.Context, r store.Reader, self, id task.ID) (bool, error) {
	if id == self {
		return false, nil
	}
	for _, d := range p.SearchDirs(id) {
		h := p.ReadHead(ctx, r, File{Id: id, Name: d.StateFile(id), Dir: d})
		if h.Fault != nil {
			return false, h.Fault
		}
		if h.Exists {
			return h.Status() == task.StatusComplete, nil
		}
	}
	for _, name := range olderNames(id) {
		part, err := r.Head(ctx, name, 1)
		if err != nil || part.Exists {
			return err == nil, err
		}
	}
	return false, nil
}

// WaitingShown is WaitingFor for a page: an unreadable dependency counts as incomplete, and is no
// error. A finished task waits for nothing.
func (p *Workspace) WaitingShown(ctx context.Context, r store.Reader, s *task.State) ([]task.ID, error) {
	if Closed(s.Status()) {
		return nil, nil
	}
	var out []task.ID
	for _, id := range s.Meta.Dependencies {
		if done, _ := p.isDone(ctx, r, s.ID, id); !done {
			out = append(out, id)
		}
	}
	return out, ctx.Err()
}

// Waits reports whether a task is shown as waiting: its status is ready, but others must be
// completed first.
func Waits(g *chain.Graph, id task.ID) bool {
	n, _ := g.Node(id)
	return n.Status == task.StatusReady && len(g.WaitingFor(id)) > 0
}

// ChainGraph builds the graph of all tasks. Tasks that only have an older hand-off file count as
// complete.
func (p *Workspace) ChainGraph(
	ctx context.Context, r store.Reader, all []*Head, more ...chain.Node,
) (*chain.Graph, error) {
	nodes := make([]chain.Node, 0, len(all)+len(more))
	for _, h := range all {
		nodes = append(nodes, chain.Node{
			ID: h.ID, Title: h.State.Title, Status: h.Status(), After: h.State.Meta.Dependencies,
			Priority: h.State.Meta.Priority,
		})
	}
	return p.WithOlder(ctx, r, append(nodes, more...))
}

// WithOlder builds the graph of nodes and of tasks that only have an older hand-over file.
func (p *Workspace) WithOlder(ctx context.Context, r store.Reader, nodes []chain.Node) (*chain.Graph, error) {
	older, err := p.handedOver(ctx, r)
	if err != nil {
		return nil, err
	}
	if len(older) > 0 {
		known := make(map[task.ID]bool, len(nodes))
		for _, n := range nodes {
			known[n.ID] = true
		}
		for id := range older {
			if !known[id] {
				nodes = append(nodes, chain.Node{ID: id, Status: task.StatusComplete})
			}
		}
	}
	return chain.Build(nodes), nil
}

// All is what a command about all tasks needs.
type All struct {
	Tasks    []*Head
	Graph    *chain.Graph
	Book     *ClaimBook
	Findings []report.Finding

	Elsewhere Elsewhere // what other worktrees completed
}

// Everything reads all task files, their graph and the claims. While it builds the graph of a large
// project, it calls the functions in meanwhile with all tasks; they must not read r.
func (p *Workspace) Everything(
	ctx context.Context, r store.Reader, meanwhile ...func(all []*Head),
) (All, error) {
	all, findings, err := p.LoadAll(ctx, r)
	if err != nil {
		return All{}, err
	}
	var graph *chain.Graph
	var book *ClaimBook
	var doubts []report.Finding
	var where Elsewhere
	parallel.Both(len(all), func() {
		book, doubts = p.ClaimsNow(ctx)
		where = p.Elsewhere(ctx, book, StatusIn(all), AskNow)
		for _, do := range meanwhile {
			do(all)
		}
	}, func() { graph, err = p.ChainGraph(ctx, r, all) })
	if err != nil {
		return All{}, err
	}
	findings = slices.Concat(p.Settings().Warnings(), findings, doubts, where.Findings)
	return All{all, graph, book, findings, where}, nil
}

// StatusIn returns a function that looks up the status of a task; "" if it has no file. all are in
// order of ids.
func StatusIn(all []*Head) func(task.ID) task.Status {
	find := FindIn(all)
	return func(id task.ID) task.Status {
		if h := find(id); h != nil {
			return h.Status()
		}
		return ""
	}
}

// FindIn returns a function that finds a task, or returns nil. all are in order of ids.
func FindIn(all []*Head) func(task.ID) *Head {
	places := order.PlacesOf(len(all), func(i int) task.ID { return all[i].ID })
	return func(id task.ID) *Head {
		if i, ok := places.Find(id); ok {
			return all[i]
		}
		return nil
	}
}

// Unoffered returns a function that reports whether a task is not to be offered: it has a live
// claim, or is complete on another branch.
func (p *Workspace) Unoffered(book *ClaimBook, where Elsewhere) func(task.ID) bool {
	now := p.Now()
	return func(id task.ID) bool { _, live := book.Live(id, now); return live || where.Has(id) }
}
