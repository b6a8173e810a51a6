package history

import (
	"context"
	"fmt"
	"slices"

	"baton/internal/store"
	"baton/internal/store/history"
	"baton/internal/workspace"
)

// undoRoot returns the workspace with the newest changes of all roots. passed are newer changes of
// other roots that are no longer in effect. It reads without a lock, because changes made in the
// meantime were not meant. It fails with Conflict undo_blocked if the requested changes belong to
// several roots, because a transaction has only one, and with the errors of planUndo.
func undoRoot(
	ctx context.Context, roots []*workspace.Workspace, count int,
) (at *workspace.Workspace, passed []LoggedChange, err error) {
	if len(roots) == 1 {
		return roots[0], nil, nil
	}
	logs, err := readLogs(ctx, roots)
	if err != nil {
		return nil, nil, err
	}
	plans := map[*rootLog]*undoing{}
	for _, l := range logs {
		plans[l] = Of(l.at).undoingOf(Of(l.at).onlyLooking(ctx), l.all)
	}
	var from *rootLog
	for l := newestLog(logs); l != nil && (from == nil || len(plans[from].taken) < count); l = newestLog(logs) {
		l.left--
		u, there := plans[l], len(plans[l].taken)
		if !u.open(l.left) {
			continue
		}
		err := u.take(l.left)
		switch gone := err == nil && len(u.taken) == there; {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case gone && l != from:
			c := u.book.view(l.left)
			c.Root = l.at.Root
			passed = append(passed, c)
		case !gone && from != nil && l != from:
			return nil, nil, undoSpans(plans[from], u, l.left, count)
		case err != nil:
			return nil, nil, err
		case !gone:
			from = l
		}
	}
	if from == nil {
		return nil, nil, nothingToUndo(logs, plans, count)
	}
	return from.at, slices.DeleteFunc(passed, func(c LoggedChange) bool { return c.Root == from.at.Root }), nil
}

// onlyLooking returns a change that is never committed.
func (p History) onlyLooking(ctx context.Context) *workspace.Change {
	tx := store.NewTx(ctx, p.Store)
	return &workspace.Change{Tx: tx, Reader: tx.Reader(), Now: p.Now(), As: p.Holder(), Dry: true}
}

// undoSpans refuses to undo changes of two roots. before is the change of the other root that
// precedes the changes of newest.
func undoSpans(newest, other *undoing, before, count int) error {
	n := len(newest.taken)
	again, those := "`baton undo`", "the newest one, that"
	if n > 1 {
		again, those = fmt.Sprintf("`baton undo %d`", n), "the newest ones, those"
	}
	return undoBlocked(
		fmt.Sprintf("the last %d changes were made in more than one project, but undo works on one: %s in %s, %s in "+
			"%s",
			count, ordinal(newest.book.all[newest.taken[n-
				1]]), newest.p.Root, ordinal(other.book.all[before]), other.p.Root),
		again+" undoes "+those+" in "+newest.p.Root+"; then undo the others")
}

// nothingToUndo is tooFew for several logs. It prefers a log in which baton changed something,
// whose message says more.
func nothingToUndo(logs []*rootLog, plans map[*rootLog]*undoing, count int) error {
	log := logs[0]
	for _, l := range logs {
		if slices.ContainsFunc(l.all, func(c history.Change) bool { return ownChange(&c) }) {
			log = l
		}
	}
	return plans[log].tooFew(count)
}

// ofRoot sets the root of some changes.
func ofRoot(list []LoggedChange, root string) {
	for i := range list {
		list[i].Root = root
	}
}
