package chain

import (
	"baton/internal/task"
)

// Startable reports whether a task with this status can be started: it is ready or in progress
// (D17).
func Startable(status task.Status) bool {
	return status == task.StatusReady || status == task.StatusInProgress
}

// WaitingFor returns the dependencies of a task that are not complete or do not exist, in the order
// of its file (D17). A task that depends on itself waits for itself.
func (g *Graph) WaitingFor(id task.ID) []task.ID {
	at, ok := g.places.Find(id)
	if !ok || len(g.nodes[at].After) == 0 {
		return nil
	}
	var out []task.ID
	seen := map[task.ID]bool{}
	for _, up := range g.nodes[at].After {
		i, known := g.places.Find(up)
		if (!known || g.nodes[i].Status != task.StatusComplete || i == at) && !seen[up] {
			seen[up] = true
			out = append(out, up)
		}
	}
	return out
}

// IsReady reports whether a task can be started: its status is ready or in progress, every
// dependency is complete, and nobody has claimed it. A ready task that somebody has claimed is not
// ready for anybody else (D17).
func (g *Graph) IsReady(id task.ID, claimed func(task.ID) bool) bool {
	at, ok := g.places.Find(id)
	if !ok || !Startable(g.nodes[at].Status) || len(g.WaitingFor(id)) > 0 {
		return false
	}
	return claimed == nil || !claimed(id)
}

// Ready returns the tasks that can be started, sorted as in Order.
func (g *Graph) Ready(claimed func(task.ID) bool) []task.ID {
	var out []task.ID
	for id := range g.InOrder() {
		if g.IsReady(id, claimed) {
			out = append(out, id)
		}
	}
	return out
}
