package folder

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/folder"
)

func dirValidateCommand(d *app.App) *cobra.Command {
	var r folder.DirValidateRequest
	var g gate
	cmd := d.Command(app.Spec{
		Use: "validate", Short: "Check statuses, JSON sidecars and inputs",
		Long: "Check what agents and programs rely on: the status of each Markdown file that has " +
			"one, JSON sidecars and JSON inputs against their schemas, and type and phase of the record. " +
			"The exit code is 6 if there are errors or, with --strict, warnings; baton prints the problems " +
			"in any case.",
		Example: "baton dir validate\nbaton dir validate --strict --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return gated(d, cmd, &g, func(ctx context.Context, p *project.Project) (folder.DirValidation, error) {
				return p.Folder.DirValidate(ctx, r)
			}, pageDirValidation, problemFlaws, func(got folder.DirValidation) error {
				return app.Judge(got.Folder, got.Folder, len(got.Errors), len(got.Warnings), r.Strict)
			})
		},
	})
	g.flag(cmd)
	cmd.Flags().BoolVar(&r.Strict, "strict", false, "warnings count as errors")
	return inFolder(cmd, &r.DirRequest)
}

func pageDirValidation(p *app.Page, r folder.DirValidation) {
	for _, e := range r.Errors {
		p.Item("", app.Bad, "error  ", problem(e.File, e.Line, e.Message))
	}
	for _, w := range r.Warnings {
		p.Item("", app.Warn, "warning", problem(w.File, w.Line, w.Message))
	}
	checked := safetext.Count(r.Checked, "file") + " checked"
	switch {
	case len(r.Errors)+len(r.Warnings) > 0:
		p.Line(app.Plain, "%s: %s", r.Folder, checked)
	case r.Checked == 0:
		p.Line(app.Plain, "Nothing to check: no file in %s has a status or a schema.", r.Folder)
	default:
		p.Line(app.Good, "%s is in order: %s", r.Folder, checked)
	}
}

// problem returns a message with the file that it is about, unless it begins with it.
func problem(file string, line int, message string) string {
	file = filename(file)
	if file == "" || strings.HasPrefix(message, file) {
		return message
	}
	if line > 0 {
		file = fmt.Sprintf("%s:%d", file, line)
	}
	return file + ": " + message
}

func dirLintCommand(d *app.App) *cobra.Command {
	var r folder.LintRequest
	var g gate
	cmd := d.Command(app.Spec{
		Use: "lint [PATH…]", Short: "Find references to files that the contract does not list",
		Long: "Search the texts of agents and workflows for references like .devt/state/NAME and " +
			".baton/work/NAME whose NAME the contract does not allow. Without PATH, baton searches agents, " +
			"workflows, commands, skills, .claude, CLAUDE.md and AGENTS.md. Each such reference is printed " +
			"as FILE:LINE, and the exit code is then 6.",
		Example: "baton dir lint\nbaton dir lint agents CLAUDE.md",
		MaxArgs: 1 << 16,
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			ask := r
			ask.Paths = args
			return gated(d, cmd, &g, func(ctx context.Context, p *project.Project) (folder.LintResult, error) {
				return p.Folder.DirLint(ctx, ask)
			}, pageLint, lintFlaws, func(got folder.LintResult) error {
				if len(got.Findings) == 0 {
					return broken(got.Warnings)
				}
				n := len(got.Findings)
				return app.FindingsError(
					"",
					fmt.Sprintf(
						"the contract does not allow %s; %s read", safetext.Count(n, "reference"),
						safetext.Count(got.Files, "file"),
					),
					n,
					0,
				)
			})
		},
	})
	g.flag(cmd)
	return cmd
}

func pageLint(p *app.Page, r folder.LintResult) {
	p.Remarks = r.Warnings
	for _, f := range r.Findings {
		p.Add(app.Plain, fmt.Sprintf("%s:%d: ", filename(f.File), f.Line)).Add(app.Bad, f.Reference.Reference)
		if f.Suggestion != nil {
			p.Add(app.Accent, " (did you mean "+*f.Suggestion+"?)")
		}
		p.End()
	}
	switch {
	case len(r.Findings) > 0:
		p.Hint("To see why a name is not allowed, and what to do: baton dir contract NAME")
	case r.Files == 0:
		p.Line(
			app.Plain,
			"Nothing to check: there are no texts of agents or workflows here. To check others: baton "+
				"dir lint PATH",
		)
	default:
		p.Line(app.Good, "%s: the contract allows every reference", safetext.Count(r.Files, "file"))
	}
}
