package arch

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"baton/internal/report"
)

// mostMeaning is the largest number of characters of a meaning, so that it fits on one line.
const mostMeaning = 90

// register is the package whose files code*.go hold all codes.
const register = "baton/internal/report"

// isRegister reports whether a file belongs to the register of codes.
func isRegister(name string) bool {
	folder, file := path.Split(name)
	return folder == "internal/report/" && strings.HasPrefix(file, "code")
}

// sourcesOn returns the packages of both programs with their types, as one system compiles them.
func sourcesOn(t *testing.T, system string) *typedSources {
	t.Helper()
	s, err := systems[system]()
	if err != nil {
		t.Fatal(err)
	}
	if s.codeType() == nil {
		t.Fatalf("%s has no type Code", register)
	}
	return s
}

// codeType returns the type report.Code, nil if it is missing.
func (s *typedSources) codeType() types.Type {
	for _, p := range s.packages {
		if p.Path() == register && p.Scope().Lookup("Code") != nil {
			return p.Scope().Lookup("Code").Type()
		}
	}
	return nil
}

// codes returns the constants of the register by name, without AnyCode, which names none.
func (s *typedSources) codes() map[string]*types.Const {
	code, out := s.codeType(), map[string]*types.Const{}
	names := code.(*types.Named).Obj().Pkg().Scope()
	for _, name := range names.Names() {
		if c, ok := names.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), code) && codeOf(c) != report.AnyCode {
			out[name] = c
		}
	}
	return out
}

// codeOf returns the code that a constant holds.
func codeOf(c *types.Const) report.Code { return report.Code(constant.StringVal(c.Val())) }

// TestNoCodeIsWrittenAsText: the compiler notices a constant that is misspelt, but not a text.
func TestNoCodeIsWrittenAsText(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for system := range systems {
		for _, place := range sourcesOn(t, system).asText {
			found[place] = true
		}
	}
	for place := range found {
		t.Errorf("%s: a code is written as text: use the constant of internal/report", place)
	}
}

// codesAsText returns the places of a package where a text is a code: as a value of the type Code that is no constant of the
// register, or compared with a code that was made a text.
func (s *typedSources) codesAsText(p *typed) (places []string) {
	code := s.codeType()
	if code == nil {
		return nil // a package below the register
	}
	for _, file := range p.files {
		if isRegister(s.place(file)) {
			continue
		}
		for _, n := range codesAsText(code, p.info, file) {
			places = append(places, s.place(n))
		}
	}
	return places
}

func codesAsText(code types.Type, info *types.Info, file *ast.File) (out []ast.Node) {
	asText := func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && len(call.Args) == 1 && info.Types[call.Fun].IsType() && types.Identical(info.Types[call.Args[0]].Type, code)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) &&
				(asText(n.X) && info.Types[n.Y].Value != nil || asText(n.Y) && info.Types[n.X].Value != nil) {
				out = append(out, n)
			}
		case *ast.SwitchStmt:
			if n.Tag != nil && asText(n.Tag) {
				out = append(out, n)
			}
		}
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		value := info.Types[e]
		if value.Value == nil || !types.Identical(value.Type, code) || constant.StringVal(value.Value) == "" {
			return true
		}
		var named types.Object
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			named = info.ObjectOf(e)
		case *ast.SelectorExpr:
			named = info.ObjectOf(e.Sel)
		}
		if c, ok := named.(*types.Const); !ok || c.Pkg().Path() != register {
			out = append(out, e)
		}
		return false
	})
	return out
}

// TestEveryCodeIsMade: each code of the register is the code of an error, a finding or a repair somewhere.
func TestEveryCodeIsMade(t *testing.T) {
	t.Parallel()
	s := sourcesOn(t, home)
	ends := s.ends()
	for name, c := range s.codes() {
		if len(ends[c]) == 0 {
			t.Errorf("nothing has the code %s: remove %s, or teach codeflow_test.go the way that the code takes", codeOf(c), name)
		}
	}
	for _, kind := range report.Kinds() {
		if code := kind.Row().Code; code != report.Code(kind) {
			t.Errorf("the code of errors of the kind %s is %s", kind, code)
		}
	}
}

// meanings returns what the register says about each code, in the order of the register, by section.
func meanings(t *testing.T) []section {
	t.Helper()
	var out []section
	for _, name := range goFiles(t) {
		if !isRegister(name) || strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, d := range parse(t, name, parser.ParseComments|parser.SkipObjectResolution).Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			part := section{file: name, about: strings.TrimSpace(group.Doc.Text())}
			for _, spec := range group.Specs {
				row := spec.(*ast.ValueSpec)
				part.rows = append(part.rows, codeRow{row.Names[0].Name, strings.TrimSpace(row.Doc.Text())})
			}
			out = append(out, part)
		}
	}
	return out
}

// section is a group of codes, with the comment above it.
type section struct {
	file, about string
	rows        []codeRow
}

// codeRow is a code, by the name of its constant, with its meaning.
type codeRow struct{ name, meaning string }

// TestEveryCodeHasAMeaning: the comment above a code says on one line what is the case. Users read it on docs/codes.md.
func TestEveryCodeHasAMeaning(t *testing.T) {
	t.Parallel()
	s := sourcesOn(t, home)
	codes, first := s.codes(), map[string]string{}
	for _, part := range meanings(t) {
		if !regexp.MustCompile(`^Codes (about|of) [^.\n]+\.$`).MatchString(part.about) {
			t.Errorf("%s: the comment above the codes is to be one sentence like \"Codes about X.\", not %q", part.file, part.about)
		}
		if !slices.IsSortedFunc(part.rows, func(a, b codeRow) int { return strings.Compare(a.name, b.name) }) {
			t.Errorf("%s: the codes are not in the order of their names", part.file)
		}
		for _, row := range part.rows {
			c := codes[row.name]
			if c == nil {
				t.Errorf("%s: %s is not a code", part.file, row.name)
				continue
			}
			delete(codes, row.name)
			if plain := strings.ReplaceAll(string(codeOf(c)), "_", ""); !strings.EqualFold("Code"+plain, row.name) {
				t.Errorf("%s: %s is called %s", part.file, codeOf(c), row.name)
			}
			switch m := row.meaning; {
			case m == "":
				t.Errorf("%s: there is no comment with the meaning of %s", part.file, row.name)
			case strings.Contains(m, "\n"), len(m) > mostMeaning, strings.HasSuffix(m, "."), strings.HasPrefix(m, row.name):
				t.Errorf("%s: the meaning of %s is to be a phrase of at most %d characters on one line, not %q",
					part.file, row.name, mostMeaning, m)
			case first[m] != "":
				t.Errorf("%s: %s and %s have the same meaning", part.file, first[m], row.name)
			default:
				first[m] = row.name
			}
		}
	}
	for name := range codes {
		t.Errorf("%s is a code outside of the register, internal/report/code*.go", name)
	}
}
