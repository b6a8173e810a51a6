package project

import (
	"context"
	"slices"

	"baton/internal/chain"
	"baton/internal/report"
	"baton/internal/task"
)

// statusMissing is how the graph shows a dependency that no file has.
const statusMissing = "missing"

// Graph gives all tasks with what they wait for, in topological order, and what is wrong with it (5.11.4).
func (p *Project) Graph(ctx context.Context) (GraphResult, error) {
	if err := p.need("task.graph"); err != nil {
		return GraphResult{}, err
	}
	a, err := p.everything(ctx, p.store)
	if err != nil {
		return GraphResult{}, err
	}
	out := GraphResult{Nodes: []GraphNode{}, Edges: []GraphEdge{}, Cycles: [][]task.ID{}, Warnings: append([]report.Finding{}, a.findings...)}
	if len(a.heads) == 0 {
		out.Warnings = slices.Concat(out.Warnings, p.o.above.Losses(p).goneTaskFindings(ctx, nil))
	}
	var missing []chain.Node
	for _, h := range a.heads {
		for _, id := range h.State.Meta.Dependencies {
			if _, known := a.graph.Node(id); !known {
				missing = append(missing, chain.Node{ID: id, Status: statusMissing})
				out.Warnings = append(out.Warnings, missingFinding(h.ID, id, h.Name))
			}
		}
	}
	full, err := p.graph(ctx, p.store, a.heads, missing...)
	if err != nil {
		return GraphResult{}, err
	}
	claimed, depths := p.claimed(a.book), full.Depths()
	for _, id := range full.Order() {
		n, _ := full.Node(id)
		out.Nodes = append(out.Nodes, GraphNode{
			ID: id, Title: n.Title, Status: string(n.Status), Ready: full.IsReady(id, claimed), WaitingFor: openFor(full, id), Depth: depths[id],
		})
		for _, down := range full.Dependents(id) {
			out.Edges = append(out.Edges, GraphEdge{From: id, To: down})
		}
		if slices.Contains(n.After, id) {
			out.Edges = append(out.Edges, GraphEdge{From: id, To: id})
		}
	}
	for _, cycle := range full.Cycles() {
		out.Cycles = append(out.Cycles, cycle)
		out.Warnings = append(out.Warnings, cycleFinding(cycle))
	}
	return out, nil
}

func missingFinding(id, up task.ID, name string) report.Finding {
	return report.Finding{
		Code: "dependency_missing", Severity: report.Warning, Path: name,
		Text: "task " + id.Ref() + " depends on " + up.Ref() + ", which no task file has",
	}
}

func cycleFinding(cycle []task.ID) report.Finding {
	return report.Finding{
		Code: "dependency_cycle", Severity: report.Severe, Text: "these tasks wait for each other: " + chain.Arrow(cycle),
	}
}
