package digest

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/tasks"
)

// StartSession prints where a project stands that has a digest and no tasks (D18).
func StartSession(d *app.App, cmd *cobra.Command) error {
	return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.StateResult, error) {
		state, err := p.Digests.State(ctx)
		if err != nil && report.KindOf(err) != report.NotFound {
			return state, err
		}
		list, bad := p.Tasks.List(ctx, tasks.ListRequest{}) // fails where nothing keeps tasks
		if err == nil && (bad != nil || len(list.Tasks) == 0) {
			return state, nil
		}
		e := app.Usage(cmd.CommandPath(), app.CommandName(cmd)+" needs ID")
		e.Hint = app.IDHint + e.Hint
		return state, e
	}, pageState)
}

// EndSession writes where work stopped into the digest of a project; no task is part of it (D18).
func EndSession(d *app.App, cmd *cobra.Command, r digests.DigestSessionRequest, args []string) error {
	path := cmd.CommandPath()
	switch {
	case len(args) > 0:
		return app.Usage(path, "ID|SESSION and --stopped-at cannot be used together")
	case cmd.Flags().Changed("no-log"):
		return app.Usage(path, "--no-log and --stopped-at cannot be used together")
	case !cmd.Flags().Changed("stopped-at"):
		return app.Usage(path, "--resume-file needs --stopped-at")
	}
	text, err := d.RequiredText(cmd, "stopped-at", r.StoppedAt)
	if err != nil {
		return err
	}
	r.StoppedAt = text
	return change(d, cmd, func(ctx context.Context, p digests.Digests) (digests.StateChange, error) {
		return p.EndDigestSession(ctx, r)
	}, pageFields, "Ended the session")
}
