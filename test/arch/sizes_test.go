package arch

import (
	"bytes"
	"go/ast"
	"go/parser"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// root is the repository's root, seen from this package's folder.
const root = "../.."

// The largest number of lines of a source file and of a test file. Aim at 100 to 200.
const (
	mostLines     = 400
	mostTestLines = 800
)

func TestNoFileGrowsTooLarge(t *testing.T) {
	t.Parallel()
	for _, file := range goFiles(t) {
		data, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		limit := mostLines
		if strings.HasSuffix(file, "_test.go") {
			limit = mostTestLines
		}
		if n := bytes.Count(data, []byte("\n")); n > limit {
			t.Errorf("%s has %d lines, %d are allowed: split it by subject", file, n, limit)
		}
	}
}

func TestMainsAreAFewLines(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"cmd/baton/main.go", "cmd/batond/main.go"} {
		data, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(data, []byte("\n")); n > 30 {
			t.Errorf("%s has %d lines, 30 are allowed", file, n)
		}
	}
}

// TestNothingRunsAtStartUp checks that no package has work to do before main, because baton is started thousands of times a day.
func TestNothingRunsAtStartUp(t *testing.T) {
	t.Parallel()
	for dir, files := range sources(t) {
		if slices.Contains(testOnly, dir) {
			continue
		}
		for _, file := range files {
			for _, decl := range parse(t, file, parser.SkipObjectResolution).Decls {
				switch decl := decl.(type) {
				case *ast.FuncDecl:
					if decl.Recv == nil && decl.Name.Name == "init" {
						t.Errorf("%s has an init function", file)
					}
				case *ast.GenDecl:
					if call := firstCall(decl); call != "" {
						t.Errorf("%s: package-level value built by calling %s (package %s)", file, call, dir)
					}
				}
			}
		}
	}
}

// firstCall returns the name of a function that a package-level value calls. errors.New does not count.
func firstCall(decl *ast.GenDecl) string {
	name := ""
	for _, spec := range decl.Specs {
		value, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for _, expr := range value.Values {
			ast.Inspect(expr, func(n ast.Node) bool {
				if _, ok := n.(*ast.FuncLit); ok {
					return false
				}
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) == 0 {
					return true
				}
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name != "New" {
					name = sel.Sel.Name
				}
				return true
			})
		}
	}
	return name
}

// sources returns the files that are linked into a program, without tests, by folder.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	byDir := map[string][]string{}
	for _, file := range goFiles(t) {
		dir := filepath.ToSlash(filepath.Dir(file))
		if strings.HasSuffix(file, "_test.go") || !strings.HasPrefix(dir, "internal/") && !strings.HasPrefix(dir, "cmd/") {
			continue
		}
		if strings.HasSuffix(file, "doc.go") && len(importsOf(t, file)) == 0 && strings.HasSuffix(dir, "oracle") {
			continue // a package that contains only tests
		}
		byDir[dir] = append(byDir[dir], file)
	}
	return byDir
}

// The folders and files of the repository that tests read. The root itself is not listed: it changes whenever something is
// built, and go test would run the tests again that listed it.
var (
	sourceFolders = []string{"cmd", "demo", "internal", "test", "tools"}
	rootFiles     = []string{"CHANGELOG.md", "CONTRIBUTING.md", "Makefile", "README.md", "SECURITY.md"}
)

// filesIn lists the files below some folders for which a function is true, relative to the root.
func filesIn(t *testing.T, folders []string, wanted func(name string) bool) []string {
	t.Helper()
	var files []string
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err == nil && !entry.IsDir() && wanted(filepath.ToSlash(name)) {
				files = append(files, filepath.ToSlash(name))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// goFiles lists every Go file of the repository, relative to its root.
func goFiles(t *testing.T) []string {
	t.Helper()
	return filesIn(t, sourceFolders, func(name string) bool {
		return strings.HasSuffix(name, ".go") && !strings.Contains(name, "testdata/")
	})
}
