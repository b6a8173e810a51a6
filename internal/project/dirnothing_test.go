package project

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/internal/usecase/folder"
)

// TestSD60_SDD8_NothingMoved checks that if nothing could be moved, there is no snapshot, neither in the answer nor on
// the disk, and no manifest.
func TestSD60_SDD8_NothingMoved(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("stuck", "x", 0)
	before := w.tree(stateDir)
	w.refusing("rename", "state/stuck", syscall.EACCES)
	for range 3 {
		out := w.cleanup()
		if out.Snapshot != nil || out.Counts["failed"] != 1 || out.Counts["moved"] != 0 || out.Bytes != 0 || len(out.Entries) != 1 ||
			len(out.Due) != 0 {
			t.Errorf("%+v", out)
		}
		w.pass(time.Minute)
	}
	after := w.tree(stateDir)
	delete(after, ".archive/")
	if len(after) != len(before) || after["stuck"] != "x" {
		t.Errorf("%v", after)
	}
	if history := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t); len(history.Snapshots) != 0 ||
		len(history.Warnings) != 0 {
		t.Errorf("%+v", history)
	}
	w.fs = nil
	if out := w.cleanup(); out.Snapshot == nil || out.Counts["moved"] != 1 {
		t.Errorf("%+v", out)
	}
}

// TestSD60_SDD8_ABeginKeepsTheRecord checks that the snapshot of a begin has the copy of the record even if nothing
// else could be moved.
func TestSD60_SDD8_ABeginKeepsTheRecord(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "one")
	w.aged("review.md", "x", 30*day)
	w.refusing("rename", "state/review.md", syscall.EACCES)
	w.pass(time.Hour)
	out := w.begin("dev", "two")
	if out.Snapshot == nil || out.Counts["failed"] != 1 {
		t.Fatalf("%+v", out)
	}
	if text := w.read(stateDir + "/.archive/" + *out.Snapshot + "/workflow.yaml"); !strings.Contains(text, "one") {
		t.Errorf("%s", text)
	}
}

// TestSD44_SDD8_AnEmptySnapshotIsInNoRing checks that it does not count towards the limit and is not named as due.
func TestSD44_SDD8_AnEmptySnapshotIsInNoRing(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	for n := range 8 {
		w.mkdir(fmt.Sprintf("%s/.archive/cleanup-2026-01-0%dT09-00-00-000Z", stateDir, n+1))
	}
	for n := range 6 {
		w.write(fmt.Sprintf("%s/.archive/2025-12-0%dT09-00-00-000Z/odd", stateDir, n+1), "x")
	}
	w.aged("odd", "x", 0)
	dry := must(w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{}))(t)
	want := "2025-12-01T09-00-00-000Z 2025-12-02T09-00-00-000Z"
	if got := strings.Join(dry.Due, " "); got != want {
		t.Errorf("dry run: %s", got)
	}
	if out := w.cleanup(); strings.Join(out.Dropped, " ") != want || len(out.Due) > 0 {
		t.Errorf("dropped %q, due %q", out.Dropped, out.Due)
	}
}
