package filestore_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"

	"github.com/google/go-cmp/cmp"
)

// steady is an environment without clock and chance: the same run gives the same bytes.
func steady() report.Env {
	return report.Env{
		Now:  func() time.Time { return time.Date(2025, 3, 1, 10, 0, 0, 0, time.UTC) },
		Rand: chance{}, PID: 4711, Host: "host",
	}
}

// chance never gives the same bytes twice, in all tests together: a process that died cannot have used a name again.
type chance struct{}

var drawn atomic.Uint64

func (chance) Read(p []byte) (int, error) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], drawn.Add(1)<<24)
	return copy(p, b[:6]), nil
}

func on(fs *crashfs.FS) *filestore.Store {
	return filestore.Open(filestore.Options{
		Root: "/p", Runtime: ".baton/local", Command: "test", Env: steady(), FS: fs, Wait: -1,
	})
}

// scene is a transaction with the documents before and after it.
type scene struct {
	name   string
	before map[string]string
	after  map[string]string
	run    func(tx *store.Tx) error
}

const (
	entry = "### Session 1\n- a thing was done\n"
	kept  = "### Session 2\n- another thing\n"
)

// old is an archive of more than the 4 KB by which an appended file is known.
var old = strings.Repeat("a line of an older entry\n", 200)

// scenes has a hand-off of every shape: archiving over three files with an archive that exists and with a new one,
// one file replaced, one created in a new folder, an append alone.
func scenes() []scene {
	archive := func(tx *store.Tx) error {
		doc, err := tx.Read("tasks/1.md")
		if err != nil {
			return err
		}
		tx.Write("tasks/1.md", []byte(strings.Replace(string(doc.Data), entry, "", 1)))
		tx.Append("archive/1.md", []byte(entry))
		next, err := tx.Read("tasks/2.md")
		if err != nil {
			return err
		}
		tx.Write("tasks/2.md", []byte("input from 1\n"+strings.TrimPrefix(string(next.Data), "none\n")))
		tx.Move(store.Move{From: "tasks/1.md", To: "archive/1.md", Lost: []byte(entry), Gained: []byte(entry)})
		return nil
	}
	return []scene{
		{
			name:   "archive",
			before: map[string]string{"tasks/1.md": "# 1\n" + entry + kept, "archive/1.md": old, "tasks/2.md": "none\n"},
			after:  map[string]string{"tasks/1.md": "# 1\n" + kept, "archive/1.md": old + entry, "tasks/2.md": "input from 1\n"},
			run:    archive,
		},
		{
			name:   "archive new",
			before: map[string]string{"tasks/1.md": "# 1\n" + entry + kept},
			after:  map[string]string{"tasks/1.md": "# 1\n" + kept, "archive/1.md": entry, "tasks/2.md": "input from 1\n"},
			run:    archive,
		},
		{
			name:   "replace one",
			before: map[string]string{"tasks/1.md": "old\n"},
			after:  map[string]string{"tasks/1.md": "new\n"},
			run:    func(tx *store.Tx) error { tx.Write("tasks/1.md", []byte("new\n")); return nil },
		},
		{
			name:   "create one",
			before: map[string]string{},
			after:  map[string]string{"tasks/deep/1.md": "new\n"},
			run:    func(tx *store.Tx) error { tx.Create("tasks/deep/1.md", []byte("new\n")); return nil },
		},
		{
			name:   "append alone",
			before: map[string]string{"log.md": "one\n"},
			after:  map[string]string{"log.md": "one\ntwo\n"},
			run:    func(tx *store.Tx) error { tx.Append("log.md", []byte("two\n")); return nil },
		},
	}
}

// disk makes a file system with the documents and with a runtime folder that has been used.
func newCrashFS(t *testing.T, docs map[string]string) *crashfs.FS {
	t.Helper()
	fs := crashfs.New()
	fs.MkdirAll("/p")
	for name, data := range docs {
		fs.Put("/p/"+name, data)
	}
	_, err := on(fs).Update(context.Background(), func(tx *store.Tx) error {
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

// documents gives what lies below the root outside the runtime folder.
func documents(fs *crashfs.FS) map[string]string {
	out := map[string]string{}
	for path, data := range fs.Files("/p") {
		name := strings.TrimPrefix(path, "/p/")
		if !strings.HasPrefix(name, ".baton/") {
			out[name] = data
		}
	}
	return out
}

// noTemps drops temporary files: after a power cut their names may be the only thing that came back.
func noTemps(docs map[string]string) map[string]string {
	for name := range docs {
		if strings.HasSuffix(name, ".tmp") {
			delete(docs, name)
		}
	}
	return docs
}

// readAll reads the documents of a scene through a store, what loses before what gains (D8).
func readAll(t *testing.T, s *filestore.Store, sc scene) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range []string{"tasks/1.md", "archive/1.md", "tasks/2.md", "tasks/deep/1.md", "log.md"} {
		doc, err := s.Read(context.Background(), name)
		if err != nil {
			t.Fatalf("read %s: %v", name, err)
		}
		if doc.Exists {
			out[name] = string(doc.Data)
		}
	}
	return out
}

// nudge makes the next writer come by, with a change that it takes back.
func nudge(s *filestore.Store) (store.Commit, error) {
	return s.Update(context.Background(), func(tx *store.Tx) error { return nil })
}

func allOrNothing(t *testing.T, what string, sc scene, got map[string]string, must string) {
	t.Helper()
	old, neu := cmp.Diff(sc.before, got), cmp.Diff(sc.after, got)
	if must == "new" && neu != "" {
		t.Fatalf("%s: an acknowledged change is not there:\n%s", what, neu)
	}
	if must == "old" && old != "" {
		t.Fatalf("%s: a refused change left something:\n%s", what, old)
	}
	if old != "" && neu != "" {
		t.Fatalf("%s: neither all old nor all new\nagainst old:\n%s\nagainst new:\n%s", what, old, neu)
	}
}

// all makes the crash tests try every pair of moments and many more seeds, for as long as that takes (about half a
// minute); without it they try a sample that is the same each time.
var all = os.Getenv("BATON_CRASHES") == "all"

func seeds() uint64 {
	if all {
		return 40
	}
	return 4
}

// crashes runs the scene once and gives a disk for a crash before every file operation.
func crashes(t *testing.T, fs *crashfs.FS, act func() error, each func(op crashfs.Op, snap func(seed uint64) *crashfs.FS)) {
	t.Helper()
	fs.Hook = func(op crashfs.Op) error {
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

// TestTS30_CrashAfterEveryOperation: a power cut or the death of the process before any file operation leaves, after
// recovery, all of the old or all of the new documents; so it does for readers before recovery; and what was
// acknowledged is durable.
func TestTS30_CrashAfterEveryOperation(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes() {
		for _, exchange := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/exchange=%v", sc.name, exchange), func(t *testing.T) {
				t.Parallel()
				fs := newCrashFS(t, sc.before)
				fs.NoExchange = !exchange
				points := 0
				check := func(what string, img *crashfs.FS, killed bool, must string) {
					points++
					s := on(img)
					allOrNothing(t, what+", reader", sc, readAll(t, s, sc), must)
					if _, err := nudge(s); err != nil {
						t.Fatalf("%s: recovery: %v", what, err)
					}
					got := documents(img)
					if !killed {
						got = noTemps(got)
					}
					allOrNothing(t, what+", recovered", sc, got, must)
					if _, left := img.Get("/p/.baton/local/journal"); left {
						t.Fatalf("%s: the journal is still there", what)
					}
				}
				crashes(t, fs, func() error {
					_, err := on(fs).Update(context.Background(), sc.run)
					return err
				}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
					for seed := range seeds() {
						check(fmt.Sprintf("before %s %s (%d), seed %d", op.Name, op.Path, op.N, seed), snap(seed), seed == 0, "")
					}
				})
				for seed := range 4 * seeds() {
					check(fmt.Sprintf("acknowledged, seed %d", seed), fs.Crash(rand.New(rand.NewPCG(seed, 7))), false, "new")
				}
				check("acknowledged, killed", fs.Kill(), true, "new")
				t.Logf("%d crashes", points)
			})
		}
	}
}

// TestTS30_CrashDuringRecovery: recovery itself may be interrupted anywhere, and again.
func TestTS30_CrashDuringRecovery(t *testing.T) {
	t.Parallel()
	sc := scenes()[0]
	fs := newCrashFS(t, sc.before)
	points := 0
	crashes(t, fs, func() error {
		_, err := on(fs).Update(context.Background(), sc.run)
		return err
	}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
		for seed := range uint64(5) {
			first := snap(seed)
			if _, pending := first.Get("/p/.baton/local/journal"); !pending {
				continue
			}
			crashes(t, first, func() error { _, err := nudge(on(first)); return err },
				func(again crashfs.Op, snap func(uint64) *crashfs.FS) {
					if !all && (op.N+again.N)%4 != 0 {
						return
					}
					points++
					second := snap(seed)
					what := fmt.Sprintf("before %s %s (%d), then before %s %s (%d), seed %d",
						op.Name, op.Path, op.N, again.Name, again.Path, again.N, seed)
					if _, err := nudge(on(second)); err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					allOrNothing(t, what, sc, noTemps(documents(second)), "")
				})
		}
	})
	if points < 100 {
		t.Errorf("only %d crashes were tried", points)
	}
	t.Logf("%d crashes", points)
}
