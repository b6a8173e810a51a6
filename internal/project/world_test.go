package project

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store/disk"
	"baton/internal/store/disk/unsynced"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// world is a folder on the disk, with a clock that stands still until a test moves it, and the environment of a run.
type world struct {
	t    testing.TB
	dir  string
	env  map[string]string
	time time.Time
	fs   disk.FS // for the next project that is opened
}

// newWorld creates an empty folder without a layout.
func newWorld(t testing.TB) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &world{
		t: t, dir: dir, env: map[string]string{"HOME": filepath.Dir(dir)}, fs: unsynced.Disk,
		time: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
	}
}

// as opens the project for one holder. Tests call it for each command, because each command opens the project.
func (w *world) as(holder string) *Project { return w.open(workspace.Options{As: holder}) }

// open opens the project with the options of a command line.
func (w *world) open(o workspace.Options) *Project {
	w.t.Helper()
	p, err := w.tryOpen(o)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w *world) tryOpen(o workspace.Options) (*Project, error) {
	o.Env = report.Env{
		Getenv: func(name string) string { return w.env[name] }, Environ: os.Environ(), Dir: w.dir,
		Now: func() time.Time { return w.time }, Rand: rand.NewChaCha8(
			[32]byte{},
		), Home: w.env["HOME"], User: "agent-1", Host: "host", PID: 7,
	}
	if o.FS == nil {
		o.FS = w.fs
	}
	p, err := Open(context.Background(), o)
	if err == nil {
		p.Patience, p.Git.Patience = time.Minute, time.Minute // tests must not depend on the load of the machine
	}
	return p, err
}

// pass moves the clock forward.
func (w *world) pass(d time.Duration) { w.time = w.time.Add(d) }

func (w *world) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o777); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o666); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) mkdir(name string) {
	w.t.Helper()
	if err := os.MkdirAll(w.path(name), 0o777); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// files returns every file of the folder with its text.
func (w *world) files() map[string]string {
	w.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(w.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(w.dir, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// tracked returns the files without the runtime folders.
func (w *world) tracked() map[string]string {
	out := w.files()
	for name := range out {
		if strings.Contains(name, ".baton/local/") || strings.HasPrefix(name, ".git/") {
			delete(out, name)
		}
	}
	return out
}

// create creates one task and returns its id.
func (w *world) create(n tasks.NewTask) task.ID {
	w.t.Helper()
	out, err := w.as("agent-1").Tasks.NewTasks(context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{n}})
	if err != nil {
		w.t.Fatal(err)
	}
	return out.Tasks[0].ID
}

// show returns one task with everything.
func (w *world) show(id task.ID) tasks.TaskDetail {
	w.t.Helper()
	out, err := w.as("agent-1").Tasks.Show(context.Background(), tasks.ShowRequest{ID: string(id), Deps: true})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// hasCode reports whether there is a finding with the code.
func hasCode(findings []report.Finding, code report.Code) bool {
	for _, f := range findings {
		if f.Code == code {
			return true
		}
	}
	return false
}

// wantError checks an error's kind and code, and that it has a message.
func wantError(t testing.TB, err error, kind report.Kind, code report.Code) *report.Error {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %s %s", kind, code)
	}
	e := report.As(err)
	if e.Kind != kind || report.CodeOf(err) != code {
		t.Fatalf("error %s %s (%v), want %s %s", e.Kind, report.CodeOf(err), err, kind, code)
	}
	if e.Error() == "" || strings.Contains(e.Error(), "\n") {
		t.Errorf("message %q is not one sentence", e.Error())
	}
	return e
}
