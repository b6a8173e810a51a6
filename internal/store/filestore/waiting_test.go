package filestore_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
	"baton/internal/store/foreign"
)

// TestD36_AReaderIsNotLateWhileAChangeWaits: a change that waits for a lock holds no folder open, so a reader of the same store
// finds the folder that is there now, and not the one that was there when the wait began.
func TestD36_AReaderIsNotLateWhileAChangeWaits(t *testing.T) {
	t.Parallel()
	other := func(tx *store.Tx) error {
		tx.Append("docs/other", []byte("b"))
		return nil
	}
	// Each begins to hold a lock that a change of the store waits for, and makes that change.
	for name, wait := range map[string]func(t *testing.T, root string, s *filestore.Store) error{
		"the lock": func(t *testing.T, root string, s *filestore.Store) error {
			free, _, err := disk.OS{}.TryLock(filepath.Join(root, ".baton/local/lock"))
			if err != nil {
				t.Fatal(err)
			}
			defer free()
			_, err = s.Update(t.Context(), other)
			return err
		},
		"a foreign lock": func(t *testing.T, root string, s *filestore.Store) error {
			check(t, os.WriteFile(filepath.Join(root, "docs/.lock"), []byte("1\n"), 0o666))
			_, err := s.Update(t.Context(), other)
			return err
		},
		"the lock of a cache": func(t *testing.T, root string, s *filestore.Store) error {
			free, ok := opened(root, nil).LockCache(t.Context(), "cache.lock", time.Second)
			if !ok {
				t.Fatal("no lock")
			}
			defer free()
			if free, ok := s.LockCache(t.Context(), "cache.lock", time.Second); ok {
				free()
				return nil
			}
			return errNotHad
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, err := filepath.EvalSymlinks(t.TempDir())
			check(t, err)
			docs := filepath.Join(root, "docs")
			check(t, os.Mkdir(docs, 0o777))
			check(t, os.WriteFile(filepath.Join(docs, "a"), []byte("old"), 0o666))
			_, err = opened(root, nil).Update(t.Context(), other)
			check(t, err)
			pauses := 0
			var s *filestore.Store
			s = opened(root, func(time.Duration) <-chan time.Time {
				pauses++
				for _, want := range []string{"old", "new"} {
					if doc, err := s.Read(t.Context(), "docs/a"); err != nil || pauses == 1 && string(doc.Data) != want {
						t.Errorf("in pause %d the reader finds %q, want %q: %v", pauses, doc.Data, want, err)
					}
					if pauses == 1 && want == "old" {
						check(t, os.Rename(docs, filepath.Join(root, "away")))
						check(t, os.Mkdir(docs, 0o777))
						check(t, os.WriteFile(filepath.Join(docs, "a"), []byte("new"), 0o666))
					}
				}
				over := make(chan time.Time, 1)
				over <- time.Time{}
				return over
			})
			if err := wait(t, root, s); pauses == 0 {
				t.Errorf("nothing was waited for: %v", err)
			}
		})
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var errNotHad = errors.New("not had")

// opened returns a store that honours docs/.lock and pauses as it is told.
func opened(root string, after func(time.Duration) <-chan time.Time) *filestore.Store {
	return filestore.Open(filestore.Options{
		Root: root, Runtime: ".baton/local", Env: report.Env{PID: os.Getpid()}, Wait: 50 * time.Millisecond, After: after,
		Foreign: func(name string) (foreign.Lock, bool) {
			return foreign.Lock{Name: "docs/.lock"}, filepath.Dir(name) == "docs"
		},
	})
}
