package project

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"baton/internal/report"
	"baton/internal/store/disk"
	"baton/internal/usecase/folder"
)

// faultyFS is a disk on which operations can fail: refuse returns the error of an operation on a path, or nil.
type faultyFS struct {
	disk.OS
	refuse func(op, path string) error
}

func (f faultyFS) RenameNew(from, to string) error {
	if err := f.refuse("rename", from); err != nil {
		return err
	}
	return f.OS.RenameNew(from, to)
}

func (f faultyFS) Open(path string) (disk.File, error) {
	if err := f.refuse("open", path); err != nil {
		return nil, err
	}
	return f.OS.Open(path)
}

func (f faultyFS) Mkdir(path string, mode fs.FileMode) error {
	if err := f.refuse("mkdir", path); err != nil {
		return err
	}
	return f.OS.Mkdir(path, mode)
}

func (f faultyFS) Create(path string, mode fs.FileMode) (disk.File, error) {
	if err := f.refuse("create", path); err != nil {
		return nil, err
	}
	return f.OS.Create(path, mode)
}

func (f faultyFS) ReadDir(path string) ([]disk.FileInfo, error) {
	if err := f.refuse("readdir", path); err != nil {
		return nil, err
	}
	return f.OS.ReadDir(path)
}

// refusing makes the following commands fail if op and the end of the path match.
func (w *stateWorld) refusing(op, end string, err error) {
	w.fs = faultyFS{refuse: func(what, path string) error {
		if what == op && strings.HasSuffix(filepath.ToSlash(path), end) {
			return &fs.PathError{Op: what, Path: path, Err: err}
		}
		return nil
	}}
}

// killed runs fn, which dies at the first operation that matches op and the end of the path.
func (w *stateWorld) killed(op, end string, fn func()) {
	w.t.Helper()
	died := false
	w.fs = faultyFS{refuse: func(what, path string) error {
		if what == op && strings.HasSuffix(filepath.ToSlash(path), end) {
			died = true
			runtime.Goexit()
		}
		return nil
	}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		fn()
	}()
	<-done
	w.fs = nil
	if !died {
		w.t.Fatalf("nothing came to %s of %s", op, end)
	}
}

// TestSD60_WhatCannotMoveStays checks that a clean-up succeeds if the system refuses to move one entry. Answer and
// manifest name the entry with the reason, and it can be restored later.
func TestSD60_WhatCannotMoveStays(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	for _, name := range []string{"one", "stuck", "two"} {
		w.aged(name, name, 0)
	}
	w.refusing("rename", "state/stuck", syscall.EACCES)
	out := w.cleanup()
	if out.Counts["moved"] != 2 || out.Counts["failed"] != 1 || out.Bytes != 6 {
		t.Errorf("%+v", out)
	}
	for _, e := range out.Entries {
		if e.Name == "stuck" && (e.State != "failed" || !strings.Contains(e.Error, "permission")) {
			t.Errorf("%+v", e)
		}
	}
	w.wantNames("stuck")
	for _, e := range w.manifest(*out.Snapshot).Entries {
		if want := map[string]string{"stuck": "failed"}[e.Name]; want != "" && e.State != want || want == "" && e.State != "moved" {
			t.Errorf("%+v", e)
		}
	}
	w.refusing("rename", sweptEntry(out, "one"), syscall.EIO)
	back := w.restore(*out.Snapshot)
	if got := restoredStates(back); got["one"] != "failed" || got["two"] != "restored" || back.Emptied || len(got) != 2 {
		t.Errorf("%v", got)
	}
	w.wantNames("stuck", "two")
	w.fs = nil
	if back := w.restore(*out.Snapshot); !back.Emptied {
		t.Errorf("%+v", back)
	}
	w.wantNames("one", "stuck", "two")
}

// sweptEntry returns the path of a moved entry below the archive.
func sweptEntry(s folder.DirSweep, name string) string { return *s.Snapshot + "/" + name }

// TestSD20_VanishedMeanwhile checks that an entry that has vanished is reported and is not an error.
func TestSD20_VanishedMeanwhile(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("first", "longest", 0)
	w.aged("gone", "x", 0)
	w.fs = faultyFS{refuse: func(op, path string) error {
		if op == "rename" && filepath.Base(path) == "first" {
			w.remove(stateDir + "/gone")
		}
		return nil
	}}
	out := w.cleanup()
	if got := statesOf(out); got["first"] != "moved" || got["gone"] != "vanished" || out.Counts["vanished"] != 1 {
		t.Errorf("%v", got)
	}
}

// TestSD60_SD3_NothingMovesWithoutAnArchive checks for an archive folder that cannot be created, a manifest that cannot
// be written, and a full disk: there is a clear error, and everything stays in place (SD-3, SD-8).
func TestSD60_SD3_NothingMovesWithoutAnArchive(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		op, end string
		err     error
		code    report.Code
	}{
		{"mkdir", ".archive", syscall.EROFS, "permission"},
		{"mkdir", ".archive", syscall.ENOSPC, "no_space"},
		{"create", ".tmp", syscall.ENOSPC, "no_space"},
		{"create", ".tmp", syscall.EACCES, "permission"},
	} {
		w := newStateWorld(t)
		must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"task=x"}}))(t)
		w.aged("odd", "x", 0)
		w.aged("verification.md", "x", 0)
		w.refusing(c.op, c.end, c.err)
		_, err := w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
		refused(t, err, report.Refused, c.code)
		_, err = w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true})
		refused(t, err, report.Refused, c.code)
		_, err = w.p().Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "dev", Task: "y"})
		refused(t, err, report.Refused, c.code)
		w.wantNames("odd", "verification.md", "workflow.yaml")
		if got := w.tree(stateDir); len(got) != 3 || strings.Contains(got["workflow.yaml"], "y") {
			t.Errorf("%s %s: %v", c.op, c.end, got)
		}
	}
}

// TestSD3_AnUnreadableFolder checks that an audit and everything else that reads the folder fail with a clear error.
func TestSD3_AnUnreadableFolder(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("odd", "x", 0)
	w.refusing("readdir", stateDir, syscall.EACCES)
	for name, read := range dirReads() {
		if name == "contract" || name == "lint" || name == "lock" || name == "status" {
			continue
		}
		if err := read(t, w.p()); err == nil {
			t.Errorf("%s finds nothing wrong", name)
		} else if e := refused(t, err, report.Refused, "permission"); !strings.Contains(e.Error(), stateDir) {
			t.Errorf("%s: %v", name, e)
		}
	}
	if status := must(w.p().Sessions.Status(t.Context()))(t); !hasCode(status.Warnings, "permission") {
		t.Errorf("%+v", status.Warnings)
	}
}

// TestSD20_ChangedMeanwhile checks an ad hoc file that grows, which still moves; entries that become a folder or are
// written again, which stay and are reported; and a new entry, which is left for the next clean-up.
func TestSD20_ChangedMeanwhile(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("first", "the longest", 0)
	w.aged("grows", "x", 0)
	w.aged("kind", "x", 0)
	w.aged("review-a.md", "x", 30*day)
	w.fs = faultyFS{refuse: func(op, path string) error {
		if op == "rename" && filepath.Base(path) == "first" {
			w.write(stateDir+"/grows", "xx")
			w.remove(stateDir + "/kind")
			w.mkdir(stateDir + "/kind")
			w.aged("review-a.md", "written again", 0)
			w.write(stateDir+"/appears", "x")
		}
		return nil
	}}
	out := w.cleanup()
	want := map[string]string{"first": "moved", "grows": "moved", "kind": "changed", "review-a.md": "changed"}
	for name, state := range want {
		if got := statesOf(out)[name]; got != state {
			t.Errorf("%s is %s, want %s", name, got, state)
		}
	}
	w.wantNames("appears", "kind", "review-a.md")
	for _, e := range w.manifest(*out.Snapshot).Entries {
		if e.State != want[e.Name] {
			t.Errorf("the manifest says %s of %s", e.State, e.Name)
		}
	}
}

// OpenFolder implements disk.FS: this disk works by paths.
func (faultyFS) OpenFolder(string) (disk.Folder, error) { return nil, errors.ErrUnsupported }
