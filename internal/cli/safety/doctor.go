package safety

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

func doctorCommand(d *app.App) *cobra.Command {
	var r workspace.DoctorRequest
	strict := false
	cmd := d.Command(app.Spec{
		Use: "doctor", Short: "List what is wrong, with the command that repairs it",
		Long: `Check everything that baton keeps here, and list what is wrong, worst first. Each finding has its
file and line, what it means, and the command that fixes it. In a healthy project, the list is
empty.

The exit code is 6 if there are errors or, with --strict, warnings; notes never count. Without
--fix, nothing is written. --fix repairs everything that needs no decision of yours: it updates
derived values, moves decisions and sessions out of files that are over their limits, adds missing
quotes around values of front matter, joins rows to their tables, counts archived sessions again,
releases claims that nobody needs, finishes an interrupted change, and keeps .baton/local out of
git. If two clones gave the same id to two tasks, or the same number to two sessions, the later one
gets the next number, and every reference to it follows. With --dry-run, you see the differences and
nothing is written.`,
		Example: "baton doctor\nbaton doctor --dry-run\nbaton doctor --fix\nbaton doctor --strict --json",
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.AnswerJudged(d, cmd,
				func(ctx context.Context, p *project.Project) (workspace.DoctorResult, error) {
					return p.Doctor.Doctor(ctx, r)
				},
				pageDoctor,
				func(got workspace.DoctorResult) error {
					return app.Judge("", "the project", got.Errors, got.Warnings, strict)
				},
			)
		},
	})
	cmd.Flags().BoolVar(&r.Fix, "fix", false, "fix everything that needs no decision of yours")
	cmd.Flags().BoolVar(&r.DryRun, "dry-run", false, "show what --fix would change, and write nothing")
	cmd.Flags().BoolVar(&strict, "strict", false, "warnings count as errors")
	return cmd
}

func pageDoctor(p *app.Page, r workspace.DoctorResult) {
	verb := "Repaired"
	if r.Mode == "dry-run" {
		verb = "Would repair"
	}
	if len(r.Fixes) > 0 {
		p.Heading("%s", verb)
		for _, f := range r.Fixes {
			text := f.Text
			if f.Path != "" {
				text = f.Path + ": " + text
			}
			p.Item("  ", app.Good, "+", text)
		}
	} else if r.Mode != "look" && len(r.Findings) > 0 {
		p.Line(app.Plain, "There is nothing that --fix can repair.")
	}
	for _, c := range r.Changes {
		p.End()
		p.Diff("", c.Diff)
	}
	if p.Raw.Len() > 0 && (len(r.Findings) > 0 || len(r.Fixes) > 0) {
		p.End()
	}
	fixable := 0
	for _, f := range r.Findings {
		ailment(p, f)
		if f.Fixable {
			fixable++
		}
	}
	if len(r.Findings) == 0 {
		p.Line(app.Good, "Nothing is wrong.")
		nextAfterFix(p, r.Next)
		return
	}
	p.End()
	var sum []string
	for _, one := range [...]struct {
		n    int
		what string
	}{{r.Errors, "error"}, {r.Warnings, "warning"}, {r.Notes, "note"}} {
		if one.n > 0 {
			sum = append(sum, safetext.Count(one.n, one.what))
		}
	}
	p.Line(app.Plain, "%s", strings.Join(sum, ", "))
	if fixable > 0 && r.Mode == "look" {
		what := fmt.Sprintf("%d of them at once", fixable)
		if len(r.Findings) == 1 {
			what = "it"
		}
		p.Hint("--fix repairs %s; --dry-run shows the differences first", what)
	}
	nextAfterFix(p, r.Next)
}

// nextAfterFix puts what a person does after a fix.
func nextAfterFix(p *app.Page, next string) {
	if next != "" {
		p.Line(app.Plain, "Next: %s", next)
	}
}

// ailment puts one finding: where, what, and the way out.
func ailment(p *app.Page, f workspace.DoctorFinding) {
	t, word := app.SeverityWords(f.Severity)
	place := ""
	said := strings.HasPrefix(f.Text, f.Path+":") || f.Line == 0 && strings.HasPrefix(f.Text, f.Path+" ")
	if f.Path != "" && !said {
		place = f.Path
		if f.Line > 0 {
			place += fmt.Sprintf(":%d", f.Line)
		}
		place += "  "
	}
	p.Item("", t, word, place+f.Text+" ["+string(f.Code)+"]")
	if f.Command != "" {
		p.Line(app.Accent, "        $ %s", f.Command)
	}
	if f.Advice != "" {
		p.Item("", app.Plain, "       ", f.Advice)
	}
}
