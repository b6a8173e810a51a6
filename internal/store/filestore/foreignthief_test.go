package filestore_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"

	"github.com/google/go-cmp/cmp"
)

// lockOps counts the operations of an Update that takes over a stale lock.
func lockOps(t *testing.T) int {
	t.Helper()
	w := folderWorld(t)
	w.lockedFor(t, folderLock, fmt.Sprint(deadOne), 0)
	first := w.fs.Ops()
	if _, err := w.store(oneTry, inFolder).Update(context.Background(), recordLine("b: 2")); err != nil {
		t.Fatal(err)
	}
	return w.fs.Ops() - first
}

// TestSD50_SDK4_NewerOwnerAtEveryMoment: another program may take a stale lock at any moment while
// a writer takes it over, by its own takeover or because the name is free. Its lock is never
// removed: the writer got the lock before it, or waits.
func TestSD50_SDK4_NewerOwnerAtEveryMoment(t *testing.T) {
	t.Parallel()
	came, lost := 0, 0
	for moment := range lockOps(t) {
		w := folderWorld(t)
		w.lockedFor(t, folderLock, fmt.Sprint(deadOne), 0)
		took, first := false, w.fs.Ops()
		w.fs.Hook = func(op crashfs.Op) error {
			if op.N-first != moment+1 {
				return nil
			}
			if held, there := w.fs.Get(folderLock); !there || held == fmt.Sprint(deadOne) {
				w.fs.Swap(folderLock, fmt.Sprint(other1))
				took = true
			}
			return nil
		}
		_, err := w.store(oneTry, inFolder).Update(context.Background(), recordLine("b: 2"))
		w.fs.Hook = nil
		what := fmt.Sprintf("moment %d", moment+1)
		if !took {
			if err != nil {
				t.Errorf("%s: nobody came, and %v", what, err)
			}
			continue
		}
		came++
		if got, _ := w.fs.Get(folderLock); got != fmt.Sprint(other1) {
			t.Errorf("%s: the newer owner's lock holds %q", what, got)
		}
		if err != nil {
			lost++
			locked(t, err)
		}
		want := map[string]string{workflowAt: "a: 1\n", folderLock: fmt.Sprint(other1)}
		if err == nil { // it came after the writer had freed the lock
			want[workflowAt] = "a: 1\nb: 2\n"
		}
		if diff := cmp.Diff(want, w.fs.Files(stateFolder)); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	if lost < 8 || came <= lost {
		t.Errorf("in %d of %d runs somebody came in time", lost, came)
	}
}

// TestSD50_SDK4_TwoThieves: two writers that cannot see each other's kernel lock take over the same
// stale lock, the second at every moment of the first. One of them wins each time. If both changes
// were acknowledged, both arrive, and no lock stays.
func TestSD50_SDK4_TwoThieves(t *testing.T) {
	t.Parallel()
	const second = 900
	won := map[bool]int{}
	for moment := range lockOps(t) {
		w := folderWorld(t)
		w.alive = append(w.alive, second)
		w.lockedFor(t, folderLock, fmt.Sprint(deadOne), 0)
		other := w.store(oneTry, inFolder, func(o *filestore.Options) {
			o.Runtime, o.Env.PID = ".second/local", second
		})
		var inner error
		done, first := false, w.fs.Ops()
		hook := func(op crashfs.Op) error {
			if op.N-first == moment+1 && !done {
				done = true
				mine, _ := w.fs.Get(folderLock)
				_, inner = other.Update(context.Background(), recordLine("c: 3"))
				if inner == nil && mine == fmt.Sprint(me) {
					t.Errorf("moment %d: the second wrote under the first one's lock", moment+1)
				}
			}
			return nil
		}
		w.fs.Hook = hook
		_, outer := w.store(oneTry, inFolder).Update(context.Background(), recordLine("b: 2"))
		w.fs.Hook = nil
		if outer != nil && inner != nil {
			t.Errorf("moment %d: nobody won: %v, %v", moment+1, outer, inner)
		}
		won[inner == nil]++
		got, _ := w.fs.Get(workflowAt)
		for line, err := range map[string]error{"b: 2\n": outer, "c: 3\n": inner} {
			if strings.Count(got, line) != map[bool]int{true: 1}[err == nil] {
				t.Errorf("moment %d: %q, and the writer of %q was told %v", moment+1, got, line, err)
			}
		}
		noLocks(t, fmt.Sprintf("moment %d", moment+1), w.fs)
	}
	if won[true] == 0 || won[false] == 0 {
		t.Errorf("the second won %d times and lost %d times", won[true], won[false])
	}
}

// TestSD50_StealName: the lock is taken over under the documented name, which is that of a
// leftover. It is read again there before it is removed.
func TestSD50_StealName(t *testing.T) {
	t.Parallel()
	w := folderWorld(t)
	w.lockedFor(t, folderLock, fmt.Sprint(deadOne), 0)
	aside, read := "", false
	w.fs.Hook = func(op crashfs.Op) error {
		for p, data := range w.fs.Files(stateFolder) {
			if p != folderLock && data == fmt.Sprint(deadOne) {
				aside = path.Base(p)
				read = read || op.Name == "read" && op.Path == p
			}
		}
		return nil
	}
	if _, err := w.store(oneTry, inFolder).Update(context.Background(), recordLine("b: 2")); err != nil {
		t.Fatal(err)
	}
	w.fs.Hook = nil
	if want := regexp.MustCompile(fmt.Sprintf(`^\.lock\.%d\.[0-9a-z]+\.tmp$`, me)); !want.MatchString(aside) || !read {
		t.Errorf("the lock became %q, read again: %v", aside, read)
	}
}

// TestSDD10_NeverEmpty: whenever the lock exists, from before the comparison until everything is
// durable, it holds our number without a newline. It is never synced. Without links it may be empty
// for the moment between creating and writing it.
func TestSDD10_NeverEmpty(t *testing.T) {
	t.Parallel()
	for _, links := range []bool{true, false} {
		w := folderWorld(t)
		inside, empty := map[string]int{}, 0
		w.fs.Hook = func(op crashfs.Op) error {
			held, there := w.fs.Get(folderLock)
			if there && held == "" {
				empty++
			} else if there && held != fmt.Sprint(me) {
				t.Errorf("%s %s: the lock holds %q", op.Name, op.Path, held)
			}
			if there {
				inside[op.Name]++
			}
			if strings.Contains(op.Path, ".lock") && !strings.HasPrefix(op.Path, "/p/.baton/") && strings.HasPrefix(op.Name, "sync") {
				t.Errorf("%s of %s", op.Name, op.Path)
			}
			if changes := op.Name == "exchange" || op.Name == "sync" || op.Name == "syncdir"; changes && !there {
				t.Errorf("%s %s without the lock", op.Name, op.Path)
			}
			if op.Name == "link" && !links {
				return errors.ErrUnsupported
			}
			return nil
		}
		if _, err := w.store(oneTry, inFolder).Update(context.Background(), recordLine("b: 2")); err != nil {
			t.Fatal(err)
		}
		w.fs.Hook = nil
		if inside["exchange"] != 1 || inside["sync"] != 1 || inside["syncdir"] != 1 || (empty == 0) != links {
			t.Errorf("links %v: empty at %d operations, under the lock %v", links, empty, inside)
		}
		noLocks(t, "afterwards", w.fs)
	}
}

// TestSDD10_ReleasedOnlyIfOurs: a lock that became somebody else's stays, even if it has our
// number.
func TestSDD10_ReleasedOnlyIfOurs(t *testing.T) {
	t.Parallel()
	for _, theirs := range []string{fmt.Sprint(other1), fmt.Sprint(me), ""} {
		w := folderWorld(t)
		w.fs.Hook = func(op crashfs.Op) error {
			if op.Name == "exchange" {
				w.fs.Swap(folderLock, theirs)
			}
			return nil
		}
		if _, err := w.store(inFolder).Update(context.Background(), recordLine("b: 2")); err != nil {
			t.Fatal(err)
		}
		w.fs.Hook = nil
		if got, there := w.fs.Get(folderLock); !there || got != theirs {
			t.Errorf("the lock of %q: %q, %v", theirs, got, there)
		}
	}
}

// TestSDD10_ReleasedWithAnotherBody: our own lock file is not removed either if somebody wrote
// another number into it.
func TestSDD10_ReleasedWithAnotherBody(t *testing.T) {
	t.Parallel()
	w := folderWorld(t)
	w.fs.Hook = func(op crashfs.Op) error {
		if op.Name == "exchange" {
			w.fs.Put(folderLock, fmt.Sprint(other1))
		}
		return nil
	}
	if _, err := w.store(inFolder).Update(context.Background(), recordLine("b: 2")); err != nil {
		t.Fatal(err)
	}
	w.fs.Hook = nil
	if got, _ := w.fs.Get(folderLock); got != fmt.Sprint(other1) {
		t.Errorf("the lock: %q", got)
	}
}

// TestSDD10_ReleasedOnSignals: whenever the command is told to stop, the lock is freed.
func TestSDD10_ReleasedOnSignals(t *testing.T) {
	t.Parallel()
	for moment := range lockOps(t) {
		w := folderWorld(t)
		ctx, cancel := context.WithCancel(context.Background())
		first := w.fs.Ops()
		w.fs.Hook = func(op crashfs.Op) error {
			if op.N-first == moment+1 {
				cancel()
			}
			return nil
		}
		if _, err := w.store(inFolder).Update(ctx, recordLine("b: 2")); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		cancel()
		noLocks(t, fmt.Sprintf("stopped at moment %d", moment+1), w.fs)
	}
}

// TestSD50_SDK4_ThirdParty: a lock that was taken by mistake goes back, unless a third program has
// created one meanwhile. That one is not replaced.
func TestSD50_SDK4_ThirdParty(t *testing.T) {
	t.Parallel()
	const third = 901
	w := folderWorld(t)
	w.alive = append(w.alive, third)
	w.lockedFor(t, folderLock, fmt.Sprint(deadOne), 0)
	w.fs.Hook = func(op crashfs.Op) error {
		switch _, there := w.fs.Get(folderLock); {
		case op.Name == "rename" && op.Path == folderLock:
			w.fs.Swap(folderLock, fmt.Sprint(other1))
		case op.Name == "renamenew" && !there:
			w.fs.Swap(folderLock, fmt.Sprint(third))
		}
		return nil
	}
	_, err := w.store(oneTry, inFolder).Update(context.Background(), recordLine("b: 2"))
	w.fs.Hook = nil
	locked(t, err)
	files := w.fs.Files(stateFolder)
	if files[folderLock] != fmt.Sprint(third) || files[workflowAt] != "a: 1\n" {
		t.Errorf("%v", files)
	}
	delete(files, folderLock)
	delete(files, workflowAt)
	if left := slices.Collect(maps.Values(files)); len(left) != 1 || left[0] != fmt.Sprint(other1) {
		t.Errorf("the second one's lock: %v", files)
	}
}

// TestSDD10_SD1_FirstWriter: the folder is created together with its lock, so that two first
// writers notice each other. A change that fails or does nothing leaves neither.
func TestSDD10_SD1_FirstWriter(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{})
	w.fs.Hook = func(op crashfs.Op) error {
		_, there := w.fs.Get(folderLock)
		if op.Name == "renamenew" && !there {
			t.Error("the record was made without the lock")
		}
		return nil
	}
	if _, err := w.store(oneTry, inFolder).Update(context.Background(), recordLine("a: 1")); err != nil {
		t.Fatal(err)
	}
	w.fs.Hook = nil
	if diff := cmp.Diff(map[string]string{workflowAt: "a: 1\n"}, w.fs.Files(stateFolder)); diff != "" {
		t.Error(diff)
	}
	for seed := range uint64(20) {
		if got, _ := w.fs.Crash(rand.New(rand.NewPCG(seed, 1))).Get(workflowAt); got != "a: 1\n" {
			t.Fatalf("after a power cut the record holds %q", got)
		}
	}

	full := newWorld(t, map[string]string{})
	full.fs.Hook = func(op crashfs.Op) error {
		if op.Name == "write" && strings.Contains(op.Path, "workflow") {
			return syscall.ENOSPC
		}
		return nil
	}
	_, err := full.store(oneTry, inFolder).Update(context.Background(), recordLine("a: 1"))
	full.fs.Hook = nil
	if e := clear(t, "a full disk", err); e.Code != "no_space" {
		t.Errorf("%+v", e)
	}
	if _, err := full.fs.Lstat("/p/.devt"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder was left: %v", err)
	}
	if _, err := full.store(inFolder).Update(context.Background(), func(*store.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if state, removed, err := full.store(inFolder).BreakLock(context.Background(), theLock()); err != nil || removed || state.Held {
		t.Errorf("unlock without a folder: %+v, %v, %v", state, removed, err)
	}
	if _, err := full.fs.Lstat("/p/.devt"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty change, or unlock, created the folder: %v", err)
	}
}

// TestSD2_FolderIsAFile: every operation on the lock reports that the folder is a file.
func TestSD2_FolderIsAFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{".devt/state": "a file"})
	_, err := w.store(inFolder).Update(
		context.Background(), func(tx *store.Tx) error { tx.Create(workflowDoc, []byte("a: 1\n")); return nil },
	)
	if e := clear(t, "a writer", err); e.Code != "not_directory" {
		t.Errorf("a writer: %+v", e)
	}
	_, err = w.store(inFolder).LookAtLock(context.Background(), theLock())
	if e := clear(t, "lock", err); e.Code != "not_directory" {
		t.Errorf("lock: %+v", e)
	}
	_, _, err = w.store(inFolder).BreakLock(context.Background(), theLock())
	clear(t, "unlock", err)
	if got := documents(w.fs); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// lockLeftovers removes the names of temporary files that a crash may leave in the folder.
func lockLeftovers(files map[string]string) {
	maps.DeleteFunc(files, func(name, _ string) bool {
		return strings.HasPrefix(path.Base(name), ".") && strings.HasSuffix(name, ".tmp") || path.Base(name) == ".lock"
	})
}

// lockScenes returns changes of one file and of two in the folder, and of one in a folder that does
// not exist yet.
func lockScenes() []scene {
	two := func(tx *store.Tx) error {
		tx.Append(".devt/state/gate-trace.jsonl", []byte("{}\n"))
		return recordLine("b: 2")(tx)
	}
	return []scene{
		{
			Name: "one", Before: map[string]string{workflowDoc: "a: 1\n"},
			After: map[string]string{workflowDoc: "a: 1\nb: 2\n"}, Run: recordLine("b: 2"),
		},
		{Name: "first", Before: map[string]string{}, After: map[string]string{workflowDoc: "b: 2\n"}, Run: recordLine("b: 2")},
		{
			Name: "two", Before: map[string]string{workflowDoc: "a: 1\n"},
			After: map[string]string{workflowDoc: "a: 1\nb: 2\n", ".devt/state/gate-trace.jsonl": "{}\n"}, Run: two,
		},
	}
}

// TestSDD10_SD49_CrashWhileHolding: after a death or a power cut at any moment, also during the
// takeover of a stale lock, the next writer is not delayed and finds all of the change or nothing.
func TestSDD10_SD49_CrashWhileHolding(t *testing.T) {
	t.Parallel()
	for _, sc := range lockScenes() {
		for _, stale := range []bool{false, true} {
			fs, held := newCrashFS(t, sc.Before), 0
			if stale {
				fs.Put(folderLock, fmt.Sprint(deadOne))
			}
			w := later(fs)
			crashes(t, fs, func() error {
				_, err := w.store(inFolder).Update(context.Background(), sc.Run)
				return err
			}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
				for seed := range uint64(3) {
					what := fmt.Sprintf("%s, stale %v, before %s %s (%d), seed %d", sc.Name, stale, op.Name, op.Path, op.N, seed)
					img := snap(seed)
					if got, _ := img.Get(folderLock); got == fmt.Sprint(me) {
						held++
					}
					s := later(img, me).store(inFolder, nextOne)
					if _, err := s.Update(
						context.Background(), func(tx *store.Tx) error { tx.Write(workflowDoc+".other", []byte("x")); return nil },
					); err != nil {
						t.Fatalf("%s: the next writer: %v", what, err)
					}
					got := documents(img)
					delete(got, workflowDoc+".other")
					if _, there := got[theLock().Name]; there {
						t.Fatalf("%s: the lock is left", what)
					}
					lockLeftovers(got)
					allOrNothing(t, what, sc, got, "")
				}
			})
			if held == 0 {
				t.Errorf("%s: no crash left a lock", sc.Name)
			}
		}
	}
}

// TestSDD10_RemovedAfterAnyError: whichever operation fails, the change is whole or absent. The
// lock is freed unless freeing it is what failed.
func TestSDD10_RemovedAfterAnyError(t *testing.T) {
	t.Parallel()
	for _, sc := range lockScenes() {
		for _, stale := range []bool{false, true} {
			for at := 1; ; at++ {
				fs := newCrashFS(t, sc.Before)
				if stale {
					fs.Put(folderLock, fmt.Sprint(deadOne))
				}
				var failed crashfs.Op
				first := fs.Ops()
				fs.Hook = func(op crashfs.Op) error {
					if op.N-first == at {
						failed = op
						return syscall.EIO
					}
					return nil
				}
				_, err := later(fs).store(oneTry, inFolder).Update(context.Background(), sc.Run)
				fs.Hook = nil
				if failed.N == 0 {
					break
				}
				what := fmt.Sprintf("%s, stale %v: %s %s (%d)", sc.Name, stale, failed.Name, failed.Path, at)
				must := "new"
				if err != nil {
					if e := report.As(err); e.Kind != report.Locked {
						clear(t, what, err)
					}
					must = "old"
				}
				if got, _ := fs.Get(folderLock); got == fmt.Sprint(me) && !strings.Contains(failed.Path, ".lock") {
					t.Fatalf("%s: the lock is left", what)
				}
				got := documents(fs)
				lockLeftovers(got)
				allOrNothing(t, what, sc, got, must)
				next := later(fs, me).store(inFolder, nextOne)
				if _, err := next.Update(
					context.Background(), func(tx *store.Tx) error { tx.Write(workflowDoc, []byte("later\n")); return nil },
				); err != nil {
					t.Fatalf("%s: the next writer: %v", what, err)
				}
			}
		}
	}
}

// TestSD50_UnlockLooksAgain: at every moment of unlock, a lock that somebody else takes stays
// theirs.
func TestSD50_UnlockLooksAgain(t *testing.T) {
	t.Parallel()
	for moment := 1; ; moment++ {
		w := folderWorld(t)
		w.lockedFor(t, folderLock, fmt.Sprint(deadOne), 0)
		took, reached, first := false, false, w.fs.Ops()
		w.fs.Hook = func(op crashfs.Op) error {
			if op.N-first == moment {
				reached = true
				held, there := w.fs.Get(folderLock)
				if took = !there || held == fmt.Sprint(deadOne); took {
					w.fs.Swap(folderLock, fmt.Sprint(other1))
				}
			}
			return nil
		}
		state, removed, err := w.store(oneTry, inFolder).BreakLock(context.Background(), theLock())
		w.fs.Hook = nil
		if !reached {
			return
		}
		got, _ := w.fs.Get(folderLock)
		switch {
		case got != fmt.Sprint(other1):
			t.Errorf("moment %d: the lock holds %q", moment, got)
		case removed != (err == nil):
			t.Errorf("moment %d: removed %v, %v", moment, removed, err)
		case err != nil && (report.CodeOf(err) != "lock_held" || state.PID != other1 || state.Stale):
			t.Errorf("moment %d: %+v, %+v", moment, report.As(err), state)
		}
	}
}

// TestSDD10_UnlockUnderBatonsLock: while a command of baton writes, unlock waits for it, as every
// writer does.
func TestSDD10_UnlockUnderBatonsLock(t *testing.T) {
	t.Parallel()
	w := folderWorld(t)
	tried := 0
	w.fs.Hook = func(op crashfs.Op) error {
		if op.Name == "exchange" && tried == 0 {
			tried++
			_, removed, err := w.store(oneTry, inFolder).BreakLock(context.Background(), theLock())
			if locked(t, err); removed {
				t.Error("the lock of a writer at work was removed")
			}
		}
		return nil
	}
	if _, err := w.store(inFolder).Update(context.Background(), recordLine("b: 2")); err != nil || tried != 1 {
		t.Fatal(err, tried)
	}
	w.fs.Hook = nil
	noLocks(t, "afterwards", w.fs)
}

// TestUnlockKeepsTheRecordOfADeadWriter: unlock is not a writer, so what a dead baton recorded for the
// next writer is still recorded.
func TestUnlockKeepsTheRecordOfADeadWriter(t *testing.T) {
	t.Parallel()
	w := folderWorld(t)
	var img *crashfs.FS
	w.fs.Hook = func(op crashfs.Op) error {
		if op.Name == "exchange" {
			img = w.fs.Kill()
		}
		return nil
	}
	if _, err := w.store(inFolder).Update(context.Background(), recordLine("b: 2")); err != nil {
		t.Fatal(err)
	}
	temps := func() int {
		return len(slices.DeleteFunc(
			slices.Collect(maps.Keys(img.Files(stateFolder))), func(p string) bool { return !strings.HasSuffix(p, ".tmp") },
		))
	}
	next := later(img, me)
	if _, removed, err := next.store(inFolder, nextOne).BreakLock(context.Background(), theLock()); err != nil || !removed || temps() != 1 {
		t.Fatalf("removed %v, %v, %d temporary files", removed, err, temps())
	}
	c, err := nudge(next.store(inFolder, nextOne))
	if err != nil || notes(c, "swept") != 1 || temps() != 0 {
		t.Errorf("%+v, %v, %d temporary files", c, err, temps())
	}
}

// FuzzSD47_AnyBody: whatever the file holds, looking at it does no harm. The next writer either
// takes the lock over, or its error says why not.
func FuzzSD47_AnyBody(f *testing.F) {
	for _, c := range lockBodies() {
		f.Add([]byte(c.content), c.age > 0)
	}
	f.Fuzz(func(t *testing.T, content []byte, old bool) {
		w := folderWorld(t)
		w.lockedFor(t, folderLock, string(content), map[bool]time.Duration{true: 4 * time.Second}[old])
		state, err := w.store(inFolder).LookAtLock(context.Background(), theLock())
		if err != nil || !state.Held || state.Why == "" || state.Stale && state.Alive {
			t.Fatalf("%+v, %v", state, err)
		}
		if _, err = w.store(oneTry, inFolder).Update(context.Background(), recordLine("b: 2")); (err == nil) != state.Stale {
			t.Fatalf("%+v, and the writer says %v", state, err)
		}
	})
}
