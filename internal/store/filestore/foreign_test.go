package filestore_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/foreign"

	"github.com/google/go-cmp/cmp"
)

const (
	digest    = ".planning/STATE.md"
	digestAt  = "/p/" + digest
	gsdLock   = digestAt + ".lock"
	me        = 4711 // the number of this process, as in steady
	other1    = 815  // a living process in these tests
	deadOne   = 333
	kernelKey = "/p/.baton/local/lock"
)

// world is a disk in memory, a clock that only pauses advance, and living processes.
type world struct {
	fs     *crashfs.FS
	now    time.Time
	alive  []int
	about  map[int]disk.ProcessState // what the system reports about processes
	pauses []time.Duration
	// pausing is called when a writer starts to wait.
	pausing func()
}

func newWorld(t *testing.T, docs map[string]string) *world {
	t.Helper()
	w := &world{fs: newCrashFS(t, docs), alive: []int{me, other1}}
	w.now = w.mtime(t, kernelKey)
	return w
}

func (w *world) mtime(t *testing.T, path string) time.Time {
	t.Helper()
	info, err := w.fs.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime
}

// lockedFor creates a lock file of the given age.
func (w *world) lockedFor(t *testing.T, path, content string, age time.Duration) {
	t.Helper()
	w.fs.Swap(path, content)
	w.now = w.mtime(t, path).Add(age)
}

func oneForEach(name string) (foreign.Lock, bool) {
	return foreign.Lock{Name: name + ".lock"}, true
}

func (w *world) options() filestore.Options {
	env := steady()
	env.Now = func() time.Time { return w.now }
	return filestore.Options{
		Root: "/p", Runtime: ".baton/local", Command: "test", Env: env, FS: w.fs,
		Alive:   func(pid int) bool { return slices.Contains(w.alive, pid) },
		Process: func(pid int) disk.ProcessState { return w.about[pid] },
		Foreign: oneForEach,
		After: func(d time.Duration) <-chan time.Time {
			w.pauses = append(w.pauses, d)
			w.now = w.now.Add(d)
			if w.pausing != nil {
				w.pausing()
			}
			over := make(chan time.Time, 1)
			over <- w.now
			return over
		},
	}
}

func (w *world) store(change ...func(*filestore.Options)) *filestore.Store {
	o := w.options()
	for _, c := range change {
		c(&o)
	}
	return filestore.Open(o)
}

func oneTry(o *filestore.Options) { o.Wait = -1 }

func byUnlink(o *filestore.Options) {
	o.Foreign = func(name string) (foreign.Lock, bool) {
		return foreign.Lock{Name: name + ".lock", Steal: foreign.ByUnlink}, true
	}
}

// line returns a transaction that adds a line to the digest, as adding an entry does.
func line(text string) func(tx *store.Tx) error {
	return func(tx *store.Tx) error {
		doc, err := tx.Read(digest)
		tx.Write(digest, append(doc.Data, text+"\n"...))
		return err
	}
}

func locked(t *testing.T, err error) *report.Error {
	t.Helper()
	e := report.As(err)
	if e == nil || e.Kind != report.Locked || e.Code != "lock_timeout" || e.Message == "" || e.Hint == "" {
		t.Fatalf("got %v", err)
	}
	return e
}

func noLocks(t *testing.T, what string, fs *crashfs.FS) {
	t.Helper()
	for path := range fs.Files("/p") {
		if strings.Contains(path, ".lock") && !strings.HasPrefix(path, "/p/.baton/") {
			t.Fatalf("%s: %s is left", what, path)
		}
	}
}

// TestGSD51_HeldThroughTheCommit: from before the comparison until the folders are synced, the lock
// file holds our number without a newline. It does not exist while the transaction runs, nor
// afterwards. It is never synced.
func TestGSD51_HeldThroughTheCommit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{digest: "a\n", ".planning/ARCHIVE.md": "0\n"})
	inside := map[string]int{}
	w.fs.Hook = func(op crashfs.Op) error {
		held, there := w.fs.Get(gsdLock)
		if there && op.Path != gsdLock && held != fmt.Sprint(me) {
			t.Errorf("%s %s: the lock holds %q", op.Name, op.Path, held)
		}
		if strings.HasSuffix(op.Path, ".lock") && strings.HasPrefix(op.Name, "sync") {
			t.Errorf("%s of %s", op.Name, op.Path)
		}
		if there {
			inside[op.Name]++
		}
		changes := op.Name == "exchange" || op.Name == "sync" || op.Name == "syncdir"
		if changes && !there {
			t.Errorf("%s %s without the lock", op.Name, op.Path)
		}
		return nil
	}
	c, err := w.store().Update(context.Background(), func(tx *store.Tx) error {
		if _, there := w.fs.Get(gsdLock); there {
			t.Error("the transaction runs under the foreign lock")
		}
		tx.Append(".planning/ARCHIVE.md", []byte("1\n"))
		return line("b")(tx)
	})
	w.fs.Hook = nil
	if err != nil || len(c.Notes) != 0 || len(c.Written) != 2 {
		t.Fatalf("%+v, %v", c, err)
	}
	if inside["exchange"] != 1 || inside["sync"] != 3 || inside["syncdir"] < 2 {
		t.Errorf("under the lock: %v", inside)
	}
	noLocks(t, "afterwards", w.fs)
}

// TestGSD51_SF28_OwnersAndAges checks which locks are taken over, and when.
func TestGSD51_SF28_OwnersAndAges(t *testing.T) {
	t.Parallel()
	nul := strings.Repeat("\x00", 5)
	for _, c := range []struct {
		name    string
		content string
		age     time.Duration
		fault   error // of reading the file
		taken   bool
	}{
		{name: "dead id", content: fmt.Sprint(deadOne), taken: true},
		{name: "dead id from the future", content: fmt.Sprint(deadOne), age: -time.Hour, taken: true},
		{name: "dead id with a newline", content: fmt.Sprintf("%d\n", deadOne), taken: true},
		{name: "live id", content: fmt.Sprint(other1), age: 59 * time.Second},
		{name: "live id from the future", content: fmt.Sprint(other1), age: -time.Hour},
		{name: "reused process id: live, 60 s ceiling", content: fmt.Sprint(other1), age: 61 * time.Second, taken: true},
		{name: "empty below 1 s", age: 900 * time.Millisecond},
		{name: "empty above 1 s", age: 1100 * time.Millisecond, taken: true},
		{name: "garbage below 1 s", content: "{}", age: 900 * time.Millisecond},
		{name: "garbage above 1 s", content: "{}", age: 1100 * time.Millisecond, taken: true},
		{name: "signed number above 1 s", content: "-1", age: 1100 * time.Millisecond, taken: true},
		{name: "zero above 1 s", content: "0", age: 1100 * time.Millisecond, taken: true},
		{name: "a number beyond all processes", content: "4294968111", age: 1100 * time.Millisecond, taken: true},
		{name: "NUL bytes of a power cut", content: nul, age: 1100 * time.Millisecond, taken: true},
		{name: "far too long below 1 s", content: strings.Repeat("1", 1<<16), age: 900 * time.Millisecond},
		{name: "far too long above 1 s", content: strings.Repeat("1", 1<<16), age: 1100 * time.Millisecond, taken: true},
		{name: "unreadable below 60 s", content: fmt.Sprint(deadOne), age: 59 * time.Second, fault: syscall.EACCES},
		{name: "unreadable above 60 s", content: fmt.Sprint(deadOne), age: 61 * time.Second, fault: syscall.EACCES, taken: true},
		{name: "our own id, just now", content: fmt.Sprint(me), age: 900 * time.Millisecond},
		{name: "our own id from before us", content: fmt.Sprint(me), age: 1100 * time.Millisecond, taken: true},
	} {
		for _, how := range []string{"rename", "unlink"} {
			t.Run(c.name+"/"+how, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, map[string]string{digest: "a\n"})
				w.lockedFor(t, gsdLock, c.content, c.age)
				var renamed []string
				w.fs.Hook = func(op crashfs.Op) error {
					if op.Name == "open" && op.Path == gsdLock {
						if held, _ := w.fs.Get(gsdLock); held == c.content {
							return c.fault
						}
					}
					if op.Name == "rename" && op.Path == gsdLock {
						renamed = append(renamed, op.Path)
					}
					return nil
				}
				s := w.store(oneTry)
				if how == "unlink" {
					s = w.store(oneTry, byUnlink)
				}
				_, err := s.Update(context.Background(), line("b"))
				w.fs.Hook = nil
				got, _ := w.fs.Get(digestAt)
				if !c.taken {
					locked(t, err)
					if held, _ := w.fs.Get(gsdLock); got != "a\n" || held != c.content {
						t.Errorf("digest %q, lock %q", got, held)
					}
					return
				}
				if err != nil || got != "a\nb\n" {
					t.Fatalf("digest %q, %v", got, err)
				}
				if (len(renamed) == 1) != (how == "rename") {
					t.Errorf("renamed: %v", renamed)
				}
				noLocks(t, "afterwards", w.fs)
			})
		}
	}
}

// TestGSD51_StaleName: a lock is taken over under the name that gsd-tools would give it. Old
// leftovers of takeovers that died midway are removed as well.
func TestGSD51_StaleName(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{digest: "a\n"})
	w.fs.Put(gsdLock+".stale-9-9-1", "9")
	w.lockedFor(t, gsdLock, fmt.Sprint(deadOne), 2*time.Minute)
	w.fs.Put(gsdLock+".stale-9-9-2", "9")
	w.now = w.mtime(t, gsdLock).Add(time.Minute + time.Millisecond/2)
	var names []string
	w.fs.Hook = func(op crashfs.Op) error {
		if op.Name == "remove" && strings.Contains(op.Path, ".stale-") {
			names = append(names, op.Path)
		}
		return nil
	}
	if _, err := w.store(oneTry).Update(context.Background(), line("b")); err != nil {
		t.Fatal(err)
	}
	w.fs.Hook = nil
	want := regexp.MustCompile(fmt.Sprintf(`^%s\.stale-%d-%d-\d+$`, gsdLock, me, w.now.UnixMilli()))
	if len(names) != 2 || !want.MatchString(names[0]) || names[1] != gsdLock+".stale-9-9-1" {
		t.Errorf("removed %v", names)
	}
	if _, young := w.fs.Get(gsdLock + ".stale-9-9-2"); !young {
		t.Error("a takeover that may be going on was disturbed")
	}
}

// TestGSD51_StealLooksAgain: a stale lock that somebody takes between the looks, or between the
// last look and the rename, stays theirs.
func TestGSD51_StealLooksAgain(t *testing.T) {
	t.Parallel()
	for _, at := range []struct {
		name, op string
		n        int
		how      []func(*filestore.Options)
	}{
		{"before the second look", "lstat", 2, nil},
		{"before the second look, unlink", "lstat", 2, []func(*filestore.Options){byUnlink}},
		{"before the renaming", "rename", 1, nil},
	} {
		for _, content := range []string{fmt.Sprint(deadOne), ""} {
			t.Run(fmt.Sprintf("%s/%q", at.name, content), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, map[string]string{digest: "a\n"})
				w.lockedFor(t, gsdLock, content, 5*time.Second)
				seen := 0
				w.fs.Hook = func(op crashfs.Op) error {
					if op.Name == at.op && op.Path == gsdLock {
						if seen++; seen == at.n {
							w.fs.Swap(gsdLock, fmt.Sprint(other1))
						}
					}
					return nil
				}
				_, err := w.store(append(at.how, oneTry)...).Update(context.Background(), line("b"))
				w.fs.Hook = nil
				if e := locked(t, err); e.Details["pid"] != other1 {
					t.Errorf("%+v", e)
				}
				files := w.fs.Files("/p/.planning")
				if diff := cmp.Diff(map[string]string{digestAt: "a\n", gsdLock: fmt.Sprint(other1)}, files); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// TestSF28_LockThatIsNoFile: a link, folder or pipe in the lock's place is an error and never
// followed.
func TestSF28_LockThatIsNoFile(t *testing.T) {
	t.Parallel()
	for code, place := range map[report.Code]func(fs *crashfs.FS){
		"not_regular":  func(fs *crashfs.FS) { fs.Symlink("../victim", gsdLock) },
		"is_directory": func(fs *crashfs.FS) { fs.MkdirAll(gsdLock) },
	} {
		w := newWorld(t, map[string]string{digest: "a\n", "victim": fmt.Sprint(deadOne)})
		place(w.fs)
		w.now = w.now.Add(time.Hour)
		before := w.fs.Files("/p/.planning")
		_, err := w.store().Update(context.Background(), line("b"))
		if e := clear(t, string(code), err); e.Code != code || e.Path != digest+".lock" {
			t.Errorf("%s: %+v", code, e)
		}
		if diff := cmp.Diff(before, w.fs.Files("/p/.planning")); diff != "" {
			t.Error(diff)
		}
		if got, _ := w.fs.Get("/p/victim"); got != fmt.Sprint(deadOne) {
			t.Errorf("the link was followed: %q", got)
		}
	}
}

// TestGSDV8_NoFolderNoLock: if the lock's folder is missing, no lock is tried.
func TestGSDV8_NoFolderNoLock(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{})
	if _, err := w.store(oneTry).Update(context.Background(), line("a")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{digestAt: "a\n"}, w.fs.Files("/p/.planning")); diff != "" {
		t.Error(diff)
	}
}

// TestSF28_NetworkFolder: passing errors of a network folder are waited out. If they persist, the
// result is lock_timeout. Errors that waiting does not cure are reported at once.
func TestSF28_NetworkFolder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault error
		times int
		kind  report.Kind
	}{
		{syscall.ESTALE, 3, ""},
		{syscall.EBUSY, 3, ""},
		{syscall.EAGAIN, 3, ""},
		{syscall.ESTALE, 1 << 20, report.Locked},
		{syscall.EACCES, 1, report.Refused},
		{syscall.EROFS, 1, report.Refused},
	} {
		w := newWorld(t, map[string]string{digest: "a\n"})
		n := 0
		w.fs.Hook = func(op crashfs.Op) error {
			if op.Name == "create" && op.Path == gsdLock && n < c.times {
				n++
				return c.fault
			}
			return nil
		}
		_, err := w.store().Update(context.Background(), line("b"))
		if c.kind == "" && (err != nil || len(w.pauses) != c.times) || report.KindOf(err) != c.kind {
			t.Errorf("%v: %v after %d pauses", c.fault, err, len(w.pauses))
		}
		if c.kind == report.Refused && len(w.pauses) > 0 {
			t.Errorf("the writer waited for %v", c.fault)
		}
	}
}

// TestGSD51_TakenOverMeanwhile: a lock that is no longer ours when we free it stays.
func TestGSD51_TakenOverMeanwhile(t *testing.T) {
	t.Parallel()
	for _, theirs := range []string{fmt.Sprint(other1), fmt.Sprint(me)} {
		w := newWorld(t, map[string]string{digest: "a\n"})
		w.fs.Hook = func(op crashfs.Op) error {
			if op.Name == "exchange" {
				w.fs.Swap(gsdLock, theirs) // another file, even if it holds our own number
			}
			return nil
		}
		if _, err := w.store().Update(context.Background(), line("b")); err != nil {
			t.Fatal(err)
		}
		w.fs.Hook = nil
		if got, _ := w.fs.Get(gsdLock); got != theirs {
			t.Errorf("the lock of %s holds %q", theirs, got)
		}
	}
}

// TestGSD51_CannotBeFreed: if a lock file cannot be removed, the change stays made, and a note
// names the file.
func TestGSD51_CannotBeFreed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{digest: "a\n"})
	w.fs.Hook = func(op crashfs.Op) error {
		if op.Name == "remove" && op.Path == gsdLock {
			return fs.ErrPermission
		}
		return nil
	}
	c, err := w.store().Update(context.Background(), line("b"))
	if err != nil || notes(c, "lock_left") != 1 || c.Notes[0].Path != digest+".lock" {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestD35_ReadsNeverLook: reads ignore lock files, and an update that changes nothing takes no
// lock.
func TestD35_ReadsNeverLook(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{digest: "a\n"})
	w.lockedFor(t, gsdLock, fmt.Sprint(other1), 0)
	w.fs.Hook = func(op crashfs.Op) error {
		if strings.HasSuffix(op.Path, ".lock") {
			t.Errorf("%s %s", op.Name, op.Path)
		}
		return nil
	}
	s, ctx := w.store(), context.Background()
	doc, err := s.Read(ctx, digest)
	_, errHead := s.Head(ctx, digest, 9)
	_, errTail := s.Tail(ctx, digest, 9)
	_, errList := s.List(ctx, ".planning")
	if err := errors.Join(err, errHead, errTail, errList); err != nil || string(doc.Data) != "a\n" {
		t.Fatal(doc, err)
	}
	for name, fn := range map[string]func(tx *store.Tx) error{
		"the same bytes": func(tx *store.Tx) error { tx.Write(digest, []byte("a\n")); return nil },
		"only read":      func(tx *store.Tx) error { _, err := tx.Read(digest); return err },
	} {
		if _, err := s.Update(ctx, fn); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(w.pauses) > 0 {
		t.Errorf("waited %v", w.pauses)
	}
}

// TestD35_OnlyItsDocuments: a document without a foreign lock is written while others are locked.
func TestD35_OnlyItsDocuments(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{digest: "a\n", "tasks/1.md": "x"})
	w.lockedFor(t, gsdLock, fmt.Sprint(other1), 0)
	s := w.store(oneTry, func(o *filestore.Options) {
		o.Foreign = func(name string) (foreign.Lock, bool) {
			return foreign.Lock{Name: name + ".lock"}, name == digest
		}
	})
	_, err := s.Update(context.Background(), func(tx *store.Tx) error {
		_, err := tx.Read(digest)
		tx.Write("tasks/1.md", []byte("y"))
		return err
	})
	if got, _ := w.fs.Get("/p/tasks/1.md"); err != nil || got != "y" {
		t.Errorf("%q, %v", got, err)
	}
}
