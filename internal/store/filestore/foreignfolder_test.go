package filestore_test

import (
	"context"
	"errors"
	"fmt"
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
	stateFolder = "/p/.devt/state"
	workflowDoc = ".devt/state/workflow.yaml"
	workflowAt  = "/p/" + workflowDoc
	folderLock  = stateFolder + "/.lock"
)

// theLock returns the lock of the state folder under the name that baton's layouts use.
func theLock() foreign.Lock {
	return foreign.Lock{
		Name: ".devt/state/.lock", Empty: 3 * time.Second, Wait: 3 * time.Second, Steal: foreign.Aside,
		Unlock: "baton dir unlock --stale",
	}
}

func inFolder(o *filestore.Options) {
	o.Foreign = func(name string) (foreign.Lock, bool) {
		return theLock(), strings.HasPrefix(name, ".devt/state/")
	}
}

// folderWorld returns a world with a record in the state folder.
func folderWorld(t *testing.T) *world {
	t.Helper()
	return newWorld(t, map[string]string{workflowDoc: "a: 1\n"})
}

// recordLine returns a transaction that adds a line to the record.
func recordLine(text string) func(tx *store.Tx) error {
	return func(tx *store.Tx) error {
		doc, err := tx.Read(workflowDoc)
		tx.Write(workflowDoc, append(doc.Data, text+"\n"...))
		return err
	}
}

// lockBody is a content of a lock file, with what the rules say about it.
type lockBody struct {
	name    string
	content string
	age     time.Duration
	began   time.Duration // how long after the lock the living process started; 0: the system does not say
	command string        // of that process
	ended   bool          // the process is a zombie
	stale   bool
	alive   bool
	pid     int
	why     string // part of the sentence
}

func lockBodies() []lockBody {
	live, dead := fmt.Sprint(other1), fmt.Sprint(deadOne)
	const old, young, years = 4 * time.Second, 2 * time.Second, 10_000 * time.Hour
	holds := "is alive and holds it"
	return []lockBody{
		{name: "empty, young", age: young, why: "about to write"},
		{name: "empty, at the limit", age: 3 * time.Second, why: "about to write"},
		{name: "empty, old", age: 3*time.Second + 1, stale: true, why: "older than 3s"},
		{name: "empty, from the future", age: -time.Hour, why: "about to write"},
		{name: "blanks, old", content: " \n\t ", age: old, stale: true, why: "names no process"},
		{name: "text, young", content: "locked by me", age: young, why: "names no process"},
		{name: "text, old", content: "locked by me", age: old, stale: true, why: "names no process"},
		{name: "text before the number, old", content: "pid " + live, age: old, stale: true, why: "names no process"},
		{name: "0, young", content: "0", age: young, why: "names no process"},
		{name: "0, old", content: "0", age: old, stale: true, why: "names no process"},
		{name: "000 and blanks, old", content: " 000 " + live, age: old, stale: true, why: "names no process"},
		{name: "negative, young", content: "-" + live, age: young, why: "names no process"},
		{name: "negative, old", content: "-1", age: old, stale: true, why: "names no process"},
		{name: "NUL bytes of a power cut, old", content: "\x00\x00\x00", age: old, stale: true, why: "names no process"},

		{name: "a live process", content: live, alive: true, pid: other1, why: "process 815 " + holds},
		{
			name: "with its command", content: live, command: "node devt-tools.cjs", alive: true, pid: other1,
			why: "process 815 (node devt-tools.cjs) " + holds,
		},
		{name: "for years", content: live, age: years, alive: true, pid: other1, why: holds},
		{name: "from the future", content: live, age: -time.Hour, alive: true, pid: other1, why: holds},
		{name: "blanks before, anything after", content: "\r\n \t" + live +
			" of devt\n-1\n", age: years, alive: true, pid: other1, why: holds},
		{name: "letters after", content: live + "abc", age: years, alive: true, pid: other1, why: holds},
		{name: "zeros before", content: "00" + live, age: years, alive: true, pid: other1, why: holds},
		{name: "a mark before", content: "\uFEFF" + live, age: years, alive: true, pid: other1, why: holds},
		{name: "a long text after", content: live + strings.Repeat(" x", 50_000), age: years, alive: true, pid: other1, why: holds},
		{name: "process 1", content: "1", age: years, alive: true, pid: 1, why: holds},
		{name: "began before", content: live, began: -time.Hour, age: years, alive: true, pid: other1, why: holds},
		{name: "began within the clocks' grain", content: live, began: 3 * time.Second, age: years, alive: true, pid: other1, why: holds},
		{name: "a reused number", content: live, began: 3*time.Second + 1, age: years, stale: true, pid: other1, why: "started after"},
		{name: "a zombie", content: live, ended: true, stale: true, pid: other1, why: "has ended"},

		{name: "a dead process", content: dead, stale: true, pid: deadOne, why: "process 333 no longer exists"},
		{name: "dead, from the future", content: dead + "\n", age: -time.Hour, stale: true, pid: deadOne, why: "no longer exists"},
		{name: "beyond all numbers, a live one when cut", content: "4294968111", stale: true, why: "no process can have"},
		{name: "endless number", content: strings.Repeat("1", 100_000), stale: true, why: "no process can have"},
		{name: "our own number", content: fmt.Sprint(me), stale: true, pid: me, why: "belongs to this command"},
		{name: "our own number as JSON", content: fmt.Sprintf(`{"pid":%d}`, me), stale: true, pid: me, why: "belongs to this command"},

		{name: "JSON, live", content: `{"started_at":"now", "pid": ` + live + "}\n", age: years, alive: true, pid: other1, why: holds},
		{name: "JSON, live, as a float", content: `{"pid":8.15e2}`, age: years, alive: true, pid: other1, why: holds},
		{name: "JSON, live, long", content: `{"x":"` + strings.Repeat("x", 20_000) + `","pid":` + live +
			`}`, age: years, alive: true, pid: other1, why: holds},
		{name: "JSON, dead", content: `{"pid":` + dead + `}`, stale: true, pid: deadOne, why: "no longer exists"},
		{name: "JSON, beyond all numbers", content: `{"pid":4294968111}`, stale: true, why: "no process can have"},
		{name: "JSON, a text, young", content: `{"pid":"` + live + `"}`, age: young, why: "names no process"},
		{name: "JSON, a text, old", content: `{"pid":"` + live + `"}`, age: old, stale: true, why: "names no process"},
		{name: "JSON, a broken number, old", content: `{"pid":815.5}`, age: old, stale: true, why: "names no process"},
		{name: "JSON, 0, old", content: `{"pid":0}`, age: old, stale: true, why: "names no process"},
		{name: "JSON, negative, old", content: `{"pid":-815}`, age: old, stale: true, why: "names no process"},
		{name: "JSON, another key, old", content: `{"PID":815,"x":{"pid":815}}`, age: old, stale: true, why: "names no process"},
		{name: "JSON, a list, old", content: `[815]`, age: old, stale: true, why: "names no process"},
		{name: "JSON, null, old", content: `null`, age: old, stale: true, why: "names no process"},
		{name: "JSON, torn, young", content: `{"pid":81`, age: young, why: "names no process"},
		{name: "JSON, torn, old", content: `{"pid":81`, age: old, stale: true, why: "names no process"},
	}
}

// TestSD47_SDK5_SDK6_EveryBody checks which locks are taken over, when and why: by a writer, by
// unlock, and as the lock command reports it. A living process keeps its lock, whatever its owner
// and age. No unused and no reused number blocks forever.
func TestSD47_SDK5_SDK6_EveryBody(t *testing.T) {
	t.Parallel()
	for _, c := range lockBodies() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fresh := func() *world {
				w := folderWorld(t)
				w.alive = append(w.alive, 1)
				w.lockedFor(t, folderLock, c.content, c.age)
				about := disk.ProcessState{Command: c.command, Ended: c.ended}
				if c.began != 0 {
					about.Started = w.mtime(t, folderLock).Add(c.began)
				}
				w.about = map[int]disk.ProcessState{other1: about}
				return w
			}
			w := fresh()
			before := w.fs.Files("/p")
			got, err := w.store(inFolder).LookAtLock(context.Background(), theLock())
			want := foreign.State{
				Held: true, PID: c.pid, Command: c.command, Alive: c.alive, Stale: c.stale, Why: got.Why,
				Since: w.mtime(t, folderLock), Age: c.age,
			}
			if diff := cmp.Diff(want, got); err != nil || diff != "" || !strings.Contains(got.Why, c.why) {
				t.Errorf("%v: %s%s", err, diff, got.Why)
			}
			if diff := cmp.Diff(before, w.fs.Files("/p")); diff != "" {
				t.Errorf("looking wrote something:\n%s", diff)
			}
			writes(t, fresh(), c.content, c.stale)
			breaks(t, fresh(), c.content, c.stale, c.pid)
		})
	}
}

// writes checks what a writer does when it finds the lock.
func writes(t *testing.T, w *world, content string, stale bool) {
	t.Helper()
	_, err := w.store(oneTry, inFolder).Update(context.Background(), recordLine("b: 2"))
	got, _ := w.fs.Get(workflowAt)
	if stale {
		if err != nil || got != "a: 1\nb: 2\n" {
			t.Errorf("the writer: %q, %v", got, err)
		}
		noLocks(t, "after the writer", w.fs)
		return
	}
	locked(t, err)
	if diff := cmp.Diff(map[string]string{workflowAt: "a: 1\n", folderLock: content}, w.fs.Files(stateFolder)); diff != "" {
		t.Errorf("a writer that was turned away:\n%s", diff)
	}
}

// breaks checks what unlock does when it finds the lock.
func breaks(t *testing.T, w *world, content string, stale bool, pid int) {
	t.Helper()
	before := w.fs.Files("/p")
	state, removed, err := w.store(oneTry, inFolder).BreakLock(context.Background(), theLock())
	if removed != stale || state.Stale != stale || !state.Held {
		t.Errorf("unlock: removed %v, %+v", removed, state)
	}
	if stale {
		if err != nil {
			t.Errorf("unlock: %v", err)
		}
		noLocks(t, "after unlock", w.fs)
		return
	}
	e := report.As(err)
	if e == nil || e.Kind != report.Conflict || e.Code != "lock_held" || e.Path != theLock().Name || e.Hint == "" {
		t.Fatalf("unlock: %+v", e)
	}
	if named, _ := e.Details["pid"].(int); named != pid || !strings.Contains(e.Message, state.Why) {
		t.Errorf("unlock: %q, %v", e.Message, e.Details)
	}
	if diff := cmp.Diff(before, w.fs.Files("/p")); diff != "" {
		t.Errorf("unlock that refuses wrote something:\n%s", diff)
	}
}

// TestSD47_SDK5_UnreadableLock: a lock that we may not read is not taken over, however old it is.
func TestSD47_SDK5_UnreadableLock(t *testing.T) {
	t.Parallel()
	w := folderWorld(t)
	w.lockedFor(t, folderLock, fmt.Sprint(deadOne), 1000*time.Hour)
	w.fs.Hook = func(op crashfs.Op) error {
		if op.Name == "open" && op.Path == folderLock {
			return syscall.EACCES
		}
		return nil
	}
	_, err := w.store(oneTry, inFolder).Update(context.Background(), recordLine("b: 2"))
	if locked(t, err); !errors.Is(err, syscall.EACCES) {
		t.Errorf("%v", err)
	}
	state, err := w.store(inFolder).LookAtLock(context.Background(), theLock())
	if err != nil || state.Stale || state.Alive || !state.Held || !strings.Contains(state.Why, "cannot be read") {
		t.Errorf("%+v, %v", state, err)
	}
	if got, _ := w.fs.Get(folderLock); got != fmt.Sprint(deadOne) {
		t.Errorf("the lock: %q", got)
	}
}

// TestSD47_NoFile: a folder or a link in the lock's place stays. For writing and unlocking it is an
// error, and for looking it is a state.
func TestSD47_NoFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code  report.Code
		place func(fs *crashfs.FS)
	}{
		"folder":          {"is_directory", func(fs *crashfs.FS) { fs.MkdirAll(folderLock) }},
		"full folder":     {"is_directory", func(fs *crashfs.FS) { fs.Put(folderLock+"/x", "x") }},
		"dangling link":   {"not_regular", func(fs *crashfs.FS) { fs.Symlink("nowhere", folderLock) }},
		"looping link":    {"not_regular", func(fs *crashfs.FS) { fs.Symlink(".lock", folderLock) }},
		"link to a stale": {"not_regular", func(fs *crashfs.FS) { fs.Symlink("victim", folderLock) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := folderWorld(t)
			w.fs.Put(stateFolder+"/victim", fmt.Sprint(deadOne))
			c.place(w.fs)
			w.now = w.now.Add(time.Hour)
			before := w.fs.Files(stateFolder)
			_, err := w.store(inFolder).Update(context.Background(), recordLine("b: 2"))
			if e := clear(t, name, err); e.Code != c.code || e.Path != theLock().Name {
				t.Errorf("the writer: %+v", e)
			}
			_, removed, err := w.store(inFolder).BreakLock(context.Background(), theLock())
			if e := clear(t, name, err); e.Code != c.code || removed {
				t.Errorf("unlock: %+v, removed %v", e, removed)
			}
			state, err := w.store(inFolder).LookAtLock(context.Background(), theLock())
			if err != nil || !state.Held || state.Stale || state.Alive || state.Why == "" {
				t.Errorf("%+v, %v", state, err)
			}
			if info, err := w.fs.Lstat(folderLock); err != nil || info.Mode.IsRegular() {
				t.Errorf("%v, %v", info.Mode, err)
			}
			if diff := cmp.Diff(before, w.fs.Files(stateFolder)); diff != "" {
				t.Error(diff)
			}
			if len(w.pauses) > 0 {
				t.Errorf("the writer waited for it: %v", w.pauses)
			}
		})
	}
}

// TestSD49_F76d_ALiveHolderIsWaitedFor: baton waits in pauses of 1 to 25 ms. Then the error names
// the process, its command, and the command that helps. The lock is not touched. A dead holder
// costs no pause.
func TestSD49_F76d_ALiveHolderIsWaitedFor(t *testing.T) {
	t.Parallel()
	w := folderWorld(t)
	w.lockedFor(t, folderLock, fmt.Sprint(other1), 0)
	w.about = map[int]disk.ProcessState{other1: {Command: "node devt-tools.cjs"}}
	info, _ := w.fs.Lstat(folderLock)
	_, err := w.store(inFolder).Update(context.Background(), recordLine("b: 2"))
	e := locked(t, err)
	if e.Details["pid"] != other1 || e.Details["command"] != "node devt-tools.cjs" || e.Path != theLock().Name {
		t.Errorf("%+v", e)
	}
	for _, part := range []string{"process 815", "(node devt-tools.cjs)", theLock().Name} {
		if !strings.Contains(e.Message, part) {
			t.Errorf("%q does not name %s", e.Message, part)
		}
	}
	if !strings.Contains(e.Hint, "`baton dir unlock --stale`") {
		t.Errorf("hint %q", e.Hint)
	}
	total := time.Duration(0)
	for _, p := range w.pauses {
		total += p
		if p < 0 || p > 25*time.Millisecond {
			t.Errorf("a pause of %v", p)
		}
	}
	if total != theLock().Wait { // F-76 d: shorter than for baton's own lock
		t.Errorf("paused %v", total)
	}
	if now, _ := w.fs.Lstat(folderLock); now != info {
		t.Errorf("the lock was touched: %+v, was %+v", now, info)
	}
	if diff := cmp.Diff(map[string]string{workflowAt: "a: 1\n", folderLock: fmt.Sprint(other1)}, w.fs.Files(stateFolder)); diff != "" {
		t.Error(diff)
	}

	dead := folderWorld(t)
	dead.lockedFor(t, folderLock, fmt.Sprint(deadOne), 0)
	if _, err := dead.store(inFolder).Update(context.Background(), recordLine("b: 2")); err != nil || len(dead.pauses) > 0 {
		t.Errorf("a dead holder: %v, paused %v", err, dead.pauses)
	}
}

// TestSD49_FreedMeanwhile: the change is based on what the holder wrote during the wait.
func TestSD49_FreedMeanwhile(t *testing.T) {
	t.Parallel()
	w := folderWorld(t)
	w.lockedFor(t, folderLock, fmt.Sprint(other1), 0)
	w.pausing = func() {
		if len(w.pauses) == 3 {
			w.fs.Swap(workflowAt, "a: 1\ntheirs: 1\n")
			w.fs.Delete(folderLock)
		}
	}
	if _, err := w.store(inFolder).Update(context.Background(), recordLine("b: 2")); err != nil {
		t.Fatal(err)
	}
	if got, _ := w.fs.Get(workflowAt); got != "a: 1\ntheirs: 1\nb: 2\n" || len(w.pauses) != 3 {
		t.Errorf("%q after %v", got, w.pauses)
	}
	noLocks(t, "afterwards", w.fs)
}

// TestSD6_RecordIsAFolder: the result is an error, and no lock is left.
func TestSD6_RecordIsAFolder(t *testing.T) {
	t.Parallel()
	for name, fn := range map[string]func(tx *store.Tx) error{
		"read first": recordLine("b: 2"),
		"unread":     func(tx *store.Tx) error { tx.Create(workflowDoc, []byte("b: 2\n")); return nil },
	} {
		w := newWorld(t, map[string]string{workflowDoc + "/x": "x"})
		_, err := w.store(inFolder).Update(context.Background(), fn)
		if report.As(err) == nil || report.CodeOf(err) == "internal" {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(map[string]string{workflowAt + "/x": "x"}, w.fs.Files(stateFolder)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
