package folder

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/usecase/folder"
)

func dirLockCommand(d *app.App) *cobra.Command {
	var r folder.DirRequest
	cmd := d.Command(app.Spec{
		Use: "lock", Short: "Show who holds the folder's lock",
		Long: "Show whether the lock file .lock is there, which process holds it, and whether that " +
			"process is still running. Programs that write the folder's record hold the lock for " +
			"milliseconds. Nothing is written.",
		Example: "baton dir lock\nbaton dir lock --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.AnswerJudged(d, cmd, func(ctx context.Context, p *project.Project) (folder.DirLock, error) {
				return p.Folder.DirLock(ctx, r)
			}, func(p *app.Page, got folder.DirLock) { pageLock(p, got, r) },
				func(got folder.DirLock) error { return broken(got.Warnings) })
		},
	})
	cmd.Hidden = true // dir read and the doctor show the same
	return inFolder(cmd, &r)
}

func dirUnlockCommand(d *app.App) *cobra.Command {
	var r folder.UnlockRequest
	cmd := d.Command(app.Spec{
		Use: "unlock --stale", Short: "Remove a lock whose process is gone",
		Long: `Remove the lock file if the process that it names is gone, or if it names none and is older than
three seconds. A lock of a running process is never touched. Commands that write to the folder do
this automatically.`,
		Example: "baton dir unlock --stale",
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (folder.DirLock, error) {
				return p.Folder.DirUnlock(ctx, r)
			}, func(p *app.Page, got folder.DirLock) { pageLock(p, got, r.DirRequest) })
		},
	})
	cmd.Flags().BoolVar(&r.Stale, "stale", false, "required: remove it only if nobody holds it any more")
	return inFolder(cmd, &r.DirRequest)
}

// lockShown is what dir read says about the lock: only that somebody holds it, or that it is stale.
func lockShown(p *app.Page, lock folder.DirLock, where folder.DirRequest) {
	if lock.Held || lock.Stale {
		pageLock(p, lock, where)
	}
}

func pageLock(p *app.Page, r folder.DirLock, where folder.DirRequest) {
	p.Remarks = r.Warnings
	switch {
	case r.Removed:
		p.Item("", app.Good, "Removed "+r.Path+":", r.Why)
	case r.Stale:
		p.Item("", app.Warn, r.Path+" is stale:", r.Why)
		p.Hint("To remove it: %s", pageHint(p, where, "unlock --stale"))
	case r.Held:
		p.Item("", app.Accent, r.Path+":", r.Why+"; made "+age(r.AgeS)+" ago")
	default:
		p.Line(app.Plain, "Nobody holds %s.", r.Path)
	}
	if r.Rebuild {
		p.Line(app.Faint, "  .graphify-rebuild.lock is there too; it belongs to another program and is left alone")
	}
}
