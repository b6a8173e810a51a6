package project

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/usecase/folder"
)

// TestSDD15_SDK10_TheFirstWriteRegisters checks that an instance's first write adds it to the register, in the form of
// the original tool. A command that writes nothing adds nothing, and an existing entry stays.
func TestSDD15_SDK10_TheFirstWriteRegisters(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	one := folder.DirRequest{Instance: "one"}
	w.unchangedBut(".baton/local", func() {
		must(w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{DirRequest: one, Apply: true}))(t)
		must(w.p().Folder.DirBegin(t.Context(), folder.BeginRequest{DirRequest: one, Type: "dev", Task: "x", DryRun: true}))(t)
		must(w.p().Folder.DirRead(t.Context(), one))(t)
	})
	must(w.p().Folder.DirBegin(t.Context(), folder.BeginRequest{DirRequest: one, Type: "dev", Task: "x"}))(t)
	entry := w.read(stateDir + "/.instances/one.json")
	want := "{\n  \"wf_id\": \"one\",\n  \"created_at\": \"2026-03-01T09:00:00.000Z\",\n" +
		"  \"last_active\": \"2026-03-01T09:00:00.000Z\",\n  \"tag\": null\n}"
	if entry != want {
		t.Errorf("%s", entry)
	}
	w.pass(time.Hour)
	must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{DirRequest: one, Pairs: []string{"phase=plan"}}))(t)
	w.write(stateDir+"/two/odd", "x")
	must(w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{DirRequest: folder.DirRequest{Instance: "two"}, Apply: true}))(t)
	if got := w.read(stateDir + "/.instances/one.json"); got != want {
		t.Errorf("%s", got)
	}
	if got := w.read(stateDir + "/.instances/two.json"); !strings.Contains(got, "T10:00:00.000Z") {
		t.Errorf("%s", got)
	}
	if out := must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t); len(out.Entries) != 0 {
		t.Errorf("%+v", out.Entries)
	}
	w.wantNames(".instances", "one", "two")
}

// TestSD54_SDD15_WhatMayBeAnInstanceStays checks a folder with a file that only state folders have, a link to one, and,
// if the register cannot be read, every folder whose name can be an id.
func TestSD54_SDD15_WhatMayBeAnInstanceStays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		make func(w *stateWorld)
		stay []string
	}{
		{"archive", func(w *stateWorld) { w.mkdir(stateDir + "/wf/.archive") }, []string{"wf"}},
		{"lock", func(w *stateWorld) { w.write(stateDir+"/wf/.lock", nobody) }, []string{"wf"}},
		{"record", func(w *stateWorld) { w.write(stateDir+"/wf/workflow.yaml", "") }, []string{"wf"}},
		{"no id", func(w *stateWorld) { w.write(stateDir+"/w f/workflow.yaml", "") }, nil},
		{"ordinary", func(w *stateWorld) { w.write(stateDir+"/wf/plan.md", "") }, nil},
		{"a link", func(w *stateWorld) {
			w.write("work/workflow.yaml", "")
			w.linkTo("../../work", stateDir+"/wf")
			w.write("src/main.go", "")
			w.linkTo("../../src", stateDir+"/src")
		}, []string{"wf"}},
		{"the register is a link", func(w *stateWorld) {
			w.write("register/wf.json", "{}")
			w.linkTo("../../register", stateDir+"/.instances")
			w.mkdir(stateDir + "/wf")
			w.mkdir(stateDir + "/other")
		}, []string{".instances", "wf"}},
		{"the register is a file", func(w *stateWorld) {
			w.write(stateDir+"/.instances", "x")
			w.mkdir(stateDir + "/wf")
			w.mkdir(stateDir + "/w f")
		}, []string{".instances", "wf"}},
		{"the register is a dangling link", func(w *stateWorld) {
			w.linkTo("nowhere", stateDir+"/.instances")
			w.mkdir(stateDir + "/wf")
		}, []string{".instances", "wf"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newStateWorld(t)
			c.make(w)
			must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
			w.wantNames(c.stay...)
		})
	}
	// An instance can be written to even if it cannot be added to the register.
	w := newStateWorld(t)
	w.write(stateDir+"/.instances", "x")
	must(w.p().Folder.DirUpdate(
		t.Context(), folder.RecordRequest{DirRequest: folder.DirRequest{Instance: "one"}, Pairs: []string{"phase=plan"}},
	))(t)
	w.wantNames(".instances", "one")
}

// TestSD40_SDK15_BeginKeepsTheRecordsFile checks that the copy in the snapshot has the mode, the owner and the time of
// the record, and so has the record that restore --swap brings back.
func TestSD40_SDK15_BeginKeepsTheRecordsFile(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("workflow.yaml", oldRecordText, 5*day)
	record := w.path(stateDir + "/workflow.yaml")
	if err := os.Chmod(record, 0o640); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		if err := os.Chown(record, 4321, 4322); err != nil {
			t.Fatal(err)
		}
	}
	was, err := os.Stat(record)
	if err != nil {
		t.Fatal(err)
	}
	same := func(what, path string) {
		t.Helper()
		is, err := os.Stat(path)
		if err != nil || is.Mode() != was.Mode() || !is.ModTime().Equal(was.ModTime()) || !sameOwner(is, was) {
			t.Errorf("%s: %v, %v", what, is, err)
		}
	}
	w.aged("odd", "x", 30*day)
	out := w.begin("debug", "new")
	same("the copy", w.path(stateDir+"/.archive/"+*out.Snapshot+"/workflow.yaml"))
	if is, err := os.Stat(record); err != nil || is.Mode() != was.Mode() || !sameOwner(is, was) {
		t.Errorf("the new record: %v, %v", is, err)
	}
	must(w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: *out.Snapshot, Swap: true}))(t)
	same("the record that came back", record)
	if w.read(stateDir+"/workflow.yaml") != oldRecordText {
		t.Error("another text came back")
	}
}

// TestSD45_UndoingABegin checks that a restore without names brings back what begin moved. If there is a record, its
// copy stays in the snapshot, with a note; --swap or its name brings it back too.
func TestSD45_UndoingABegin(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "old")
	w.aged("verification.md", "v", 0)
	snapshot := *w.begin("debug", "new").Snapshot
	now := w.read(stateDir + "/workflow.yaml")
	for _, dry := range []bool{true, false} {
		out := must(w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: snapshot, DryRun: dry}))(t)
		if len(out.Entries) != 1 || out.Entries[0].Name != "verification.md" || out.Emptied || !hasCode(out.Warnings, "record_kept") {
			t.Errorf("dry %v: %+v", dry, out)
		}
	}
	if w.read(stateDir+"/verification.md") != "v" || w.read(stateDir+"/workflow.yaml") != now {
		t.Error("not as it should be")
	}
	if out := w.restore(snapshot, "workflow.yaml"); restoredStates(out)["workflow.yaml"] != "taken" {
		t.Errorf("%+v", out)
	}
	must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
	if out := w.restore(snapshot); restoredStates(out)["workflow.yaml"] != "restored" || !out.Emptied {
		t.Errorf("%+v", out)
	}
}

// TestSD45_SD14_NamesAsTheyAreShown checks that you can name an entry as answers and terminals show it, if only one
// entry is shown like that.
func TestSD45_SD14_NamesAsTheyAreShown(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	for _, name := range []string{"line\nbreak", "plain", "a\x01", "a␁"} {
		w.aged(name, name, 0)
	}
	snapshot := *w.cleanup().Snapshot
	if out := w.restore(snapshot, "line␊break"); restoredStates(out)["line\nbreak"] != "restored" {
		t.Errorf("%+v", out)
	}
	if out := w.restore(snapshot, "a\x01"); restoredStates(out)["a\x01"] != "restored" {
		t.Errorf("%+v", out)
	}
	_, err := w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: snapshot, Names: []string{"a␁"}})
	refused(t, err, report.Usage, "entry_ambiguous")
	_, err = w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: snapshot, Names: []string{"absent"}})
	refused(t, err, report.NotFound, "entry_unknown")
	j := &folder.Restore{V: &folder.FolderView{}, R: folder.RestoreRequest{Names: []string{`x\xFF␊`}}, A: &folder.FolderArchive{}}
	_, err = j.Choose([]string{"x\xff\n", `x\xFF` + "\n"})
	refused(t, err, report.Usage, "entry_ambiguous")
}

// TestSD45_ARetryNeverTakesAnother checks that a word is refused if it is the name of one entry and the display form of
// another, even if one of them came back before. The exact bytes of a name work, and so does the whole snapshot.
func TestSD45_ARetryNeverTakesAnother(t *testing.T) {
	t.Parallel()
	for _, listed := range []bool{true, false} {
		w := newStateWorld(t)
		for _, name := range []string{"p␊q", "p\nq"} {
			w.aged(name, name, 0)
		}
		snapshot := *w.cleanup().Snapshot
		if !listed {
			w.remove(stateDir + "/.archive/" + snapshot + ".manifest.json")
		}
		refuse := func() {
			t.Helper()
			for _, dry := range []bool{true, false} {
				_, err := w.p().Folder.DirRestore(
					t.Context(), folder.RestoreRequest{Snapshot: snapshot, Names: []string{"p␊q"}, DryRun: dry},
				)
				refused(t, err, report.Usage, "entry_ambiguous")
			}
		}
		refuse()
		w.wantNames()
		w.write(stateDir+"/p␊q", w.read(stateDir+"/.archive/"+snapshot+"/p␊q")) // moved back by hand
		w.remove(stateDir + "/.archive/" + snapshot + "/p␊q")
		refuse()
		w.wantNames("p␊q")
		if out := w.restore(snapshot, "p\nq"); restoredStates(out)["p\nq"] != "restored" {
			t.Errorf("listed %v: %+v", listed, out)
		}
		w.wantNames("p␊q", "p\nq")
	}
}

// TestSD45_AnAmbiguousBeginning checks that the error names the newest snapshots that could be meant.
func TestSD45_AnAmbiguousBeginning(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	for n := range 7 {
		w.mkdir(stateDir + "/.archive/cleanup-2026-01-0" + string(rune('1'+n)) + "T00-00-00-000Z")
	}
	_, err := w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: "cleanup-"})
	e := refused(t, err, report.Usage, "snapshot_ambiguous")
	if !strings.Contains(e.Hint, "name one of cleanup-2026-01-07") || strings.Contains(e.Hint, "-01-02T") ||
		!strings.Contains(e.Hint, "history") {
		t.Errorf("%q", e.Hint)
	}
}

// TestSD45_SDD19_AManifestThatIsALink checks that it is not read, and that its target is not written.
func TestSD45_SDD19_AManifestThatIsALink(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"../../../mine.json", "nowhere", "/nowhere/at/all"} {
		w := newStateWorld(t)
		w.write("mine.json", `{"version":1}`)
		const snapshot = "cleanup-2026-01-01T00-00-00-000Z"
		w.write(stateDir+"/.archive/"+snapshot+"/odd", "x")
		w.linkTo(target, stateDir+"/.archive/"+snapshot+".manifest.json")
		audit := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
		history := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t)
		if !hasCode(audit.Findings, "manifest_invalid") || !hasCode(history.Warnings, "manifest_invalid") ||
			history.Snapshots[0].Manifest || history.Snapshots[0].Entries != 1 {
			t.Errorf("%s: %v, %+v", target, audit.Findings, history)
		}
		out := w.restore(snapshot)
		if restoredStates(out)["odd"] != "restored" || !hasCode(out.Warnings, "manifest_invalid") ||
			w.read("mine.json") != `{"version":1}` {
			t.Errorf("%s: %+v", target, out)
		}
		if got := w.tree(stateDir + "/.archive"); got[snapshot+".manifest.json"] != "-> "+target {
			t.Errorf("%v", got)
		}
	}
}

// TestSD44_UnfinishedSnapshots checks a manifest that was never completed and has no journal: it is reported, its
// snapshot belongs to no ring, and the entries that are in it are counted and can be restored.
func TestSD44_UnfinishedSnapshots(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	var oldest string
	w.write(".devt/config.json", `{"state": {"archive_runs": 6}}`)
	for n := range 6 {
		for _, name := range []string{"one", "two"} {
			w.aged(name, name, 0)
		}
		if out := w.cleanup(); n == 0 {
			oldest = *out.Snapshot
		}
		w.pass(time.Hour)
	}
	w.remove(".devt/config.json")
	dir := stateDir + "/.archive/"
	text := w.read(dir + oldest + ".manifest.json")
	text = strings.ReplaceAll(strings.Replace(text, `"complete": true`, `"complete": false`, 1), `"state":"moved"`, `"state":"planned"`)
	w.write(dir+oldest+".manifest.json", text)
	w.remove(dir + oldest + "/two")
	w.aged("two", "two", 0)
	audit := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	if !hasCode(audit.Findings, "snapshot_unfinished") || hasCode(audit.Findings, "ring_due") {
		t.Errorf("%s", codesOf(audit))
	}
	history := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t)
	last := history.Snapshots[len(history.Snapshots)-1]
	if last.Complete || last.Entries != 1 || !hasCode(history.Warnings, "snapshot_unfinished") {
		t.Errorf("%+v, %+v", last, history.Warnings)
	}
	if out := must(w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{}))(t); slices.Contains(out.Due, oldest) ||
		len(out.Due) != 1 {
		t.Errorf("due %v", out.Due)
	}
	out := w.restore(oldest)
	if got := restoredStates(out); len(got) != 1 || got["one"] != "restored" || !out.Emptied {
		t.Errorf("%+v", out)
	}
	if again := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t); hasCode(again.Findings, "snapshot_unfinished") {
		t.Errorf("%s", codesOf(again))
	}
}
