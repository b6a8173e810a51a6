package history

import (
	"fmt"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/history"
	"baton/internal/workspace"
)

// write adds the new contents to the transaction. A document that disappears must be kept as a
// version, because nothing is ever lost.
func (u *undoing) write(tx *store.Tx) error {
	leaves := LeavingOf(u.docs)
	for _, name := range workspace.SortedKeys(u.docs) {
		d := u.docs[name]
		switch {
		case !d.Changed():
		case d.Then.Exists:
			most, err := u.p.Kept.KeptMode(tx.Context(), name)
			if err != nil {
				return err
			}
			tx.Write(name, d.Then.Data)
			tx.AtMostMode(name, most)
			for _, m := range leaves.Returns(name, d) {
				tx.Move(m)
			}
		default:
			sum := history.DocSumOf(d.Now.Data)
			if kept, err := Of(u.p).keptBytes(u.c, name, sum); err != nil {
				return err
			} else if kept == nil {
				return &report.Error{
					Kind: report.Corrupt, Code: report.CodeRevisionLost, Path: name,
					Message: fmt.Sprintf("%s would be deleted, and no version of it is kept", name),
					Hint:    "if you do not need it, move it away by hand; snapshots.max_mb limits how much is kept",
				}
			}
			tx.Discard("", name)
		}
	}
	if n := len(u.taken); n > 0 {
		tx.Undoes(u.book.all[u.taken[n-1]].Seq)
	}
	return nil
}
