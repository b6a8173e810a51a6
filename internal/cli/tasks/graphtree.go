package tasks

import (
	"strings"

	"baton/internal/cli/app"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
)

// graphTree prints the chain as a tree: a task stands below the last of its dependencies in
// dependency order, so that everything it waits for is above it; its other dependencies are named
// beside it.
func graphTree(p *app.Page, g tasks.GraphResult) {
	p.Remarks = g.Warnings
	if len(g.Nodes) == 0 {
		p.Line(app.Plain, "%s", noTasksSeen(g.Warnings))
		return
	}
	t := plant(g)
	for i := range g.Nodes {
		if t.parent[i] < 0 {
			t.branch(p, i, 0, "", "")
			t.rest(p)
		}
	}
	for _, cycle := range g.Cycles {
		words := make([]string, 0, len(cycle))
		for _, id := range cycle {
			words = append(words, id.Ref())
		}
		p.Line(app.Bad, "cycle: %s", strings.Join(words, " "+p.Marks().Then+" "))
	}
}

// tree is the graph with one parent per node, all as positions in dependency order.
type tree struct {
	nodes    []tasks.GraphNode
	parent   []int // -1 for a root
	children [][]int
	also     [][]int // dependencies besides the parent
	cut      []int   // printed so deep that what hangs below begins at the margin again
}

// deepest is how many levels are indented before the tree begins at the margin again: in a long
// chain the blanks in front of the tasks would be nearly all that is printed.
const deepest = 20

func plant(g tasks.GraphResult) *tree {
	at := make(map[task.ID]int, len(g.Nodes))
	for i, n := range g.Nodes {
		at[n.ID] = i
	}
	t := &tree{
		nodes:    g.Nodes,
		parent:   make([]int, len(g.Nodes)),
		children: make([][]int, len(g.Nodes)),
		also:     make([][]int, len(g.Nodes)),
	}
	for i := range t.parent {
		t.parent[i] = -1
	}
	// Edges that point backwards in the order are part of a cycle and make no branch.
	for _, e := range g.Edges {
		from, known := at[e.From]
		to, target := at[e.To]
		if known && target && from < to {
			t.parent[to] = max(t.parent[to], from)
		}
	}
	for _, e := range g.Edges {
		from, known := at[e.From]
		to, target := at[e.To]
		if known && target && from != t.parent[to] {
			t.also[to] = append(t.also[to], from)
		}
	}
	for i, parent := range t.parent {
		if parent >= 0 {
			t.children[parent] = append(t.children[parent], i)
		}
	}
	return t
}

// branch prints one task and what hangs below it, down to the deepest level.
func (t *tree) branch(p *app.Page, i, depth int, lead, below string) {
	n := t.nodes[i]
	m := p.Marks()
	mark, tone := nodeMark(m, n)
	state := nodeWord(n)
	switch {
	case n.CompleteOn != nil:
		state = n.CompleteOn.Words
	case n.ReadyOnce != nil:
		state += ", " + n.ReadyOnce.Words()
	case n.Ready:
		state = n.Status + ", can be started"
	}
	if n.StatusOn != nil {
		state += ", " + n.StatusOn.Words
	}
	if len(t.also[i]) > 0 {
		ids := make([]task.ID, 0, len(t.also[i]))
		for _, other := range t.also[i] {
			ids = append(ids, t.nodes[other].ID)
		}
		state += "  (also after " + refs(ids) + ")"
	}
	p.Add(app.Faint, lead).Add(tone, mark+" ").Add(app.Strong, n.ID.Ref()).Add(app.Plain, " "+n.Title)
	p.Rest(app.Faint, below+t.trunk(m, i), lead+mark+" "+n.ID.Ref()+" "+n.Title, state)
	if depth >= deepest && len(t.children[i]) > 0 {
		p.Add(app.Faint, below+m.Last+m.More+" "+n.ID.Ref()+" "+m.Away).End()
		t.cut = append(t.cut, i)
		return
	}
	t.below(p, i, depth, below)
}

// trunk returns the indent of the further lines of a task, below its mark.
func (t *tree) trunk(m *app.Marks, i int) string {
	if len(t.children[i]) > 0 {
		return m.Trunk + " "
	}
	return "    "
}

// below prints what hangs below a task.
func (t *tree) below(p *app.Page, i, depth int, below string) {
	m := p.Marks()
	for k, child := range t.children[i] {
		if k == len(t.children[i])-1 {
			t.branch(p, child, depth+1, below+m.Last, below+"   ")
		} else {
			t.branch(p, child, depth+1, below+m.Fork, below+m.Trunk)
		}
	}
}

// rest prints the branches that were cut off, each behind the task that it hangs below.
func (t *tree) rest(p *app.Page) {
	for len(t.cut) > 0 {
		i := t.cut[0]
		t.cut = t.cut[1:]
		p.Add(app.Faint, p.Marks().More+" "+t.nodes[i].ID.Ref()+" "+p.Marks().Away).End()
		t.below(p, i, 0, "")
	}
}

// nodeWord returns the status as lists call it.
func nodeWord(n tasks.GraphNode) string {
	word, _ := app.TaskStatus(tasks.TaskRow{Status: n.Status, Ready: n.Ready, WaitingFor: n.WaitingFor})
	return word
}

func nodeMark(m *app.Marks, n tasks.GraphNode) (string, app.Tone) {
	switch {
	case n.Status == "complete":
		return m.Done, app.Good
	case n.Status == "missing":
		return "?", app.Bad
	case n.Status == "blocked", n.Status == "cancelled":
		return m.Failed, app.Bad
	case n.Ready:
		return m.Free, app.Accent
	case n.Status == "in_progress", n.Status == "in_review":
		return m.Busy, app.Accent
	}
	return m.Dot, app.Faint
}
