//go:build unix

package project

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/usecase/folder"
	"baton/internal/workspace"
)

// TestSD11_LinksMoveAsTheyAre checks links that dangle, loop, or lead to a folder or to a file outside. They are never
// followed, are in the manifest, and are restored as they were.
func TestSD11_LinksMoveAsTheyAre(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	outside := t.TempDir()
	if err := os.WriteFile(outside+"/precious", []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.write("inside/file", "12345")
	w.write("inside/more/file", "x")
	links := map[string]string{
		"dangling": "nowhere", "circle": "circle", "to a folder": "../../inside/more", "outside": outside +
			"/precious", "to a file": "../../inside/file",
	}
	for name, target := range links {
		w.linkTo(target, stateDir+"/"+name)
	}
	audit := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	for _, e := range audit.Buckets[statedir.AdHoc] {
		want := map[string]string{"dangling": "dangling", "circle": "looping", "outside": "outside"}[e.Name]
		if e.Kind != statedir.Link || e.Link != want || (e.Size == 5) != (e.Name == "to a file") {
			t.Errorf("%+v", e)
		}
	}
	swept := w.cleanup()
	if swept.Counts["moved"] != len(links) {
		t.Errorf("%+v", swept.Entries)
	}
	for _, e := range w.manifest(*swept.Snapshot).Entries {
		want := links[e.Name]
		if strings.HasPrefix(want, "/") {
			want = ""
		}
		if e.Kind != statedir.Link || e.Link != want {
			t.Errorf("%+v", e)
		}
	}
	w.restore(*swept.Snapshot)
	for name, target := range links {
		if got, err := os.Readlink(w.path(stateDir + "/" + name)); err != nil || got != target {
			t.Errorf("%s leads to %q, %v", name, got, err)
		}
	}
	if data, err := os.ReadFile(outside + "/precious"); err != nil || string(data) != "precious" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestSD13_PipesAreNeverOpened checks that a named pipe has no size, moves like a file and comes back, even under a
// name that validate reads.
func TestSD13_PipesAreNeverOpened(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	for _, name := range []string{"odd", "review.json", "dispatch-warnings.jsonl"} {
		w.pipe(stateDir + "/" + name)
	}
	audit := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	if audit.TotalBytes != 0 || audit.Buckets[statedir.AdHoc][0].Kind != statedir.Other {
		t.Errorf("%+v", audit)
	}
	if v := must(w.p().Folder.DirValidate(t.Context(), folder.DirValidateRequest{}))(t); len(v.Errors) != 1 ||
		v.Errors[0].File != "review.json" {
		t.Errorf("%+v", v.Errors)
	}
	must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"task=x"}}))(t)
	out := must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
	if got := statesOf(out); got["odd"] != "moved" || got["review.json"] != "moved" {
		t.Errorf("%v", got)
	}
	w.restore(*out.Snapshot, "odd")
	if info, err := os.Lstat(w.path(stateDir + "/odd")); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestSDK12_SD14_NamesThatAreNotUTF8 checks that such a name is classified, shown, moved and restored, and stops
// nothing (SD-14, SD-D18).
func TestSDK12_SD14_NamesThatAreNotUTF8(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	name := "od\xffd"
	if err := os.WriteFile(w.path(stateDir)+"/"+name, []byte("x"), 0o644); err != nil {
		t.Skipf("this file system has no such names: %v", err)
	}
	w.aged("other", "x", 0)
	audit := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	if e := audit.Buckets[statedir.AdHoc][0]; e.Name != `od\xFFd` || string(e.NameBytes) != name {
		t.Errorf("%+v", e)
	}
	out := w.cleanup()
	w.wantNames()
	if e := out.Entries[0]; e.Name != `od\xFFd` || string(e.NameBytes) != name || out.Counts["moved"] != 2 {
		t.Errorf("%+v", out.Entries)
	}
	back := w.restore(*out.Snapshot, `od\xFFd`)
	if string(back.Entries[0].NameBytes) != name {
		t.Errorf("%+v", back)
	}
	w.wantNames(name)
}

// TestSD15_LineBreaksMakeNoLeftOver checks that an audit calls such names ad hoc.
func TestSD15_LineBreaksMakeNoLeftOver(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	for _, name := range []string{"a\nb.tmp", "a\rb~", "a\u2028b.tmp", "a\u2029b~"} {
		w.aged(name, "x", 0)
	}
	if got := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t); got.Counts["ad_hoc"] != 4 || got.Counts["ephemeral"] != 0 {
		t.Errorf("%v", got.Counts)
	}
}

// TestSD12_FoldersWithNamesOfFiles checks that they are ad hoc, move as a whole, and are never evicted.
func TestSD12_FoldersWithNamesOfFiles(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	for _, name := range []string{"review.md", "verification.md", "review-a.md", "left.tmp", "graph-impact.md"} {
		w.write(stateDir+"/"+name+"/inner", name)
		w.touch(name, 99*day)
	}
	if out := must(w.p().Folder.DirEvict(t.Context(), folder.SweepRequest{Apply: true}))(t); len(out.Entries) != 0 {
		t.Errorf("%+v", out.Entries)
	}
	out := w.cleanup()
	if out.Counts["moved"] != 5 || w.read(stateDir+"/.archive/"+*out.Snapshot+"/review.md/inner") != "review.md" {
		t.Errorf("%+v", out)
	}
}

// TestSD8_ArchiveThatCannotBeWritten checks that nothing moves.
func TestSD8_ArchiveThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	if unix.Getuid() == 0 {
		t.Skip("nothing is forbidden to root: run the tests as another user")
	}
	w := newStateWorld(t)
	w.aged("odd", "x", 0)
	w.mkdir(stateDir + "/.archive")
	w.chmod(stateDir+"/.archive", 0o555)
	if _, err := w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true}); err == nil {
		t.Error("no error")
	}
	w.wantNames("odd")
}

// TestSD7_LinkedFolders checks a call through a link to the project, and a layout's folder that is a link to another
// project's: all writers use one lock (D2). A state folder that is a link outside is read, but not written (D36).
func TestSD7_LinkedFolders(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.mkdir("real/.devt/state")
	w.linkTo("real", "by link")
	must(w.with(workspace.Options{Dir: "by link"}).Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"task=x"}}))(t)
	if !strings.Contains(w.read("real/.devt/state/workflow.yaml"), "task: x") {
		t.Error("it was not written where the link leads")
	}
	w.mkdir("tree/.git")
	w.linkTo("../real/.devt", "tree/.devt")
	p := w.with(workspace.Options{Dir: "tree"})
	if _, err := p.Approve(t.Context(), p.WideSettings()); err != nil {
		t.Fatal(err)
	}
	at, place, err := w.with(workspace.Options{Dir: "tree"}).Folder.ForFolder(t.Context(), "test", folder.DirRequest{})
	if err != nil || at.Root != w.path("real") || place.Dir != stateDir {
		t.Errorf("%s in %v, %v", place.Dir, at, err)
	}
	outside := t.TempDir()
	if err := os.WriteFile(outside+"/odd", []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.mkdir("elsewhere/.git")
	w.mkdir("elsewhere/.devt")
	w.linkTo(outside, "elsewhere/.devt/state")
	if audit := must(w.with(workspace.Options{Dir: "elsewhere"}).Folder.DirAudit(t.Context(), folder.DirRequest{}))(
		t,
	); audit.Counts["ad_hoc"] != 1 {
		t.Errorf("%+v", audit.Counts)
	}
	_, err = w.with(workspace.Options{Dir: "elsewhere"}).Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
	refused(t, err, report.Violation, "path_outside")
	if _, err := os.Lstat(outside + "/odd"); err != nil {
		t.Error(err)
	}
}

// TestSD16_NamesAsTheyAre checks that the answer has special characters of names unchanged.
func TestSD16_NamesAsTheyAre(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	names := []string{"<b>", "a&b", `"quoted"`, `back\slash`, "bell\x07", "esc\x1b[31m", "😀", strings.Repeat(
		"n", 255,
	), "-rf", "--apply", "line\nfeed", "tab\t"}
	for _, name := range names {
		w.aged(name, "x", 0)
	}
	got := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	for _, name := range names {
		if !slices.ContainsFunc(got.Buckets["ad_hoc"], func(e folder.AuditEntry) bool { return e.Name == name }) {
			t.Errorf("%q is not there", name)
		}
	}
	out := w.cleanup()
	w.wantNames()
	back := must(
		w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: *out.Snapshot, Names: []string{"--apply", "esc\x1b[31m"}}),
	)(t)
	if len(back.Entries) != 2 {
		t.Errorf("%+v", back)
	}
	w.wantNames("--apply", "esc\x1b[31m")
}
