package project

import (
	"bytes"
	"fmt"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/filestore"
)

// write asks the transaction for everything. A document that goes away must be kept as a version: nothing is deleted, only moved.
func (u *undoing) write(tx *store.Tx) error {
	for _, name := range sortedKeys(u.docs) {
		d := u.docs[name]
		switch {
		case !d.changed():
		case d.then.Exists:
			tx.Write(name, d.then.Data)
			u.returns(tx, name)
		default:
			sum := filestore.DocSumOf(d.now.Data)
			if kept, err := u.p.keptBytes(u.c, name, sum); err != nil {
				return err
			} else if kept == nil {
				return &report.Error{
					Kind: report.Corrupt, Code: "revision_lost", Path: name,
					Message: fmt.Sprintf("%s would go away, and no version of it is kept", name),
					Hint:    "move it away by hand if it is not needed; snapshots.max_mb says how much is kept",
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

// returns declares the lines that come back to a document from another one, such as from an archive: in case of a crash and a hand edit
// none of them may be in neither (D5).
func (u *undoing) returns(tx *store.Tx, name string) {
	d := u.docs[name]
	lines := bytes.SplitAfter(d.then.Data, []byte("\n"))
	fresh := newLines(d.now.Data, d.then.Data)
	for i := 0; i < len(fresh); {
		end := i + 1
		for end < len(fresh) && fresh[end] == fresh[end-1]+1 {
			end++
		}
		block := lines[fresh[i]-1 : fresh[end-1]]
		if !u.comes(tx, name, bytes.Join(block, nil)) {
			for _, line := range block { // an archive may have put others between them
				u.comes(tx, name, line)
			}
		}
		i = end
	}
}

// comes declares a text that another document loses, false when none does.
func (u *undoing) comes(tx *store.Tx, name string, text []byte) bool {
	if len(bytes.TrimSpace(text)) == 0 {
		return true
	}
	for _, from := range sortedKeys(u.docs) {
		if o := u.docs[from]; from != name && bytes.Count(o.now.Data, text) > bytes.Count(o.then.Data, text) {
			tx.Move(store.Move{From: from, To: name, Lost: text, Gained: text})
			return true
		}
	}
	return false
}
