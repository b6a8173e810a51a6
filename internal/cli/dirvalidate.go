package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/folder"
)

func (d *door) dirValidateCommand() *cobra.Command {
	var r folder.DirValidateRequest
	cmd := d.command(spec{
		use: "validate", short: "Check statuses, JSON sidecars and inputs",
		long: "Check what agents and programs rely on: the status of each Markdown file that carries one, JSON sidecars and JSON\n" +
			"inputs against their schemas, and type and phase of the record. It ends with exit code 6 when there are errors, with\n" +
			"--strict also when there are warnings; the problems are printed in each case.",
		example: "baton dir validate\nbaton dir validate --strict --json",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			return answerJudged(d, cmd, func(ctx context.Context, p *project.Project) (folder.DirValidation, error) {
				return p.Folder.DirValidate(ctx, r)
			}, pageDirValidation, func(got folder.DirValidation) error {
				if errs, warnings := len(got.Errors), len(got.Warnings); errs > 0 || r.Strict && warnings > 0 {
					return findings(got.Folder, got.Folder+" has "+problems(errs, warnings), errs, warnings)
				}
				return nil
			})
		},
	})
	cmd.Flags().BoolVar(&r.Strict, "strict", false, "warnings count as errors")
	return inFolder(cmd, &r.DirRequest)
}

func pageDirValidation(p *page, r folder.DirValidation) {
	for _, e := range r.Errors {
		p.item("", bad, "error  ", problem(e.File, e.Line, e.Message))
	}
	for _, w := range r.Warnings {
		p.item("", warn, "warning", problem(w.File, w.Line, w.Message))
	}
	checked := plural(r.Checked, "file") + " checked"
	switch {
	case len(r.Errors)+len(r.Warnings) > 0:
		p.line(plain, "%s: %s", r.Folder, checked)
	case r.Checked == 0:
		p.line(plain, "Nothing to check: %s has no file that carries a status or has a schema.", r.Folder)
	default:
		p.line(good, "%s is in order: %s", r.Folder, checked)
	}
}

// problem is a message with the file that it is about, unless it begins with it.
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

func (d *door) dirLintCommand() *cobra.Command {
	var r folder.LintRequest
	return d.command(spec{
		use: "lint [PATH…]", short: "Look for state files that agents are told to write and the contract lacks",
		long: "Look in the texts of agents and workflows for references like .devt/state/NAME and .baton/work/NAME whose NAME the\n" +
			"contract does not allow. Without PATH it looks in agents, workflows, commands, skills, .claude, CLAUDE.md and AGENTS.md.\n" +
			"It ends with exit code 6 when there is one; each is printed as FILE:LINE.",
		example: "baton dir lint\nbaton dir lint agents CLAUDE.md",
		most:    1 << 16,
		exits:   reading[:],
		run: func(cmd *cobra.Command, args []string) error {
			ask := r
			ask.Paths = args
			return answerJudged(d, cmd, func(ctx context.Context, p *project.Project) (folder.LintResult, error) {
				return p.Folder.DirLint(ctx, ask)
			}, pageLint, func(got folder.LintResult) error {
				if len(got.Findings) == 0 {
					return nil
				}
				n := len(got.Findings)
				return findings("", fmt.Sprintf("%s that the contract does not allow; %s read", plural(n, "reference"), plural(got.Files, "file")), n, 0)
			})
		},
	})
}

func pageLint(p *page, r folder.LintResult) {
	p.remarks = r.Warnings
	for _, f := range r.Findings {
		p.add(plain, fmt.Sprintf("%s:%d: ", filename(f.File), f.Line)).add(bad, f.Reference.Reference)
		if f.Suggestion != nil {
			p.add(accent, " (did you mean "+*f.Suggestion+"?)")
		}
		p.end()
	}
	switch {
	case len(r.Findings) > 0:
		p.hint("Why a name is not allowed, and what to do: baton dir contract NAME")
	case r.Files == 0:
		p.line(plain, "Nothing to do: there are no texts of agents or workflows here. Name some: baton dir lint PATH")
	default:
		p.line(good, "%s: every reference is one that the contract allows", plural(r.Files, "file"))
	}
}
