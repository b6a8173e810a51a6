package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/usecase/work"
)

func nextCommand(d *app.App) *cobra.Command {
	var r work.NextRequest
	cmd := d.Command(app.Spec{
		Use: "next", Short: "Take up the next task, and see what to know",
		Long: `Take up what to do now, and print what a session needs to know about it. If you hold a task, you
continue it. Otherwise baton takes the task in progress that nobody holds, or else the first ready
task. It claims the task and begins a session on it, so that the commits of the session are
recorded.

Without tasks, baton prints where the project stands and what its digest recommends. If no task can
start, the exit code is 3, and the message says what each open task waits for.`,
		Example: "baton next\nbaton next --as worker-1 --lease 1h",
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			if err := app.Positive(cmd, "lease"); err != nil {
				return err
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (work.Result, error) {
				return p.Work.Next(ctx, r)
			}, pageNext)
		},
	})
	cmd.Flags().DurationVar(&r.Lease, "lease", 0, "hold it for `TIME`, like 30m (default: the configured lease)")
	d.OnlyHere(cmd)
	return cmd
}

// pageNext says what was taken up, and below it what an agent needs to know.
func pageNext(p *app.Page, r work.Result) {
	verb := "Claimed"
	switch r.What {
	case work.Continued:
		verb = "Continuing"
	case work.Started:
		verb = "Started"
	case work.Project:
		verb = ""
	}
	if verb != "" {
		p.Add(app.Good, verb+" "+r.Task.Ref()).Add(app.Plain, "  "+r.Title).End()
		if r.Claim != nil {
			p.Line(app.Plain, "  by %s until %s, fence %d", r.Claim.By, p.Clock(r.Claim.Until), r.Claim.Fence)
		}
		if r.Stolen != "" {
			p.Line(app.Warn, "  taken from %s", r.Stolen)
		}
		p.End()
	}
	p.Remarks = r.Warnings
	if strings.TrimSpace(r.Text) != "" {
		p.Block("", r.Text, 0)
	}
}
