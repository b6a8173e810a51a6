package project

import (
	"path"
	"strings"
	"syscall"
	"testing"

	"baton/internal/usecase/folder"
)

// TestSD45_ARecordThatCannotBeSwapped (SD-60): when the record in the way cannot be put aside, nothing is left of the snapshot
// that it was to come to, and the record of the other one stays there.
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

// TestSD52_KilledBetweenTheSwaps: a swap that dies after the record was put aside is finished by the next writer: both
// manifests tell what became of their entries.
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
