package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/tasks"
)

func (d *door) claimCommand() *cobra.Command {
	var r tasks.ClaimRequest
	cmd := d.about(spec{
		use: "claim ID|--next", short: "Hold a task, so that no other session takes it",
		long: "Take the exclusive hold on a ready task, for the time of a lease. Every write of the holder renews it. --next takes\n" +
			"the first ready task in one step, safely beside other processes that do the same. Claiming again as the same holder\n" +
			"renews the lease.\n\n" +
			"--scope names files that you work on: paths relative to the project's root, where * ? and [...] stand for what is in\n" +
			"one name, and ** for any folders. An agent of another session that edits one of them is told, or refused where\n" +
			"claims.scope is deny. Claiming again keeps the scope, or replaces it when --scope is given.",
		example: "baton task claim 101\nbaton task claim 101 --scope 'src/auth/**' --scope go.mod\n" +
			"baton task claim --next --as worker-1 --lease 1h\nbaton task claim 101 --steal --reason \"the other session is gone\"",
		most:  1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			path := cmd.CommandPath()
			switch {
			case r.Next && len(args) > 0:
				return usage(path, "ID and --next cannot go together")
			case !r.Next && len(args) == 0:
				return usage(path, called(cmd)+" needs ID or --next")
			case r.Next && r.Steal:
				return usage(path, "--next takes a task that nobody holds; --steal needs an ID")
			case r.Steal && r.Reason == "":
				return usage(path, "--steal needs --reason TEXT")
			case r.Reason != "" && !r.Steal:
				return usage(path, "--reason goes with --steal")
			}
			if err := positive(cmd, "lease"); err != nil {
				return err
			}
			if len(args) > 0 {
				r.ID = args[0]
			}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.ClaimResult, error) {
				got, err := p.Tasks.Claim(ctx, r)
				if report.CodeOf(err) == "nothing_ready" && noTasks(ctx, p) {
					e := *report.As(err)
					e.Message, e.Hint = "there are no tasks yet", "create one: baton task new \"TITLE\""
					err = &e
				}
				return got, err
			}, pageClaim)
		},
	})
	flags := cmd.Flags()
	flags.BoolVar(&r.Next, "next", false, "take the first ready task")
	flags.DurationVar(&r.Lease, "lease", 0, "hold it for `TIME`, like 30m (default: the configured lease)")
	flags.BoolVar(&r.Steal, "steal", false, "take it from its holder; needs --reason")
	flags.StringVar(&r.Reason, "reason", "", "why it is taken from its holder: `TEXT`")
	flags.StringArrayVar(&r.Scope, "scope", nil, "work on the files that `PATTERN` names; may be repeated")
	flags.BoolVar(&r.Force, "force", false, "claim a task that is not ready, unless it is complete")
	return cmd
}

func pageClaim(p *page, r tasks.ClaimResult) {
	p.add(good, "Claimed "+ref(r.Task)).add(plain, titled(r.Title)).end()
	p.line(plain, "  by %s until %s, fence %d", r.Claim.By, p.clock(r.Claim.Until), r.Claim.Fence)
	if len(r.Claim.Scope) > 0 {
		p.line(plain, "  scope %s", strings.Join(r.Claim.Scope, ", "))
	}
	if r.Stolen != "" {
		p.line(warn, "  taken from %s", r.Stolen)
	}
	p.line(plain, "  %s", r.Path)
	p.remarks = r.Warnings
	p.hint("Next: baton session start %s", r.Task)
}

func (d *door) releaseCommand() *cobra.Command {
	return d.about(spec{
		use: "release ID", short: "Let go of a task",
		long:    "Give up your claim. The task stays in progress, and others may take it.",
		example: "baton task release 101",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.TaskChange, error) {
				return p.Tasks.Release(ctx, tasks.TaskRequest{ID: args[0]})
			}, func(p *page, r tasks.TaskChange) {
				pageChange(p, r, "Released", stateWords(r.Status)+", free for others", "was not claimed")
			})
		},
	})
}

func (d *door) blockCommand() *cobra.Command {
	var r tasks.TaskRequest
	cmd := d.about(spec{
		use: "block ID --reason TEXT", short: "Say that a task cannot go on",
		long:    "Set a task to blocked and end its claim. The reason appears among the issues of its next session entry.",
		example: "baton task block 101 --reason \"waits for the key server\"",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			if r.Reason == "" {
				return usage(cmd.CommandPath(), called(cmd)+" needs --reason TEXT")
			}
			r.ID = args[0]
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.TaskChange, error) {
				return p.Tasks.Block(ctx, r)
			}, func(p *page, c tasks.TaskChange) {
				pageChange(p, c, "Blocked", r.Reason, "was blocked already")
				p.hint("When it can go on: baton task reopen %s", c.Task)
			})
		},
	})
	cmd.Flags().StringVar(&r.Reason, "reason", "", "what is in the way: `TEXT`")
	return cmd
}

func (d *door) reopenCommand() *cobra.Command {
	return d.about(spec{
		use: "reopen ID", short: "Take a finished or blocked task up again",
		long:    "Set a complete or blocked task to in progress. When it is completed again, downstream tasks receive its new output.",
		example: "baton task reopen 101",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.TaskChange, error) {
				return p.Tasks.Reopen(ctx, tasks.TaskRequest{ID: args[0]})
			}, func(p *page, r tasks.TaskChange) {
				pageChange(p, r, "Reopened", stateWords(r.Status), "was open already")
				p.hint("Next: baton session start %s", r.Task)
			})
		},
	})
}

// stateWords is a status inside a sentence: "in progress".
func stateWords(status string) string { return strings.ReplaceAll(status, "_", " ") }

// pageChange says what happened to a task's state and how it stands now, or that nothing had to happen.
func pageChange(p *page, r tasks.TaskChange, done, now, nothing string) {
	if r.Changed {
		p.add(good, done+" "+ref(r.Task)).add(plain, titled(r.Title)+": "+now).end()
	} else {
		p.line(plain, "Nothing to do: %s %s.", ref(r.Task), nothing)
	}
	p.remarks = r.Warnings
}
