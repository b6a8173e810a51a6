package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"baton/internal/report"
)

// elsewhere has the codes that are tested elsewhere, because a command line cannot cause them, each with its test.
func elsewhere() map[string]string {
	return map[string]string{
		"claim_holder_gone": "TestDoctorReleasesClaimsOfEndedSessions", "file_gone": "TestD36_DoctorReportsLinks",
		"outside":    "TestD36_DoctorReportsLinks",
		"case_clash": "TestDoctorFindsNamesAndRepairs", "reference_doubtful": "TestD40_AReferenceThatMayMeanEither",
		"git_silent": "TestD9_WithoutGitsAnswerEveryCommandSaysSo", "sweep_pending": "TestDoctorFinishesAnInterruptedSweep",
		"phase_unreadable": "TestDoctorReportsWhatTheSystemRefuses", "permission": "TestDoctorReportsWhatTheSystemRefuses",
		"io":               "TestDoctorReportsWhatTheSystemRefuses",
		"instance_invalid": "TestDoctorReportsAnInvalidInstance",
		"not_regular":      "TestDoctorFindsNamesAndRepairs", "link_loop": "TestDoctorFindsNamesAndRepairs",
		"repair_would_lose": "TestD44_ARepairNeverLeavesLessThanItFound",
		"path_outside":      "TestDoctorFindsNamesAndRepairs", "folder_invalid": "TestDoctorFindsNamesAndRepairs",
	}
}

// Every code that a package makes from which the doctor collects findings has a fixture, or is among those that the
// doctor never reports, with the reason. The table in the documentation has exactly the codes with a fixture.
func TestDoctorHasAFixtureForEveryFinding(t *testing.T) {
	t.Parallel()
	shown := elsewhere()
	for _, f := range fixtures() {
		shown[string(f.code)] = "TestDoctorFindsNamesAndRepairs"
	}
	documented, tests := documentedCodes(t), testNames(t)
	for code, where := range shown {
		if !tests[where] {
			t.Errorf("%s is said to be shown by %s, and there is no such test", code, where)
		}
		if !documented[code] {
			t.Errorf("%s shows %s, which the table in docs/cli/project.md does not have", where, code)
		}
	}
	for code := range documented {
		if shown[code] == "" {
			t.Errorf("docs/cli/project.md lists %s, and no fixture shows it", code)
		}
	}
	made, raised := map[string]string{}, map[string]bool{}
	for _, room := range packages(t) {
		gatherCodes(t, room, made, raised)
	}
	if len(made) < 200 {
		t.Fatalf("only %d codes: the search is wrong", len(made))
	}
	apart := unreached()
	for code, where := range made {
		switch {
		case shown[code] == "" && apart[code] == "":
			t.Errorf("%s makes %s, and neither does a fixture show it nor is there a reason why it never reaches the doctor", where, code)
		case shown[code] != "" && apart[code] != "":
			t.Errorf("%s has a fixture, and is said never to reach the doctor: %s", code, apart[code])
		}
	}
	for code, reason := range apart {
		if made[code] == "" {
			t.Errorf("%s is said never to reach the doctor, and nothing makes it", code)
		}
		if reason == onlyRemark && (raised[code] || report.Code(code).Severity() != report.Info) {
			t.Errorf("%s is said to be a remark, and %s makes it worse", code, made[code])
		}
	}
	for _, code := range advised(t) {
		if shown[code] == "" {
			t.Errorf("the doctor has advice on %s, and no fixture shows it", code)
		}
	}
}

// testNames returns the tests of the two packages that have fixtures of the doctor.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	head := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	out := map[string]bool{}
	for _, dir := range [...]string{".", filepath.Join("..", "project")} {
		names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range head.FindAllStringSubmatch(string(text), -1) {
				out[found[1]] = true
			}
		}
	}
	return out
}

// documentedCodes returns the codes in the table of the documentation.
func documentedCodes(t *testing.T) map[string]bool {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "cli", "project.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "These are its findings:")
	table, _, closed := strings.Cut(rest, "**A task that gets another id**")
	if !found || !closed {
		t.Fatal("docs/cli/project.md has no table of the doctor's findings")
	}
	word := regexp.MustCompile("`([a-z0-9_]+)`")
	codes := map[string]bool{}
	for line := range strings.Lines(table) {
		cell, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		for _, code := range word.FindAllStringSubmatch(cell, -1) {
			codes[code[1]] = true
		}
	}
	return codes
}

// advised returns the codes of other checks that the tables of remedies and of advice have.
func advised(t *testing.T) (codes []string) {
	t.Helper()
	cases := regexp.MustCompile(`(?m)^\tcase ((?:report\.)?Code[^:]+):`)
	word, names := regexp.MustCompile(`\b(Code\w+)`), registered(t)
	for _, name := range [...]string{
		"usecase/doctor/remedy.go", "usecase/doctor/advice.go", "report/remedy.go", "report/remedies.go",
	} {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range cases.FindAllStringSubmatch(string(text), -1) {
			for _, code := range word.FindAllStringSubmatch(list[1], -1) {
				if code := names[code[1]]; code != "large" { // below the limit, so that it is never a finding
					codes = append(codes, code)
				}
			}
		}
	}
	if len(codes) < 80 {
		t.Fatalf("only %d codes: the search is wrong", len(codes))
	}
	return codes
}

// registered returns the codes of the register by the names of their constants.
func registered(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "report", "code*.go"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range regexp.MustCompile(`(?m)^\t(Code\w+)\s+Code = "(\w+)"$`).FindAllStringSubmatch(string(text), -1) {
			out[row[1]] = row[2]
		}
	}
	return out
}

// packages returns the folders of all code that the doctor may collect a finding from: everything except command line,
// hooks, server, and packages for tests.
func packages(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir("..", func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		switch e.Name() {
		case "testdata", "cli", "hook", "mcpserver", "selftest", "statusline", "storetest", "crashfs":
			return filepath.SkipDir
		}
		out = append(out, path)
		return nil
	})
	if err != nil || len(out) < 15 {
		t.Fatal(out, err)
	}
	return out
}

// gatherCodes notes every code that the sources of one package make, with a place, and those that are made with a
// severity other than the register's.
func gatherCodes(t *testing.T, dir string, made map[string]string, raised map[string]bool) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	g := codeSearch{files: token.NewFileSet(), consts: registered(t), made: made, raised: raised}
	var parsed []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(g.files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	for _, file := range parsed {
		ast.Inspect(file, g.look)
	}
}

// codeSearch searches the sources of one package for codes.
type codeSearch struct {
	files  *token.FileSet
	consts map[string]string // codes of the register, by name
	made   map[string]string
	raised map[string]bool // made somewhere with another severity
}

// text returns the code that an expression names, or "".
func (g codeSearch) text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if isNamed(e.X, "report") {
			return g.consts[e.Sel.Name]
		}
	}
	return ""
}

func (g codeSearch) took(code string, at ast.Node) {
	if code != "" && g.made[code] == "" {
		g.made[code] = g.files.Position(at.Pos()).String()
	}
}

// look finds a code in each form in which it can be written: a field, a variable, a function's result, and an argument
// of the helpers that make a finding of it.
func (g codeSearch) look(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CompositeLit:
		g.literal(n)
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			if i < len(n.Rhs) && isNamed(to, "code", "Code") {
				g.took(g.text(n.Rhs[i]), n)
			}
		}
	case *ast.FuncDecl:
		g.results(n)
	case *ast.CallExpr:
		if made, ok := n.Fun.(*ast.SelectorExpr); ok && isNamed(made, "Finding") {
			g.took(g.text(made.X), n)
		} else if ok && isNamed(made, "As") {
			if finding, ok := made.X.(*ast.CallExpr); ok {
				if of, ok := finding.Fun.(*ast.SelectorExpr); ok {
					g.raised[g.text(of.X)] = true
				}
			}
		}
		if isNamed(n.Fun, "note", "noteOnce", "warn", "Warning", "doubt", "add", "fault", "find") {
			for _, arg := range n.Args[:min(2, len(n.Args))] {
				g.took(g.text(arg), n)
			}
		}
	}
	return true
}

// literal finds the code of a finding, a problem or an error. Errors of some kinds never result from a check.
func (g codeSearch) literal(n *ast.CompositeLit) {
	var code, kind ast.Expr
	for _, field := range n.Elts {
		if pair, ok := field.(*ast.KeyValueExpr); ok {
			switch {
			case isNamed(pair.Key, "Code"), isNamed(pair.Key, "Reason") && isNamed(n.Type, "Problem"):
				code = pair.Value
			case isNamed(pair.Key, "Kind"):
				kind = pair.Value
			}
		}
	}
	if code != nil && !isNamed(kind, neverFound()...) {
		g.took(g.text(code), n)
	}
}

// neverFound are the kinds of error that a check of a project never returns: they answer a request, report a conflict
// with another write, or are defects.
func neverFound() []string {
	return []string{"Usage", "NotFound", "Conflict", "Locked", "NotVerified", "Unavailable", "Interrupted", "Internal"}
}

// results finds the codes that a function returns as its result named code.
func (g codeSearch) results(n *ast.FuncDecl) {
	if n.Type.Results == nil || n.Body == nil {
		return
	}
	at := -1
	var all []string
	for _, field := range n.Type.Results.List {
		for _, name := range field.Names {
			all = append(all, name.Name)
		}
	}
	if at = slices.Index(all, "code"); at < 0 {
		return
	}
	ast.Inspect(n.Body, func(n ast.Node) bool {
		if back, ok := n.(*ast.ReturnStmt); ok && len(back.Results) == len(all) {
			g.took(g.text(back.Results[at]), back)
		}
		return true
	})
}

// isNamed reports whether an expression is one of these names, or a selector of one.
func isNamed(e ast.Expr, names ...string) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return slices.Contains(names, e.Name)
	case *ast.SelectorExpr:
		return slices.Contains(names, e.Sel.Name)
	}
	return false
}
