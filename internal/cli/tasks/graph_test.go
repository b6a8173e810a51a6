package tasks

import (
	"strconv"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

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

// Chains that are too deep for a tree become a numbered list, and no line is wider than the terminal.
func TestGraphOfALongChain(t *testing.T) {
	t.Parallel()
	const size, title = 3000, ". of the migration to the new storage layer, with all its indexes"
	var g tasks.GraphResult
	for i := 1; i <= size; i++ {
		g.Nodes = append(g.Nodes, tasks.GraphNode{
			ID: task.ID(strconv.Itoa(i)), Title: "t" + strconv.Itoa(i) + title, Status: "ready",
		})
		if i > 1 {
			g.Edges = append(g.Edges, tasks.GraphEdge{From: task.ID(strconv.Itoa(i - 1)), To: task.ID(strconv.Itoa(i))})
		}
	}
	for _, width := range [...]int{0, 40, 80, 120} {
		p := &app.Page{Width: width}
		graphTree(p, g)
		out := string(p.Bytes())
		for _, n := range g.Nodes {
			title, _, _ := strings.Cut(n.Title, " ")
			if strings.Count(out, " "+title+" ") != 1 {
				t.Fatalf("%d columns: %s is not printed once", width, title)
			}
		}
		for line := range strings.SplitSeq(out, "\n") {
			if n := displaywidth.String(line); width > 0 && n > width {
				t.Fatalf("%d columns: %s", n, line)
			}
		}
		if !strings.Contains(out, "\n   2. ") || !strings.Contains(out, "after #1\n") {
			t.Errorf("no numbered list:\n%.3000s", out)
		}
	}
}

func TestGraphSaysWhereATaskWasFound(t *testing.T) {
	t.Parallel()
	p := &app.Page{}
	graphTree(p, tasks.GraphResult{Nodes: []tasks.GraphNode{
		{ID: "1", Title: "One", Status: "ready"}, {ID: "2", Title: "Two", Status: "ready", From: "1"},
	}})
	if got := string(p.Bytes()); !strings.Contains(got, "#2 Two  ready  (found during #1)\n") {
		t.Error(got)
	}
}
