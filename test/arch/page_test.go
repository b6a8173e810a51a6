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

// pageRow is a row of a table on the architecture page that names a function.
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

// TestPageNamesFunctionsWhereTheyAre checks that the functions in both tables of the architecture page are in the files that the
// page names.
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

// TestPathOfAChangeOnlyGoesDown checks that `task log` takes at most 14 steps, and that no step may import the package of an
// earlier one.
func TestPathOfAChangeOnlyGoesDown(t *testing.T) {
	t.Parallel()
	steps := pageRows(t, "## The path of a change")
	if len(steps) == 0 || len(steps) > 14 {
		t.Fatalf("%d steps, want 1 to 14", len(steps))
	}
	var passed []string // packages of earlier steps
	for _, step := range steps {
		pkg := filepath.ToSlash(filepath.Dir(step.file))
		for _, up := range passed {
			if up != pkg && slices.Contains(mayImport[pkg], up) {
				t.Errorf("%s: %s may import %s, the package of an earlier step", step.text, pkg, up)
			}
		}
		passed = append(passed, pkg)
	}
}

// TestPageShowsEveryPackage checks that the list on the page has every package of the code.
func TestPageShowsEveryPackage(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(root, architecturePage))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(data), "## Packages")
	list, _, _ = strings.Cut(list, "\n## ")
	for pkg := range mayImport {
		if strings.HasPrefix(pkg, "internal/usecase/") {
			if !strings.Contains(list, filepath.Base(pkg)) {
				t.Errorf("the list has no %s", pkg)
			}
			continue
		}
		if base := filepath.Base(pkg); !strings.Contains(list, base+"/") && !strings.Contains(list, pkg+" ") {
			t.Errorf("the list has no %s", pkg)
		}
	}
}
