// Package crashtest has what tests of stores with crashes share: scenes, a disk for them, and
// crashes at every moment.
package crashtest

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
)

// Env returns an environment without clock and randomness, so that the same run gives the same
// bytes.
func Env() report.Env {
	return report.Env{
		Now:  func() time.Time { return time.Date(2025, 3, 1, 10, 0, 0, 0, time.UTC) },
		Rand: chance{}, PID: 4711, Host: "host",
	}
}

// chance never returns the same bytes twice in all tests together, so that no process reuses a name
// of one that died.
type chance struct{}

var drawn atomic.Uint64

func (chance) Read(p []byte) (int, error) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], drawn.Add(1)<<24)
	return copy(p, b[:6]), nil
}

// On returns a store on a disk in memory.
func On(fs *crashfs.FS) *filestore.Store {
	return filestore.Open(filestore.Options{
		Root: "/p", Runtime: ".baton/local", Command: "test", Env: Env(), FS: fs, Wait: -1,
	})
}

// Scene is a transaction with the documents before and after it.
type Scene struct {
	Name   string
	Before map[string]string
	After  map[string]string
	Run    func(tx *store.Tx) error
}

// Entries of the scenes.
const (
	Entry = "### Session 1\n- a thing was done\n"
	Kept  = "### Session 2\n- another thing\n"
)

// Old is an archive longer than the 4 KB by which an appended file is identified.
var Old = strings.Repeat("a line of an older Entry\n", 200)

// Scenes returns a hand-off of every shape: archiving over three files, with an existing archive
// and with a new one; one file replaced; one created in a new folder; and only an append.
func Scenes() []Scene {
	archive := func(tx *store.Tx) error {
		doc, err := tx.Read("tasks/1.md")
		if err != nil {
			return err
		}
		tx.Write("tasks/1.md", []byte(strings.Replace(string(doc.Data), Entry, "", 1)))
		tx.Append("archive/1.md", []byte(Entry))
		next, err := tx.Read("tasks/2.md")
		if err != nil {
			return err
		}
		tx.Write("tasks/2.md", []byte("input from 1\n"+strings.TrimPrefix(string(next.Data), "none\n")))
		tx.Move(store.Move{From: "tasks/1.md", To: "archive/1.md", Lost: []byte(Entry), Gained: []byte(Entry)})
		return nil
	}
	return []Scene{
		{
			Name: "archive",
			Before: map[string]string{
				"tasks/1.md": "# 1\n" + Entry + Kept, "archive/1.md": Old, "tasks/2.md": "none\n",
			},
			After: map[string]string{
				"tasks/1.md": "# 1\n" + Kept, "archive/1.md": Old + Entry, "tasks/2.md": "input from 1\n",
			},
			Run: archive,
		},
		{
			Name:   "archive new",
			Before: map[string]string{"tasks/1.md": "# 1\n" + Entry + Kept},
			After: map[string]string{
				"tasks/1.md": "# 1\n" + Kept, "archive/1.md": Entry, "tasks/2.md": "input from 1\n",
			},
			Run: archive,
		},
		{
			Name:   "replace one",
			Before: map[string]string{"tasks/1.md": "old\n"},
			After:  map[string]string{"tasks/1.md": "new\n"},
			Run:    func(tx *store.Tx) error { tx.Write("tasks/1.md", []byte("new\n")); return nil },
		},
		{
			Name:   "create one",
			Before: map[string]string{},
			After:  map[string]string{"tasks/deep/1.md": "new\n"},
			Run:    func(tx *store.Tx) error { tx.Create("tasks/deep/1.md", []byte("new\n")); return nil },
		},
		{
			Name:   "append alone",
			Before: map[string]string{"log.md": "one\n"},
			After:  map[string]string{"log.md": "one\ntwo\n"},
			Run:    func(tx *store.Tx) error { tx.Append("log.md", []byte("two\n")); return nil },
		},
	}
}

// NewFS returns a file system with the documents and a runtime folder that has been used before.
func NewFS(t *testing.T, docs map[string]string) *crashfs.FS {
	t.Helper()
	fs := crashfs.New()
	fs.MkdirAll("/p")
	for name, data := range docs {
		fs.Put("/p/"+name, data)
	}
	_, err := On(fs).Update(context.Background(), func(tx *store.Tx) error {
		tx.Write("used", []byte("x"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fs.Delete("/p/used")
	for _, dir := range []string{"/", "/p", "/p/.baton", "/p/.baton/local"} {
		if err := fs.SyncDir(dir); err != nil {
			t.Fatal(err)
		}
	}
	return fs
}

// Documents returns the files below the root and outside the runtime folder.
func Documents(fs *crashfs.FS) map[string]string {
	out := map[string]string{}
	for path, data := range fs.Files("/p") {
		name := strings.TrimPrefix(path, "/p/")
		if !strings.HasPrefix(name, ".baton/") {
			out[name] = data
		}
	}
	return out
}

// NoTemps drops temporary files, because after a power cut their names may be all that came back.
func NoTemps(docs map[string]string) map[string]string {
	for name := range docs {
		if strings.HasSuffix(name, ".tmp") {
			delete(docs, name)
		}
	}
	return docs
}

// Updater is a store that can be written to.
type Updater interface {
	Update(ctx context.Context, fn func(tx *store.Tx) error) (store.Commit, error)
}

// Nudge lets the next writer run, with a change that it takes back.
func Nudge(s Updater) (store.Commit, error) {
	return s.Update(context.Background(), func(tx *store.Tx) error { return nil })
}

// AllOrNothing fails unless all documents are as before a scene, or all are as after it. must may
// require one of the two.
func AllOrNothing(t *testing.T, what string, sc Scene, got map[string]string, must string) {
	t.Helper()
	before, after := cmp.Diff(sc.Before, got), cmp.Diff(sc.After, got)
	if must == "new" && after != "" {
		t.Fatalf("%s: an acknowledged change is not there:\n%s", what, after)
	}
	if must == "old" && before != "" {
		t.Fatalf("%s: a refused change left something:\n%s", what, before)
	}
	if before != "" && after != "" {
		t.Fatalf("%s: neither all old nor all new\nagainst old:\n%s\nagainst new:\n%s", what, before, after)
	}
}

// All makes the crash tests try every pair of moments and many more seeds, however long that takes.
// Without it they try a sample that BATON_SEED chooses.
var All = os.Getenv("BATON_CRASHES") == "all"

// Sampled reports whether the moment with this number is tried: one of so many, or with All each
// one.
func Sampled(number, of int) bool {
	seed, err := strconv.Atoi(os.Getenv("BATON_SEED"))
	if err != nil {
		seed = 1
	}
	return All || (number+seed-1)%of == 0
}

// Seeds returns how many seeds are tried for each moment.
func Seeds() uint64 {
	if All {
		return 40
	}
	return 4
}

// Crashes runs the scene once and yields a disk for a crash before every file operation. Opening a
// folder changes nothing, so a crash before it equals one before the next operation.
func Crashes(
	t *testing.T, fs *crashfs.FS, act func() error, each func(op crashfs.Op, snap func(seed uint64) *crashfs.FS),
) {
	t.Helper()
	fs.Hook = func(op crashfs.Op) error {
		if op.Name == "openfolder" {
			return nil
		}
		each(op, func(seed uint64) *crashfs.FS {
			if seed == 0 {
				return fs.Kill()
			}
			return fs.Crash(rand.New(rand.NewPCG(seed, uint64(op.N))))
		})
		return nil
	}
	if err := act(); err != nil {
		t.Fatal(err)
	}
	fs.Hook = nil
}

// ErrorName returns the name of an errno.
func ErrorName(e syscall.Errno) string {
	return map[syscall.Errno]string{syscall.ENOSPC: "ENOSPC", syscall.EACCES: "EACCES", syscall.EIO: "EIO"}[e]
}

// RealTemp returns a temporary folder by its real path.
func RealTemp(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Update commits what fn asks for, and fails the test if the commit fails.
func Update(t *testing.T, s Updater, fn func(tx *store.Tx)) store.Commit {
	t.Helper()
	c, err := s.Update(context.Background(), func(tx *store.Tx) error { fn(tx); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Put writes a file and creates its folder.
func Put(t *testing.T, path, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}
