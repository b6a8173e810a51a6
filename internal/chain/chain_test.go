package chain

import (
	"slices"
	"strconv"
	"testing"

	"baton/internal/task"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func node(id task.ID, status task.Status, after ...task.ID) Node {
	return Node{ID: id, Title: "Task " + string(id), Status: status, After: after}
}

func TestD17_OrderIsTopologicalThenNumbersThenTexts(t *testing.T) {
	t.Parallel()
	g := Build([]Node{
		node("PROJ-2", task.StatusReady), node("10", task.StatusReady), node("9", task.StatusReady, "10"),
		node("2", task.StatusReady, "PROJ-2"), node("PROJ-10", task.StatusReady),
	})
	want := []task.ID{"10", "9", "PROJ-10", "PROJ-2", "2"}
	if diff := cmp.Diff(want, g.Order()); diff != "" {
		t.Error(diff)
	}
}

func TestD17_Ready(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		node    Node
		up      task.Status
		claimed bool
		want    bool
	}{
		{name: "ready and nothing to wait for", node: node("2", task.StatusReady), want: true},
		{name: "in progress without a claim", node: node("2", task.StatusInProgress), want: true},
		{name: "claimed", node: node("2", task.StatusReady), claimed: true},
		{name: "in progress and claimed", node: node("2", task.StatusInProgress), claimed: true},
		{name: "dependency complete", node: node("2", task.StatusReady, "1"), up: task.StatusComplete, want: true},
		{name: "dependency open", node: node("2", task.StatusReady, "1"), up: task.StatusInProgress},
		{name: "dependency cancelled", node: node("2", task.StatusReady, "1"), up: task.StatusCancelled},
		{name: "dependency decomposed", node: node("2", task.StatusReady, "1"), up: task.StatusDecomposed},
		{name: "dependency with an unknown word", node: node("2", task.StatusReady, "1"), up: "parked"},
		{name: "dependency missing", node: node("2", task.StatusReady, "7")},
		{name: "waits for itself", node: node("2", task.StatusReady, "2")},
		{name: "backlog", node: node("2", task.StatusBacklog)},
		{name: "blocked", node: node("2", task.StatusBlocked)},
		{name: "in review", node: node("2", task.StatusInReview)},
		{name: "cancelled", node: node("2", task.StatusCancelled)},
		{name: "decomposed", node: node("2", task.StatusDecomposed)},
		{name: "complete", node: node("2", task.StatusComplete)},
		{name: "unknown word", node: node("2", "parked")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := Build([]Node{tt.node, node("1", tt.up)})
			claimed := func(id task.ID) bool { return id == "2" && tt.claimed }
			if got := slices.Contains(g.Ready(claimed), "2"); got != tt.want {
				t.Errorf("ready %v, want %v", got, tt.want)
			}
		})
	}
}

func TestWaitingForNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	g := Build([]Node{
		node("1", task.StatusComplete), node("2", task.StatusReady), node("3", task.StatusCancelled),
		node("4", task.StatusReady, "3", "9", "1", "2", "9"),
	})
	if diff := cmp.Diff([]task.ID{"3", "9", "2"}, g.WaitingFor("4")); diff != "" {
		t.Error(diff)
	}
	if got := g.WaitingFor("unknown"); got != nil {
		t.Errorf("waiting for %v", got)
	}
}

func TestTS42_DiamondAndCycles(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		nodes  []Node
		order  []task.ID
		cycles [][]task.ID
	}{
		{
			name:  "diamond",
			nodes: []Node{node("1", ""), node("2", "", "1"), node("3", "", "1"), node("4", "", "3", "2")},
			order: []task.ID{"1", "2", "3", "4"},
		},
		{
			name:   "two that wait for each other",
			nodes:  []Node{node("101", "", "102"), node("102", "", "101"), node("5", "")},
			order:  []task.ID{"5", "101", "102"},
			cycles: [][]task.ID{{"101", "102", "101"}},
		},
		{
			name:   "self",
			nodes:  []Node{node("1", "", "1")},
			order:  []task.ID{"1"},
			cycles: [][]task.ID{{"1", "1"}},
		},
		{
			name:   "shortest way round",
			nodes:  []Node{node("1", "", "2", "4"), node("2", "", "3"), node("3", "", "1"), node("4", "", "1")},
			order:  []task.ID{"1", "2", "3", "4"},
			cycles: [][]task.ID{{"1", "4", "1"}},
		},
		{
			name:   "two circles",
			nodes:  []Node{node("7", "", "8"), node("8", "", "7", "1"), node("1", "", "2"), node("2", "", "1")},
			order:  []task.ID{"1", "2", "7", "8"},
			cycles: [][]task.ID{{"1", "2", "1"}, {"7", "8", "7"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := Build(tt.nodes)
			if diff := cmp.Diff(tt.order, g.Order()); diff != "" {
				t.Errorf("order: %s", diff)
			}
			if diff := cmp.Diff(tt.cycles, g.Cycles()); diff != "" {
				t.Errorf("cycles: %s", diff)
			}
		})
	}
}

func TestPathToAndArrow(t *testing.T) {
	t.Parallel()
	g := Build([]Node{node("1", ""), node("2", "", "1"), node("3", "", "2", "1"), node("4", "", "3")})
	tests := []struct {
		from, to task.ID
		want     string
	}{
		{"4", "1", "#4 → #3 → #1"},
		{"3", "3", "#3"},
		{"1", "4", ""},
		{"1", "nobody", ""},
	}
	for _, tt := range tests {
		if got := Arrow(g.PathTo(tt.from, tt.to)); got != tt.want {
			t.Errorf("from %s to %s: %q, want %q", tt.from, tt.to, got, tt.want)
		}
	}
	if diff := cmp.Diff([]task.ID{"2", "3"}, g.Dependents("1")); diff != "" {
		t.Error(diff)
	}
	if d := g.Depths(); d["1"] != 0 || d["3"] != 2 || d["4"] != 3 {
		t.Errorf("depths %v", d)
	}
}

func TestDependentsOfAMissingTask(t *testing.T) {
	t.Parallel()
	g := Build([]Node{node("1", "", "9"), node("2", "")})
	if diff := cmp.Diff([]task.ID{"1"}, g.Dependents("9")); diff != "" {
		t.Error(diff)
	}
}

func TestFirstOfTwoNodesCounts(t *testing.T) {
	t.Parallel()
	g := Build([]Node{node("1", task.StatusComplete), node("1", task.StatusReady)})
	if n, ok := g.Node("1"); !ok || n.Status != task.StatusComplete || len(g.Order()) != 1 {
		t.Errorf("node %+v %v", n, ok)
	}
}

// graphs draws small graphs with known and unknown dependencies, self-references and cycles.
func graphs(t *rapid.T) []Node {
	n := rapid.IntRange(0, 12).Draw(t, "n")
	statuses := []task.Status{task.StatusReady, task.StatusInProgress, task.StatusComplete, task.StatusBlocked, "odd"}
	nodes := make([]Node, n)
	for i := range nodes {
		nodes[i].ID = task.ID(strconv.Itoa(i + 1))
		nodes[i].Status = rapid.SampledFrom(statuses).Draw(t, "status")
		for _, up := range rapid.SliceOfN(rapid.IntRange(1, n+2), 0, 4).Draw(t, "after") {
			nodes[i].After = append(nodes[i].After, task.ID(strconv.Itoa(up)))
		}
	}
	return nodes
}

func TestPropertyOrderHoldsEveryTaskOnceAfterItsDependencies(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nodes := graphs(t)
		g := Build(nodes)
		order := g.Order()
		if len(order) != len(nodes) {
			t.Fatalf("%d of %d tasks", len(order), len(nodes))
		}
		at := map[task.ID]int{}
		for i, id := range order {
			if _, twice := at[id]; twice {
				t.Fatalf("%s stands twice", id)
			}
			at[id] = i
		}
		inCircle := map[task.ID]bool{}
		for _, n := range nodes {
			inCircle[n.ID] = leadsTo(g, n.ID, n.ID)
		}
		for _, n := range nodes {
			for _, up := range n.After {
				_, known := at[up]
				if known && up != n.ID && !stuck(g, n.ID, inCircle) && at[up] > at[n.ID] {
					t.Fatalf("%s comes before %s, which it depends on", n.ID, up)
				}
			}
		}
	})
}

// leadsTo reports whether a task depends on another one, directly or indirectly. A task depends on itself only if it is
// part of a cycle.
func leadsTo(g *Graph, up, id task.ID) bool {
	seen := map[task.ID]bool{}
	queue := []task.ID{up}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		for _, d := range g.Dependents(next) {
			if !seen[d] {
				seen[d] = true
				queue = append(queue, d)
			}
		}
	}
	return seen[id]
}

// stuck reports whether a task is part of a cycle or waits for one that is.
func stuck(g *Graph, id task.ID, inCircle map[task.ID]bool) bool {
	for other, in := range inCircle {
		if in && (other == id || leadsTo(g, other, id)) {
			return true
		}
	}
	return false
}

func TestPropertyCyclesAreRealAndComplete(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nodes := graphs(t)
		g := Build(nodes)
		cycles := g.Cycles()
		for _, c := range cycles {
			if len(c) < 2 || c[0] != c[len(c)-1] {
				t.Fatalf("%v is not closed", c)
			}
			for i := 1; i < len(c); i++ {
				n, _ := g.Node(c[i-1])
				if !slices.Contains(n.After, c[i]) {
					t.Fatalf("%s does not depend on %s in %v", c[i-1], c[i], c)
				}
			}
		}
		circular := false
		for _, n := range nodes {
			circular = circular || slices.Contains(n.After, n.ID) || leadsTo(g, n.ID, n.ID)
		}
		if circular != (len(cycles) > 0) {
			t.Fatalf("cycles %v, but circular is %v", cycles, circular)
		}
	})
}

func TestPropertyReadyIsExactlyStartableWithNothingToWaitFor(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nodes := graphs(t)
		g := Build(nodes)
		held := rapid.IntRange(0, 13).Draw(t, "held")
		claimed := func(id task.ID) bool { return id == task.ID(strconv.Itoa(held)) }
		ready := g.Ready(claimed)
		for _, n := range nodes {
			want := Startable(n.Status) && len(g.WaitingFor(n.ID)) == 0 && !claimed(n.ID)
			if slices.Contains(ready, n.ID) != want {
				t.Fatalf("%s ready %v, want %v", n.ID, !want, want)
			}
		}
	})
}

func TestPropertyBuildDoesNotDependOnTheOrderOfNodes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nodes := graphs(t)
		shuffled := rapid.Permutation(nodes).Draw(t, "shuffled")
		a, b := Build(nodes), Build(shuffled)
		if diff := cmp.Diff(a.Order(), b.Order()); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(a.Cycles(), b.Cycles()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestLongChainIsLinear would take minutes and a deep stack if the graph were not linear in its edges.
func TestLongChainIsLinear(t *testing.T) {
	t.Parallel()
	const n = 100_000
	nodes := make([]Node, n)
	for i := range nodes {
		nodes[i] = Node{ID: task.ID(strconv.Itoa(i + 1)), Status: task.StatusReady, After: []task.ID{task.ID(strconv.Itoa(i%n + 2))}}
	}
	nodes[n-1].After = []task.ID{"1"}
	g := Build(nodes)
	if c := g.Cycles(); len(c) != 1 || len(c[0]) != n+1 {
		t.Fatalf("%d cycles", len(c))
	}
	nodes[n-1].After = nil
	g = Build(nodes)
	if order := g.Order(); order[0] != "100000" || len(g.Cycles()) != 0 {
		t.Fatalf("order begins with %s", order[0])
	}
}
