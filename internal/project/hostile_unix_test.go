//go:build unix

package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"baton/internal/report"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace/config"
)

func (w *world) link(target, name string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Symlink(target, w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) pipe(name string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := unix.Mkfifo(w.path(name), 0o644); err != nil {
		w.t.Skipf("no named pipes here: %v", err)
	}
}

// TestD1_RuntimeFoldersThatLeadOut checks that neither the checkout's runtime folder nor the shared one may be a link
// out of the project. Nothing is written there, and lists still work.
func TestD1_RuntimeFoldersThatLeadOut(t *testing.T) {
	t.Parallel()
	for _, name := range []string{".baton/local", ".baton/local/shared"} {
		for _, inGit := range []bool{false, true} {
			w := newWorld(t)
			other := t.TempDir()
			if inGit {
				git(t, w.dir, "init", "-q")
			}
			id := w.create(tasks.NewTask{Title: "x"})
			if err := os.RemoveAll(w.path(name)); err != nil {
				t.Fatal(err)
			}
			w.link(other, name)
			_, err := w.as("agent-1").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: string(id)})
			wantError(t, err, report.Violation, "path_outside")
			_, err = w.as("agent-1").Tasks.NewTasks(t.Context(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "y"}}})
			wantError(t, err, report.Violation, "path_outside")
			if list := must(w.as("agent-1").Tasks.List(t.Context(), tasks.ListRequest{}))(t); len(list.Tasks) != 1 {
				t.Errorf("%s: listed %+v", name, list.Tasks)
			}
			if entries, err := os.ReadDir(other); err != nil || len(entries) != 0 {
				t.Errorf("%s: written outside: %v, %v", name, entries, err)
			}
		}
	}
}

// TestD1_RuntimeFolderElsewhereInside checks that a link to another folder of the project works.
func TestD1_RuntimeFolderElsewhereInside(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.link("../state", ".baton/local")
	id := w.create(tasks.NewTask{Title: "x"})
	must(w.as("agent-1").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: string(id)}))(t)
	if !strings.Contains(w.read("state/shared/claims.json"), "agent-1") {
		t.Error("the claim is not in the folder that the link names")
	}
}

// TestD1_SharedLockThatIsAPipe checks that claiming a task fails at once and names the file that is in the way.
func TestD1_SharedLockThatIsAPipe(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.create(tasks.NewTask{Title: "x"})
	_ = os.RemoveAll(w.path(".baton/local/shared"))
	w.pipe(".baton/local/shared/lock")
	_, err := w.as("agent-1").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: string(id)})
	if e := wantError(t, err, report.Refused, "not_regular"); !strings.Contains(e.Message, "lock") {
		t.Errorf("message %q", e.Message)
	}
}

// TestD27_ConfigurationThatIsNoFile checks that baton never waits for a pipe or a device in the configuration's place,
// and does not read an endless one.
func TestD27_ConfigurationThatIsNoFile(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		code report.Code
		kind report.Kind
		make func(w *world)
	}{
		"pipe":   {"not_regular", report.Refused, func(w *world) { w.pipe(config.Name) }},
		"device": {"not_regular", report.Refused, func(w *world) { w.link("/dev/zero", config.Name) }},
		"long": {
			"config_invalid", report.Corrupt,
			func(w *world) { w.write(config.Name, strings.Repeat("#\n", config.Most/2+1)) },
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			tt.make(w)
			_, err := w.as("agent-1").Tasks.NewTasks(t.Context(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "x"}}})
			if e := wantError(t, err, tt.kind, tt.code); !strings.Contains(e.Message, config.Name) {
				t.Errorf("message %q", e.Message)
			}
		})
	}
}
