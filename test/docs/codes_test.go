package docs

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"baton/internal/report"
)

// reported are the files whose findings and errors a command about digests or about the working folder may report: the rooms of
// both, the store below them, their use cases, and the door of the folder.
var reported = regexp.MustCompile(`internal/(?:digest|statusline|statedir)/|internal/store/(?:[a-z]+/)?[a-z_]+\.go$|` +
	`internal/usecase/(?:digests|folder)/[a-z]*\.go$|internal/usecase/history/snapshot[a-z]*\.go$|` +
	`internal/workspace/(?:digest|dir|phasefiles|planning)[a-z]*\.go$|` +
	`internal/cli/folder/[a-z]*\.go$`)

// codeWord is the form of a code.
var codeWord = regexp.MustCompile("`([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*)`")

// registerRow is a row of the register of codes: the name of the constant, and the code.
var registerRow = regexp.MustCompile(`(?m)^\t(Code\w+)\s+Code = "(\w+)"$`)

// errorRow is a row of the tables of codes of errors: codes and kinds.
var errorRow = regexp.MustCompile("(?m)^\\| ((?:`[a-z0-9_]+`(?:, )?)+) \\| ((?:`[a-z_]+`(?:, )?)+) \\|")

// found are errors that no command answers: the use case makes findings of them.
var found = map[string]bool{"execution_invalid corrupt": true, "continue_invalid corrupt": true}

// The pages below docs/cli and docs/json name every code of a finding or error that a command about
// digests or the working folder can answer with, and an error's kind with its code.
func TestCLINamesEveryCode(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, dir := range [...]string{"cli", "json"} {
		for _, name := range glob(t, "docs", dir, "*.md") {
			text.WriteString(readText(t, name))
		}
	}
	page := text.String()
	named, kinds := map[string]bool{}, map[string]bool{}
	for _, word := range codeWord.FindAllStringSubmatch(page, -1) {
		named[word[1]] = true
	}
	for _, row := range errorRow.FindAllStringSubmatch(page, -1) {
		for _, code := range codeWord.FindAllStringSubmatch(row[1], -1) {
			for _, kind := range codeWord.FindAllStringSubmatch(row[2], -1) {
				kinds[code[1]+" "+kind[1]] = true
			}
		}
	}
	codes := codesReported(t)
	for _, sure := range []string{
		"not_rotated", "phase_active conflict", "no_column violation", "archive_unsorted", "lock_left", "completed_decrease",
		"stage_unknown", "snapshot_unknown not_found", "ring_due", "not_moved refused",
	} {
		if codes[sure] == "" {
			t.Errorf("%s was not found: the search is wrong", sure)
		}
	}
	if len(codes) < 120 {
		t.Errorf("only %d codes were found: the search is wrong", len(codes))
	}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		switch _, _, isError := strings.Cut(code, " "); {
		case isError && !kinds[code] && !found[code]:
			t.Errorf("%s has the code and kind %q, which no row of docs/json/codes.md has", codes[code], code)
		case !isError && !named[code]:
			t.Errorf("%s has the code %s, which docs/json/codes.md does not name", codes[code], code)
		}
	}
}

// codesReported returns every code with a file that has it; for errors of a known kind, also the code with the kind after
// it. A code is the value of a field Code, or of a parameter of that name. Defects of baton, of the kind internal, are
// left out, because no program can prepare for them.
func codesReported(t *testing.T) map[string]string {
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
		if name := filepath.ToSlash(path); reported.MatchString(name) && !strings.Contains(name, "/storetest/") {
			files[path] = file
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	codes, register := map[string]string{}, map[string]string{}
	for _, name := range glob(t, "internal", "report", "code*.go") {
		for _, row := range registerRow.FindAllStringSubmatch(readText(t, name), -1) {
			register[row[1]] = row[2]
		}
	}
	for path, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			code, kind := codeAt(n, func(name string) (int, bool) { at, ok := takes[filepath.Dir(path)+" "+name]; return at, ok })
			named, ok := code.(*ast.SelectorExpr)
			if !ok || kind == report.Internal {
				return true
			}
			if code := register[named.Sel.Name]; code != "" {
				codes[code] = strings.TrimPrefix(filepath.ToSlash(path), root+"/")
				if kind != "" {
					codes[code+" "+string(kind)] = codes[code]
				}
			}
			return true
		})
	}
	return codes
}

// takers returns the functions of a file that have a parameter code, with its position. They may be in a variable or a field.
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
		case *ast.Field: // of a struct, or a parameter, that is a function
			if f, isFunc := n.Type.(*ast.FuncType); isFunc {
				for _, name := range n.Names {
					add(name.Name, f)
				}
			}
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

// codeAt gives what a node says for a code, and the kind of the error that it is for: "" where it does not say one, as
// for findings.
func codeAt(n ast.Node, taker func(string) (int, bool)) (code ast.Expr, kind report.Kind) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			pair, ok := e.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			switch key, _ := pair.Key.(*ast.Ident); {
			case key != nil && key.Name == "Kind":
				kind = kindOf(pair.Value)
			case key != nil && key.Name == "Code":
				code = pair.Value
			}
		}
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			if to, ok := to.(*ast.SelectorExpr); ok && to.Sel.Name == "Code" && len(n.Rhs) == len(n.Lhs) {
				return n.Rhs[i], ""
			}
		}
	case *ast.CallExpr:
		name := ""
		switch f := n.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			if name = f.Sel.Name; name == "Finding" {
				return f.X, ""
			}
		}
		at, ok := taker(name)
		if !ok || at >= len(n.Args) {
			return nil, ""
		}
		if name == "usage" {
			kind = report.Usage
		}
		for _, arg := range n.Args {
			kind = cmp.Or(kind, kindOf(arg))
		}
		code = n.Args[at]
	}
	return code, kind
}

// kindOf gives the kind of error that an expression like report.NotFound names; "" for any other.
func kindOf(e ast.Expr) report.Kind {
	named, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	for _, kind := range report.Kinds() {
		if strings.EqualFold(named.Sel.Name, strings.ReplaceAll(string(kind), "_", "")) {
			return kind
		}
	}
	return ""
}
