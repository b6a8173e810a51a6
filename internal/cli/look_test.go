package cli

import (
	"strconv"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
)

func TestWhenThereIsColour(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name     string
		terminal bool
		flag     bool
		vars     string
		want     bool
	}{
		{"terminal", true, false, "", true},
		{"pipe", false, false, "", false},
		{"flag", true, true, "FORCE_COLOR=1", false},
		{"NO_COLOR", true, false, "NO_COLOR=1", false},
		{"NO_COLOR wins", true, false, "NO_COLOR=1 FORCE_COLOR=1", false},
		{"FORCE_COLOR", false, false, "FORCE_COLOR=1", true},
		{"FORCE_COLOR=0", false, false, "FORCE_COLOR=0", false},
		{"CLICOLOR_FORCE", false, false, "CLICOLOR_FORCE=1", true},
		{"dumb terminal", true, false, "TERM=dumb", false},
		{"forced on a dumb terminal", true, false, "TERM=dumb FORCE_COLOR=1", true},
	}
	for _, c := range cases {
		vars := map[string]string{}
		for pair := range strings.FieldsSeq(c.vars) {
			name, value, _ := strings.Cut(pair, "=")
			vars[name] = value
		}
		d := &door{noColor: c.flag, env: report.Env{Terminal: c.terminal, Getenv: func(name string) string { return vars[name] }}}
		if got := d.color(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestWidth(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name     string
		terminal bool
		columns  string
		size     int
		want     int
	}{
		{"terminal", true, "", 90, 90},
		{"told otherwise", true, "70", 90, 70},
		{"nonsense", true, "wide", 90, 90},
		{"unknown", true, "", 0, 0},
		{"pipe", false, "70", 90, 0},
	}
	for _, c := range cases {
		d := &door{env: report.Env{Terminal: c.terminal, Width: c.size, Getenv: func(string) string { return c.columns }}}
		if got := d.width(); got != c.want {
			t.Errorf("%s: %d", c.name, got)
		}
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	cases := []struct {
		text string
		room int
		want []string
	}{
		{"as it is", 0, []string{"as it is"}},
		{"fits", 10, []string{"fits"}},
		{"one two three", 7, []string{"one two", "three"}},
		{"unbreakable-word x", 5, []string{"unbreakable-word", "x"}},
		{"端点 端点 端点", 9, []string{"端点 端点", "端点"}},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, wrap(c.text, c.room)); diff != "" {
			t.Errorf("%q in %d columns (-want +got):\n%s", c.text, c.room, diff)
		}
	}
}

// TestTS23_TitlesAreCutBetweenCharacters: a family, a flag or a letter with its marks stays whole or goes.
func TestTS23_TitlesAreCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	title := strings.Repeat("👩‍👩‍👧e\u0301端", 20)
	for width := 1; width < 40; width++ {
		got := cut(title, width)
		if displaywidth.String(got) > width {
			t.Errorf("%d columns: %q takes %d", width, got, displaywidth.String(got))
		}
		whole := strings.TrimSuffix(got, "…")
		for _, piece := range []string{"👩‍👩‍👧", "e\u0301", "端"} {
			whole = strings.ReplaceAll(whole, piece, "")
		}
		if whole != "" {
			t.Errorf("%d columns: %q holds a part of a character", width, got)
		}
	}
}

func TestTablesStayAligned(t *testing.T) {
	t.Parallel()
	p := &page{}
	p.table([]column{{name: "A"}, {name: "EMPTY"}, {name: "N", right: true}, {name: "LAST"}}, [][]cell{
		{{plain, "端点"}, {}, {plain, "1"}, {plain, "x"}},
		{{plain, "e\u0301"}, {}, {plain, "1000"}, {plain, ""}},
	})
	want := "A        N  LAST\n端点     1  x\ne\u0301     1000\n"
	if diff := cmp.Diff(want, p.b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

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

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"log", "log", 0}, {"lgo", "log", 1}, {"lo", "log", 1}, {"logs", "log", 1}, {"lag", "log", 1}, {"", "log", 3}, {"list", "split", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestOriginalBytesReachAPipe: archived sessions are read back byte for byte, unless a terminal would see them (5.14.3).
func TestOriginalBytesReachAPipe(t *testing.T) {
	t.Parallel()
	text := "### Session 1\r\n\x1b[31mred\tline\n"
	f := canned{answer: tasks.ArchiveResult{Text: text}}
	if got := play(t, f, "task", "archive", "101", "--show", "1"); got.out != text {
		t.Errorf("pipe: %q", got.out)
	}
	terminal := setting{env: report.Env{Terminal: true}}
	if got := terminal.play(t, f, "task", "archive", "101", "--show", "1"); got.out != "### Session 1\n␛[31mred\tline\n" {
		t.Errorf("terminal: %q", got.out)
	}
}

func TestGraphOfManyParents(t *testing.T) {
	t.Parallel()
	g := tasks.GraphResult{
		Nodes: []tasks.GraphNode{{ID: "1"}, {ID: "2"}, {ID: "3"}, {ID: "4"}},
		Edges: []tasks.GraphEdge{{From: "1", To: "4"}, {From: "2", To: "4"}, {From: "3", To: "4"}, {From: "9", To: "4"}},
	}
	p := &page{}
	graphTree(p, g)
	if got := p.b.String(); strings.Count(got, "#4") != 1 || !strings.Contains(got, "└─ · #4") || !strings.Contains(got, "(also after #1, #2)") {
		t.Errorf("each task must stand once, with all it waits for:\n%s", got)
	}
}

// A long chain is printed in pieces: what hangs below a task at the deepest level begins at the margin again.
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
	p := &page{}
	graphTree(p, g)
	out := p.b.String()
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
