package history_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/history"

	"github.com/google/go-cmp/cmp"
)

// keepingOn returns a store in memory that keeps versions.
func keepingOn(fs *crashfs.FS, limits history.Limits) keeper {
	return open(filestore.Options{
		Root: "/p", Runtime: ".baton/local", Command: "test", Env: steady(), FS: fs, Wait: -1,
	}, history.Options{Snapshots: limits})
}

var roomy = history.Limits{MaxBytes: 64 << 20, MaxAge: 90 * 24 * time.Hour}

// versions returns the kept versions of a document, oldest first, as "kind text". A "!" marks those
// that somebody else wrote.
func versions(t *testing.T, s keeper, name string) (out []string) {
	t.Helper()
	list, err := s.Snapshots(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		data, err := s.SnapshotData(context.Background(), v)
		text := string(data)
		if err != nil {
			text = string(report.CodeOf(err))
		} else if int64(len(data)) != v.Size {
			t.Errorf("%s has %d bytes, its record says %d", v.Rev, len(data), v.Size)
		}
		mark := map[bool]string{true: "!"}[v.Outside]
		out = append(out, string(v.Kind)+mark+" "+text)
	}
	return out
}

// TestD37_EveryCommitKeepsWhatItReplaced: a commit keeps the old and the new bytes, and thereby
// also what somebody wiped between two commits.
func TestD37_EveryCommitKeepsWhatItReplaced(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"a": "by hand"})
	s := keepingOn(fs, roomy)
	write := func(text string) { update(t, s, func(tx *store.Tx) { tx.Write("a", []byte(text)) }) }
	write("one")
	write("two")
	fs.Put("/p/a", "wiped")
	write("three")
	write("three") // a commit that changes nothing keeps nothing
	write("two")
	want := []string{"found by hand", "wrote one", "wrote two", "found! wiped", "wrote three", "wrote two"}
	if diff := cmp.Diff(want, versions(t, s, "a")); diff != "" {
		t.Error(diff)
	}
	if got := versions(t, s, "b"); got != nil {
		t.Errorf("of another document: %q", got)
	}
}

// TestD7_AnAppendKeepsItsLengthAndItsBytes: an append keeps only its own bytes, however long the
// file is. A version is rebuilt from earlier ones or from the file, if their ends are what the
// append found.
func TestD7_AnAppendKeepsItsLengthAndItsBytes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("an older line\n", 5000)
	fs := newCrashFS(t, map[string]string{"old": long})
	s := keepingOn(fs, roomy)
	add := func(name, text string) { update(t, s, func(tx *store.Tx) { tx.Append(name, []byte(text)) }) }
	add("new", "one\n")
	add("new", "two\n")
	fs.Delete("/p/new")
	if diff := cmp.Diff([]string{"appended one\n", "appended one\ntwo\n"}, versions(t, s, "new")); diff != "" {
		t.Error(diff)
	}
	read := s.Counters().BytesRead.Load()
	add("old", "more\n")
	add("old", "and more\n")
	if n := s.Counters().BytesRead.Load() - read; n > 80<<10 {
		t.Errorf("two appends read %d bytes", n)
	}
	if diff := cmp.Diff([]string{"appended " + long +
		"more\n", "appended " + long + "more\nand more\n"}, versions(t, s, "old")); diff != "" {
		t.Error(diff)
	}
	add("same", "one\n")
	fs.Put("/p/same", "ONE\n")
	add("same", "two\n")
	if diff := cmp.Diff([]string{"appended one\n", "appended ONE\ntwo\n"}, versions(t, s, "same")); diff != "" {
		t.Error(diff)
	}
	fs.Put("/p/old", "wiped\n")
	if diff := cmp.Diff([]string{"appended revision_lost", "appended revision_lost"}, versions(t, s, "old")); diff != "" {
		t.Error(diff)
	}
	add("old", "again\n")
	if got := versions(t, s, "old"); len(got) != 3 || got[2] != "appended! wiped\nagain\n" {
		t.Errorf("%q", got)
	}
}

// TestD37_KeepingCostsNoFsync: keeping versions costs no fsync in a commit of one file, nor in one
// with a journal.
func TestD37_KeepingCostsNoFsync(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		syncs int64
		fn    func(tx *store.Tx, b []byte)
	}{
		{"one file changed", 2, func(tx *store.Tx, b []byte) { tx.Write("p/STATE.md", b) }},
		{"one file created", 2, func(tx *store.Tx, b []byte) { tx.Create("p/new", b) }},
		{"move to an archive", 6, func(tx *store.Tx, b []byte) { tx.Write("p/STATE.md", b); tx.Append("p/ARCHIVE.md", b) }},
		{"move to a new archive elsewhere", 7, func(tx *store.Tx, b []byte) { tx.Write("p/STATE.md", b); tx.Append("q/NEW.md", b) }},
	} {
		root := realTemp(t)
		put(t, filepath.Join(root, "p/STATE.md"), "old")
		put(t, filepath.Join(root, "p/ARCHIVE.md"), "old")
		put(t, filepath.Join(root, "q/other"), "old")
		s := open(filestore.Options{Root: root, Runtime: ".baton/local"}, history.Options{Snapshots: roomy})
		update(t, s, func(tx *store.Tx) { tx.Write("q/other", []byte("used")) })
		before := s.Counters().Syncs.Load()
		update(t, s, func(tx *store.Tx) { c.fn(tx, []byte("new\n")) })
		if n := s.Counters().Syncs.Load() - before; n != c.syncs {
			t.Errorf("%s: %d fsyncs, want %d", c.name, n, c.syncs)
		}
	}
}

// TestD37_VersionsAreBounded: the oldest versions are dropped by size and by age, but the newest of
// every document stays.
func TestD37_VersionsAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	env := steady()
	env.Now = func() time.Time { return now }
	fs := newCrashFS(t, nil)
	s := open(filestore.Options{
		Root: "/p", Runtime: ".baton/local", Env: env, FS: fs, Wait: -1,
	}, history.Options{Snapshots: history.Limits{MaxBytes: 64 << 10, MaxAge: 24 * time.Hour}})
	r := rand.New(rand.NewPCG(1, 2))
	noise := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	write := func(name string, n int) { update(t, s, func(tx *store.Tx) { tx.Write(name, noise(n)) }) }
	size := func() (sum int) {
		for path, data := range fs.Files("/p/.baton/local/snapshots") {
			if !strings.HasSuffix(path, "/totals") {
				sum += len(data)
			}
		}
		return sum
	}
	for i := range 8 {
		write(fmt.Sprintf("quiet%d", i), 100)
	}
	for range 150 {
		write("loud", 4000)
	}
	if got := size(); got > 64<<10 || got < 20<<10 {
		t.Errorf("%d bytes are kept", got)
	}
	now = now.Add(48 * time.Hour)
	s = open(filestore.Options{
		Root: "/p", Runtime: ".baton/local", Env: env, FS: fs, Wait: -1, // size is no reason now
	}, history.Options{Snapshots: history.Limits{MaxBytes: 64 << 20, MaxAge: 24 * time.Hour}})
	for range 40 { // each drops at most one segment
		write("late", 10)
	}
	if n := len(versions(t, s, "loud")); n != 1 {
		t.Errorf("%d old versions stay, want the newest", n)
	}
	for i := range 8 {
		if got := versions(t, s, fmt.Sprintf("quiet%d", i)); len(got) != 1 || !strings.HasPrefix(got[0], "wrote ") || len(got[0]) != 106 {
			t.Errorf("quiet%d: %d versions", i, len(got))
		}
	}
}

// TestD37_VersionsSurviveCrashes: whenever a process dies, every listed version is available, the
// bytes that an acknowledged commit replaced are kept, and the next commit keeps more. After a
// power cut the newest may be damaged, and says so.
func TestD37_VersionsSurviveCrashes(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes() {
		t.Run(sc.Name, func(t *testing.T) {
			t.Parallel()
			fs := newCrashFS(t, sc.Before)
			check := func(what string, img *crashfs.FS, killed bool) {
				s := keepingOn(img, roomy)
				if _, err := nudge(s); err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				for name, text := range documents(img) {
					if strings.HasSuffix(name, ".tmp") {
						continue
					}
					update(t, s, func(tx *store.Tx) { tx.Write(name, []byte("later")) })
					list := versions(t, s, name)
					if n := len(list); n == 0 || list[n-1] != "wrote later" {
						t.Fatalf("%s: %s has %.200q", what, name, list)
					}
					had := strings.Contains(strings.Join(list, "\n"), text)
					lost := strings.Contains(strings.Join(list, "\n"), "revision_lost")
					if !had || killed && lost {
						t.Fatalf("%s: %s was %.60q and has %.200q", what, name, text, list)
					}
				}
			}
			crashes(t, fs, func() error {
				_, err := keepingOn(fs, roomy).Update(context.Background(), sc.Run)
				return err
			}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
				for seed := range uint64(3) {
					check(fmt.Sprintf("before %s %s (%d), seed %d", op.Name, op.Path, op.N, seed), snap(seed), seed == 0)
				}
			})
			check("acknowledged", fs.Kill(), true)
		})
	}
}

// TestD37_KeepingNeverFailsACommit: whichever operation on the kept versions fails, the change is
// made. If the commit itself lacks room, it is tried without them.
func TestD37_KeepingNeverFailsACommit(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes() {
		for _, fault := range []syscall.Errno{syscall.ENOSPC, syscall.EACCES, syscall.EIO} {
			t.Run(sc.Name+"/"+errorName(fault), func(t *testing.T) {
				t.Parallel()
				for at, done := 1, false; !done; at++ {
					fs := newCrashFS(t, sc.Before)
					first, hit := fs.Ops(), ""
					fs.Hook = func(op crashfs.Op) error {
						if op.N-first == at {
							hit = op.Path
							return fault
						}
						return nil
					}
					s := keepingOn(fs, roomy)
					_, err := s.Update(context.Background(), sc.Run)
					fs.Hook = nil
					done = hit == ""
					ours := strings.Contains(hit, "/snapshots")
					if ours && err != nil {
						t.Fatalf("operation %d on %s: %v", at, hit, err)
					}
					if err == nil {
						allOrNothing(t, hit, sc, noTemps(documents(fs)), "new")
						continue
					}
					list, errList := s.Snapshots(context.Background(), "")
					if errList != nil {
						t.Fatal(errList)
					}
					for _, v := range list {
						if v.Kind != history.SnapshotFound {
							t.Fatalf("operation %d on %s: %v, but a record says that %s was %s", at, hit, err, v.Name, v.Kind)
						}
					}
				}
			})
		}
	}
}

// TestD37_AFullDiskFailsNoCommit: a commit succeeds if there is room for it without kept versions.
func TestD37_AFullDiskFailsNoCommit(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"a": "old"})
	kept, full := 0, 0
	fs.Hook = func(op crashfs.Op) error {
		ours := strings.Contains(op.Path, "/snapshots/")
		switch {
		case ours && op.Name == "create":
			kept++
		case ours && op.Name == "remove":
			kept--
		case kept > 1 && op.Name == "write" && !ours: // the index alone takes no room
			full++
			return syscall.ENOSPC
		}
		return nil
	}
	s := keepingOn(fs, roomy)
	done, err := s.Update(context.Background(), func(tx *store.Tx) error { tx.Write("a", []byte("new")); return nil })
	if err != nil || full == 0 {
		t.Fatal(err, full)
	}
	if len(done.Notes) != 1 || done.Notes[0].Code != "snapshot_skipped" {
		t.Errorf("%+v", done.Notes)
	}
	if got := documents(fs); got["a"] != "new" {
		t.Errorf("%q", got)
	}
	if got := versions(t, s, "a"); got != nil {
		t.Errorf("%q are listed, although their bytes were removed to make room", got)
	}
}

// TestD36_KeptVersionsStayInside: a repository may hold anything in the place of the kept versions.
// Links are not followed, and other files are not removed.
func TestD36_KeptVersionsStayInside(t *testing.T) {
	t.Parallel()
	root, outside := realTemp(t), realTemp(t)
	put(t, filepath.Join(outside, strings.Repeat("ab", 32)), "mine")
	put(t, filepath.Join(root, "a"), "old")
	s := open(filestore.Options{Root: root, Runtime: ".baton/local"}, history.Options{Snapshots: roomy})
	update(t, s, func(tx *store.Tx) { tx.Write("a", []byte("used")) })
	for i := range 64 {
		if err := os.Symlink(outside, filepath.Join(root, ".baton/local/snapshots", fmt.Sprintf("%02x", i))); err != nil &&
			!errors.Is(err, os.ErrExist) {
			t.Skip("needs symbolic links: ", err)
		}
	}
	for i := range 70 { // each commit looks into one sub-folder, until all are known
		update(t, s, func(tx *store.Tx) { tx.Write(fmt.Sprint("a", i), []byte("new")) })
	}
	entries, err := os.ReadDir(outside)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestD37_CrashWhilePruning: a record is removed before its bytes, so that every listed version is
// available. The newest version of a document that is no longer written stays.
func TestD37_CrashWhilePruning(t *testing.T) {
	t.Parallel()
	for what, length := range map[string]int{"in packs": 800, "in files": 3000} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			crashWhilePruning(t, strings.Repeat("x", length))
		})
	}
}

func crashWhilePruning(t *testing.T, text string) {
	fs := newCrashFS(t, nil)
	tight := history.Limits{MaxBytes: 64 << 10}
	s := keepingOn(fs, tight)
	update(t, s, func(tx *store.Tx) { tx.Write("b", []byte("quiet")) })
	pruned := 0
	for i := 0; i < 200 && pruned < 3; i++ {
		points, before := 0, len(versions(t, s, "a"))
		crashes(t, fs, func() error {
			_, err := s.Update(
				context.Background(), func(tx *store.Tx) error { tx.Write("a", fmt.Appendf(nil, "version %d %s", i, text)); return nil },
			)
			return err
		}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
			if i < 10 || op.N%5 != i%5 || !strings.Contains(op.Path, "/snapshots") {
				return
			}
			points++
			img := keepingOn(snap(0), tight)
			if all := strings.Join(versions(t, img, "a"), "\n"); strings.Contains(all, "revision_lost") {
				t.Fatalf("before %s %s (%d): %q", op.Name, op.Path, op.N, all)
			}
			update(t, img, func(tx *store.Tx) { tx.Write("a", []byte("later")) })
			list := append(versions(t, img, "a"), versions(t, img, "b")...)
			if all := strings.Join(list, "\n"); strings.Contains(all, "revision_lost") ||
				!strings.Contains(all, "wrote later\nwrote quiet") {
				t.Fatalf("before %s %s (%d): %q", op.Name, op.Path, op.N, list)
			}
		})
		if len(versions(t, s, "a")) < before {
			pruned++
			if points < 2 {
				t.Errorf("only %d crashes in a commit that pruned", points)
			}
		}
	}
	if pruned < 3 {
		t.Errorf("%d commits pruned", pruned)
	}
}

// TestVersionsOfAnySizeComeBack: versions below one block of the disk are not compressed.
func TestVersionsOfAnySizeComeBack(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := keepingOn(fs, roomy)
	for _, size := range []int{0, 1, 4090, 4091, 4092, 5000, 70_000} {
		name := fmt.Sprintf("tasks/%d.md", size)
		text := strings.Repeat("some words ", size/11+1)[:size]
		update(t, s, func(tx *store.Tx) { tx.Write(name, []byte(text)) })
		if diff := cmp.Diff([]string{"wrote " + text}, versions(t, s, name)); diff != "" {
			t.Errorf("%d bytes:\n%s", size, diff)
		}
		list, err := s.Snapshots(context.Background(), name)
		if err != nil || len(list) != 1 || list[0].Packed > 4096 {
			t.Errorf("%d bytes take %+v, %v", size, list, err)
		}
	}
}
