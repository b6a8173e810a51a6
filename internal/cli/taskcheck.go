package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/tasks"
)

func (d *door) checkCommand() *cobra.Command {
	var r tasks.CheckRequest
	cmd := d.about(spec{
		use: "check ID CRITERION", short: "Check a criterion, with the command that shows it",
		long: "Check a criterion, named by its number, its key or its whole text.\n\n" +
			"--run CMD runs the command in the project's root (or in the folder that the configuration gives for the task's\n" +
			"repository), shows its output on standard error, and checks the criterion only when it succeeds. Either way the\n" +
			"command, its exit code, duration, commit and last lines are kept as evidence. A command that fails opens the\n" +
			"criterion again. --evidence keeps a person's word. Without either, the criterion counts as claimed, not verified.",
		example: "baton task check 101 1 --run \"go test ./...\"\n" +
			"baton task check 101 \"Tokens are signed\" --evidence \"tried it by hand\"\n" +
			"baton task check 101 2",
		least: 2, most: 2,
		exits: append(writing[:], report.NotVerified),
		run: func(cmd *cobra.Command, args []string) error {
			if err := exclusive(cmd, "run", "evidence"); err != nil {
				return err
			}
			for _, name := range []string{"run", "evidence"} {
				if flag := cmd.Flags().Lookup(name); flag.Changed && flag.Value.String() == "" {
					return usage(cmd.CommandPath(), "--"+name+" is empty")
				}
			}
			if cmd.Flags().Changed("timeout") && r.Run == "" {
				return usage(cmd.CommandPath(), "--timeout goes with --run")
			}
			if err := positive(cmd, "timeout"); err != nil {
				return err
			}
			r.ID, r.Selector = args[0], args[1]
			stream := &lineKeeper{to: d.env.Stderr}
			r.Stream = stream
			return d.check(cmd, r, stream)
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Run, "run", "", "check only if `CMD` succeeds")
	flags.StringVar(&r.Evidence, "evidence", "", "keep this as a person's word: `TEXT`")
	flags.DurationVar(&r.Timeout, "timeout", 0, "end the command after `TIME` (default 10m)")
	by(cmd, &r)
	cmd.ValidArgsFunction = d.completeCriterion(false)
	return cmd
}

func (d *door) uncheckCommand() *cobra.Command {
	r := tasks.CheckRequest{Uncheck: true}
	cmd := d.about(spec{
		use: "uncheck ID CRITERION", short: "Open a criterion again",
		long:    "Open a criterion again, named by its number, its key or its whole text. Its evidence is kept.",
		example: "baton task uncheck 101 2\nbaton task uncheck 101 2 --by index",
		least:   2, most: 2,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			r.ID, r.Selector = args[0], args[1]
			return d.check(cmd, r, nil)
		},
	})
	by(cmd, &r)
	cmd.ValidArgsFunction = d.completeCriterion(true)
	return cmd
}

// by is the flag that settles what a selector means when it could mean two things (TS-D3).
func by(cmd *cobra.Command, r *tasks.CheckRequest) {
	cmd.Flags().StringVar(&r.By, "by", "", "read CRITERION as `WHAT`: index, id or text")
}

func (d *door) check(cmd *cobra.Command, r tasks.CheckRequest, stream *lineKeeper) error {
	switch r.By {
	case "", "index", "id", "text":
	default:
		return usage(cmd.CommandPath(), fmt.Sprintf("--by: %q is not index, id or text", r.By))
	}
	return answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.CheckResult, error) {
		defer stream.finish()
		return p.Tasks.Check(ctx, r)
	}, func(p *page, c tasks.CheckResult) { pageCheck(p, c, r) })
}

func pageCheck(p *page, r tasks.CheckResult, request tasks.CheckRequest) {
	c := r.Criterion
	label := fmt.Sprintf("%s criterion %d: ", ref(r.Task), c.N)
	switch {
	case !r.Changed && request.Uncheck:
		p.line(plain, "Nothing to do: %s%s is open.", label, c.Text)
	case !r.Changed && request.Run != "":
		p.add(good, "Still holds: ").add(plain, label+c.Text).end()
		p.add(plain, "  ").add(proof(c)).end()
	case !r.Changed:
		p.line(plain, "Nothing to do: %s%s is checked.", label, c.Text)
	case request.Uncheck:
		p.add(warn, "Opened ").add(plain, label+c.Text).end()
	default:
		p.add(good, "Checked ").add(plain, label+c.Text).end()
		p.add(plain, "  ").add(proof(c)).end()
	}
	p.remarks = r.Warnings
	p.line(plain, "  %d of %d criteria", r.Done, r.Total)
	if r.Done == r.Total && r.Total > 0 && !request.Uncheck {
		p.hint("Next: baton task output %s --summary TEXT, then baton task complete %s", r.Task, r.Task)
	}
}

// proof says in brief what stands behind a checked criterion.
func proof(c tasks.CriterionView) (tone, string) {
	e := c.Evidence
	switch {
	case e == nil || e.Kind == "claim":
		return warn, "claimed, not verified"
	case e.Kind == "word":
		return plain, "by word of " + e.By + ": " + e.Text
	case !c.Verified:
		return bad, "its command failed: " + e.Command
	}
	text := "verified: " + e.Command + fmt.Sprintf(" (%.1f s", float64(e.DurationMS)/1000)
	if e.Commit != "" {
		text += ", " + short(e.Commit)
		if e.Dirty {
			text += " with changes"
		}
	}
	return good, text + ")"
}

// lineKeeper passes a command's output on and remembers whether its last line was ended, so that what baton itself
// says, an error object above all, begins on a line of its own.
type lineKeeper struct {
	to   io.Writer
	open bool
}

func (k *lineKeeper) Write(p []byte) (int, error) {
	if len(p) > 0 {
		k.open = p[len(p)-1] != '\n'
	}
	return k.to.Write(p)
}

func (k *lineKeeper) finish() {
	if k != nil && k.open {
		_, _ = k.to.Write([]byte("\n"))
	}
}
