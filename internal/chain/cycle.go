package chain

import (
	"slices"
	"strings"

	"baton/internal/sorting"
	"baton/internal/task"
)

// Cycles returns one cycle for each set of tasks that wait for each other. A cycle is a path that
// begins and ends with its smallest id, in which each task depends on the next one. The cycles are
// sorted by that id.
func (g *Graph) Cycles() [][]task.ID {
	var out [][]task.ID
	for i, looped := range g.loops {
		if looped {
			out = append(out, []task.ID{g.nodes[i].ID, g.nodes[i].ID})
		}
	}
	for _, knot := range g.knots() {
		out = append(out, g.circle(knot))
	}
	sorting.By(out, func(a, b []task.ID) int {
		if c := task.CompareIDs(a[0], b[0]); c != 0 {
			return c
		}
		return len(a) - len(b)
	})
	return out
}

// knots returns the strongly connected components with more than one node, each in order of ids. It
// uses Tarjan's algorithm with an explicit stack, so that a long chain cannot overflow the call
// stack.
func (g *Graph) knots() [][]int {
	n := len(g.nodes)
	var (
		number  = make([]int, n) // order of discovery, starting at 1
		low     = make([]int, n)
		onStack = make([]bool, n)
		stack   []int
		out     [][]int
		count   int
	)
	type frame struct{ node, edge int }
	for start := range n {
		if number[start] != 0 {
			continue
		}
		frames := []frame{{node: start}}
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			v := f.node
			if f.edge == 0 && number[v] == 0 {
				count++
				number[v], low[v] = count, count
				stack, onStack[v] = append(stack, v), true
			}
			if ups := g.after.of(v); f.edge < len(ups) {
				w := ups[f.edge]
				f.edge++
				if number[w] == 0 {
					frames = append(frames, frame{node: w})
				} else if onStack[w] {
					low[v] = min(low[v], number[w])
				}
				continue
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				up := frames[len(frames)-1].node
				low[up] = min(low[up], low[v])
			}
			if low[v] == number[v] {
				at := len(stack) - 1
				for stack[at] != v {
					at--
				}
				part := slices.Clone(stack[at:])
				stack = stack[:at]
				for _, w := range part {
					onStack[w] = false
				}
				if len(part) > 1 {
					slices.Sort(part)
					out = append(out, part)
				}
			}
		}
	}
	return out
}

// circle returns the shortest cycle through the smallest node of a component.
func (g *Graph) circle(knot []int) []task.ID {
	first := knot[0]
	inside := make(map[int]bool, len(knot))
	for _, n := range knot {
		inside[n] = true
	}
	from := map[int]int{}
	for queue := []int{first}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, up := range g.after.of(at) {
			if up == first {
				path := []int{first}
				for ; at != first; at = from[at] {
					path = append(path, at)
				}
				path = append(path, first)
				slices.Reverse(path)
				return g.names(path)
			}
			if _, seen := from[up]; !seen && inside[up] {
				from[up] = at
				queue = append(queue, up)
			}
		}
	}
	return nil // impossible: every component has a cycle
}

// PathTo returns the shortest path from a task along its dependencies to another one, including
// both, or nil if there is none. Callers use it to refuse a dependency that would close a cycle.
func (g *Graph) PathTo(from, to task.ID) []task.ID {
	a, okA := g.places.Find(from)
	b, okB := g.places.Find(to)
	if !okA || !okB {
		return nil
	}
	if a == b {
		return []task.ID{from}
	}
	came := make([]int, len(g.nodes))
	for i := range came {
		came[i] = -1
	}
	came[a] = a
	for queue := []int{a}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, up := range g.after.of(at) {
			if came[up] >= 0 {
				continue
			}
			came[up] = at
			if up == b {
				path := []int{b}
				for up != a {
					up = came[up]
					path = append(path, up)
				}
				slices.Reverse(path)
				return g.names(path)
			}
			queue = append(queue, up)
		}
	}
	return nil
}

// Arrow writes a path for people: "#101 → #102 → #101".
func Arrow(path []task.ID) string {
	words := make([]string, len(path))
	for i, id := range path {
		words[i] = id.Ref()
	}
	return strings.Join(words, " → ")
}
