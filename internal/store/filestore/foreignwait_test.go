package filestore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/foreign"

	"github.com/google/go-cmp/cmp"
)

// TestD35_NeverWaitsWithOwnLock: while a foreign lock is taken, baton's own lock is free in every
// pause. Pauses last 1 to 25 ms and differ. Then the transaction runs on what the other program
// wrote.
func TestD35_NeverWaitsWithOwnLock(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{digest: "a\n"})
	w.lockedFor(t, gsdLock, fmt.Sprint(other1), 0)
	w.pausing = func() {
		free, got, err := w.fs.TryLock(kernelKey)
		if err != nil || !got {
			t.Fatalf("a pause with baton's lock held: %v", err)
		}
		_ = free()
		if raw, _ := w.fs.Get("/p/.baton/local/lock.json"); strings.TrimSpace(raw) != "" {
			t.Errorf("lock.json in a pause: %q", raw)
		}
		if len(w.pauses) == 20 {
			w.fs.Swap(digestAt, "a\ntheirs\n")
			w.fs.Delete(gsdLock)
		}
	}
	runs := 0
	s := w.store(func(o *filestore.Options) { o.Env.Rand = nil })
	c, err := s.Update(context.Background(), func(tx *store.Tx) error { runs++; return line("ours")(tx) })
	if err != nil || len(c.Written) != 1 || runs != 21 {
		t.Fatalf("%+v, %v, %d runs", c, err, runs)
	}
	if got, _ := w.fs.Get(digestAt); got != "a\ntheirs\nours\n" {
		t.Errorf("digest %q", got)
	}
	if slices.Min(w.pauses) < time.Millisecond || slices.Max(w.pauses) > 25*time.Millisecond ||
		slices.Min(w.pauses) == slices.Max(w.pauses) {
		t.Errorf("pauses %v", w.pauses)
	}
	noLocks(t, "afterwards", w.fs)
}

// TestD35_Patience: all pauses together do not exceed the store's patience. Then the error names
// the holder and the file, and nothing has changed.
func TestD35_Patience(t *testing.T) {
	t.Parallel()
	for wait, want := range map[time.Duration]time.Duration{
		0: filestore.DefaultWait, 300 * time.Millisecond: 300 * time.Millisecond, -1: 0,
	} {
		w := newWorld(t, map[string]string{digest: "a\n"})
		w.lockedFor(t, gsdLock, fmt.Sprint(other1), 0)
		before := w.fs.Files("/p")
		_, err := w.store(func(o *filestore.Options) { o.Wait = wait }).Update(context.Background(), line("b"))
		e := locked(t, err)
		if e.Path != digest+".lock" || e.Details["pid"] != other1 || e.Kind.Row().Exit != 5 {
			t.Errorf("%+v", e)
		}
		for _, part := range []string{fmt.Sprint(other1), digest + ".lock"} {
			if !strings.Contains(e.Message, part) || !strings.Contains(e.Hint, part) {
				t.Errorf("%q, %q do not name %s", e.Message, e.Hint, part)
			}
		}
		total := time.Duration(0)
		for _, p := range w.pauses {
			total += p
		}
		if total != want {
			t.Errorf("wait %v: paused %v", wait, total)
		}
		after := w.fs.Files("/p")
		for _, files := range []map[string]string{before, after} { // blank in both cases
			files["/p/.baton/local/lock.json"] = strings.TrimSpace(files["/p/.baton/local/lock.json"])
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Error(diff)
		}
	}
}

// TestD35_EmptyLockTimeout: the error for a lock without a number names no holder.
func TestD35_EmptyLockTimeout(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{digest: "a\n"})
	w.lockedFor(t, gsdLock, "", 0)
	_, err := w.store(oneTry).Update(context.Background(), line("b"))
	e := locked(t, err)
	if _, named := e.Details["pid"]; named || !strings.Contains(e.Message, digest+".lock") {
		t.Errorf("%+v", e)
	}
}

// overtime is a context whose deadline passes when done is closed.
type overtime struct {
	context.Context
	done chan struct{}
}

func (o *overtime) Done() <-chan struct{} { return o.done }

func (o *overtime) Err() error {
	select {
	case <-o.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// TestD35_ContextEnds: a cancelled context ends the wait with its own error, and a deadline with
// lock_timeout. No lock of ours stays, also if the context is cancelled under the lock.
func TestD35_ContextEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{digest: "a\n"})
	w.lockedFor(t, gsdLock, fmt.Sprint(other1), 0)
	ctx, cancel := context.WithCancel(context.Background())
	never := func(o *filestore.Options) {
		o.After = func(time.Duration) <-chan time.Time { cancel(); return nil }
	}
	if _, err := w.store(never).Update(ctx, line("b")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	over := &overtime{Context: context.Background(), done: make(chan struct{})}
	late := func(o *filestore.Options) {
		o.After = func(time.Duration) <-chan time.Time { close(over.done); return nil }
	}
	_, err := w.store(late).Update(over, line("b"))
	if e := locked(t, err); e.Details["pid"] != other1 || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline: %+v", e)
	}
	w.fs.Delete(gsdLock)
	ctx, cancel = context.WithCancel(context.Background())
	w.fs.Hook = func(op crashfs.Op) error {
		if op.Name == "create" && op.Path == gsdLock {
			cancel()
		}
		return nil
	}
	_, err = w.store().Update(ctx, line("b"))
	w.fs.Hook = nil
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	noLocks(t, "afterwards", w.fs)
}

// TestD35_SeveralLocks: all writers take locks in the same order. If the second is taken, the first
// is freed before the pause. Two documents behind one lock take it once.
func TestD35_SeveralLocks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"x/b": "b", "x/a": "a", "y/b": "b"})
	w.fs.Put("/p/2.lock", fmt.Sprint(other1))
	var order []string
	w.fs.Hook = func(op crashfs.Op) error {
		if op.Name == "create" && strings.HasSuffix(op.Path, ".lock") {
			order = append(order, op.Path)
		}
		return nil
	}
	w.pausing = func() {
		if _, held := w.fs.Get("/p/1.lock"); held {
			t.Error("a foreign lock is held in a pause")
		}
		w.fs.Delete("/p/2.lock")
	}
	s := w.store(func(o *filestore.Options) {
		o.Foreign = func(name string) (foreign.Lock, bool) { // not in the order of the documents
			return foreign.Lock{Name: map[bool]string{true: "2.lock", false: "1.lock"}[name[0] == 'x']}, true
		}
	})
	_, err := s.Update(context.Background(), func(tx *store.Tx) error {
		for _, name := range []string{"x/b", "y/b", "x/a"} {
			tx.Write(name, []byte("new"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"/p/1.lock", "/p/2.lock", "/p/1.lock", "/p/2.lock"}, order); diff != "" {
		t.Error(diff)
	}
	noLocks(t, "afterwards", w.fs)
}

// TestD35_MovesToo: a commit holds the locks of both ends of a move, because recovery might have to
// carry it out.
func TestD35_MovesToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{digest: "a\n"})
	held := false
	w.fs.Hook = func(op crashfs.Op) error {
		if _, there := w.fs.Get(gsdLock); there && op.Name == "renamenew" {
			held = true
		}
		return nil
	}
	_, err := w.store().Update(context.Background(), func(tx *store.Tx) error {
		tx.Write("copy.md", []byte("a\n"))
		tx.Move(store.Move{From: digest, To: "copy.md", Lost: []byte("a\n"), Gained: []byte("a\n")})
		return nil
	})
	if err != nil || !held {
		t.Errorf("%v, held %v", err, held)
	}
	noLocks(t, "afterwards", w.fs)
}

// TestSFD21_D35_ChangedBeforeTheLock: what another program writes between our read and our taking
// its lock is found before anything is staged. The next run then already holds the lock.
func TestSFD21_D35_ChangedBeforeTheLock(t *testing.T) {
	t.Parallel()
	for _, appended := range []bool{false, true} {
		w := newWorld(t, map[string]string{digest: "a\n"})
		made, staged := 0, 0
		w.fs.Hook = func(op crashfs.Op) error {
			switch {
			case op.Name == "create" && op.Path == gsdLock:
				if made++; made == 1 {
					w.fs.Swap(digestAt, "a\ntheirs\n")
				}
			case op.Name == "create" && op.Path != gsdLock:
				staged++
			}
			return nil
		}
		runs := 0
		_, err := w.store().Update(context.Background(), func(tx *store.Tx) error {
			if runs++; appended {
				tx.Append(digest, []byte("ours\n"))
				return nil
			}
			return line("ours")(tx)
		})
		if got, _ := w.fs.Get(digestAt); err != nil || got != "a\ntheirs\nours\n" || runs != 2 || made != 1 || staged != 1 {
			t.Errorf("%q, %v: %d runs, %d locks, %d files staged or journals written", got, err, runs, made, staged)
		}
		noLocks(t, "afterwards", w.fs)
	}
}

// TestD35_NotesSurviveAnotherRound: the notes of a round are reported even if the round had to
// start again.
func TestD35_NotesSurviveAnotherRound(t *testing.T) {
	t.Parallel()
	sc := scenes()[0]
	w := &world{fs: stopped(t, "append", "/p/archive/1.md"), alive: []int{other1}}
	w.fs.Put("/p/.planning/STATE.md", "a\n")
	w.lockedFor(t, gsdLock, fmt.Sprint(other1), 0)
	w.pausing = func() { w.fs.Delete(gsdLock) }
	c, err := w.store().Update(context.Background(), line("b"))
	if err != nil || notes(c, "recovered") != 1 || len(w.pauses) != 1 {
		t.Errorf("%+v, %v, %v", c, err, w.pauses)
	}
	got := documents(w.fs)
	delete(got, digest)
	allOrNothing(t, "recovered", sc, got, "new")
}

// D35, GSD-D10: a program that honours its lock may change the document in every gap between our
// read and our write. After the first such change the writer takes the lock before it reads, and
// succeeds.
func TestD35_ABusyPeerThatHonoursItsLockIsNoConflict(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{digest: "# P\n"})
	edits := 0
	_, err := filestore.Open(w.options()).Update(t.Context(), func(tx *store.Tx) error {
		doc, err := tx.Read(digest)
		if err != nil {
			return err
		}
		if _, held := w.fs.Get(gsdLock); !held {
			edits++
			now, _ := w.fs.Get(digestAt)
			w.fs.Swap(digestAt, now+fmt.Sprintf("entry %d of the peer\n", edits))
		}
		tx.Write(digest, append(doc.Data, "ours\n"...))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := w.fs.Get(digestAt); edits != 1 || got != "# P\nentry 1 of the peer\nours\n" {
		t.Errorf("after %d changes of the peer:\n%s", edits, got)
	}
	if _, left := w.fs.Get(gsdLock); left {
		t.Error("the lock was left")
	}
}
