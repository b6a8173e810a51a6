package filestore_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"baton/internal/store"
	"baton/internal/store/filestore"
	"baton/internal/store/foreign"
)

// TestD31_ForeignLocksCostNoFsync: adding a decision changes one file and costs two fsyncs. With a
// rotation it is a journalled move over two files and costs six, or seven if the archive and its
// folder are new. A foreign lock adds no fsync. It opens two more files, to create the lock and to
// check that it is still ours, and adds a look at the documents. The lock of a state folder costs
// the same.
func TestD31_ForeignLocksCostNoFsync(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		syncs int64
		opens int64 // more than without foreign locks
		fn    func(tx *store.Tx, b []byte)
	}{
		{"one file changed", 2, 3, func(tx *store.Tx, b []byte) { tx.Write("p/STATE.md", b) }},
		{"one file created", 2, 2, func(tx *store.Tx, b []byte) { tx.Create("p/new", b) }},
		{"move to an archive", 6, 4, func(tx *store.Tx, b []byte) {
			tx.Write("p/STATE.md", b)
			tx.Append("p/ARCHIVE.md", b)
			tx.Move(store.Move{From: "p/STATE.md", To: "p/ARCHIVE.md", Lost: []byte("old"), Gained: b})
		}},
		{"move to a new archive beside", 6, 3, func(tx *store.Tx, b []byte) {
			tx.Write("p/STATE.md", b)
			tx.Append("p/NEW.md", b)
			tx.Move(store.Move{From: "p/STATE.md", To: "p/NEW.md", Lost: []byte("old"), Gained: b})
		}},
		{"move to a new archive elsewhere", 7, 3, func(tx *store.Tx, b []byte) {
			tx.Write("p/STATE.md", b)
			tx.Append("q/NEW.md", b)
			tx.Move(store.Move{From: "p/STATE.md", To: "q/NEW.md", Lost: []byte("old"), Gained: b})
		}},
		{"nothing", 0, 0, func(tx *store.Tx, _ []byte) { tx.Write("p/STATE.md", []byte("old")) }},
	} {
		syncs, opens := map[string]int64{}, map[string]int64{}
		for _, guarded := range []string{"", "digest", "folder"} {
			root := realTemp(t)
			put(t, filepath.Join(root, "p/STATE.md"), "old")
			put(t, filepath.Join(root, "p/ARCHIVE.md"), "old")
			put(t, filepath.Join(root, "q/other"), "old")
			s := filestore.Open(filestore.Options{
				Root: root, Runtime: ".baton/local",
				Foreign: func(string) (foreign.Lock, bool) {
					how := map[string]foreign.Steal{"folder": foreign.Aside}[guarded]
					return foreign.Lock{Name: "p/STATE.md.lock", Steal: how}, guarded != ""
				},
			})
			update(t, s, func(tx *store.Tx) { tx.Write("q/other", []byte("used")) })
			n, o := s.Counters().Syncs.Load(), s.Counters().Opens.Load()
			update(t, s, func(tx *store.Tx) { c.fn(tx, bytes.Repeat([]byte("x"), 9)) })
			syncs[guarded], opens[guarded] = s.Counters().Syncs.Load()-n, s.Counters().Opens.Load()-o
		}
		for guarded, n := range syncs {
			if n != c.syncs {
				t.Errorf("%s, %q: %d fsyncs, want %d", c.name, guarded, n, c.syncs)
			}
			if more := opens[guarded] - opens[""]; guarded != "" && more != c.opens {
				t.Errorf("%s, %s: %d files opened more, want %d", c.name, guarded, more, c.opens)
			}
		}
	}
}
