package project

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/usecase/folder"
	"baton/internal/workspace"
)

// stateWorld is a world with a state folder of the layout devt.
type stateWorld struct {
	*world
	runs byte
}

const stateDir = ".devt/state"

// newStateWorld creates a project with an empty state folder.
func newStateWorld(t testing.TB) *stateWorld {
	t.Helper()
	w := &stateWorld{world: newWorld(t)}
	w.mkdir(stateDir)
	return w
}

// p opens the project as one command does. No two commands draw the same ids.
func (w *stateWorld) p() *Project { return w.with(workspace.Options{}) }

func (w *stateWorld) with(o workspace.Options) *Project {
	w.t.Helper()
	p := w.open(o)
	w.runs++
	p.Env.Rand = rand.NewChaCha8([32]byte{w.runs, 1})
	p.O.Env.Rand = p.Env.Rand
	return p
}

// aged writes a file of the state folder with an age.
func (w *stateWorld) aged(name, text string, age time.Duration) {
	w.t.Helper()
	w.write(stateDir+"/"+name, text)
	w.touch(name, age)
}

func (w *stateWorld) touch(name string, age time.Duration) {
	w.t.Helper()
	at := w.time.Add(-age)
	if err := os.Chtimes(w.path(stateDir+"/"+name), at, at); err != nil {
		w.t.Fatal(err)
	}
}

func (w *stateWorld) remove(name string) {
	w.t.Helper()
	if err := os.RemoveAll(w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

// needTwo skips a test if the file system treats two names as one.
func (w *stateWorld) needTwo(a, b string) {
	if got := w.names(); !slices.Contains(got, a) || !slices.Contains(got, b) {
		w.t.Skip("this file system ignores case")
	}
}

// tree returns everything below a folder of the project: files with their text, links with their targets, the rest by
// kind. Names of folders end in a slash.
func (w *stateWorld) tree(dir string) map[string]string {
	w.t.Helper()
	out := map[string]string{}
	root := w.path(dir)
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if os.IsNotExist(err) || path == root {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			out[rel+"/"] = ""
		case d.Type()&os.ModeSymlink != 0:
			target, err := os.Readlink(path)
			out[rel] = "-> " + target
			return err
		case d.Type().IsRegular():
			data, err := os.ReadFile(path)
			out[rel] = string(data)
			return err
		default:
			out[rel] = d.Type().String()
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// names returns the names in the state folder, without the archive.
func (w *stateWorld) names() []string {
	w.t.Helper()
	entries, err := os.ReadDir(w.path(stateDir))
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		if e.Name() != statedir.ArchiveName {
			out = append(out, e.Name())
		}
	}
	return out
}

func (w *stateWorld) wantNames(want ...string) {
	w.t.Helper()
	slices.Sort(want)
	if got := w.names(); !slices.Equal(got, want) {
		w.t.Errorf("in the folder: %q, want %q", got, want)
	}
}

// unchanged runs fn and checks that it changes nothing, not even a time.
func (w *stateWorld) unchanged(fn func()) {
	w.t.Helper()
	w.unchangedBut("", fn)
}

// unchangedBut is unchanged for everything except one folder.
func (w *stateWorld) unchangedBut(but string, fn func()) {
	w.t.Helper()
	snap := func() map[string]string {
		out := map[string]string{}
		err := filepath.WalkDir(w.dir, func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if but != "" && path == w.path(but) {
				return filepath.SkipDir
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			out[path] = info.Mode().String() + " " + info.ModTime().String()
			return nil
		})
		if err != nil {
			w.t.Fatal(err)
		}
		return out
	}
	before := snap()
	fn()
	after := snap()
	for path, was := range before {
		if after[path] != was {
			w.t.Errorf("%s was %s and is %s", path, was, after[path])
		}
	}
	for path := range after {
		if _, was := before[path]; !was {
			w.t.Errorf("%s is new", path)
		}
	}
}

// statesOf returns the state of each entry of a clean-up.
func statesOf(s folder.DirSweep) map[string]string {
	out := map[string]string{}
	for _, e := range s.Entries {
		out[e.Name] = e.State
	}
	return out
}

func restoredStates(r folder.RestoreResult) map[string]string {
	out := map[string]string{}
	for _, e := range r.Entries {
		out[e.Name] = e.State
	}
	return out
}

// record returns the record as `dir read` prints it.
func (w *stateWorld) record() map[string]any {
	w.t.Helper()
	got := must(w.p().Folder.DirRead(w.t.Context(), folder.DirRequest{}))(w.t)
	var out map[string]any
	if err := json.Unmarshal(got.Record, &out); err != nil {
		w.t.Fatal(err)
	}
	return out
}

func (w *stateWorld) begin(kind, task string) folder.BeginResult {
	w.t.Helper()
	return must(w.p().Folder.DirBegin(w.t.Context(), folder.BeginRequest{Type: kind, Task: task}))(w.t)
}

func (w *stateWorld) cleanup() folder.DirSweep {
	w.t.Helper()
	return must(w.p().Folder.DirCleanup(w.t.Context(), folder.CleanupRequest{Apply: true}))(w.t)
}

// manifest reads the manifest of a snapshot.
func (w *stateWorld) manifest(snapshot string) cleanup.Manifest {
	w.t.Helper()
	name := stateDir + "/.archive/" + cleanup.ManifestName(snapshot)
	m, err := cleanup.ReadManifest(name, []byte(w.read(name)))
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

// codesOf joins the codes of findings, for messages of tests.
func codesOf(w folder.DirAudit) string {
	var codes []string
	for _, f := range w.Findings {
		codes = append(codes, string(f.Code))
	}
	return strings.Join(codes, " ")
}

const day = 24 * time.Hour
