package tasks

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/tasks"
)

func checkCommand(d *app.App) *cobra.Command {
	var r tasks.CheckRequest
	cmd := about(d, app.Spec{
		Use: "check ID CRITERION…", Short: "Check off a criterion, ideally by running a command",
		Long: `Check off a criterion. CRITERION is its number, its key or its whole text; several are
checked off one after the other.

--run CMD runs a command in the project's root (or in the folder that the configuration gives for
the task's repository) and shows its output on standard error. The criterion is checked off only
if the command succeeds; if it fails, the criterion is reopened. Either way, baton keeps the
command, its exit code, duration, commit and last lines as evidence. --evidence records what a
person says instead. Without either flag, the criterion counts as claimed, not verified.`,
		Example: "baton task check 101 1 --run \"go test ./...\"\n" +
			"baton task check 101 \"Tokens are signed\" --evidence \"tried it by hand\"\n" +
			"baton task check 101 2 3",
		MinArgs: 2, MaxArgs: app.MostIDs,
		Exits: append(app.WritingExits[:], report.NotVerified),
		Run: func(cmd *cobra.Command, args []string) error {
			if err := app.Exclusive(cmd, "run", "evidence"); err != nil {
				return err
			}
			if err := app.NotBlank(cmd, "run", "evidence"); err != nil {
				return err
			}
			if d.DryRun && r.Run != "" {
				return app.Usage(cmd.CommandPath(), "--dry-run runs no command, so it cannot go with --run")
			}
			if cmd.Flags().Changed("timeout") && r.Run == "" {
				return app.Usage(cmd.CommandPath(), "--timeout needs --run")
			}
			if err := app.Positive(cmd, "timeout"); err != nil {
				return err
			}
			r.ID = args[0]
			stream := &lineKeeper{to: d.Env.Stderr}
			r.Stream = stream
			return check(d, cmd, r, args[1:], stream)
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Run, "run", "", "check it off only if `CMD` succeeds")
	flags.StringVar(&r.Evidence, "evidence", "", "record what a person says: `TEXT`")
	flags.DurationVar(&r.Timeout, "timeout", 0, "stop the command after `TIME` (default 10m)")
	by(cmd, &r)
	cmd.ValidArgsFunction = completeCriterion(d, false)
	return cmd
}

func uncheckCommand(d *app.App) *cobra.Command {
	r := tasks.CheckRequest{Uncheck: true}
	cmd := about(d, app.Spec{
		Use: "uncheck ID CRITERION", Short: "Reopen a criterion",
		Long:    `Reopen a criterion. CRITERION is its number, its key or its whole text. Its evidence is kept.`,
		Example: "baton task uncheck 101 2\nbaton task uncheck 101 2 --by index",
		MinArgs: 2, MaxArgs: 2,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			r.ID = args[0]
			return check(d, cmd, r, args[1:], nil)
		},
	})
	by(cmd, &r)
	cmd.ValidArgsFunction = completeCriterion(d, true)
	return cmd
}

// by is the flag that settles what a selector means when it could mean two things (TS-D3).
func by(cmd *cobra.Command, r *tasks.CheckRequest) {
	cmd.Flags().StringVar(&r.By, "by", "", "read CRITERION as `WHAT`: index, id or text")
}

func check(d *app.App, cmd *cobra.Command, r tasks.CheckRequest, selectors []string, stream *lineKeeper) error {
	switch r.By {
	case "", "index", "id", "text":
	default:
		return app.Usage(cmd.CommandPath(), fmt.Sprintf("--by: %q is not index, id or text", r.By))
	}
	others := true // wait for the task
	return app.AnswerEach(d, cmd, selectors, func(
		ctx context.Context, p *project.Project, selector string,
	) (tasks.CheckResult, error) {
		defer stream.finish()
		ask := r
		ask.Selector = selector
		c, err := p.Tasks.Check(ctx, ask)
		if err == nil && !d.JSON && c.Done == c.Total {
			others = p.Tasks.IsAwaited(ctx, c.Task)
		}
		return c, err
	}, func(p *app.Page, c tasks.CheckResult) { pageCheck(p, c, r, others) })
}

func pageCheck(p *app.Page, r tasks.CheckResult, request tasks.CheckRequest, awaited bool) {
	c := r.Criterion
	label := fmt.Sprintf("%s criterion %d: ", r.Task.Ref(), c.N)
	switch {
	case !r.Changed && request.Uncheck:
		p.Line(app.Plain, "Nothing to do: %s%s is already open.", label, c.Text)
	case !r.Changed && request.Run != "":
		p.Add(app.Good, "Still holds: ").Add(app.Plain, label+c.Text).End()
		p.Add(app.Plain, "  ").Add(proof(c)).End()
	case !r.Changed:
		p.Line(app.Plain, "Nothing to do: %s%s is already checked.", label, c.Text)
	case request.Uncheck:
		p.Add(app.Warn, "Reopened ").Add(app.Plain, label+c.Text).End()
	default:
		p.Add(app.Good, "Checked ").Add(app.Plain, label+c.Text).End()
		p.Add(app.Plain, "  ").Add(proof(c)).End()
	}
	p.Remarks = r.Warnings
	p.Line(app.Plain, "  %d of %d criteria", r.Done, r.Total)
	if r.Done == r.Total && r.Total > 0 && !request.Uncheck && !lacks(r.Warnings, r.Task) {
		p.Hint("Next: %s", outputStep(r.Task, awaited))
	}
}

// proof says in brief what stands behind a checked criterion.
func proof(c tasks.CriterionView) (app.Tone, string) {
	e := c.Evidence
	switch {
	case e == nil || e.Kind == "claim":
		return app.Warn, "claimed, not verified"
	case e.Kind == "word":
		return app.Plain, "according to " + e.By + ": " + e.Text
	case !c.Verified:
		return app.Bad, "its command failed: " + e.Command
	}
	text := "verified: " + e.Command + fmt.Sprintf(" (%.1f s", float64(e.DurationMS)/1000)
	if e.Commit != "" {
		text += ", " + safetext.ShortHash(e.Commit)
		if e.Dirty {
			text += " with uncommitted changes"
		}
	}
	return app.Good, text + ")"
}

// lineKeeper passes a command's output on and remembers whether its last line was ended, so that
// what baton itself says, an error object above all, begins on a line of its own.
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
