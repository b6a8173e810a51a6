package tasks

import (
	"strconv"
	"strings"
	"testing"

	"baton/internal/cli/app"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
)

func TestRanges(t *testing.T) {
	t.Parallel()
	for want, numbers := range map[string][]int{
		"": nil, "3": {3}, "1-2": {1, 2}, "1-4, 6-9": {1, 2, 3, 4, 6, 7, 8, 9}, "1, 3, 5-6": {1, 3, 5, 6},
	} {
		if got := ranges(numbers); got != want {
			t.Errorf("%v: %q, want %q", numbers, got, want)
		}
	}
}

func TestGraphOfManyParents(t *testing.T) {
	t.Parallel()
	g := tasks.GraphResult{
		Nodes: []tasks.GraphNode{{ID: "1"}, {ID: "2"}, {ID: "3"}, {ID: "4"}},
		Edges: []tasks.GraphEdge{{From: "1", To: "4"}, {From: "2", To: "4"}, {From: "3", To: "4"}, {From: "9", To: "4"}},
	}
	p := &app.Page{}
	graphTree(p, g)
	if got := string(p.Bytes()); strings.Count(got, "#4") != 1 || !strings.Contains(got, "└─ · #4") ||
		!strings.Contains(got, "(also after #1, #2)") {
		t.Errorf("each task must stand once, with all it waits for:\n%s", got)
	}
}

// A long chain is printed in pieces: tasks below the deepest level start at the margin again.
func TestGraphOfALongChain(t *testing.T) {
	t.Parallel()
	const size = 3000
	var g tasks.GraphResult
	for i := 1; i <= size; i++ {
		g.Nodes = append(g.Nodes, tasks.GraphNode{ID: task.ID(strconv.Itoa(i)), Title: "t" + strconv.Itoa(i) + ".", Status: "ready"})
		if i > 1 {
			g.Edges = append(g.Edges, tasks.GraphEdge{From: task.ID(strconv.Itoa(i - 1)), To: task.ID(strconv.Itoa(i))})
		}
	}
	p := &app.Page{}
	graphTree(p, g)
	out := string(p.Bytes())
	for _, n := range g.Nodes {
		if strings.Count(out, " "+n.Title) != 1 {
			t.Fatalf("%s is not printed once", n.Title)
		}
	}
	if !strings.Contains(out, "\n… #21 ▸\n└─ ") {
		t.Errorf("no new beginning:\n%.3000s", out)
	}
	if len(out) > size*120 {
		t.Errorf("%d bytes for %d tasks", len(out), size)
	}
}
