package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// TestExportedNamesHaveComments looks at functions, methods, types, constants and variables. A comment on a group counts for
// all of its names.
func TestExportedNamesHaveComments(t *testing.T) {
	t.Parallel()
	for _, files := range sources(t) {
		for _, file := range files {
			for _, decl := range parse(t, file, parser.SkipObjectResolution|parser.ParseComments).Decls {
				for _, name := range uncommented(decl) {
					t.Errorf("%s: %s has no comment", file, name)
				}
			}
		}
	}
}

// uncommented returns the exported names of a declaration that have no comment.
func uncommented(decl ast.Decl) []string {
	var out []string
	note := func(has bool, names ...*ast.Ident) {
		for _, name := range names {
			if !has && name.IsExported() {
				out = append(out, name.Name)
			}
		}
	}
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		note(decl.Doc != nil || decl.Recv != nil && !ast.IsExported(receiver(decl.Recv.List[0].Type)), decl.Name)
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				note(decl.Doc != nil || spec.Doc != nil || spec.Comment != nil, spec.Name)
			case *ast.ValueSpec:
				note(decl.Doc != nil || spec.Doc != nil || spec.Comment != nil, spec.Names...)
			}
		}
	}
	return out
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func TestUncommented(t *testing.T) {
	t.Parallel()
	const src = "package p\nfunc A() {}\n// B is.\nfunc B() {}\nfunc (t *T[K]) C() {}\nfunc (t u) D() {}\ntype (\n\t// T is.\n" +
		"\tT[K any] int\n\tU int\n\tu int\n)\nconst V, w = 1, 2\n"
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, decl := range f.Decls {
		for _, name := range uncommented(decl) {
			got += name
		}
	}
	if got != "ACUV" {
		t.Errorf("without a comment: %s", got)
	}
}
