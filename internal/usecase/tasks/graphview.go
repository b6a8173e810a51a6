package tasks

import (
	"context"
	"slices"

	"baton/internal/chain"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/workspace"
)

// statusMissing is the status in the graph of a dependency without a file.
const statusMissing = "missing"

// Graph returns all tasks with what they wait for, in topological order, and the problems of the
// graph (5.11.4).
func (p Tasks) Graph(ctx context.Context) (GraphResult, error) {
	if err := p.Need("task.graph"); err != nil {
		return GraphResult{}, err
	}
	a, err := p.Everything(ctx, p.Store)
	if err != nil {
		return GraphResult{}, err
	}
	out := GraphResult{
		Nodes: []GraphNode{}, Edges: []GraphEdge{}, Cycles: [][]task.ID{},
		Warnings: append([]report.Finding{}, a.Findings...),
	}
	if len(a.Tasks) == 0 {
		out.Warnings = slices.Concat(out.Warnings, p.O.Above.Losses(p.Workspace).GoneTaskFindings(ctx, nil))
	}
	var missing []chain.Node
	from := map[task.ID]task.ID{}
	for _, h := range a.Tasks {
		if h.State.Meta.From != "" {
			from[h.ID] = h.State.Meta.From
		}
		for _, id := range h.State.Meta.Dependencies {
			if _, known := a.Graph.Node(id); !known {
				missing = append(missing, chain.Node{ID: id, Status: statusMissing})
				out.Warnings = append(out.Warnings, workspace.MissingFinding(h.ID, id, h.Name))
			}
		}
	}
	full, err := p.ChainGraph(ctx, p.Store, a.Tasks, missing...)
	if err != nil {
		return GraphResult{}, err
	}
	taken, depths := p.Unoffered(a.Book, a.Elsewhere), full.Depths()
	for _, id := range full.Order() {
		n, _ := full.Node(id)
		node := GraphNode{
			ID: id, Title: n.Title, Status: string(n.Status), Ready: full.IsReady(id, taken),
			WaitingFor: openFor(full, id), Depth: depths[id],
			CompleteOn: a.Elsewhere.CompleteOn(id), StatusOn: a.Elsewhere.OpenOn(id),
		}
		node.State, node.From = StateOf(node.Status, node.WaitingFor), from[id]
		if !workspace.Closed(n.Status) {
			node.ReadyOnce = a.Elsewhere.Once(node.WaitingFor)
		}
		out.Nodes = append(out.Nodes, node)
		for _, down := range full.Dependents(id) {
			out.Edges = append(out.Edges, GraphEdge{From: id, To: down})
		}
		if slices.Contains(n.After, id) {
			out.Edges = append(out.Edges, GraphEdge{From: id, To: id})
		}
	}
	for _, cycle := range full.Cycles() {
		out.Cycles = append(out.Cycles, cycle)
		out.Warnings = append(out.Warnings, workspace.CycleFinding(cycle))
	}
	return out, nil
}

// GraphResult is the graph of tasks.
type GraphResult struct {
	Nodes    []GraphNode      `json:"tasks"` // topological order
	Edges    []GraphEdge      `json:"edges"`
	Cycles   [][]task.ID      `json:"cycles"`
	Warnings []report.Finding `json:"warnings"`
}

// GraphNode is one task of the graph. Status is "missing" for a dependency without a file.
type GraphNode struct {
	ID         task.ID   `json:"id"`
	Title      string    `json:"title"`
	Status     string    `json:"status"`
	State      string    `json:"state"` // as of a TaskRow, or "missing"
	Ready      bool      `json:"ready"`
	WaitingFor []task.ID `json:"waiting_for,omitempty"` // dependencies that are not complete, or missing
	Depth      int       `json:"depth"`                 // length of the longest path from a task without dependencies
	From       task.ID   `json:"discovered_from,omitempty"`

	CompleteOn *workspace.CompleteOn `json:"complete_on,omitempty"`
	ReadyOnce  *workspace.ReadyOnce  `json:"ready_once,omitempty"`
	StatusOn   *workspace.StatusOn   `json:"status_on,omitempty"`
}

// GraphEdge points from a task to one that depends on it.
type GraphEdge struct {
	From task.ID `json:"from"`
	To   task.ID `json:"to"`
}

// openFor returns the tasks for which a task of the graph waits; none if it is finished.
func openFor(g *chain.Graph, id task.ID) []task.ID {
	if n, _ := g.Node(id); workspace.Closed(n.Status) {
		return nil
	}
	return g.WaitingFor(id)
}
