//go:build unix

package project

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/folder"
)

// everyVerb calls every verb about a state folder with an instance.
func (w *stateWorld) everyVerb(instance string) map[string]error {
	ctx, r := w.t.Context(), folder.DirRequest{Instance: instance}
	out := map[string]error{}
	_, out["audit"] = w.p().Folder.DirAudit(ctx, r)
	_, out["cleanup"] = w.p().Folder.DirCleanup(ctx, folder.CleanupRequest{DirRequest: r, Apply: true})
	_, out["reset"] = w.p().Folder.DirReset(ctx, folder.SweepRequest{DirRequest: r, Apply: true})
	_, out["evict"] = w.p().Folder.DirEvict(ctx, folder.SweepRequest{DirRequest: r, Apply: true})
	_, out["begin"] = w.p().Folder.DirBegin(ctx, folder.BeginRequest{DirRequest: r, Type: "dev", Task: "x"})
	_, out["update"] = w.p().Folder.DirUpdate(ctx, folder.RecordRequest{DirRequest: r, Pairs: []string{"task=x"}})
	_, out["read"] = w.p().Folder.DirRead(ctx, r)
	_, out["validate"] = w.p().Folder.DirValidate(ctx, folder.DirValidateRequest{DirRequest: r})
	_, out["history"] = w.p().Folder.DirHistory(ctx, folder.DirHistoryRequest{DirRequest: r})
	_, out["restore"] = w.p().Folder.DirRestore(ctx, folder.RestoreRequest{DirRequest: r, Snapshot: "x"})
	_, out["lock"] = w.p().Folder.DirLock(ctx, r)
	_, out["unlock"] = w.p().Folder.DirUnlock(ctx, folder.UnlockRequest{DirRequest: r, Stale: true})
	return out
}

// TestSDD15_SD9_ALinkIsNoInstance checks links to sources, to another instance, and to nothing, whose target is not
// created.
func TestSDD15_SD9_ALinkIsNoInstance(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.write("src/main.go", "x")
	w.aged("wfa/odd", "mine", 0)
	w.linkTo("../../src", stateDir+"/wf1")
	w.linkTo("wfa", stateDir+"/wfb")
	w.linkTo("../../made", stateDir+"/wf2")
	before := w.tree(".")
	for _, id := range []string{"wf1", "wfb", "wf2"} {
		for verb, err := range w.everyVerb(id) {
			if e := refused(t, err, report.Violation, "instance_invalid"); !strings.Contains(e.Message, "is a link") || e.Hint == "" ||
				e.Path != stateDir+"/"+id {
				t.Errorf("%s of %s: %+v", verb, id, e)
			}
		}
	}
	if after := w.tree("."); !maps.Equal(before, after) {
		t.Errorf("%v\nbecame\n%v", before, after)
	}
	if _, err := w.p().Folder.DirAudit(t.Context(), folder.DirRequest{Instance: "wfa"}); err != nil {
		t.Error(err)
	}
}

// TestSD7_AStateFolderThatIsALink checks that a link to a folder of another name, or to nothing, is refused, and that
// nothing is moved or created. A link to a folder of the same name is followed.
func TestSD7_AStateFolderThatIsALink(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"../src", "../made", "state"} {
		w := newStateWorld(t)
		w.write("src/main.go", "x")
		w.remove(stateDir)
		w.linkTo(target, stateDir)
		before := w.tree(".")
		for verb, err := range w.everyVerb("") {
			if e := refused(t, err, report.Violation, "folder_invalid"); e.Hint == "" || e.Path != stateDir {
				t.Errorf("%s with a link to %s: %+v", verb, target, e)
			}
		}
		if after := w.tree("."); !maps.Equal(before, after) {
			t.Errorf("%v\nbecame\n%v", before, after)
		}
	}
	w := newStateWorld(t)
	w.write("elsewhere/state/odd", "x")
	w.remove(stateDir)
	w.linkTo("../elsewhere/state", stateDir)
	if got := statesOf(w.cleanup()); got["odd"] != "moved" {
		t.Errorf("%v", got)
	}
	entries, err := os.ReadDir(w.path("elsewhere/state"))
	if err != nil || !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == ".archive" }) {
		t.Errorf("%v %v", entries, err)
	}
}
