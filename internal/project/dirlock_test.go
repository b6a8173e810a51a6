package project

import (
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/usecase/folder"
)

// nobody is a process id that no process has, because it is above the limit of systems.
const nobody = "2147483646"

func TestSDD10_WithoutALock(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	before := w.files()
	for dir, want := range map[string]folder.DirLock{
		"":     {Layout: "devt", Path: ".devt/state/.lock", Why: "there is no lock file", Warnings: []report.Finding{}},
		"wf-1": {Layout: "devt", Path: ".devt/state/wf-1/.lock", Why: "there is no lock file", Warnings: []report.Finding{}},
	} {
		if got := must(w.p().Folder.DirLock(t.Context(), folder.DirRequest{Instance: dir}))(t); !reflect.DeepEqual(got, want) {
			t.Errorf("lock: %+v", got)
		}
		if got := must(
			w.p().Folder.DirUnlock(t.Context(), folder.UnlockRequest{DirRequest: folder.DirRequest{Instance: dir}, Stale: true}),
		)(t); !reflect.DeepEqual(got, want) {
			t.Errorf("unlock: %+v", got)
		}
	}
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Errorf("nothing was to do:\n%s", diff)
	}
}

// SD-47, 5.11: lock and unlock use the same rule for whether a lock is stale, also for an instance and in baton's own
// layout.
func TestSD47_LockAndUnlock(t *testing.T) {
	t.Parallel()
	live := strconv.Itoa(os.Getppid())
	for name, c := range map[string]struct {
		body  string
		age   time.Duration
		stale bool
		alive bool
		pid   int
		why   string
	}{
		"dead":              {nobody, time.Second, true, false, 2147483646, "no longer exists"},
		"dead, as JSON":     {`{"pid":` + nobody + `,"started_at":"x"}`, time.Second, true, false, 2147483646, "no longer exists"},
		"our own number":    {"7", time.Second, true, false, 7, "belongs to this command"},
		"empty, young":      {"", 3 * time.Second, false, false, 0, "about to write"},
		"empty, old":        {"", 4 * time.Second, true, false, 0, "older than 3s"},
		"text, old":         {"x", 4 * time.Second, true, false, 0, "names no process"},
		"live, just now":    {live, -1, false, true, os.Getppid(), "is alive and holds it"},
		"live, from before": {live, 0, false, true, os.Getppid(), "is alive and holds it"},
	} {
		for _, dir := range []string{".devt/state", ".devt/state/wf-1", ".baton/work"} {
			t.Run(name+"/"+dir, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				r := folder.DirRequest{Instance: strings.TrimPrefix(strings.TrimPrefix(dir, ".devt/state"), "/")}
				if dir == ".baton/work" {
					r.Instance = ""
				}
				at := w.time.Add(-c.age)
				if c.alive { // the start time of a real process comes from a real clock
					at = time.Now()
					w.time = at.Add(c.age)
				}
				w.write(dir+"/.lock", c.body)
				w.write(dir+"/.graphify-rebuild.lock", `{"pid":`+nobody+`}`)
				if err := os.Chtimes(w.path(dir+"/.lock"), at, at); err != nil {
					t.Fatal(err)
				}
				before := w.files()
				got := must(w.as("a").Folder.DirLock(t.Context(), r))(t)
				if !got.Held || got.Stale != c.stale || got.Alive != c.alive || numberOf(got.PID) != c.pid ||
					!strings.Contains(got.Why, c.why) || !got.Rebuild || got.Path != dir+"/.lock" {
					t.Errorf("lock: %+v", got)
				}
				if got.AgeS != c.age.Seconds() {
					t.Errorf("age %v, want %v", got.AgeS, c.age.Seconds())
				}
				if diff := cmp.Diff(before, w.files()); diff != "" {
					t.Errorf("lock is a reader:\n%s", diff)
				}
				took, err := w.as("a").Folder.DirUnlock(t.Context(), folder.UnlockRequest{DirRequest: r, Stale: true})
				if !c.stale {
					refused(t, err, report.Conflict, "lock_held")
					if e := report.As(err); e.Op != "dir.unlock" || !strings.Contains(e.Message, c.why) {
						t.Errorf("unlock: %+v", e)
					}
				} else if err != nil || !took.Removed || took.Held || !took.Stale || took.Why != got.Why {
					t.Errorf("unlock: %+v, %v", took, err)
				} else {
					delete(before, dir+"/.lock")
				}
				after := w.tracked()
				if diff := cmp.Diff(before, after); diff != "" {
					t.Errorf("after unlock:\n%s", diff)
				}
			})
		}
	}
}

// SD-47: a folder or a link in the lock's place is shown, makes every write fail, and stays.
func TestSD47_LockThatIsNoFile(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(w *stateWorld, path string) error{
		"folder":        func(_ *stateWorld, path string) error { return os.Mkdir(path, 0o777) },
		"dangling link": func(_ *stateWorld, path string) error { return os.Symlink("nowhere", path) },
		"link to a stale": func(w *stateWorld, path string) error {
			w.aged("victim", nobody, time.Hour)
			return os.Symlink("victim", path)
		},
	} {
		w := newStateWorld(t)
		path := w.path(stateDir + "/.lock")
		if err := place(w, path); err != nil {
			t.Fatal(err)
		}
		if got := must(w.p().Folder.DirLock(t.Context(), folder.DirRequest{}))(t); !got.Held || got.Stale || got.Alive ||
			!strings.Contains(got.Why, "a lock must be a regular file") {
			t.Errorf("%s: %+v", name, got)
		}
		_, err := w.p().Folder.DirUnlock(t.Context(), folder.UnlockRequest{Stale: true})
		if report.KindOf(err) != report.Refused {
			t.Errorf("%s: unlock: %v", name, err)
		}
		_, err = w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}})
		if report.KindOf(err) != report.Refused {
			t.Errorf("%s: update: %v", name, err)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode().IsRegular() {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Lstat(w.path(stateDir + "/workflow.yaml")); !os.IsNotExist(err) {
			t.Errorf("%s: the record was written: %v", name, err)
		}
	}
}

func TestSDD10_UnlockNeedsStale(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged(".lock", nobody, time.Hour)
	_, err := w.p().Folder.DirUnlock(t.Context(), folder.UnlockRequest{})
	refused(t, err, report.Usage, "stale_missing")
	if e := report.As(err); !strings.Contains(e.Hint, "--stale") {
		t.Errorf("hint %q", e.Hint)
	}
	w.mkdir(".baton/work")
	_, err = w.p().Folder.DirUnlock(t.Context(), folder.UnlockRequest{Stale: true})
	refused(t, err, report.Usage, "layout_ambiguous")
	if got := w.read(stateDir + "/.lock"); got != nobody {
		t.Errorf("the lock holds %q", got)
	}
}

// SD-1, SD-2: without a project, and with a file in the folder's place.
func TestSD2_LockWithoutAFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.as("a").Folder.DirLock(t.Context(), folder.DirRequest{})
	refused(t, err, report.NotFound, "no_project")
	w.write(".devt/state", "a file")
	_, err = w.as("a").Folder.DirLock(t.Context(), folder.DirRequest{})
	refused(t, err, report.Refused, "not_directory")
	_, err = w.as("a").Folder.DirUnlock(t.Context(), folder.UnlockRequest{Stale: true})
	refused(t, err, report.Refused, "not_directory")
	if got := w.files(); len(got) != 1 {
		t.Errorf("something was made: %v", got)
	}
}

// SD-49, SD-6: the lock of a dead process does not delay an update, and no lock is left after an update, even after one
// that fails.
func TestSD49_SD6_NoLockIsLeft(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged(".lock", nobody, 0)
	must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}}))(t)
	if got := w.names(); !cmp.Equal(got, []string{"workflow.yaml"}) {
		t.Errorf("left: %v", got)
	}
	w.remove(stateDir + "/workflow.yaml")
	w.mkdir(stateDir + "/workflow.yaml")
	_, err := w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}})
	refused(t, err, report.Refused, "is_directory")
	if got := w.names(); !cmp.Equal(got, []string{"workflow.yaml"}) {
		t.Errorf("left: %v", got)
	}
}

// devt.md 5.19: the fields of lock and unlock.
func TestSDD10_LockAsJSON(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged(".lock", nobody, 2*time.Second)
	raw, err := json.Marshal(must(w.p().Folder.DirLock(t.Context(), folder.DirRequest{}))(t))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"layout":"devt","path":".devt/state/.lock","held":true,"pid":2147483646,"alive":false,"stale":true,` +
		`"why":"process 2147483646 no longer exists","age_s":2,"removed":false,"rebuild":false,"warnings":[]}`
	if string(raw) != want {
		t.Errorf("%s", raw)
	}
}

// numberOf returns the process of an answer, or 0.
func numberOf(pid *int) int {
	if pid == nil {
		return 0
	}
	return *pid
}

// TestSDK4_LeftNextToTheLock checks temporary files that the creator of a lock left. An audit shows them as left over;
// a clean-up that moves something removes them if their creator is dead. Files that only look like one are archived.
func TestSDK4_LeftNextToTheLock(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	dead, young, live := ".lock."+nobody+".0123456789ab.tmp", ".lock."+nobody+".0123456789ac.tmp",
		".lock."+strconv.Itoa(os.Getppid())+".0123456789ab.tmp"
	for name, age := range map[string]time.Duration{dead: time.Hour, young: time.Second, live: time.Hour} {
		w.aged(name, nobody, age)
	}
	for _, apply := range []bool{false, true} {
		if out := must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: apply}))(t); len(out.Entries)+len(out.Kept) != 0 {
			t.Errorf("apply %v: %+v", apply, out)
		}
	}
	audit := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	if audit.Counts["ephemeral"] != 3 {
		t.Errorf("%v", audit.Counts)
	}
	for _, e := range audit.Buckets[statedir.Ephemeral] {
		if !e.Exempt || len(e.Would) > 0 {
			t.Errorf("%+v", e)
		}
	}
	moved := []string{".lock.7.tmp", ".lock.07.0123456789ab.tmp", ".lock.x.0123456789ab.tmp", ".lock.7.a.0123456789ab.tmp", "a.lock." +
		nobody + ".0123456789ab.tmp"}
	for _, name := range moved {
		w.aged(name, "x", time.Hour)
	}
	w.aged(".lock.8.0123456789ab.tmp", strings.Repeat("x", 5000), time.Hour)
	if out := w.cleanup(); out.Counts["moved"] != len(moved)+1 || len(out.Entries) != len(moved)+1 {
		t.Errorf("%+v", out)
	}
	w.wantNames(young, live)
}
