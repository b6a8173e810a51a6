package project

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/statedir/cleanup"
	"baton/internal/usecase/folder"
)

// restore restores a snapshot.
func (w *stateWorld) restore(snapshot string, names ...string) folder.RestoreResult {
	w.t.Helper()
	return must(w.p().Folder.DirRestore(w.t.Context(), folder.RestoreRequest{Snapshot: snapshot, Names: names}))(w.t)
}

// TestSD45_RestoreBringsEverythingBack checks texts, times and kinds, and that the empty snapshot is removed with its
// manifest.
func TestSD45_RestoreBringsEverythingBack(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "x")
	w.aged("plan.md", "p", 5*day)
	w.aged("odd", "o", 50*day)
	w.aged("folder/inner", "i", 9*day)
	w.linkTo("plan.md", stateDir+"/a link")
	before := w.tree(stateDir)
	swept := must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
	w.wantNames()
	w.pass(time.Hour)
	out := w.restore(*swept.Snapshot)
	if !out.Applied || !out.Emptied || out.Swapped != nil || len(out.Entries) != len(swept.Entries) {
		t.Errorf("%+v", out)
	}
	for _, e := range out.Entries {
		if e.State != "restored" {
			t.Errorf("%+v", e)
		}
	}
	after := w.tree(stateDir)
	delete(after, ".archive/")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(w.path(stateDir + "/odd"))
	if err != nil || !info.ModTime().Equal(w.time.Add(-time.Hour-50*day)) {
		t.Errorf("its time is %v, %v", info.ModTime(), err)
	}
	if history := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t); len(history.Snapshots) != 0 {
		t.Errorf("%+v", history)
	}
}

// TestSD45_ATakenName checks that the entry stays in the snapshot and is named, that the others are restored, and that
// nothing is overwritten.
func TestSD45_ATakenName(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("one", "1", 0)
	w.aged("two", "2", 0)
	snapshot := *w.cleanup().Snapshot
	w.aged("one", "newer", 0)
	out := w.restore(snapshot)
	if diff := cmp.Diff(map[string]string{"one": "taken", "two": "restored"}, restoredStates(out)); diff != "" || out.Emptied {
		t.Error(diff)
	}
	if w.read(stateDir+"/one") != "newer" || w.read(stateDir+"/.archive/"+snapshot+"/one") != "1" || w.read(stateDir+"/two") != "2" {
		t.Error("a text is not where it belongs")
	}
	m := w.manifest(snapshot)
	states := map[string]string{}
	for _, e := range m.Entries {
		states[e.Name] = e.State
	}
	if diff := cmp.Diff(map[string]string{"one": "moved", "two": "restored"}, states); diff != "" || !m.Complete {
		t.Error(diff)
	}
	w.unchangedBut(".baton/local", func() {
		if again := w.restore(snapshot); restoredStates(again)["one"] != "taken" || len(again.Entries) != 1 {
			t.Errorf("%+v", again.Entries)
		}
	})
	w.remove(stateDir + "/one")
	if out := w.restore(snapshot); !out.Emptied || w.read(stateDir+"/one") != "1" {
		t.Errorf("%+v", out)
	}
}

// TestSD45_SwapTheRecord checks that a record that is in the way is archived first, but only with --swap.
func TestSD45_SwapTheRecord(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "old")
	old := w.read(stateDir + "/workflow.yaml")
	snapshot := *must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t).Snapshot
	w.pass(time.Minute)
	w.begin("debug", "new")
	now := w.read(stateDir + "/workflow.yaml")
	if out := w.restore(snapshot); restoredStates(out)["workflow.yaml"] != "taken" || !strings.Contains(out.Entries[0].Error, "--swap") {
		t.Errorf("%+v", out.Entries)
	}
	dry := must(w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: snapshot, Swap: true, DryRun: true}))(t)
	if dry.Applied || dry.Swapped != nil || restoredStates(dry)["workflow.yaml"] != "would_move" {
		t.Errorf("%+v", dry)
	}
	out := must(w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: snapshot, Swap: true}))(t)
	if out.Swapped == nil || *out.Swapped != "2026-03-01T09-01-00-000Z" || !out.Emptied {
		t.Fatalf("%+v", out)
	}
	if w.read(stateDir+"/workflow.yaml") != old || w.read(stateDir+"/.archive/"+*out.Swapped+"/workflow.yaml") != now {
		t.Error("the records did not change places")
	}
	if m := w.manifest(*out.Swapped); !m.Complete || m.Task != "new" || m.Entries[0].State != "moved" {
		t.Errorf("%+v", m)
	}
	back := must(w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: *out.Swapped, Swap: true}))(t)
	if w.read(stateDir+"/workflow.yaml") != now || back.Swapped == nil {
		t.Errorf("%+v", back)
	}
}

// TestSD45_TheRecordOfABegin checks that the previous workflow can be restored from the snapshot of the begin that
// ended it.
func TestSD45_TheRecordOfABegin(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "old")
	old := w.read(stateDir + "/workflow.yaml")
	w.aged("verification.md", "v", 0)
	snapshot := *w.begin("debug", "new").Snapshot
	out := must(w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: snapshot, Swap: true}))(t)
	if w.read(stateDir+"/workflow.yaml") != old || w.read(stateDir+"/verification.md") != "v" || !out.Emptied {
		t.Errorf("%+v", out)
	}
}

// TestSD45_PartlyGone checks that entries that are no longer in the snapshot are reported as missing, and the others
// are restored.
func TestSD45_PartlyGone(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("one", "1", 0)
	w.aged("two", "2", 0)
	snapshot := *w.cleanup().Snapshot
	w.remove(stateDir + "/.archive/" + snapshot + "/one")
	out := w.restore(snapshot)
	if diff := cmp.Diff(map[string]string{"one": "missing", "two": "restored"}, restoredStates(out)); diff != "" || !out.Emptied {
		t.Error(diff)
	}
}

// TestSD45_OneName checks that only the named entry is restored; a name that is not in the snapshot is an error before
// anything moves.
func TestSD45_OneName(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	for _, name := range []string{"one", "two", "three"} {
		w.aged(name, name, 0)
	}
	snapshot := *w.cleanup().Snapshot
	_, err := w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: snapshot, Names: []string{"one", "four"}})
	refused(t, err, report.NotFound, "entry_unknown")
	w.wantNames()
	w.restore(snapshot, "two", "two")
	w.wantNames("two")
	if out := w.restore(snapshot, "two"); restoredStates(out)["two"] != "missing" {
		t.Errorf("%+v", out.Entries)
	}
	w.restore(snapshot)
	w.wantNames("one", "two", "three")
}

// TestSD45_OfTheOriginalTool checks that a snapshot without a manifest counts as complete.
func TestSD45_OfTheOriginalTool(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.write(stateDir+"/.archive/2026-02-01T10-00-00-000Z/plan.md", "p")
	w.write(stateDir+"/.archive/2026-02-01T10-00-00-000Z/workflow.yaml", "task: theirs\nstatus: DONE\n")
	history := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t)
	if s := history.Snapshots[0]; s.Manifest || !s.Complete || s.Task != "theirs" || s.Status != "DONE" || s.Entries != 2 ||
		s.Kind != "reset" || s.Moment != "2026-02-01T10:00:00.000Z" {
		t.Errorf("%+v", s)
	}
	if out := w.restore("2026-02"); !out.Emptied || len(out.Entries) != 2 {
		t.Errorf("%+v", out)
	}
	if got := w.tree(stateDir); len(got) != 3 || got["plan.md"] != "p" {
		t.Errorf("%v", got)
	}
}

// TestSD9_SnapshotsOutside checks that a path that leads elsewhere is not a snapshot, and that an ambiguous name is
// refused.
func TestSD9_SnapshotsOutside(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.write("outside/plan.md", "x")
	w.write(stateDir+"/.archive/loose/plan.md", "x")
	w.write(stateDir+"/.archive/2026-02-01T10-00-00-000Z/plan.md", "p")
	w.write(stateDir+"/.archive/2026-02-02T10-00-00-000Z/plan.md", "p")
	w.unchangedBut(".baton/local", func() {
		for _, word := range []string{"../outside", "../../../outside", w.path(
			"outside",
		), "loose", "", ".", "..", "a\x00b", "2026-02-01T10-00-00-000Z/plan.md", "2026-02-01T10-00-00-000Z.manifest.json"} {
			_, err := w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: word})
			refused(t, err, report.NotFound, "snapshot_unknown")
		}
		_, err := w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: "2026-02"})
		refused(t, err, report.Usage, "snapshot_ambiguous")
		for _, name := range []string{"../plan.md", "/plan.md", "a\x00", "..", ""} {
			_, err := w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: "2026-02-01", Names: []string{name}})
			refused(t, err, report.NotFound, "entry_unknown")
		}
	})
}

// TestSD9_AForgedManifest checks that a manifest with names that lead elsewhere is invalid, and that nothing moves.
func TestSD9_AForgedManifest(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("odd", "x", 0)
	snapshot := *w.cleanup().Snapshot
	name := stateDir + "/.archive/" + cleanup.ManifestName(snapshot)
	w.write(name, strings.Replace(w.read(name), `"odd"`, `"../../odd"`, 1))
	w.unchangedBut(".baton/local", func() {
		_, err := w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: snapshot})
		refused(t, err, report.Corrupt, "manifest_invalid")
	})
	if history := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(
		t,
	); !hasCode(history.Warnings, "manifest_invalid") || history.Snapshots[0].Entries != 1 {
		t.Errorf("%+v", history)
	}
}

// TestSD46_NamesLikeManifests checks that entries with the name of a manifest or a snapshot can be moved and restored.
func TestSD46_NamesLikeManifests(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	names := []string{
		"manifest.json", "2026-01-01T00-00-00-000Z", "2026-03-01T09-00-00-000Z.manifest.json", "2026-03-01T09-00-00-000Z",
	}
	for _, name := range names {
		w.aged(name, name, 0)
	}
	snapshot := *w.cleanup().Snapshot
	w.wantNames()
	if out := w.restore(snapshot); !out.Emptied {
		t.Errorf("%+v", out)
	}
	w.wantNames(names...)
	for _, name := range names {
		if got := w.read(stateDir + "/" + name); got != name {
			t.Errorf("%s has %q", name, got)
		}
	}
}

// TestSD44_OddThingsInTheArchive checks that loose files, foreign folders and a snapshot that is a link stay as they
// are.
func TestSD44_OddThingsInTheArchive(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.write(stateDir+"/.archive/loose.txt", "x")
	w.write(stateDir+"/.archive/foreign/plan.md", "x")
	w.write("elsewhere/plan.md", "x")
	w.linkTo("../../../elsewhere", stateDir+"/.archive/2026-01-01T00-00-00-000Z")
	before := w.tree(stateDir + "/.archive")
	for range 7 {
		w.aged("odd", "x", 0)
		w.cleanup()
		w.pass(time.Hour)
	}
	after := w.tree(stateDir + "/.archive")
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s was %q and is %q", name, text, after[name])
		}
	}
	history := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t)
	if len(history.Snapshots) != 5 ||
		slices.ContainsFunc(history.Snapshots, func(s folder.SnapshotView) bool { return s.Kind == "reset" }) {
		t.Errorf("%+v", history.Snapshots)
	}
	_, err := w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: "2026-01-01T00-00-00-000Z"})
	refused(t, err, report.NotFound, "snapshot_unknown")
}
