package arch

import (
	"go/ast"
	"go/parser"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const architecturePage = "docs/dev/architecture.md"

// pageRow is a row of a table of the architecture page that names a function.
type pageRow struct{ text, file, function string }

// pageRows returns the rows below a heading.
func pageRows(t *testing.T, heading string) []pageRow {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, architecturePage))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(data), "\n"+heading+"\n")
	if !found {
		t.Fatalf("%s has no heading %q", architecturePage, heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	row := regexp.MustCompile("(?m)^\\| (.+?) \\| `([^`]+)` \\| `([^`]+)` \\|$")
	var out []pageRow
	for _, m := range row.FindAllStringSubmatch(section, -1) {
		out = append(out, pageRow{m[1], m[2], m[3]})
	}
	return out
}

// functionsOf returns the functions that a file declares, methods as Type.Name.
func functionsOf(t *testing.T, file string) []string {
	t.Helper()
	var out []string
	for _, d := range parse(t, file, parser.SkipObjectResolution).Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := f.Name.Name
		if f.Recv != nil {
			kind := f.Recv.List[0].Type
			if star, ok := kind.(*ast.StarExpr); ok {
				kind = star.X
			}
			if id, ok := kind.(*ast.Ident); ok {
				name = id.Name + "." + name
			}
		}
		out = append(out, name)
	}
	return out
}

// TestPageNamesFunctionsWhereTheyAre checks that the functions in both tables of the architecture page are where the page says.
func TestPageNamesFunctionsWhereTheyAre(t *testing.T) {
	t.Parallel()
	questions, steps := pageRows(t, "## Where to look"), pageRows(t, "## The path of a change")
	if len(questions) < 12 {
		t.Errorf("%s answers %d questions, want 12 at least", architecturePage, len(questions))
	}
	for _, row := range slices.Concat(questions, steps) {
		if !slices.Contains(functionsOf(t, row.file), row.function) {
			t.Errorf("%q: %s has no function %s", row.text, row.file, row.function)
		}
	}
}

// TestPathOfAChangeOnlyGoesDown: `task log` can be followed through at most 14 files, and no step imports a room of a step
// before it.
func TestPathOfAChangeOnlyGoesDown(t *testing.T) {
	t.Parallel()
	steps := pageRows(t, "## The path of a change")
	if len(steps) == 0 || len(steps) > 14 {
		t.Fatalf("%d steps, want 1 to 14", len(steps))
	}
	var passed []string // rooms of the steps before
	for _, step := range steps {
		room := filepath.ToSlash(filepath.Dir(step.file))
		for _, up := range passed {
			if up != room && slices.Contains(rooms[room], up) {
				t.Errorf("%s: %s may import %s, which an earlier step is in", step.text, room, up)
			}
		}
		passed = append(passed, room)
	}
}

// TestPageShowsEveryRoom: the floor plan on the page has every room that the code has.
func TestPageShowsEveryRoom(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(root, architecturePage))
	if err != nil {
		t.Fatal(err)
	}
	_, plan, _ := strings.Cut(string(data), "## The floor plan")
	plan, _, _ = strings.Cut(plan, "\n## ")
	for room := range rooms {
		if strings.HasPrefix(room, "internal/usecase/") {
			if !strings.Contains(plan, filepath.Base(room)) {
				t.Errorf("the plan has no %s", room)
			}
			continue
		}
		if base := filepath.Base(room); !strings.Contains(plan, base+"/") && !strings.Contains(plan, room+" ") {
			t.Errorf("the plan has no %s", room)
		}
	}
}
