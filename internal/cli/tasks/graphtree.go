package tasks

import (
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"baton/internal/cli/app"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
)

// A tree has at most mostLevels levels below its roots, and leaves at least leastTitle columns for
// the titles. Otherwise the blanks in front of the tasks would take most of the page.
const (
	mostLevels = 6
	leastTitle = 30
)

// graphTree prints the chain as a tree: a task stands below the last of its dependencies in
// dependency order, so that everything it waits for is above it; its other dependencies are named
// beside it. Chains that are too deep for a tree become a numbered list.
func graphTree(p *app.Page, g tasks.GraphResult) {
	p.Remarks = g.Warnings
	if len(g.Nodes) == 0 {
		p.Line(app.Plain, "%s", noTasksSeen(g.Warnings))
		return
	}
	t := plant(g)
	deepest := t.deepest()
	if deepest > mostLevels || p.Width > 0 && p.Width-3*deepest < leastTitle {
		graphList(p, g)
	} else {
		for i := range g.Nodes {
			if t.parent[i] < 0 {
				t.branch(p, i, "", "")
			}
		}
	}
	for _, cycle := range g.Cycles {
		words := make([]string, 0, len(cycle))
		for _, id := range cycle {
			words = append(words, id.Ref())
		}
		p.Wrapped(app.Bad, "cycle: "+strings.Join(words, " "+p.Marks().Then+" "))
	}
}

// graphList prints the tasks in dependency order, each with those that it comes after.
func graphList(p *app.Page, g tasks.GraphResult) {
	after := make(map[task.ID][]task.ID, len(g.Nodes))
	for _, e := range g.Edges {
		after[e.To] = append(after[e.To], e.From)
	}
	size := len(strconv.Itoa(len(g.Nodes)))
	for i, n := range g.Nodes {
		// The edges are in dependency order; the last dependency is the nearest one.
		ids := after[n.ID]
		state := nodeState(n)
		if len(ids) > 0 {
			nearest := make([]task.ID, 0, len(ids))
			for k := len(ids) - 1; k >= 0; k-- {
				nearest = append(nearest, ids[k])
			}
			state += "  after " + refs(nearest)
		}
		lead := app.Ordinal(i+1, len(g.Nodes)) + ". "
		nodeLine(p, n, lead, strings.Repeat(" ", size+4), state+found(n))
	}
}

// tree is the graph with one parent per node, all as positions in dependency order.
type tree struct {
	nodes    []tasks.GraphNode
	parent   []int // -1 for a root
	children [][]int
	also     [][]int // dependencies besides the parent
}

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

// deepest returns how many levels the tree has below its roots.
func (t *tree) deepest() int {
	deepest, depth := 0, make([]int, len(t.nodes))
	for i, parent := range t.parent {
		if parent >= 0 {
			depth[i] = depth[parent] + 1 // a parent comes first
			deepest = max(deepest, depth[i])
		}
	}
	return deepest
}

// branch prints one task and what hangs below it.
func (t *tree) branch(p *app.Page, i int, lead, below string) {
	n, m := t.nodes[i], p.Marks()
	state := nodeState(n)
	if len(t.also[i]) > 0 {
		ids := make([]task.ID, 0, len(t.also[i]))
		for _, other := range t.also[i] {
			ids = append(ids, t.nodes[other].ID)
		}
		state += "  (also after " + refs(ids) + ")"
	}
	indent := "    "
	if len(t.children[i]) > 0 {
		indent = m.Trunk + " "
	}
	nodeLine(p, n, lead, below+indent, state+found(n))
	for k, child := range t.children[i] {
		if k == len(t.children[i])-1 {
			t.branch(p, child, below+m.Last, below+"   ")
		} else {
			t.branch(p, child, below+m.Fork, below+m.Trunk)
		}
	}
}

// nodeLine prints one task and its state. On a terminal, the title is cut so that the state fits
// behind it, unless less than half of the width would be left; then the state goes below.
func nodeLine(p *app.Page, n tasks.GraphNode, lead, below, state string) {
	mark, tone := nodeMark(p.Marks(), n)
	title := safetext.Visible(n.Title)
	if p.Width > 0 {
		room := p.Width - displaywidth.String(lead+mark+" "+n.ID.Ref()+" ")
		if left := room - displaywidth.String(state) - 2; left >= min(displaywidth.String(title), p.Width/2) {
			room = left
		}
		title = safetext.Columns(title, max(room, 1))
	}
	if title != "" {
		title = " " + title
	}
	p.Add(app.Faint, lead).Add(tone, mark+" ").Add(app.Strong, n.ID.Ref()).Add(app.Plain, title)
	p.Rest(app.Faint, below, lead+mark+" "+n.ID.Ref()+title, state)
}

// nodeState says in words how a task stands.
func nodeState(n tasks.GraphNode) string {
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
	return state
}

// found says during which task a task was found.
func found(n tasks.GraphNode) string {
	if n.From == "" {
		return ""
	}
	return "  (found during " + n.From.Ref() + ")"
}

// nodeWord returns the status as lists call it.
func nodeWord(n tasks.GraphNode) string { return tasks.StateOf(n.Status, n.WaitingFor) }

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
