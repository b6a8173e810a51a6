package history_test

import (
	"context"
	"fmt"
	"path"
	"testing"

	"baton/internal/store"
	"baton/internal/store/filestore/crashtest"
)

// TestD36_KeptFoldersSwappedForLinks: a process may replace a folder of kept versions, books or the
// log by a link while baton writes or looks. Nothing is written, left or removed where the link
// leads.
func TestD36_KeptFoldersSwappedForLinks(t *testing.T) {
	t.Parallel()
	const local = "/p/.baton/local"
	for _, folder := range []string{local, local + "/ledger", local + "/log", local + "/snapshots", "/p/tasks"} {
		t.Run(path.Base(folder), func(t *testing.T) {
			t.Parallel()
			for at := 0; ; at++ {
				fs := newCrashFS(t, scenes()[0].Before)
				update(t, watchingOn(fs), func(tx *store.Tx) {
					tx.Write("tasks/1.md", []byte("# 1\n"+entry+kept+"\n"))
					tx.Write("x", []byte("x"))
				})
				fs.Put("/out/000001.jsonl", "theirs\n")
				fs.MkdirAll("/out/ledger")
				fs.MkdirAll("/out/log")
				before := fmt.Sprint(fs.Entries("/out"))
				happened := crashtest.Swap{Folder: folder, At: at, Back: at % 4 * 3}.On(fs)
				s := watchingOn(fs)
				_, err := s.Update(context.Background(), scenes()[0].Run)
				_, errSeen := s.Observe(context.Background(), []string{"tasks/1.md", "tasks/2.md"})
				fs.Hook = nil
				if now := fmt.Sprint(fs.Entries("/out")); now != before {
					t.Fatalf("%d (%v, %v):\n%s\nbefore:\n%s", at, err, errSeen, now, before)
				}
				if !happened() {
					break
				}
			}
		})
	}
}
