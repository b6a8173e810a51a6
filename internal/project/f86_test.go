package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/usecase/folder"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

// F-86a: a command that is killed while it takes the lock of a state folder leaves a temporary file there. Each of the
// commands that write removes it, even if it moves nothing.
func TestF86a_TheNextWriterRemovesWhatAKilledOneLeft(t *testing.T) {
	t.Parallel()
	left := ".lock." + nobody + ".0123456789ab.tmp"
	one := folder.DirRequest{Instance: "one"}
	for name, c := range map[string]struct {
		dir   string
		first func(t *testing.T, w *stateWorld)
		next  func(t *testing.T, w *stateWorld)
	}{
		"begin": {stateDir, nil, func(t *testing.T, w *stateWorld) {
			must(w.p().Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "dev", Task: "x"}))(t)
		}},
		"update": {stateDir, nil, func(t *testing.T, w *stateWorld) {
			must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}}))(t)
		}},
		"reset": {stateDir, func(t *testing.T, w *stateWorld) {
			w.aged("odd", "x", 9*day)
		}, func(t *testing.T, w *stateWorld) {
			must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
		}},
		"restore": {stateDir, func(t *testing.T, w *stateWorld) {
			w.aged("odd", "x", 9*day)
			must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
		}, func(t *testing.T, w *stateWorld) {
			must(w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: "2026-03-01"}))(t)
		}},
		"begin of an instance": {stateDir + "/one", nil, func(t *testing.T, w *stateWorld) {
			must(w.p().Folder.DirBegin(t.Context(), folder.BeginRequest{DirRequest: one, Type: "dev", Task: "x"}))(t)
		}},
		"update of an instance": {stateDir + "/one", nil, func(t *testing.T, w *stateWorld) {
			must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{DirRequest: one, Pairs: []string{"phase=plan"}}))(t)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newStateWorld(t)
			if c.first != nil {
				c.first(t, w)
			}
			path := c.dir + "/" + left
			w.write(path, nobody)
			at := w.time.Add(-time.Hour)
			if err := os.Chtimes(w.path(path), at, at); err != nil {
				t.Fatal(err)
			}
			c.next(t, w)
			if _, err := os.Lstat(w.path(path)); !os.IsNotExist(err) {
				t.Errorf("%s is still there: %v", path, err)
			}
		})
	}
}

// F-86a: a session that is killed while it writes its record leaves a temporary file. The start of the next session
// removes it.
func TestF86a_TheNextSessionRemovesWhatAKilledOneLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(tasks.NewTask{Title: "One"})
	must(w.as("a").Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
	dir := w.path(".baton/local/sessions")
	left := filepath.Join(dir, ".1-a.json.0123456789ab.tmp")
	if err := os.WriteFile(left, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := w.time.Add(-time.Hour)
	if err := os.Chtimes(left, at, at); err != nil {
		t.Fatal(err)
	}
	must(w.as("a").Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		t.Fatal(entries, err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".tmp") {
			t.Errorf("%s is still there", e.Name())
		}
	}
}
