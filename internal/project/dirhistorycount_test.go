package project

import (
	"slices"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/folder"
)

// finding returns the finding with a code, and fails the test if there is none.
func (w *stateWorld) finding(all []report.Finding, code report.Code) report.Finding {
	w.t.Helper()
	i := slices.IndexFunc(all, func(f report.Finding) bool { return f.Code == code })
	if i < 0 {
		w.t.Fatalf("no %s in %+v", code, all)
	}
	return all[i]
}

// TestSD45_HistoryCountsWhatIsThere checks that history counts the entries that are in a snapshot, even if somebody
// added or removed some by hand. It then warns that the manifest differs, and otherwise does not.
func TestSD45_HistoryCountsWhatIsThere(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	for _, name := range []string{"one", "two", "three"} {
		w.aged(name, name, 0)
	}
	snapshot := *w.cleanup().Snapshot
	dir := stateDir + "/.archive/" + snapshot
	history := func() folder.DirHistory {
		return must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t)
	}
	if got := history(); got.Snapshots[0].Entries != 3 || hasCode(got.Warnings, "snapshot_differs") {
		t.Errorf("%+v", got)
	}
	w.remove(dir + "/one")
	got := history()
	if f := w.finding(got.Warnings, "snapshot_differs"); got.Snapshots[0].Entries != 2 || f.Path != dir ||
		!strings.Contains(f.Text, "lacks 1 entry that") {
		t.Errorf("%+v %+v", got.Snapshots, f)
	}
	w.write(dir+"/four", "4")
	w.write(dir+"/five", "5")
	got = history()
	if f := w.finding(got.Warnings, "snapshot_differs"); got.Snapshots[0].Entries != 4 ||
		!strings.Contains(f.Text, "and contains 2 entries that") {
		t.Errorf("%+v %+v", got.Snapshots, f)
	}
	w.restore(snapshot, "two")
	if got := history(); got.Snapshots[0].Entries != 3 {
		t.Errorf("%+v", got.Snapshots)
	}
}
