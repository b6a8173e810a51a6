package folder

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir"
	"baton/internal/usecase/folder"
)

// gate is what audit, validate and lint have in common in CI: the form of their answers.
type gate struct{ format string }

// formats are the forms of an answer.
var formats = []string{"text", "json", "github", "sarif"}

func (g *gate) flag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&g.format, "format", "text", "print the answer as `FORM`: text, json, github or sarif")
	_ = cmd.RegisterFlagCompletionFunc("format", func(*cobra.Command, []string, string) (
		[]string, cobra.ShellCompDirective,
	) {
		return formats, cobra.ShellCompDirectiveNoFileComp
	})
}

// check refuses an unknown form. Of the others, json is --json.
func (g *gate) check(d *app.App, cmd *cobra.Command) error {
	if !slices.Contains(formats, g.format) {
		return app.Usage(cmd.CommandPath(), "--format takes text, json, github or sarif")
	}
	if g.format == "json" {
		d.JSON = true
	}
	return nil
}

// raw reports whether the answer is for a CI system.
func (g *gate) raw() bool { return g.format == "github" || g.format == "sarif" }

// gated is app.AnswerJudged with --format.
func gated[T any](
	d *app.App, cmd *cobra.Command, g *gate, use func(context.Context, *project.Project) (T, error),
	text func(*app.Page, T), flaws func(T) []flaw, judge func(T) error,
) error {
	if err := g.check(d, cmd); err != nil {
		return err
	}
	if !g.raw() {
		return app.AnswerJudged(d, cmd, use, text, judge)
	}
	got, err := app.Ask(d, cmd, d.Options(cmd), use)
	if err == nil {
		err = g.print(d, flaws(got))
	}
	if err == nil {
		err = judge(got)
	}
	return err
}

// print prints flaws in the form for a CI system.
func (g *gate) print(d *app.App, flaws []flaw) error {
	if g.format == "sarif" {
		return d.PrintJSON(sarifOf(flaws))
	}
	var b strings.Builder
	for _, f := range flaws {
		line := ""
		if f.line > 0 {
			line = fmt.Sprintf(",line=%d", f.line)
		}
		fmt.Fprintf(&b, "::%s file=%s%s,title=%s::%s\n", githubLevel(f.level), githubValue(f.path), line,
			githubValue(f.code), githubText(f.text))
	}
	return d.Print([]byte(b.String()))
}

// flaw is one thing that a check found.
type flaw struct {
	code, path, text, level string // level is error, warning or note
	line                    int
	raw                     string // the path, if it is not UTF-8; path shows it
}

// counted returns the numbers of errors and warnings.
func counted(flaws []flaw) (errs, warnings int) {
	for _, f := range flaws {
		switch f.level {
		case "error":
			errs++
		case "warning":
			warnings++
		}
	}
	return errs, warnings
}

// flawsOf turns findings into flaws.
func flawsOf(findings []report.Finding) []flaw {
	var out []flaw
	for _, f := range findings {
		one := flaw{code: string(f.Code), path: f.Path, text: f.Text, level: "warning", line: f.Line}
		switch f.Severity {
		case report.Severe:
			one.level = "error"
		case report.Info:
			one.level = "note"
		}
		out = append(out, one)
	}
	return out
}

// auditFlaws returns what an audit is against: names that the contract does not have are errors,
// and what programs left over is a warning.
func auditFlaws(r folder.DirAudit) []flaw {
	out := flawsOf(r.Findings)
	for _, e := range r.Buckets[statedir.AdHoc] {
		if e.Reason != "" {
			continue // a finding says it
		}
		text := filename(e.Name) + " is not in the contract"
		if e.Suggestion != nil {
			text += "; did you mean " + filename(*e.Suggestion) + "?"
		}
		out = append(out, entryFlaw(r, e, string(report.CodeAdHoc), text, "error"))
	}
	for _, e := range r.Buckets[statedir.Ephemeral] {
		out = append(out, entryFlaw(r, e, "ephemeral", filename(e.Name)+" was left over by a program", "warning"))
	}
	for _, other := range r.Others {
		out = append(out, auditFlaws(other)...)
	}
	return out
}

func entryFlaw(r folder.DirAudit, e folder.AuditEntry, code, text, level string) flaw {
	f := flaw{code: code, path: path.Join(r.Folder, e.Name), text: text, level: level}
	if e.NameBytes != nil {
		f.raw = path.Join(r.Folder, string(e.NameBytes))
	}
	return f
}

// problemFlaws returns what a validation found.
func problemFlaws(r folder.DirValidation) []flaw {
	var out []flaw
	for _, list := range [...]struct {
		level    string
		problems []statedir.Problem
	}{{"error", r.Errors}, {"warning", r.Warnings}} {
		for _, p := range list.problems {
			name := p.File
			if !strings.Contains(name, "/") {
				name = path.Join(r.Folder, name)
			}
			out = append(out, flaw{
				code: string(p.Reason), path: name, text: p.Message, level: list.level, line: p.Line,
			})
		}
	}
	return out
}

// lintFlaws returns the references that the contract does not know.
func lintFlaws(r folder.LintResult) []flaw {
	out := flawsOf(r.Warnings)
	for _, f := range r.Findings {
		text := "the contract does not allow " + f.Reference.Reference
		if f.Suggestion != nil {
			text += "; did you mean " + *f.Suggestion + "?"
		}
		out = append(out, flaw{code: "reference", path: f.File, text: text, level: "error", line: f.Line})
	}
	return out
}

// broken returns the error of a command that read a contract.yaml that is not valid (F-73). The
// finding says why, so the error does not.
func broken(findings []report.Finding) error {
	for _, f := range findings {
		if f.Code == report.CodeContractInvalid {
			return &report.Error{
				Kind: report.Corrupt, Code: f.Code, Path: f.Path, Line: f.Line,
				Message: f.Path + " cannot be used; the finding says why",
				Hint:    "correct the file; `baton dir contract` shows what applies until then",
			}
		}
	}
	return nil
}

func githubLevel(level string) string {
	if level == "note" {
		return "notice"
	}
	return level
}

// githubText and githubValue escape texts for a command of a workflow, which is one line. Of the
// unsafe characters, the commands know only the ends of lines, so the others are shown.
func githubText(s string) string {
	escaped := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(strings.ToValidUTF8(s, "?"))
	return safetext.Visible(escaped)
}

func githubValue(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubText(s))
}

// sarif is a log in the format SARIF 2.1.0, as far as it is needed here.
type sarif struct {
	Version string     `json:"version"`
	Schema  string     `json:"$schema"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver struct {
			Name string `json:"name"`
		} `json:"driver"`
	} `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	} `json:"physicalLocation"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

func sarifOf(flaws []flaw) sarif {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver.Name = "baton"
	for _, f := range flaws {
		var at sarifLocation
		at.Physical.Artifact.URI = uri(cmp.Or(f.raw, f.path))
		if f.line > 0 {
			at.Physical.Region = &sarifRegion{f.line}
		}
		run.Results = append(run.Results, sarifResult{f.code, f.level, sarifText{f.text}, []sarifLocation{at}})
	}
	return sarif{
		Version: "2.1.0", Schema: "https://json.schemastore.org/sarif-2.1.0.json", Runs: []sarifRun{run},
	}
}

// uri returns a relative path as a URI reference. Package net/url would make the program larger.
func uri(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
