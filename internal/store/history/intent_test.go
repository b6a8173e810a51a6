package history_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/history"

	"github.com/google/go-cmp/cmp"
)

// recorded is everything that history says: the log, and the entries of the books.
type recorded struct {
	Log   []string
	Books map[string][]string
}

func recordOf(t *testing.T, s keeper) recorded {
	t.Helper()
	r := recorded{Log: summaries(changes(t, s)), Books: map[string][]string{}}
	families, err := s.Families(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if says := bookSays(t, s, family); len(says) > 0 {
			r.Books[family] = says
		}
	}
	return r
}

// beyond returns the records that are not in other.
func (r recorded) beyond(other recorded) (out []string) {
	for _, line := range r.Log {
		if !slices.Contains(other.Log, line) {
			out = append(out, line)
		}
	}
	for family, says := range r.Books {
		for _, line := range says {
			if !slices.Contains(other.Books[family], line) {
				out = append(out, line)
			}
		}
	}
	return out
}

// seen returns the documents of a scene as a reader sees them.
func seen(t *testing.T, s keeper, names []string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range names {
		doc, err := s.Read(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		if doc.Exists {
			out[name] = string(doc.Data)
		}
	}
	return out
}

// TestF27_ARecordCountsWhenItsCommitIsMade: if the process dies or the power fails at any moment,
// log and books record a change only if the documents have it, for readers before the recovery and
// after it. A killed process also leaves no change without its record.
func TestF27_ARecordCountsWhenItsCommitIsMade(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes() {
		for _, exchange := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/exchange=%v", sc.Name, exchange), func(t *testing.T) {
				t.Parallel()
				begin := func() (*crashfs.FS, keeper) {
					fs := newCrashFS(t, sc.Before)
					fs.NoExchange = !exchange
					s := watchingOn(fs)
					observe(t, s, slices.Sorted(maps.Keys(sc.Before))...)
					return fs, s
				}
				_, s := begin()
				before := recordOf(t, s)
				if _, err := s.Update(context.Background(), sc.Run); err != nil {
					t.Fatal(err)
				}
				after := recordOf(t, s)
				names := slices.Sorted(maps.Keys(sc.After))
				points := 0
				judge := func(what string, s keeper, killed bool) {
					points++
					got, want, docs := recordOf(t, s), before, seen(t, s, names)
					made := cmp.Diff(sc.After, docs) == ""
					if made {
						want = after
					}
					if !killed { // a power cut may lose records, but leaves none of a change that was not made
						if phantom := got.beyond(before); !made && len(phantom) > 0 {
							t.Fatalf("%s: the change was not made: %q", what, phantom)
						}
						return
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("%s: the change was made: %v\n%s", what, made, diff)
					}
				}
				fs, s := begin()
				crashes(t, fs, func() error { _, err := s.Update(context.Background(), sc.Run); return err },
					func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
						for seed := range uint64(3) {
							if !sampled(op.N+int(seed), 3) {
								continue
							}
							what := fmt.Sprintf("before %s %s (%d), seed %d", op.Name, op.Path, op.N, seed)
							img := watchingOn(snap(seed))
							if pending := journalIn(snap(seed)); !pending || seed == 0 {
								judge(what+", reader", img, seed == 0)
							}
							if _, err := nudge(img); err != nil {
								t.Fatalf("%s: recovery: %v", what, err)
							}
							judge(what+", recovered", img, seed == 0)
						}
					})
				judge("acknowledged", watchingOn(fs.Kill()), true)
				t.Logf("%d crashes", points)
			})
		}
	}
}

func journalIn(fs *crashfs.FS) bool {
	_, pending := fs.Get("/p/.baton/local/journal")
	return pending
}

// mortal is the disk; the process is killed before its first exchange of files.
type mortal struct{ disk.OS }

func (mortal) OpenFolder(string) (disk.Folder, error) { return nil, errors.ErrUnsupported }

func (mortal) Exchange(string, string) error {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		return err
	}
	select {}
}

// TestF27_ARealKillBeforeTheRename: a process that is killed between its records and its rename
// leaves a log, a book and losses that know nothing of its change.
func TestF27_ARealKillBeforeTheRename(t *testing.T) {
	if root := os.Getenv("BATON_TEST_MORTAL"); root != "" {
		s := open(filestore.Options{Root: root, Runtime: ".baton/local", Command: "test", FS: mortal{}},
			history.Options{Watch: watch(), Snapshots: roomy})
		update(t, s, func(tx *store.Tx) { tx.Write("STATE.md", []byte("first\nkilled\n")) })
		t.Fatal("it is still alive")
	}
	if runtime.GOOS != "linux" {
		t.Skip("files are exchanged on Linux only")
	}
	t.Parallel()
	root := realTemp(t)
	s := watchingAt(root)
	update(t, s, func(tx *store.Tx) { tx.Write("STATE.md", []byte("first\n")) })
	before := recordOf(t, s)
	child := exec.Command(os.Args[0], "-test.run=^TestF27_ARealKillBeforeTheRename$")
	child.Env = append(os.Environ(), "BATON_TEST_MORTAL="+root)
	out, err := child.CombinedOutput()
	if err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("%v: %s", err, out)
	}
	for _, when := range []string{"before the recovery", "after it"} {
		if diff := cmp.Diff(before, recordOf(t, s)); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
		if _, err := nudge(s); err != nil {
			t.Fatal(err)
		}
	}
	if grew := observe(t, s, "STATE.md"); len(grew) > 0 {
		t.Errorf("somebody else seems to have changed %v", grew)
	}
}
