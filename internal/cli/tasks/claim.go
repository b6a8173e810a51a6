package tasks

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/tasks"
)

func claimCommand(d *app.App) *cobra.Command {
	var r tasks.ClaimRequest
	cmd := about(d, app.Spec{
		Use: "claim ID…|--next", Short: "Claim a task, so that no other session takes it",
		Long: "Claim a ready task until its lease expires. Everything that you write about the task renews " +
			"the lease, and so does claiming it again. --next claims the first ready task in one step, so " +
			"that no two processes get the same one.\n\n" +
			"--scope names the files that you work on: paths relative to the project's root, where * ? " +
			"and [...] match within one name, and ** matches any folders. If an agent of another session " +
			"edits one of these files, baton warns it or, with the setting `claims.scope: deny`, refuses " +
			"the edit. Claiming again keeps the scope unless you give --scope.\n\n" +
			"baton refuses a task that is complete on another branch, until you merge that branch. To do " +
			"the task once more, give --force and --reason.",
		Example: "baton task claim 101\nbaton task claim 101 102\n" +
			"baton task claim 101 --scope 'src/auth/**' --scope go.mod\n" +
			"baton task claim --next --as worker-1 --lease 1h\n" +
			"baton task claim 101 --steal --reason \"the other session is gone\"",
		MaxArgs: app.MostIDs,
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			path := cmd.CommandPath()
			switch {
			case r.Next && len(args) > 0:
				return app.Usage(path, "ID and --next cannot be used together")
			case !r.Next && len(args) == 0:
				return app.Usage(path, app.CommandName(cmd)+" needs ID or --next")
			case r.Next && r.Steal:
				return app.Usage(path, "--next takes a task that nobody holds; --steal needs an ID")
			case r.Steal && r.Reason == "":
				return app.Usage(path, "--steal needs --reason TEXT")
			case r.Reason != "" && !r.Steal && !r.Force:
				return app.Usage(path, "--reason needs --steal or --force")
			case d.Here && !r.Next:
				return app.Usage(path, "--here needs --next")
			}
			if err := app.Positive(cmd, "lease"); err != nil {
				return err
			}
			if r.Next {
				args = []string{""}
			}
			return app.AnswerEach(d, cmd, args, func(
				ctx context.Context, p *project.Project, id string,
			) (tasks.ClaimResult, error) {
				ask := r
				ask.ID = id
				got, err := p.Tasks.Claim(ctx, ask)
				if report.CodeOf(err) == report.CodeNothingReady && noTasks(ctx, p) {
					e := *report.As(err)
					e.Message, e.Hint = "there are no tasks yet", "create one: baton task new \"TITLE\""
					err = &e
				}
				return got, err
			}, pageClaim)
		},
	})
	flags := cmd.Flags()
	flags.BoolVar(&r.Next, "next", false, "claim the first ready task")
	flags.DurationVar(&r.Lease, "lease", 0, "hold it for `TIME`, like 30m (default: the configured lease)")
	flags.BoolVar(&r.Steal, "steal", false, "take it from its holder; needs --reason")
	flags.StringVar(&r.Reason, "reason", "", "why you take it from its holder, or do it once more: `TEXT`")
	flags.StringArrayVar(&r.Scope, "scope", nil, "the files that you work on match `PATTERN`; may be repeated")
	flags.BoolVar(&r.Force, "force", false, "claim it even if it is not ready, unless it is complete")
	d.OnlyHere(cmd)
	return cmd
}

func pageClaim(p *app.Page, r tasks.ClaimResult) {
	p.Add(app.Good, "Claimed "+r.Task.Ref()).Add(app.Plain, titled(r.Title)).End()
	p.Line(app.Plain, "  by %s until %s, fence %d", r.Claim.By, p.Clock(r.Claim.Until), r.Claim.Fence)
	if len(r.Claim.Scope) > 0 {
		p.Line(app.Plain, "  scope %s", strings.Join(r.Claim.Scope, ", "))
	}
	if r.Stolen != "" {
		p.Line(app.Warn, "  taken from %s", r.Stolen)
	}
	p.Line(app.Plain, "  %s", r.Path)
	p.Remarks = r.Warnings
	p.Hint("Next: baton session start %s", r.Task)
}

func releaseCommand(d *app.App) *cobra.Command {
	return about(d, app.Spec{
		Use: "release ID…", Short: "Give a claimed task back",
		Long:    "Give up your claim. The task stays in progress, and others can take it.",
		Example: "baton task release 101\nbaton task release 101 102",
		MinArgs: 1, MaxArgs: app.MostIDs,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			return app.AnswerEach(d, cmd, args, func(
				ctx context.Context, p *project.Project, id string,
			) (tasks.TaskChange, error) {
				return p.Tasks.Release(ctx, tasks.TaskRequest{ID: id})
			}, func(p *app.Page, r tasks.TaskChange) {
				pageChange(p, r, "Released", stateWords(r.Status)+", free for others", "was not claimed")
			})
		},
	})
}

func blockCommand(d *app.App) *cobra.Command {
	var r tasks.TaskRequest
	cmd := about(d, app.Spec{
		Use: "block ID --reason TEXT", Short: "Mark a task as blocked",
		Long: "Set a task to blocked and end its claim. The reason appears among the issues of its " +
			"next session entry.",
		Example: "baton task block 101 --reason \"waits for the key server\"",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if r.Reason == "" {
				return app.Usage(cmd.CommandPath(), app.CommandName(cmd)+" needs --reason TEXT")
			}
			r.ID = args[0]
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.TaskChange, error) {
				return p.Tasks.Block(ctx, r)
			}, func(p *app.Page, c tasks.TaskChange) {
				pageChange(p, c, "Blocked", r.Reason, "is already blocked")
				p.Hint("To continue later: baton task reopen %s", c.Task)
			})
		},
	})
	cmd.Flags().StringVar(&r.Reason, "reason", "", "what blocks it: `TEXT`")
	return cmd
}

func reopenCommand(d *app.App) *cobra.Command {
	return about(d, app.Spec{
		Use: "reopen ID", Short: "Reopen a finished, blocked or cancelled task",
		Long: "Set a complete, blocked or cancelled task to in progress. When it is completed again, " +
			"downstream tasks receive its new output. A cancelled task on which nobody worked is ready again.",
		Example: "baton task reopen 101",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.TaskChange, error) {
				return p.Tasks.Reopen(ctx, tasks.TaskRequest{ID: args[0]})
			}, func(p *app.Page, r tasks.TaskChange) {
				pageChange(p, r, "Reopened", stateWords(r.Status), "is already open")
				p.Hint("Next: baton session start %s", r.Task)
			})
		},
	})
}

// stateWords returns a status inside a sentence: "in progress".
func stateWords(status string) string { return strings.ReplaceAll(status, "_", " ") }

// pageChange says what happened to a task's state and how it stands now, or that nothing had to
// happen.
func pageChange(p *app.Page, r tasks.TaskChange, done, now, nothing string) {
	if r.Changed {
		p.Add(app.Good, done+" "+r.Task.Ref()).Add(app.Plain, titled(r.Title)+": "+now).End()
	} else {
		p.Line(app.Plain, "Nothing to do: %s %s.", r.Task.Ref(), nothing)
	}
	p.Remarks = r.Warnings
}
