package project

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/folder"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/setup"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
)

// TestSD7_WhereTheFolderIs checks calls from a sub-folder, through a link, with a wrong PWD, in a project inside a
// project, in a worktree, and without a project.
func TestSD7_WhereTheFolderIs(t *testing.T) {
	t.Parallel()
	where := func(w *world, o workspace.Options) (string, string) {
		t.Helper()
		at, place, err := w.open(o).Folder.ForFolder(t.Context(), "test", folder.DirRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return at.Root, place.Dir
	}
	for _, c := range []struct {
		name string
		make func(w *world) workspace.Options
		root string // below the test's folder
		dir  string
	}{
		{"the folder itself", func(w *world) workspace.Options { w.mkdir(".devt/state"); return workspace.Options{} }, "", stateDir},
		{"without state in it", func(w *world) workspace.Options { w.mkdir(".devt"); return workspace.Options{} }, "", stateDir},
		{"baton's own", func(w *world) workspace.Options { w.mkdir(".baton/work"); return workspace.Options{} }, "", ".baton/work"},
		{"a sub-folder", func(w *world) workspace.Options {
			w.mkdir(".devt")
			w.mkdir("a/b")
			return workspace.Options{Dir: "a/b"}
		}, "", stateDir},
		{"a project inside a project", func(w *world) workspace.Options {
			w.mkdir(".devt")
			w.mkdir("a/.baton/work/x")
			return workspace.Options{Dir: "a"}
		}, "a", ".baton/work"},
		{"a wrong PWD", func(w *world) workspace.Options {
			w.mkdir(".devt")
			w.env["PWD"] = "/nowhere"
			return workspace.Options{}
		}, "", stateDir},
		{"a worktree", func(w *world) workspace.Options {
			w.mkdir(".devt")
			w.write("tree/.git", "gitdir: ../.git/worktrees/tree\n")
			w.mkdir("tree/.devt/state")
			w.mkdir("tree/sub")
			return workspace.Options{Dir: "tree/sub"}
		}, "tree", stateDir},
		{"by way of a link", func(w *world) workspace.Options {
			w.mkdir("real/.devt/state")
			w.mkdir("real/sub")
			w.mkdir(".devt") // the folder of the link; the target counts
			(&stateWorld{world: w}).linkTo("real/sub", "way")
			return workspace.Options{Dir: "way"}
		}, "real", stateDir},
		{
			"tasks only", func(w *world) workspace.Options { w.mkdir(".specflux/task-states"); return workspace.Options{} }, "",
			".baton/work",
		},
		{"a digest only, above", func(w *world) workspace.Options {
			w.mkdir(".planning")
			w.mkdir("a")
			return workspace.Options{Dir: "a"}
		}, "", ".baton/work"},
		{"tasks near, the folder above", func(w *world) workspace.Options {
			w.mkdir(".devt")
			w.mkdir("a/.specflux")
			return workspace.Options{Dir: "a"}
		}, "", stateDir},
		{
			"the layout that was asked for",
			func(w *world) workspace.Options { w.mkdir(".devt"); return workspace.Options{Layout: "baton"} }, "", ".baton/work",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			o := c.make(w)
			root, dir := where(w, o)
			if root != filepath.Join(w.dir, c.root) || dir != c.dir {
				t.Errorf("%s in %s, want %s in %s", dir, root, c.dir, filepath.Join(w.dir, c.root))
			}
		})
	}
	t.Run("nothing at all", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		_, err := w.as("a").Folder.DirAudit(t.Context(), folder.DirRequest{})
		refused(t, err, report.NotFound, "no_project")
		_, err = w.open(workspace.Options{Layout: "devt"}).Folder.DirAudit(t.Context(), folder.DirRequest{})
		refused(t, err, report.NotFound, "no_project")
	})
	t.Run("a worktree without a folder", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.mkdir(".devt")
		w.write("tree/.git", "gitdir: ../.git/worktrees/tree\n")
		w.mkdir("tree/sub")
		// the folder of another checkout is not this one's
		_, err := w.open(workspace.Options{Dir: "tree/sub"}).Folder.DirAudit(t.Context(), folder.DirRequest{})
		refused(t, err, report.NotFound, "no_project")
	})
	t.Run("another layout was asked for", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.mkdir(".baton/tasks")
		_, err := w.open(workspace.Options{Layout: "devt"}).Folder.DirAudit(t.Context(), folder.DirRequest{})
		if e := refused(t, err, report.NotFound, "no_project"); !strings.Contains(e.Hint, "init --layout devt") {
			t.Errorf("hint %q", e.Hint)
		}
		_, err = w.open(workspace.Options{Layout: "gsd"}).Folder.DirAudit(t.Context(), folder.DirRequest{})
		refused(t, err, report.Usage, "layout_unknown")
	})
}

// TestSD7_HomeIsNoProject checks that .devt in the home folder, which has the defaults for all projects, is not a
// project.
func TestSD7_HomeIsNoProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["HOME"] = w.dir
	w.write(".devt/defaults.json", "{}")
	_, err := w.as("a").Folder.DirAudit(t.Context(), folder.DirRequest{})
	refused(t, err, report.NotFound, "no_project")
	w.mkdir(stateDir)
	must(w.as("a").Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
}

// TestD16_TwoStateFolders checks that a write must say which folder is meant; a read shows the first and names the
// other.
func TestD16_TwoStateFolders(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.mkdir(".baton/work")
	w.write(stateDir+"/odd", "x")
	audit := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	if audit.Folder != ".baton/work" || !hasCode(audit.Findings, "layout_ambiguous") {
		t.Errorf("audit of %s with %+v", audit.Folder, audit.Findings)
	}
	before := w.tree(".")
	for _, apply := range []bool{true} {
		_, err := w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: apply})
		refused(t, err, report.Usage, "layout_ambiguous")
	}
	_, err := w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}})
	refused(t, err, report.Usage, "layout_ambiguous")
	_, err = w.p().Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "dev", Task: "x"})
	refused(t, err, report.Usage, "layout_ambiguous")
	_, err = w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: "x"})
	refused(t, err, report.Usage, "layout_ambiguous")
	if after := w.tree("."); len(after) != len(before) {
		t.Errorf("something was written: %v", after)
	}
	out := must(w.with(workspace.Options{Layout: "devt"}).Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true}))(t)
	if out.Folder != stateDir || statesOf(out)["odd"] != "moved" {
		t.Errorf("%+v", out)
	}
	w.write(config.Name, "layout:\n  folder: devt\n")
	audit = must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	if audit.Folder != stateDir || hasCode(audit.Findings, "layout_ambiguous") {
		t.Errorf("with the choice: audit of %s with %+v", audit.Folder, audit.Findings)
	}
}

// TestSD53_InstanceIDs checks that odd names are refused, wherever they come from, and so is a variable that is set but
// empty.
func TestSD53_InstanceIDs(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"a/b", "../x", strings.Repeat("a", 65), "threads", "notes", ".archive", ".instances", "a b", "a\x00", "é", "a.b",
	} {
		w := newStateWorld(t)
		before := w.tree(".")
		_, err := w.p().Folder.DirUpdate(
			t.Context(), folder.RecordRequest{DirRequest: folder.DirRequest{Instance: id}, Pairs: []string{"phase=plan"}},
		)
		refused(t, err, report.Usage, "instance_invalid")
		w.env["DEVT_WORKFLOW_ID"] = id
		_, err = w.p().Folder.DirAudit(t.Context(), folder.DirRequest{})
		if e := refused(t, err, report.Usage, "instance_invalid"); !strings.Contains(e.Message, "DEVT_WORKFLOW_ID") {
			t.Errorf("message %q", e.Message)
		}
		if after := w.tree("."); len(after) != len(before) {
			t.Errorf("%q: something was written: %v", id, after)
		}
	}
	w := newStateWorld(t)
	delete(w.env, "DEVT_WORKFLOW_ID")
	if got := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t); got.Folder != stateDir {
		t.Errorf("folder %s", got.Folder)
	}
	p := w.p() // set but empty: an instance was meant
	p.Env.Environ = []string{"PATH=/bin", "DEVT_WORKFLOW_ID="}
	_, err := p.Folder.DirAudit(t.Context(), folder.DirRequest{})
	if e := refused(t, err, report.Usage, "instance_invalid"); !strings.Contains(e.Message, "empty") || !strings.Contains(e.Hint, "unset") {
		t.Errorf("%q, %q", e.Message, e.Hint)
	}
	if got := must(p.Folder.DirAudit(t.Context(), folder.DirRequest{Instance: "one"}))(t); got.Folder != stateDir+"/one" {
		t.Errorf("folder %s", got.Folder)
	}
	w.env["DEVT_WORKFLOW_ID"] = strings.Repeat("a", 64)
	if got := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t); got.Folder != stateDir+"/"+strings.Repeat("a", 64) ||
		got.Exists {
		t.Errorf("folder %s, exists %v", got.Folder, got.Exists)
	}
}

// TestSDK41_InstancesHaveTheirOwnFolder checks that record, lock and archive of an instance are in its own folder, for
// writers and readers.
func TestSDK41_InstancesHaveTheirOwnFolder(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	one := folder.DirRequest{Instance: "one"}
	must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{DirRequest: one, Pairs: []string{"task=of one"}}))(t)
	w.write(stateDir+"/one/odd", "x")
	must(w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{DirRequest: one, Apply: true}))(t)
	if got := w.tree(stateDir); !strings.Contains(got["one/workflow.yaml"], "of one") || got[".archive/"] != "" || got["one/odd"] != "" {
		t.Errorf("%v", got)
	}
	if w.record()["task"] != nil {
		t.Error("the project's own record has the task of the instance")
	}
	own := must(w.p().Folder.DirRead(t.Context(), one))(t)
	if !strings.Contains(string(own.Record), "of one") || own.Path != stateDir+"/one/workflow.yaml" {
		t.Errorf("%s: %s", own.Path, own.Record)
	}
	if history := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{DirRequest: one}))(t); len(history.Snapshots) != 1 {
		t.Errorf("%+v", history)
	}
	if history := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t); len(history.Snapshots) != 0 {
		t.Errorf("%+v", history)
	}
}

// TestInitDevt checks that init creates the layout's folder and writes down the choice, but creates nothing in the
// state folder.
func TestInitDevt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	out := must(w.as("a").Setup.Init(t.Context(), setup.InitRequest{Layout: "devt"}))(t)
	if !slices.Equal(out.Created, []string{".devt", config.Name}) || out.Layout != "devt" {
		t.Errorf("%+v", out)
	}
	if _, err := os.Lstat(w.path(stateDir)); !os.IsNotExist(err) {
		t.Errorf("the state folder was made: %v", err)
	}
	again := must(w.as("a").Setup.Init(t.Context(), setup.InitRequest{}))(t)
	if !slices.Equal(again.Found, []string{"devt"}) || again.Layout != "devt" || len(again.Created) != 0 {
		t.Errorf("%+v", again)
	}
	if again = must(w.as("a").Setup.Init(t.Context(), setup.InitRequest{Layout: "devt"}))(t); len(again.Created) != 0 {
		t.Errorf("%+v", again)
	}
	if got := must(w.as("a").Folder.DirAudit(t.Context(), folder.DirRequest{}))(t); got.Exists || got.Folder != stateDir {
		t.Errorf("%+v", got)
	}
}

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// TestStatusShowsTheFolder checks the role, the number of entries by bucket, and the current workflow.
func TestStatusShowsTheFolder(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "Sign-in")
	w.write(stateDir+"/odd", "1234")
	got := must(w.p().Sessions.Status(t.Context()))(t)
	if !slices.ContainsFunc(got.Layouts, func(l sessions.LayoutView) bool {
		return l == sessions.LayoutView{Role: "folder", Name: "devt", Path: stateDir}
	}) {
		t.Errorf("layouts %+v", got.Layouts)
	}
	f := got.Folder
	if f == nil || !f.Exists || !f.Active || f.WorkflowType != "dev" || f.Task != "Sign-in" || f.Counts["ad_hoc"] != 1 ||
		f.Counts["canonical"] != 1 || f.Counts["total"] != 2 {
		t.Errorf("folder %+v", f)
	}
	if _, err := newWorld(t).as("a").Sessions.Status(t.Context()); report.CodeOf(err) != report.CodeNoProject {
		t.Errorf("a status where there is no project: %v", err)
	}
	w.env["DEVT_WORKFLOW_ID"] = "a/b"
	if got := must(w.p().Sessions.Status(t.Context()))(t); got.Folder != nil || !hasCode(got.Warnings, "instance_invalid") {
		t.Errorf("%+v", got.Warnings)
	}
}

// TestSD56_ARefusedJournalIsNoContract checks that an error of the store is reported as such, not as an error of
// contract.yaml, which may not exist.
func TestSD56_ARefusedJournalIsNoContract(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("odd", "x", 0)
	record := `{"version":2,"started":"2026-01-01T00:00:00Z","files":[],"token":"0123456789ab","relocations":[{"from":"../out",` +
		`"to":"a","name":"Yg=="}]}`
	sum := sha256.Sum256([]byte(record))
	w.write(".baton/local/journal", record+"\n"+`{"sha256":"`+hex.EncodeToString(sum[:])+`"}`+"\n")
	w.unchangedBut(".baton/local", func() {
		_, update := w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}})
		_, cleanup := w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
		_, audit := w.p().Folder.DirAudit(t.Context(), folder.DirRequest{})
		for _, err := range []error{update, cleanup, audit} {
			e := refused(t, err, report.Refused, "journal_unreadable")
			if e.Path != ".baton/local/journal" || strings.Contains(e.Error()+e.Hint, "contract.yaml") ||
				!strings.Contains(e.Hint, "look at the journal") {
				t.Errorf("%+v", e)
			}
		}
	})
	got := must(w.p().Folder.DirContract(t.Context(), folder.ContractRequest{}))(t)
	if hasCode(got.Warnings, "contract_invalid") || !hasCode(got.Warnings, "journal_unreadable") {
		t.Errorf("%+v", got.Warnings)
	}
}
