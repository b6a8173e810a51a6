package filestore_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
)

// later returns a world some time after a death, on the disk that it left, with another process
// number.
func later(img *crashfs.FS, dead ...int) *world {
	w := &world{fs: img, now: steady().Now()}
	if !slices.Contains(dead, me) {
		w.alive = append(w.alive, me)
	}
	return w
}

func nextOne(o *filestore.Options) { o.Env.PID = me + 1; o.Wait = -1 }

// TestSF28_CrashWhileHolding: the power fails or the process dies before any operation. A later
// writer, which finds the lock's owner dead, finds all old or all new documents. Once it has
// written those documents, no lock file is left.
func TestSF28_CrashWhileHolding(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes() {
		t.Run(sc.Name, func(t *testing.T) {
			t.Parallel()
			fs := newCrashFS(t, sc.Before)
			held := 0
			check := func(what string, img *crashfs.FS) {
				if slices.ContainsFunc(
					slices.Collect(maps.Keys(img.Files("/p"))), func(p string) bool { return strings.HasSuffix(p, ".md.lock") },
				) {
					held++
				}
				s := later(img, me).store(nextOne)
				if _, err := nudge(s); err != nil {
					t.Fatalf("%s: recovery: %v", what, err)
				}
				got := noTemps(documents(img))
				maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasSuffix(name, ".md.lock") })
				allOrNothing(t, what, sc, got, "")
				_, err := s.Update(context.Background(), func(tx *store.Tx) error {
					for name := range sc.After {
						tx.Write(name, []byte("later"))
					}
					return nil
				})
				if err != nil {
					t.Fatalf("%s: next writer: %v", what, err)
				}
				noLocks(t, what, img)
			}
			w := later(fs)
			crashes(t, fs, func() error {
				_, err := w.store().Update(context.Background(), sc.Run)
				return err
			}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
				for seed := range uint64(3) {
					check(fmt.Sprintf("before %s %s (%d), seed %d", op.Name, op.Path, op.N, seed), snap(seed))
				}
			})
			if held == 0 && sc.Name != "create one" {
				t.Error("no crash left a lock")
			}
			noLocks(t, "the writer itself", fs)
		})
	}
}

// TestGSD51_RemovedAfterAnyError: whichever operation fails, the change is whole or absent, and the
// lock is freed. If freeing it failed, the next writer takes it over.
func TestGSD51_RemovedAfterAnyError(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes() {
		for _, exchange := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/exchange=%v", sc.Name, exchange), func(t *testing.T) {
				t.Parallel()
				for at := 1; failUnderLock(t, sc, exchange, at); at++ {
				}
			})
		}
	}
}

func failUnderLock(t *testing.T, sc scene, exchange bool, at int) bool {
	t.Helper()
	fs := newCrashFS(t, sc.Before)
	fs.NoExchange = !exchange
	var failed crashfs.Op
	first := fs.Ops()
	fs.Hook = func(op crashfs.Op) error {
		if op.N-first == at {
			failed = op
			return syscall.EIO
		}
		return nil
	}
	w := later(fs)
	_, err := w.store(oneTry).Update(context.Background(), sc.Run)
	fs.Hook = nil
	if failed.N == 0 {
		return false
	}
	what := fmt.Sprintf("%s %s (%d)", failed.Name, failed.Path, at)
	must := "new"
	if err != nil {
		clear(t, what, err)
		must = "old"
	}
	aboutOurs := slices.Contains([]string{"open", "stat", "read", "remove"}, failed.Name) // checking that it is ours, freeing it
	if !strings.Contains(failed.Path, ".md.lock") || !aboutOurs {
		noLocks(t, what, fs)
	}
	got := noTemps(documents(fs))
	maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasSuffix(name, ".md.lock") })
	allOrNothing(t, what, sc, got, must)
	_, err = later(fs, me).store(nextOne).Update(context.Background(), func(tx *store.Tx) error {
		for name := range sc.After {
			tx.Write(name, []byte("later"))
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%s: next writer: %v", what, err)
	}
	noLocks(t, what+", next writer", fs)
	return true
}

// TestD35_RecoveryTakesForeignLocks: the journal of a dead baton is carried out under the locks of
// the files in it. While one is taken, the journal waits and baton's own lock is free. Afterwards
// any next writer completes it.
func TestD35_RecoveryTakesForeignLocks(t *testing.T) {
	t.Parallel()
	sc := scenes()[0]
	for name := range sc.After {
		w := &world{fs: stopped(t, "append", "/p/archive/1.md"), alive: []int{other1}}
		taken := "/p/" + name + ".lock"
		w.lockedFor(t, taken, fmt.Sprint(other1), 0)
		w.pausing = func() {
			if _, pending := w.fs.Get(journalPath); !pending {
				t.Errorf("%s: the journal was carried out past the lock", name)
			}
			free, got, err := w.fs.TryLock(kernelKey)
			if err != nil || !got {
				t.Fatalf("%s: baton's lock is held in a pause: %v", name, err)
			}
			_ = free()
			if len(w.pauses) == 3 {
				w.fs.Delete(taken)
			}
		}
		held := map[string]bool{}
		w.fs.Hook = func(op crashfs.Op) error {
			if doc := strings.TrimSuffix(op.Path, ".lock"); doc != op.Path && op.Name == "write" {
				held[strings.TrimPrefix(doc, "/p/")] = true
			}
			return nil
		}
		c, err := w.store().Update(context.Background(), func(*store.Tx) error {
			noLocks(t, "in the transaction after the recovery of "+name, w.fs)
			return nil
		})
		w.fs.Hook = nil
		if err != nil || len(w.pauses) != 3 || notes(c, "recovered") != 1 {
			t.Fatalf("%s: %+v, %v, %v", name, c, err, w.pauses)
		}
		if len(held) != 3 {
			t.Errorf("%s: locks of %v", name, held)
		}
		noLocks(t, name, w.fs)
		allOrNothing(t, name, sc, documents(w.fs), "new")
	}
	w := &world{fs: stopped(t, "append", "/p/archive/1.md"), alive: []int{other1}}
	w.lockedFor(t, "/p/tasks/2.md.lock", fmt.Sprint(other1), 0)
	_, err := nudge(w.store())
	if e := locked(t, err); e.Path != "tasks/2.md.lock" {
		t.Errorf("%+v", e)
	}
	if _, pending := w.fs.Get(journalPath); !pending {
		t.Error("the journal is gone")
	}
	w.fs.Hook = func(op crashfs.Op) error {
		if strings.HasSuffix(op.Path, ".md.lock") {
			t.Errorf("a reader looked at a lock: %s", op.Name)
		}
		return nil
	}
	if doc, err := w.store().Read(context.Background(), "tasks/2.md"); err != nil || !doc.Pending {
		t.Errorf("a reader of the pending journal: %+v, %v", doc, err)
	}
}

// TestD35_PutBackUnderForeignLock: bytes that a dead baton pushed out unseen are put back under the
// document's lock. While somebody else holds that lock, nothing is forgotten.
func TestD35_PutBackUnderForeignLock(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{digest: "a\n"})
	var img *crashfs.FS
	edited := false
	w.fs.Hook = func(op crashfs.Op) error {
		if op.Name == "exchange" { // after the comparison, before the exchange
			w.fs.Swap(digestAt, "by hand\n")
			edited = true
		} else if edited && img == nil {
			img = w.fs.Kill()
		}
		return nil
	}
	if _, err := w.store().Update(context.Background(), line("b")); err != nil {
		t.Fatal(err)
	}
	if got, _ := img.Get(digestAt); got != "a\nb\n" {
		t.Fatalf("the exchange is not done: %q", got)
	}
	next := later(img)
	next.alive = []int{other1}
	next.lockedFor(t, gsdLock, fmt.Sprint(other1), 0)
	next.pausing = func() {
		if got, _ := img.Get(digestAt); got != "a\nb\n" {
			t.Errorf("%q under somebody else's lock", got)
		}
		if len(next.pauses) == 2 {
			img.Delete(gsdLock)
		}
	}
	if _, err := nudge(next.store(func(o *filestore.Options) { o.Env.PID = me + 1 })); err != nil {
		t.Fatal(err)
	}
	if got, _ := img.Get(digestAt); got != "by hand\n" || len(next.pauses) != 2 {
		t.Errorf("%q after %v", got, next.pauses)
	}
	noLocks(t, "afterwards", img)
}

// TestSF28_TwoBatonsOneProcess: Updates of one process queue on the kernel lock. With two runtime
// folders over one document they queue on the foreign lock. An Update inside another gives up
// instead of waiting for itself forever.
func TestSF28_TwoBatonsOneProcess(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{digest: "a\n"})
	inner := w.store(oneTry, func(o *filestore.Options) { o.Runtime = ".second/local" })
	tries := 0
	w.fs.Hook = func(op crashfs.Op) error {
		if op.Name == "exchange" && tries == 0 {
			tries++
			_, err := inner.Update(context.Background(), line("inner"))
			if e := report.As(err); e == nil || e.Code != "lock_timeout" || e.Details["pid"] != me {
				t.Errorf("under our own lock: %v", err)
			}
		}
		return nil
	}
	if _, err := w.store().Update(context.Background(), line("outer")); err != nil || tries != 1 {
		t.Fatal(err, tries)
	}
	w.fs.Hook = nil
	w.now = w.now.Add(time.Second)
	if _, err := inner.Update(context.Background(), line("inner")); err != nil {
		t.Fatal(err)
	}
	if got, _ := w.fs.Get(digestAt); got != "a\nouter\ninner\n" {
		t.Errorf("digest %q", got)
	}
	noLocks(t, "afterwards", w.fs)
}
