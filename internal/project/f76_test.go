package project

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/usecase/folder"
	"baton/internal/workspace"
)

// TestF76b_EscapesInEitherCase checks that a name that is not UTF-8 can be given as people type it.
func TestF76b_EscapesInEitherCase(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	if err := os.WriteFile(w.path(stateDir+"/\xff\xfe.md"), []byte("x"), 0o600); err != nil {
		t.Skip("names on this file system must be UTF-8: set TMPDIR to one that takes any bytes")
	}
	s := w.cleanup()
	w.wantNames()
	out, err := w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: *s.Snapshot, Names: []string{`\xff\xFe.md`}})
	if err != nil || len(out.Entries) != 1 || out.Entries[0].State != "restored" {
		t.Fatalf("%+v, %v", out, err)
	}
}

// TestF76d_ALiveHolderIsWaitedForThreeSeconds checks devt.md 5.11 in the declaration; the store's tests check the wait.
func TestF76d_ALiveHolderIsWaitedForThreeSeconds(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{stateDir, ".baton/work", stateDir + "/wf-1"} {
		if lock, ok := workspace.ForeignLock(dir + "/workflow.yaml"); !ok || lock.Wait != 3*time.Second {
			t.Errorf("%s: %+v", dir, lock)
		}
	}
}

// TestF76g_LockNamesAnInterruptedSweep checks that the holder of the lock is not all that dir lock says.
func TestF76g_LockNamesAnInterruptedSweep(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("one", "1", 0)
	w.killed("rename", "state/one", func() {
		_, _ = w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
	})
	lock := must(w.p().Folder.DirLock(t.Context(), folder.DirRequest{}))(t)
	if !hasCode(lock.Warnings, report.CodeSweepPending) {
		t.Errorf("%+v", lock.Warnings)
	}
}

// TestF76h_AFullArchiveBlocksNothing fills the disk of the archive once the first entry moved, so that the manifest
// cannot say what moved. Neither the command nor the next ones fail, and everything is in one place.
func TestF76h_AFullArchiveBlocksNothing(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{false, true} {
		w := newStateWorld(t)
		w.aged("one", "1", 0)
		w.aged("two", "2", 0)
		full := func(what, path string) error {
			path = filepath.ToSlash(path)
			moved, _ := filepath.Glob(w.path(stateDir + "/.archive/*Z/one"))
			if len(moved) == 0 || !strings.Contains(path, "/.archive/") {
				return nil
			}
			switch {
			case what == "create", what == "mkdir":
			case what == "rename" && strings.HasSuffix(path, "state/two"):
			default:
				return nil
			}
			return &fs.PathError{Op: what, Path: path, Err: syscall.ENOSPC}
		}
		if killed {
			w.killed("rename", "state/two", func() {
				_, _ = w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
			})
		}
		w.fs = faultyFS{refuse: full}
		if !killed {
			out, err := w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
			if err != nil || !hasCode(out.Warnings, "journal_left") {
				t.Errorf("%+v, %v", out, err)
			}
		}
		update, err := w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}})
		if err != nil || !hasCode(update.Warnings, report.CodeSnapshotUnfinished) {
			t.Errorf("killed %v: update: %+v, %v", killed, update, err)
		}
		w.fs = nil
		history := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t)
		if len(history.Snapshots) != 1 {
			t.Fatalf("%+v", history)
		}
		back, err := w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: history.Snapshots[0].Name})
		if err != nil && !errors.Is(err, fs.ErrExist) {
			t.Errorf("restore: %v, %+v", err, back)
		}
		w.wantNames("one", "two", "workflow.yaml")
	}
}

// TestF76h_AChangeThatMustBeCompletedIsNamed fills the archive's disk before an interrupted clean-up wrote its manifest.
func TestF76h_AChangeThatMustBeCompletedIsNamed(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("one", "1", 0)
	w.killed("rename", "state/one", func() {
		_, _ = w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
	})
	manifests, _ := filepath.Glob(w.path(stateDir + "/.archive/*.json"))
	for _, name := range manifests { // as after a power cut
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	w.fs = faultyFS{refuse: func(what, path string) error {
		if what == "create" && strings.Contains(filepath.ToSlash(path), "/.archive/") {
			return &fs.PathError{Op: what, Path: path, Err: syscall.ENOSPC}
		}
		return nil
	}}
	_, err := w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}})
	if err == nil || len(manifests) != 1 || !strings.Contains(report.As(err).Hint, "an earlier change was interrupted") {
		t.Errorf("%v: %+v", manifests, err)
	}
	w.fs = nil
	if _, err := w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}}); err != nil {
		t.Error(err)
	}
}
