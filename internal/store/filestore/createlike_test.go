package filestore_test

import (
	"context"
	"fmt"
	"io/fs"
	"testing"
	"time"

	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
)

// TestSD40_SDK15_ACopyTakesModeAndTime: a new document that is a copy of another takes its mode and
// its time, even if its transaction was killed and the next writer completes it.
func TestSD40_SDK15_ACopyTakesModeAndTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2020, 5, 6, 7, 8, 9, 10, time.UTC)
	fsys := newCrashFS(t, map[string]string{"w/record": "old"})
	if err := fsys.CopyMeta("/p/w/record", infoOfMode(0o600)); err != nil {
		t.Fatal(err)
	}
	if err := fsys.SetTime("/p/w/record", at); err != nil {
		t.Fatal(err)
	}
	look := func(what string, f *crashfs.FS, must bool) {
		t.Helper()
		info, err := f.Lstat("/p/w/old/record")
		switch {
		case err != nil && must:
			t.Errorf("%s: %v", what, err)
		case err != nil:
		case info.Mode != fs.FileMode(0o600) || !info.ModTime.Equal(at):
			t.Errorf("%s: the copy has the mode %v and the time %v", what, info.Mode, info.ModTime)
		}
	}
	made := 0
	crashes(t, fsys, func() error {
		_, err := sweeping(fsys).Update(context.Background(), func(tx *store.Tx) error {
			tx.CreateLike("w/old/record", []byte("old"), "w/record")
			tx.Write("w/record", []byte("new"))
			tx.Create("w/plain", []byte("x"))
			return nil
		})
		return err
	}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
		for seed := range seeds() {
			after := snap(seed)
			if _, err := nudge(sweeping(after)); err != nil {
				t.Fatal(err)
			}
			if _, there := after.Get("/p/w/old/record"); there {
				made++
			}
			look(fmt.Sprintf("before %s %s (%d), seed %d", op.Name, op.Path, op.N, seed), after, false)
		}
	})
	look("done", fsys, true)
	if made == 0 {
		t.Error("no crash was followed by a copy that recovery made")
	}
	// The record changes in the same transaction, so the other new file has at most its mode (F-82).
	if info, err := fsys.Lstat("/p/w/plain"); err != nil || info.Mode != 0o600 || info.ModTime.Equal(at) {
		t.Errorf("%v, %v", info, err)
	}
}

// TestCreateLikeNothing: if the document to copy from is absent, the new one is like any other.
func TestCreateLikeNothing(t *testing.T) {
	t.Parallel()
	fsys := newCrashFS(t, nil)
	_, err := sweeping(fsys).Update(t.Context(), func(tx *store.Tx) error {
		tx.CreateLike("w/copy", []byte("x"), "w/absent")
		return nil
	})
	if got, _ := fsys.Get("/p/w/copy"); err != nil || got != "x" {
		t.Errorf("%q, %v", got, err)
	}
}
