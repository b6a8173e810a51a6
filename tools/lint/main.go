// Command lint runs vet and staticcheck in one pass of go vet -vettool. Each package is then loaded
// once, and go vet keeps the result in the build cache.
package main

import (
	"go/token"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/analysis/unitchecker"
	"honnef.co/go/tools/analysis/facts/directives"
	"honnef.co/go/tools/analysis/lint"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
	"honnef.co/go/tools/unused"
)

func main() {
	all := append(slices.Clone(vet.Suite), noUnused)
	for _, checks := range [][]*lint.Analyzer{simple.Analyzers, staticcheck.Analyzers, stylecheck.Analyzers} {
		for _, check := range checks {
			if !check.Doc.NonDefault {
				all = append(all, withIgnores(check.Analyzer))
			}
		}
	}
	unitchecker.Main(all...)
}

// withIgnores makes a check of staticcheck respect //lint:file-ignore and //lint:ignore. Otherwise
// staticcheck's own driver does this, which is not used here.
func withIgnores(check *analysis.Analyzer) *analysis.Analyzer {
	run := check.Run
	check.Requires = append(check.Requires, directives.Analyzer)
	check.Run = func(pass *analysis.Pass) (any, error) {
		report, found := pass.Report, pass.ResultOf[directives.Analyzer].([]lint.Directive)
		pass.Report = func(d analysis.Diagnostic) {
			at := pass.Fset.Position(d.Pos)
			if !slices.ContainsFunc(found, func(ignore lint.Directive) bool {
				return ignores(ignore, check.Name, at, pass.Fset.Position(ignore.Node.Pos()))
			}) {
				report(d)
			}
		}
		return run(pass)
	}
	return check
}

// ignores reports whether a directive that belongs to a line excuses a finding at a place.
func ignores(directive lint.Directive, check string, at, line token.Position) bool {
	if len(directive.Arguments) < 2 || at.Filename != line.Filename { // the checks and a reason
		return false
	}
	named := slices.ContainsFunc(strings.Split(directive.Arguments[0], ","), func(pattern string) bool {
		match, _ := path.Match(pattern, check)
		return match
	})
	return named && (directive.Command == "file-ignore" || directive.Command == "ignore" && at.Line == line.Line)
}

// noUnused reports the findings of staticcheck's U1000. go vet checks a package together with its
// tests, so code that only tests use counts as used.
var noUnused = &analysis.Analyzer{
	Name:     "unused",
	Doc:      "report unused code (U1000)",
	Requires: []*analysis.Analyzer{unused.Analyzer.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, object := range pass.ResultOf[unused.Analyzer.Analyzer].(unused.Result).Unused {
			for _, file := range pass.Files {
				if source := pass.Fset.File(file.FileStart); source.Name() == object.Position.Filename {
					pass.Reportf(source.LineStart(object.Position.Line), "%s %s is unused", object.Kind, object.Name)
				}
			}
		}
		return nil, nil
	},
}
