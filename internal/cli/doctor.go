package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/workspace"
)

func (d *door) doctorCommand() *cobra.Command {
	var r workspace.DoctorRequest
	strict := false
	cmd := d.command(spec{
		use: "doctor", short: "Say what is wrong, and what mends it",
		long: "Look at everything that baton keeps here, and print one list of what is wrong, worst first: each finding with its file and\n" +
			"line, what it means, and the command that mends it. On a healthy project nothing is found.\n\n" +
			"It ends with exit code 6 when there are errors, with --strict also when there are warnings; notes never count.\n" +
			"Nothing is written, unless --fix is given: that mends what needs nobody's judgement. It brings derived values up to\n" +
			"date, moves decisions and sessions of documents over their limits, puts quotes around values of front matter that\n" +
			"lack them, joins rows to their tables, counts archived sessions anew, gives back claims that nobody needs, finishes an\n" +
			"interrupted change and keeps .baton/local out of git. Of two tasks with one id, and of two sessions with one number, which two\n" +
			"clones made and a merge brought together, the later one gets the next number, with all that means it.\n" +
			"With --dry-run it shows the differences and writes nothing.",
		example: "baton doctor\nbaton doctor --dry-run\nbaton doctor --fix\nbaton doctor --strict --json",
		exits:   writing[:],
		run: func(cmd *cobra.Command, _ []string) error {
			return answerJudged(d, cmd, func(ctx context.Context, p *project.Project) (workspace.DoctorResult, error) {
				return p.Doctor.Doctor(ctx, r)
			}, pageDoctor, func(got workspace.DoctorResult) error {
				if got.Errors == 0 && (!strict || got.Warnings == 0) {
					return nil
				}
				return findings("", "the project has "+problems(got.Errors, got.Warnings), got.Errors, got.Warnings)
			})
		},
	})
	cmd.Flags().BoolVar(&r.Fix, "fix", false, "mend what needs nobody's judgement")
	cmd.Flags().BoolVar(&r.DryRun, "dry-run", false, "show what --fix would change, and write nothing")
	cmd.Flags().BoolVar(&strict, "strict", false, "warnings count as errors")
	return cmd
}

func pageDoctor(p *page, r workspace.DoctorResult) {
	verb := "Mended"
	if r.Mode == "dry-run" {
		verb = "Would mend"
	}
	if len(r.Fixes) > 0 {
		p.heading("%s", verb)
		for _, f := range r.Fixes {
			text := f.Text
			if f.Path != "" {
				text = f.Path + ": " + text
			}
			p.item("  ", good, "+", text)
		}
	} else if r.Mode != "look" && len(r.Findings) > 0 {
		p.line(plain, "Nothing that can be mended without you.")
	}
	for _, c := range r.Changes {
		p.end()
		p.block("", c.Diff, 0)
	}
	if p.b.Len() > 0 && (len(r.Findings) > 0 || len(r.Fixes) > 0) {
		p.end()
	}
	fixable := 0
	for _, f := range r.Findings {
		p.ailment(f)
		if f.Fixable {
			fixable++
		}
	}
	if len(r.Findings) == 0 {
		p.line(good, "Nothing is wrong.")
		p.nextAfterFix(r.Next)
		return
	}
	p.end()
	var sum []string
	for _, one := range [...]struct {
		n    int
		what string
	}{{r.Errors, "error"}, {r.Warnings, "warning"}, {r.Notes, "note"}} {
		if one.n > 0 {
			sum = append(sum, plural(one.n, one.what))
		}
	}
	p.line(plain, "%s", strings.Join(sum, ", "))
	if fixable > 0 && r.Mode == "look" {
		what := fmt.Sprintf("%d of them at once", fixable)
		if len(r.Findings) == 1 {
			what = "it"
		}
		p.hint("--fix mends %s, --dry-run shows the differences first", what)
	}
	p.nextAfterFix(r.Next)
}

// nextAfterFix puts what a person does after a fix.
func (p *page) nextAfterFix(next string) {
	if next != "" {
		p.line(plain, "Next: %s", next)
	}
}

// ailment puts one finding: where, what, and the way out.
func (p *page) ailment(f workspace.DoctorFinding) {
	t, word := warn, "warning"
	switch f.Severity {
	case report.Severe:
		t, word = bad, "error  "
	case report.Info:
		t, word = faint, "note   "
	}
	place := ""
	if f.Path != "" {
		place = f.Path
		if f.Line > 0 {
			place += fmt.Sprintf(":%d", f.Line)
		}
		place += "  "
	}
	p.item("", t, word, place+f.Text+" ["+f.Code+"]")
	if f.Command != "" {
		p.line(accent, "        $ %s", f.Command)
	}
	if f.Advice != "" {
		p.item("", plain, "       ", f.Advice)
	}
}

// meaningForDoctor is what an exit code says of the doctor, where it is more exact than of all commands; "" else.
func meaningForDoctor(called string, kind report.Kind) string {
	if called == "doctor" && kind == report.Violation {
		return "errors were found, with --strict also warnings; or refused by a rule: the message says which"
	}
	return ""
}
