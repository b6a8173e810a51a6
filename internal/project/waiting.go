package project

import (
	"context"
	"slices"

	"baton/internal/chain"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
)

// waitingFor gives the dependencies of one task that are not complete or have no file, reading only those (D17).
func (p *Project) waitingFor(ctx context.Context, r store.Reader, s *task.State) ([]task.ID, error) {
	var out []task.ID
	for _, id := range s.Meta.Dependencies {
		if slices.Contains(out, id) {
			continue
		}
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

func (p *Project) isDone(ctx context.Context, r store.Reader, self, id task.ID) (bool, error) {
	if id == self {
		return false, nil
	}
	for _, d := range p.searchDirs(id) {
		h := p.readHead(ctx, r, file{id: id, name: d.state(id), dir: d})
		if h.Fault != nil {
			return false, h.Fault
		}
		if h.exists {
			return h.status() == task.StatusComplete, nil
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

// waitingShown is waitingFor for a page: a dependency that cannot be read is waited for, and nothing is refused. A task
// that is done with waits for nothing.
func (p *Project) waitingShown(ctx context.Context, r store.Reader, s *task.State) ([]task.ID, error) {
	if closed(s.Status()) {
		return nil, nil
	}
	var out []task.ID
	for _, id := range s.Meta.Dependencies {
		if done, _ := p.isDone(ctx, r, s.ID, id); !done && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out, ctx.Err()
}

// openFor gives what a task of the graph waits for, nothing for one that is done with.
func openFor(g *chain.Graph, id task.ID) []task.ID {
	if n, _ := g.Node(id); closed(n.Status) {
		return nil
	}
	return g.WaitingFor(id)
}

// waits says whether a task is called waiting: its word is ready, and others have to be complete first.
func waits(g *chain.Graph, id task.ID) bool {
	n, _ := g.Node(id)
	return n.Status == task.StatusReady && len(g.WaitingFor(id)) > 0
}

// graph builds the graph of all tasks. Tasks that only an older hand-over file knows count as complete.
func (p *Project) graph(ctx context.Context, r store.Reader, heads []*head, more ...chain.Node) (*chain.Graph, error) {
	nodes := make([]chain.Node, 0, len(heads)+len(more))
	known := make(map[task.ID]bool, len(heads))
	for _, h := range heads {
		known[h.ID] = true
		nodes = append(nodes, chain.Node{ID: h.ID, Title: h.State.Title, Status: h.status(), After: h.State.Meta.Dependencies})
	}
	nodes = append(nodes, more...)
	older, err := p.handedOver(ctx, r)
	if err != nil {
		return nil, err
	}
	for id := range older {
		if !known[id] {
			nodes = append(nodes, chain.Node{ID: id, Status: task.StatusComplete})
		}
	}
	return chain.Build(nodes), nil
}

// all is everything that a command over all tasks needs.
type all struct {
	heads    []*head
	graph    *chain.Graph
	book     *claimBook
	findings []report.Finding
}

// everything reads the heads of all tasks, the graph and the claims.
func (p *Project) everything(ctx context.Context, r store.Reader) (all, error) {
	heads, findings, err := p.loadAll(ctx, r)
	if err != nil {
		return all{}, err
	}
	graph, err := p.graph(ctx, r, heads)
	if err != nil {
		return all{}, err
	}
	book, doubts := p.claimsNow(ctx)
	findings = slices.Concat(p.config().warnings(), findings, doubts)
	return all{heads, graph, book, findings}, nil
}

// claimed answers chain's question from the claims.
func (p *Project) claimed(book *claimBook) func(task.ID) bool {
	now := p.now()
	return func(id task.ID) bool { _, live := book.live(id, now); return live }
}
