package project

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/usecase/folder"
	"baton/internal/workspace"
)

// archived returns the folders in the archive, sorted by name as the original tool sorts them.
func (w *stateWorld) archived() []string {
	w.t.Helper()
	var out []string
	entries, err := os.ReadDir(w.path(stateDir + "/.archive"))
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out
}

// TestF69_ABeginThatMovesNothingMakesNoSnapshot checks that nothing appears in the archive, and that the record before
// is among the kept versions.
func TestF69_ABeginThatMovesNothingMakesNoSnapshot(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "one")
	old := w.read(stateDir + "/workflow.yaml")
	for n := range 6 {
		w.pass(time.Minute)
		if out := w.begin("dev", fmt.Sprint(n)); out.Snapshot != nil {
			t.Errorf("%+v", out)
		}
	}
	if got := w.archived(); len(got) > 0 {
		t.Errorf("archived: %v", got)
	}
	p := w.p()
	for _, v := range must(p.Kept.Snapshots(t.Context(), stateDir+"/workflow.yaml"))(t) {
		if string(must(p.Kept.SnapshotData(t.Context(), v))(t)) == old {
			return
		}
	}
	t.Error("the first record is not kept")
}

// TestF69_NewSnapshotsSortAfterOlderOnes checks that the original tool, which removes the first names beyond its ring,
// never removes the newest snapshot, whatever command made it.
func TestF69_NewSnapshotsSortAfterOlderOnes(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "one")
	sweeps := []func() *string{
		func() *string { return w.cleanup().Snapshot },
		func() *string { return w.begin("debug", "two").Snapshot },
		func() *string {
			return must(w.p().Folder.DirEvict(t.Context(), folder.SweepRequest{Apply: true}))(t).Snapshot
		},
		func() *string {
			return must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t).Snapshot
		},
	}
	kinds := []statedir.Sweep{statedir.SweepReset, statedir.SweepEvict, statedir.SweepBegin, statedir.SweepCleanup}
	for n, sweep := range sweeps {
		w.aged("odd", "x", 30*day)
		w.aged("verification.md", "x", 30*day)
		w.pass(time.Second)
		name := sweep()
		if name == nil {
			t.Fatalf("sweep %d made no snapshot", n)
		}
		if all := w.archived(); all[len(all)-1] != *name {
			t.Errorf("%s is not the last of %v", *name, all)
		}
	}
	for n, s := range must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t).Snapshots {
		if s.Kind != kinds[n] {
			t.Errorf("%s is of kind %s, want %s", s.Name, s.Kind, kinds[n])
		}
	}
}

// TestF69_EveryFolderCountsInDevtsRing: folders of people and of a clock that was ahead endanger devt's newest
// snapshot, too, and its own setting decides from when on.
func TestF69_EveryFolderCountsInDevtsRing(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.write(".baton/config.yaml", "work:\n  archive_runs: 9\n")
	w.write(".devt/config.json", `{"state":{"archive_runs":3}}`)
	for i, name := range []string{"before-refactoring", "2099-01-01T00-00-00-000Z"} {
		w.write(stateDir+"/.archive/"+name+"/f.md", fmt.Sprint(i))
	}
	w.write(stateDir+"/.archive/2020-01-01T00-00-00-000Z/f.md", "old")
	audit := func() []report.Finding {
		return must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t).Findings
	}
	if found := audit(); hasCode(found, "archive_order") {
		t.Errorf("two are no danger: %+v", found)
	}
	w.write(stateDir+"/.archive/x/f.md", "3")
	if f := w.finding(audit(), "archive_order"); !strings.HasSuffix(f.Text, "move them out of "+stateDir+"/.archive") {
		t.Errorf("%+v", f)
	}
	w.write(stateDir+"/.archive/begin-2026-01-01T09-00-00-000Z/f.md", "4")
	if f := w.finding(audit(), "archive_order"); !strings.Contains(f.Text, "`baton doctor --fix` renames 1 of them; move the others") {
		t.Errorf("%+v", f)
	}
}

// TestF69_SnapshotsOfAnEarlierVersionAreRenamed checks the warning, the command that it names, and that the snapshots
// are the same afterwards.
func TestF69_SnapshotsOfAnEarlierVersionAreRenamed(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	for n := range 5 {
		w.write(fmt.Sprintf("%s/.archive/begin-2026-01-0%dT09-00-00-000Z/f.md", stateDir, n+1), fmt.Sprint(n))
	}
	w.aged("odd", "x", 0)
	snapshot := *w.cleanup().Snapshot
	if err := os.Rename(w.path(stateDir+"/.archive/"+snapshot), w.path(stateDir+"/.archive/cleanup-"+snapshot)); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(w.path(stateDir+"/.archive/"+snapshot+".manifest.json"),
		w.path(stateDir+"/.archive/cleanup-"+snapshot+".manifest.json")); err != nil {
		t.Fatal(err)
	}
	audit := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	if f := w.finding(audit.Findings, "archive_order"); !strings.Contains(f.Text, "`baton doctor --fix` renames them") {
		t.Errorf("%+v", f)
	}
	before := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t)
	fixed := must(w.p().Doctor.Doctor(t.Context(), workspace.DoctorRequest{Fix: true}))(t)
	renamed := 0
	for _, f := range fixed.Fixes {
		if f.Code == "archive_order" {
			renamed++
		}
	}
	after := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t)
	if renamed != len(before.Snapshots) || len(after.Snapshots) != len(before.Snapshots) || hasCode(after.Warnings, "archive_order") {
		t.Fatalf("%d renamed: %+v", renamed, after)
	}
	for n, s := range before.Snapshots {
		want := s
		want.Name, want.Manifest = strings.TrimPrefix(strings.TrimPrefix(s.Name, "begin-"), "cleanup-"), true
		if after.Snapshots[n] != want {
			t.Errorf("%+v became %+v", s, after.Snapshots[n])
		}
	}
	if hasCode(after.Warnings, "manifest_orphaned") || hasCode(after.Warnings, "snapshot_differs") {
		t.Errorf("%+v", after.Warnings)
	}
	if out := w.restore("2026-01-03"); !out.Emptied || w.read(stateDir+"/f.md") != "2" {
		t.Errorf("%+v", out)
	}
}

// TestF70_D48_TheRing checks that the newest snapshots stay, that older ones go with their manifests, and that every
// byte of them is among the kept versions.
func TestF70_D48_TheRing(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	var made, dropped []string
	for n := range 8 {
		w.aged("odd", fmt.Sprint("text ", n), 0)
		w.write(stateDir+"/deep/er/file", fmt.Sprint("deep ", n))
		out := w.cleanup()
		made, dropped = append(made, *out.Snapshot), append(dropped, out.Dropped...)
		if len(out.Due) != 0 || hasCode(out.Warnings, "ring_due") {
			t.Errorf("%d: %+v", n, out)
		}
		w.pass(time.Hour)
	}
	if got := w.archived(); !slices.Equal(got, made[3:]) || !slices.Equal(dropped, made[:3]) {
		t.Errorf("%v stay, %v went", got, dropped)
	}
	p := w.p()
	for n, name := range dropped {
		dir := stateDir + "/.archive/" + name
		if _, err := os.Lstat(w.path(dir + ".manifest.json")); err == nil {
			t.Errorf("the manifest of %s is still there", name)
		}
		for file, want := range map[string]string{
			"/odd": fmt.Sprint("text ", n), "/deep/er/file": fmt.Sprint("deep ", n), ".manifest.json": name[:10],
		} {
			versions := must(p.Kept.Snapshots(t.Context(), dir+file))(t)
			if len(versions) == 0 {
				t.Errorf("no version of %s%s", name, file)
				continue
			}
			if data := must(p.Kept.SnapshotData(t.Context(), versions[len(versions)-1]))(t); !strings.Contains(string(data), want) {
				t.Errorf("%s%s: %q", name, file, data)
			}
		}
	}
}

// TestF70_TheFutureDropsNothingNew checks that snapshots with a stamp of the future do not push out one that was made a
// moment ago.
func TestF70_TheFutureDropsNothingNew(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	for n := range 6 {
		dir := fmt.Sprintf("%s/.archive/2027-12-0%dT00-00-00-000Z", stateDir, n+1)
		w.write(dir+"/f.md", "x")
		at := w.time.Add(time.Duration(n-100) * time.Second)
		if err := os.Chtimes(w.path(dir), at, at); err != nil {
			t.Fatal(err)
		}
	}
	w.begin("dev", "x")
	reset := must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
	w.pass(time.Second)
	w.aged("a.txt", "a", 0)
	out := w.cleanup()
	if all := w.archived(); !slices.Contains(all, *reset.Snapshot) || !slices.Contains(all, *out.Snapshot) || len(all) != 5 {
		t.Errorf("%v", all)
	}
}

// TestF70_WhatCannotBeKeptStays checks that a snapshot whose bytes no version can have makes the ring longer, and that
// the answer names it.
func TestF70_WhatCannotBeKeptStays(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.write(".baton/config.yaml", "snapshots:\n  max_mb: 1\n")
	w.aged("large", strings.Repeat("0123456789abcdef", 1<<14), 0)
	large := *w.cleanup().Snapshot
	var out folder.DirSweep
	for n := range 6 {
		w.pass(time.Hour)
		w.aged("odd", fmt.Sprint(n), 0)
		out = w.cleanup()
	}
	all := w.archived()
	if len(all) != 6 || all[0] != large || !slices.Equal(out.Due, []string{large}) || len(out.Dropped) != 1 {
		t.Errorf("%v: %+v", all, out)
	}
	if f := w.finding(out.Warnings, "ring_due"); !strings.Contains(f.Text, "too large") {
		t.Errorf("%+v", f)
	}
}

// TestF70_OrphanedManifestsGo checks that the next clean-up and the doctor remove the manifests of snapshots that the
// original tool removed.
func TestF70_OrphanedManifestsGo(t *testing.T) {
	t.Parallel()
	for name, sweep := range map[string]func(w *stateWorld){
		"cleanup": func(w *stateWorld) {
			w.aged("odd", "y", 0)
			w.cleanup()
		},
		"doctor": func(w *stateWorld) {
			fixed := must(w.with(workspace.Options{}).Doctor.Doctor(w.t.Context(), workspace.DoctorRequest{Fix: true}))(w.t)
			if len(fixed.Fixes) != 1 || fixed.Fixes[0].Code != "manifest_orphaned" {
				w.t.Errorf("%+v", fixed.Fixes)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newStateWorld(t)
			w.aged("odd", "x", 0)
			gone := *w.cleanup().Snapshot
			w.remove(stateDir + "/.archive/" + gone)
			w.pass(time.Hour)
			sweep(w)
			if _, err := os.Lstat(w.path(stateDir + "/.archive/" + gone + ".manifest.json")); !os.IsNotExist(err) {
				t.Error(err)
			}
		})
	}
}
