package cli

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/folder"
)

func (d *door) dirLockCommand() *cobra.Command {
	var r folder.DirRequest
	cmd := d.command(spec{
		use: "lock", short: "Say who holds the lock of the folder",
		long: "Say whether the lock file .lock is there, which process holds it, and whether that one is still alive. Programs that\n" +
			"write the folder's record hold it for milliseconds. Nothing is written.",
		example: "baton dir lock\nbaton dir lock --json",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (folder.DirLock, error) {
				return p.Folder.DirLock(ctx, r)
			}, func(p *page, got folder.DirLock) { pageLock(p, got, r) })
		},
	})
	return inFolder(cmd, &r)
}

func (d *door) dirUnlockCommand() *cobra.Command {
	var r folder.UnlockRequest
	cmd := d.command(spec{
		use: "unlock --stale", short: "Take away a lock that nobody holds any more",
		long: "Take the lock file away when the process that it names is gone, or when it names none and is older than three seconds.\n" +
			"The lock of a living process is never touched. Commands that write do this by themselves.",
		example: "baton dir unlock --stale",
		exits:   writing[:],
		run: func(cmd *cobra.Command, _ []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (folder.DirLock, error) {
				return p.Folder.DirUnlock(ctx, r)
			}, func(p *page, got folder.DirLock) { pageLock(p, got, r.DirRequest) })
		},
	})
	cmd.Flags().BoolVar(&r.Stale, "stale", false, "only when nobody holds it any more")
	return inFolder(cmd, &r.DirRequest)
}

func pageLock(p *page, r folder.DirLock, where folder.DirRequest) {
	p.remarks = r.Warnings
	switch {
	case r.Removed:
		p.item("", good, "Took "+r.Path+" away:", r.Why)
	case r.Stale:
		p.item("", warn, r.Path+" is stale:", r.Why)
		p.hint("Take it away: %s", p.again(where, "unlock --stale"))
	case r.Held:
		p.item("", accent, r.Path+":", r.Why+"; made "+age(r.AgeS)+" ago")
	default:
		p.line(plain, "Nobody holds %s.", r.Path)
	}
	if r.Rebuild {
		p.line(faint, "  .graphify-rebuild.lock is there too; it belongs to another program and is left alone")
	}
}
