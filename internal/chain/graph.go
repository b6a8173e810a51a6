package chain

import (
	"slices"

	"baton/internal/sorting"
	"baton/internal/task"
)

// Node is one task of the graph.
type Node struct {
	ID     task.ID
	Title  string
	Status task.Status
	After  []task.ID // ids of the dependencies as the file lists them
}

// Graph is the tasks of a project and their dependencies. It does not change after Build.
type Graph struct {
	nodes []Node          // sorted by id
	index map[task.ID]int // position in nodes
	after [][]int         // known dependencies of each node, without repetitions and without the node itself
	down  [][]int         // nodes that depend on each node
	loops []bool          // whether the node depends on itself
}

// Build builds the graph. If two nodes have the same id, the first one counts.
func Build(nodes []Node) *Graph {
	g := &Graph{nodes: slices.Clone(nodes), index: make(map[task.ID]int, len(nodes))}
	sorting.By(g.nodes, func(a, b Node) int { return task.CompareIDs(a.ID, b.ID) })
	g.nodes = slices.CompactFunc(g.nodes, func(a, b Node) bool { return a.ID == b.ID })
	for i, n := range g.nodes {
		g.index[n.ID] = i
	}
	g.after = make([][]int, len(g.nodes))
	g.down = make([][]int, len(g.nodes))
	g.loops = make([]bool, len(g.nodes))
	for i, n := range g.nodes {
		var ups []int
		for _, id := range n.After {
			up, known := g.index[id]
			switch {
			case known && up == i:
				g.loops[i] = true
			case known:
				ups = append(ups, up)
			}
		}
		slices.Sort(ups)
		g.after[i] = slices.Compact(ups)
		for _, up := range g.after[i] {
			g.down[up] = append(g.down[up], i)
		}
	}
	return g
}

// Node returns one task; ok is false if there is none with this id.
func (g *Graph) Node(id task.ID) (Node, bool) {
	i, ok := g.index[id]
	if !ok {
		return Node{}, false
	}
	return g.nodes[i], true
}

// Order returns all tasks such that each comes after its dependencies. Among the tasks that could
// come next, the one with the smallest id is first (D17). Tasks in a cycle, and tasks that wait for
// them, come last in order of ids.
func (g *Graph) Order() []task.ID {
	order := g.order()
	out := make([]task.ID, len(order))
	for i, at := range order {
		out[i] = g.nodes[at].ID
	}
	return out
}

func (g *Graph) order() []int {
	waits := make([]int, len(g.nodes))
	var free heap
	for i := range g.nodes {
		waits[i] = len(g.after[i])
		if waits[i] == 0 {
			free.push(i)
		}
	}
	order := make([]int, 0, len(g.nodes))
	placed := make([]bool, len(g.nodes))
	for len(free) > 0 {
		at := free.pop()
		order, placed[at] = append(order, at), true
		for _, d := range g.down[at] {
			if waits[d]--; waits[d] == 0 {
				free.push(d)
			}
		}
	}
	for i := range g.nodes {
		if !placed[i] {
			order = append(order, i)
		}
	}
	return order
}

// Depths returns, for each task, the length of the longest chain that leads to it from a task
// without dependencies. It is 0 for tasks without dependencies. In a cycle, only tasks before the
// cycle count.
func (g *Graph) Depths() map[task.ID]int {
	depths := make(map[task.ID]int, len(g.nodes))
	for _, at := range g.order() {
		deep := 0
		for _, up := range g.after[at] {
			if d, ok := depths[g.nodes[up].ID]; ok {
				deep = max(deep, d+1)
			}
		}
		depths[g.nodes[at].ID] = deep
	}
	return depths
}

// Dependents returns the tasks that depend directly on a task, sorted by id.
func (g *Graph) Dependents(id task.ID) []task.ID {
	at, ok := g.index[id]
	if !ok {
		return g.missing(id)
	}
	return g.names(g.down[at])
}

// missing returns the tasks that depend on an id without a task.
func (g *Graph) missing(id task.ID) []task.ID {
	var out []task.ID
	for _, n := range g.nodes {
		if slices.Contains(n.After, id) {
			out = append(out, n.ID)
		}
	}
	return out
}

func (g *Graph) names(at []int) []task.ID {
	out := make([]task.ID, len(at))
	for i, n := range at {
		out[i] = g.nodes[n].ID
	}
	return out
}

// heap is a priority queue of positions, smallest first. Nodes are sorted by id, so the smallest
// position is the smallest id.
type heap []int

func (h *heap) push(v int) {
	*h = append(*h, v)
	s := *h
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 2
		if s[up] <= s[i] {
			return
		}
		s[up], s[i] = s[i], s[up]
		i = up
	}
}

func (h *heap) pop() int {
	s := *h
	top := s[0]
	s[0] = s[len(s)-1]
	s = s[:len(s)-1]
	for i := 0; ; {
		low := 2*i + 1
		if low >= len(s) {
			break
		}
		if low+1 < len(s) && s[low+1] < s[low] {
			low++
		}
		if s[i] <= s[low] {
			break
		}
		s[i], s[low] = s[low], s[i]
		i = low
	}
	*h = s
	return top
}
