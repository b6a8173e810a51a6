package chain

import (
	"iter"
	"slices"

	"baton/internal/task"
	"baton/internal/task/order"
)

// Node is one task of the graph.
type Node struct {
	ID     task.ID
	Title  string
	Status task.Status
	After  []task.ID // ids of the dependencies as the file lists them
	// the priority of the task; it only counts while the task can be started or waits
	Priority task.Priority
}

// rank orders tasks that could come next.
func (n *Node) rank() int {
	if n.Priority == "" || !Startable(n.Status) {
		return 0
	}
	return n.Priority.Rank()
}

// Graph is the tasks of a project and their dependencies. It does not change after Build.
type Graph struct {
	nodes  []Node // sorted by id
	places order.Places
	after  edges  // known dependencies of each node, without repetitions and without the node itself
	down   edges  // nodes that depend on each node
	loops  []bool // whether the node depends on itself
	ranked bool   // some node comes before or after others because of its priority
}

// edges has a list of positions for each node, all of them in one slice.
type edges struct {
	ends []int32 // where the list of each node ends
	to   []int
}

func (e *edges) of(at int) []int {
	from := int32(0)
	if at > 0 {
		from = e.ends[at-1]
	}
	return e.to[from:e.ends[at]]
}

// Build builds the graph. If two nodes have the same id, the first one counts. The graph keeps
// nodes, and sorts it.
func Build(nodes []Node) *Graph {
	order.ByID(nodes, func(n Node) task.ID { return n.ID })
	nodes = slices.CompactFunc(nodes, func(a, b Node) bool { return a.ID == b.ID })
	g := &Graph{nodes: nodes, loops: make([]bool, len(nodes))}
	g.places = order.PlacesOf(len(nodes), func(i int) task.ID { return nodes[i].ID })
	g.after.ends = make([]int32, len(nodes))
	for i := range nodes {
		from := len(g.after.to)
		for _, id := range nodes[i].After {
			up, known := g.places.Find(id)
			switch {
			case known && up == i:
				g.loops[i] = true
			case known:
				g.after.to = append(g.after.to, up)
			}
		}
		slices.Sort(g.after.to[from:])
		g.after.to = append(g.after.to[:from], slices.Compact(g.after.to[from:])...)
		g.after.ends[i] = int32(len(g.after.to))
		g.ranked = g.ranked || nodes[i].rank() != 0
	}
	g.down = g.after.reversed()
	return g
}

// reversed returns the edges in the other direction. Each list is in ascending order.
func (e *edges) reversed() edges {
	back := edges{make([]int32, len(e.ends)), make([]int, len(e.to))}
	for _, to := range e.to {
		back.ends[to]++
	}
	sum := int32(0)
	for i, n := range back.ends { // first where each list begins
		back.ends[i] = sum
		sum += n
	}
	for i := range e.ends {
		for _, to := range e.of(i) {
			back.to[back.ends[to]] = i
			back.ends[to]++
		}
	}
	return back
}

// Node returns one task; ok is false if there is none with this id.
func (g *Graph) Node(id task.ID) (Node, bool) {
	i, ok := g.places.Find(id)
	if !ok {
		return Node{}, false
	}
	return g.nodes[i], true
}

// Order returns all tasks such that each comes after its dependencies. Among the tasks that could
// come next, the one with the highest priority is first, and among these the one with the smallest
// id (D17, D52). Tasks in a cycle, and tasks that wait for
// them, come last in order of ids.
func (g *Graph) Order() []task.ID {
	out := make([]task.ID, 0, len(g.nodes))
	for id := range g.InOrder() {
		out = append(out, id)
	}
	return out
}

// InOrder returns the tasks one by one, in the same order as Order.
func (g *Graph) InOrder() iter.Seq[task.ID] {
	return func(yield func(task.ID) bool) {
		g.order(func(at int) bool { return yield(g.nodes[at].ID) })
	}
}

// order calls yield with the position of each node in the order of Order.
func (g *Graph) order(yield func(at int) bool) {
	if g.ranked {
		g.byRank(yield)
		return
	}
	waits := make([]int32, len(g.nodes))
	for i := range g.nodes {
		waits[i] = int32(len(g.after.of(i)))
	}
	var freed heap // nodes that waited for others
	placed := func(at int) bool {
		waits[at] = -1
		for _, d := range g.down.of(at) {
			if waits[d]--; waits[d] == 0 {
				freed.push(d)
			}
		}
		return yield(at)
	}
	for i := range g.nodes {
		if len(g.after.of(i)) > 0 {
			continue
		}
		for len(freed) > 0 && freed[0] < i {
			if !placed(freed.pop()) {
				return
			}
		}
		if !placed(i) {
			return
		}
	}
	for len(freed) > 0 {
		if !placed(freed.pop()) {
			return
		}
	}
	for i := range g.nodes {
		if waits[i] >= 0 && !yield(i) {
			return
		}
	}
}

// byRank is order for graphs in which priorities differ.
func (g *Graph) byRank(yield func(at int) bool) {
	n := len(g.nodes)
	waits := make([]int32, n)
	var next heap // nodes that could come next, by priority and place
	key := func(at int) int { return (g.nodes[at].rank()+1)*n + at }
	for i := range g.nodes {
		if waits[i] = int32(len(g.after.of(i))); waits[i] == 0 {
			next.push(key(i))
		}
	}
	for len(next) > 0 {
		at := next.pop() % n
		waits[at] = -1
		for _, d := range g.down.of(at) {
			if waits[d]--; waits[d] == 0 {
				next.push(key(d))
			}
		}
		if !yield(at) {
			return
		}
	}
	for i := range g.nodes {
		if waits[i] >= 0 && !yield(i) {
			return
		}
	}
}

// Depths returns, for each task, the length of the longest chain that leads to it from a task
// without dependencies. It is 0 for tasks without dependencies. In a cycle, only tasks before the
// cycle count.
func (g *Graph) Depths() map[task.ID]int {
	depths := make(map[task.ID]int, len(g.nodes))
	g.order(func(at int) bool {
		deep := 0
		for _, up := range g.after.of(at) {
			if d, ok := depths[g.nodes[up].ID]; ok {
				deep = max(deep, d+1)
			}
		}
		depths[g.nodes[at].ID] = deep
		return true
	})
	return depths
}

// Dependents returns the tasks that depend directly on a task, sorted by id.
func (g *Graph) Dependents(id task.ID) []task.ID {
	at, ok := g.places.Find(id)
	if !ok {
		return g.missing(id)
	}
	return g.names(g.down.of(at))
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
