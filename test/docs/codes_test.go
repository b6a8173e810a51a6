package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ofDigests are the files whose findings and errors a command about digests may tell of: the rooms of digests, the
// store below them, and their use cases.
var ofDigests = regexp.MustCompile(`internal/(?:digest|statusline)/|internal/store/(?:[a-z]+|filestore/[a-z_]+)\.go$|` +
	`internal/project/(?:blocker|decision|digest|history|metric|phasefiles|planning|specflow|state|transition)[a-z]*\.go$`)

// codeWord is the form of a code.
var codeWord = regexp.MustCompile("`([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*)`")

// docs/cli.md names every code of a finding or error that a program may meet in the answers of commands about digests.
func TestCLINamesEveryCodeOfDigests(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs", "cli.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, word := range codeWord.FindAllStringSubmatch(string(page), -1) {
		named[word[1]] = true
	}
	codes := codesOfDigests(t)
	for _, sure := range []string{"not_rotated", "phase_active", "archive_unsorted", "lock_left", "completed_decrease", "stage_unknown"} {
		if codes[sure] == "" {
			t.Errorf("%s was not found: the search is wrong", sure)
		}
	}
	if len(codes) < 80 {
		t.Errorf("only %d codes were found: the search is wrong", len(codes))
	}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		if !named[code] {
			t.Errorf("%s has the code %s, which docs/cli.md does not name", codes[code], code)
		}
	}
}

// codesOfDigests gives every code, and a file that has it. A code is what stands in a field Code, and what is given to a
// parameter of that name. A defect of baton, of the kind internal, is nothing that a program can prepare for.
func codesOfDigests(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]*ast.File{}
	takes := map[string]int{} // folder and name of a function: which of its parameters is a code
	err := filepath.WalkDir(filepath.Join(root, "internal"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for name, at := range takers(file) {
			takes[filepath.Dir(path)+" "+name] = at
		}
		if ofDigests.MatchString(filepath.ToSlash(path)) {
			files[path] = file
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]string{}
	for path, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			for _, e := range codesAt(n, func(name string) (int, bool) { at, ok := takes[filepath.Dir(path)+" "+name]; return at, ok }) {
				if text, ok := e.(*ast.BasicLit); ok && text.Kind == token.STRING {
					if code, err := strconv.Unquote(text.Value); err == nil && code != "" {
						codes[code] = strings.TrimPrefix(filepath.ToSlash(path), root+"/")
					}
				}
			}
			return true
		})
	}
	return codes
}

// takers gives the functions of a file that have a parameter code, also those that stand in a variable.
func takers(file *ast.File) map[string]int {
	out := map[string]int{}
	add := func(name string, f *ast.FuncType) {
		at := 0
		for _, field := range f.Params.List {
			for _, p := range field.Names {
				if p.Name == "code" {
					out[name] = at
				}
				at++
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Name.Name, n.Type)
		case *ast.AssignStmt:
			for i, e := range n.Rhs {
				f, isFunc := e.(*ast.FuncLit)
				if name, ok := n.Lhs[min(i, len(n.Lhs)-1)].(*ast.Ident); ok && isFunc {
					add(name.Name, f.Type)
				}
			}
		}
		return true
	})
	return out
}

// codesAt gives what a node says for a code.
func codesAt(n ast.Node, taker func(string) (int, bool)) []ast.Expr {
	switch n := n.(type) {
	case *ast.CompositeLit:
		return field(n)
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			if to, ok := to.(*ast.SelectorExpr); ok && to.Sel.Name == "Code" && len(n.Rhs) == len(n.Lhs) {
				return n.Rhs[i : i+1]
			}
		}
	case *ast.CallExpr:
		name := ""
		switch f := n.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
		}
		if at, ok := taker(name); ok && at < len(n.Args) && !slices.ContainsFunc(n.Args, internal) {
			return n.Args[at : at+1]
		}
	}
	return nil
}

// field gives the value of the field Code of a literal, unless its Kind says that baton has a defect.
func field(n *ast.CompositeLit) []ast.Expr {
	var code []ast.Expr
	for _, e := range n.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, _ := pair.Key.(*ast.Ident)
		if key == nil {
			continue
		}
		switch {
		case key.Name == "Kind" && internal(pair.Value):
			return nil
		case key.Name == "Code":
			code = []ast.Expr{pair.Value}
		}
	}
	return code
}

// internal tells whether an expression is the kind of an error that is a defect of baton.
func internal(e ast.Expr) bool {
	kind, ok := e.(*ast.SelectorExpr)
	return ok && kind.Sel.Name == "Internal"
}
