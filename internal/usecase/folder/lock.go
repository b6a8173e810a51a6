package folder

import (
	"context"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/foreign"
	"baton/internal/workspace"
)

// rebuildLock is the lock of another program in the state folder. It is shown and never touched
// (5.11).
const rebuildLock = ".graphify-rebuild.lock"

// DirLock returns who holds the lock file of the state folder, and whether the next writer would
// have to wait for it (5.11). It fails with the errors of ForFolder, and with Refused for a folder
// that cannot be read.
func (p Folder) DirLock(ctx context.Context, r DirRequest) (DirLock, error) {
	const op = "dir.lock"
	at, place, err := p.ForFolder(ctx, op, r)
	if err != nil {
		return DirLock{}, err
	}
	held := lock(place)
	state, err := at.Store.LookAtLock(ctx, held)
	if err != nil {
		return DirLock{}, workspace.InOp(err, op)
	}
	out := Of(at).lockAnswer(ctx, place, held, state)
	out.Warnings = append(out.Warnings, place.Doubts()...)
	// A folder that cannot be listed has no caveats, but the holder of its lock is still known.
	if v, err := Of(at).ViewFolder(ctx, at.Store, place, at.Now()); err == nil {
		out.Warnings = append(out.Warnings, v.Caveats()...)
	}
	return out, ctx.Err()
}

// DirUnlock removes the lock file if nobody can hold it any more, by the same rules as every
// writer. Without a lock file it does nothing (5.11). It fails with Usage stale_missing without
// Stale, with Conflict lock_held for a lock that is not stale, with the errors of DirLock, with
// Usage layout_ambiguous, and with Locked lock_timeout while another baton command writes.
func (p Folder) DirUnlock(ctx context.Context, r UnlockRequest) (DirLock, error) {
	const op = "dir.unlock"
	if !r.Stale {
		return DirLock{}, &report.Error{
			Op: op, Kind: report.Usage, Code: report.CodeStaleMissing,
			Message: "a lock is removed only if nobody can hold it any more",
			Hint: "add --stale; it removes the lock of a process that has ended, but never that of a running one; " +
				"`baton dir lock` shows which one it is",
		}
	}
	at, place, err := p.ForFolder(ctx, op, r.DirRequest)
	if err == nil {
		err = place.Writable(op)
	}
	if err != nil {
		return DirLock{}, err
	}
	held := lock(place)
	if p.O.Rehearsal != nil {
		state, err := at.Store.LookAtLock(ctx, held)
		if err == nil && state.Stale {
			err = p.O.Rehearsal.Plan(ctx, at.Store, "", func(tx *store.Tx) error {
				tx.Discard("", held.Name)
				return nil
			})
		}
		return Of(at).lockAnswer(ctx, place, held, state), workspace.InOp(err, op)
	}
	state, removed, err := at.Store.BreakLock(ctx, held)
	if err != nil {
		return DirLock{}, workspace.InOp(err, op)
	}
	out := Of(at).lockAnswer(ctx, place, held, state)
	out.Held, out.Removed = out.Held && !removed, removed
	return out, nil
}

// lockAnswer describes a lock for people and programs.
func (p Folder) lockAnswer(ctx context.Context, place workspace.FolderPlace, lock foreign.Lock,
	state foreign.State,
) DirLock {
	rebuild, err := p.Store.LookAtLock(ctx, foreign.Lock{Name: place.In(rebuildLock), Steal: foreign.Aside})
	var pid *int
	if state.PID != 0 {
		pid = &state.PID
	}
	return DirLock{
		Layout: place.Layout, Path: lock.Name, Held: state.Held, PID: pid, Command: state.Command,
		Alive: state.Alive, Stale: state.Stale, Why: state.Why, AgeS: state.Age.Seconds(),
		Rebuild:  err == nil && rebuild.Held,
		Warnings: []report.Finding{},
	}
}
