package project

import (
	"path"
	"strings"
	"syscall"
	"testing"

	"baton/internal/usecase/folder"
)

// TestSD45_ARecordThatCannotBeSwapped (SD-60) checks that if the record in the way cannot be archived, no new snapshot
// is left, and the other record stays in its snapshot.
func TestSD45_ARecordThatCannotBeSwapped(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "old")
	snapshot := *must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t).Snapshot
	w.begin("debug", "new")
	now := w.read(stateDir + "/workflow.yaml")
	w.refusing("rename", path.Join(stateDir, "workflow.yaml"), syscall.EACCES)
	out := must(w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: snapshot, Swap: true}))(t)
	if out.Swapped != nil || restoredStates(out)["workflow.yaml"] != "changed" || w.read(stateDir+"/workflow.yaml") != now {
		t.Errorf("%+v", out)
	}
	history := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t)
	if len(history.Snapshots) != 1 || history.Snapshots[0].Name != snapshot {
		t.Errorf("%+v", history.Snapshots)
	}
	if m := w.manifest(snapshot); !m.Complete || m.Entries[0].State != "moved" {
		t.Errorf("%+v", m)
	}
}

// TestSD52_KilledBetweenTheSwaps checks that if a swap is killed after it archived the record, the next writer finishes
// it, and both manifests have the final states of their entries.
func TestSD52_KilledBetweenTheSwaps(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "old")
	old := w.read(stateDir + "/workflow.yaml")
	snapshot := *must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t).Snapshot
	w.begin("debug", "new")
	now := w.read(stateDir + "/workflow.yaml")
	w.killed("rename", path.Join(snapshot, "workflow.yaml"), func() {
		_, _ = w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: snapshot, Swap: true})
	})
	if _, err := w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}}); err != nil {
		t.Fatal(err)
	}
	if got := w.read(stateDir + "/workflow.yaml"); !strings.Contains(got, "old") || !strings.Contains(old, "old") {
		t.Errorf("the record of the snapshot did not come back: %q", got)
	}
	history := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t)
	if len(history.Snapshots) != 1 || history.Snapshots[0].Name == snapshot {
		t.Fatalf("%+v", history.Snapshots)
	}
	made := history.Snapshots[0].Name
	if m := w.manifest(made); !m.Complete || m.Entries[0].State != "moved" || w.read(stateDir+"/.archive/"+made+"/workflow.yaml") != now {
		t.Errorf("%s: %+v", made, m)
	}
}
