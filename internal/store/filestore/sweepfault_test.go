package filestore_test

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"

	"github.com/google/go-cmp/cmp"
)

// truthful checks that the outcomes, and the document that records them if there is one, say where
// the entries are.
func truthful(t *testing.T, what string, sc sweepScene, tree map[string]string, outcomes []store.Outcome) (all bool) {
	t.Helper()
	all = true
	var reported []string
	for _, o := range outcomes {
		_, src := tree["/p/"+o.From+"/"+o.Name]
		_, dst := tree["/p/"+o.To+"/"+o.NewName]
		moved := o.State == store.Moved
		all = all && moved
		if moved && (!dst || src && sc.name != "swap") || !moved && (!src || dst && sc.name != "swap") {
			t.Fatalf("%s: %q is %s, but in the source: %v, in the target: %v", what, o.Name, o.State, src, dst)
		}
		if (o.State == store.Failed) != (o.Error != "") {
			t.Fatalf("%s: %+v", what, o)
		}
		reported = append(reported, fmt.Sprintf("%q %s", o.Name, o.State))
	}
	for at, data := range tree {
		if !strings.HasSuffix(at, ".manifest.json") || sc.name == "swap" && strings.HasSuffix(at, "/1.manifest.json") {
			continue
		}
		if diff := cmp.Diff("file list\n"+strings.Join(reported, "\n")+"\n", data); diff != "" {
			t.Fatalf("%s: the manifest lies:\n%s", what, diff)
		}
	}
	return all
}

// TestSD60_EveryOperationFails (SD-8, SD-D9): any operation of a sweep fails, with a full disk, a
// refusal or a disk error. Either nothing has changed and the error says so, or the entries that
// could not move stay and are reported.
func TestSD60_EveryOperationFails(t *testing.T) {
	t.Parallel()
	for _, sc := range sweepScenes() {
		for _, fault := range []syscall.Errno{syscall.ENOSPC, syscall.EACCES, syscall.EIO} {
			t.Run(sc.name+"/"+errorName(fault), func(t *testing.T) {
				t.Parallel()
				failures := 0
				for at := 1; failSweep(t, sc, fault, at, &failures); at++ {
				}
				if failures == 0 {
					t.Error("no fault was reported by an outcome")
				}
			})
		}
	}
}

// failSweep fails operation number at. It returns false if there are fewer operations.
func failSweep(t *testing.T, sc sweepScene, fault syscall.Errno, at int, failures *int) bool {
	t.Helper()
	fs, before, after := sc.start(t)
	var failed crashfs.Op
	first := fs.Ops()
	fs.Hook = func(op crashfs.Op) error {
		if op.N-first == at {
			failed = op
			return fault
		}
		return nil
	}
	c, err := sweeping(fs).Update(context.Background(), sc.run)
	fs.Hook = nil
	if failed.N == 0 {
		return false
	}
	what := fmt.Sprintf("%v of %s %s (%d)", fault, failed.Name, failed.Path, at)
	if err != nil {
		if e := clear(t, what, err); e.Code == "interrupted_commit" {
			t.Fatalf("%s: one fault was too much: %v", what, err)
		}
		if diff := cmp.Diff(before, bare(dropTemps(swept(fs)), before)); diff != "" {
			t.Fatalf("%s: refused, but something changed:\n%s", what, diff)
		}
		onePlace(t, what, recovered(t, what, fs), before, after, "old")
		return true
	}
	journal, _ := fs.Get("/p/.baton/local/journal")
	left := journal != "" // a journal that cannot be removed is emptied
	if !left {
		truthful(t, what, sc, dropTemps(swept(fs)), c.Outcomes)
	} else if len(c.Notes) == 0 {
		t.Fatalf("%s: nothing reports the journal that is left", what)
	}
	tree := recovered(t, what, fs)
	if left && aboutOutcome(c.Outcomes, store.Failed) {
		return true // the next writer moved what failed; the crash tests check onePlace
	}
	if truthful(t, what, sc, tree, c.Outcomes) {
		if sc.name == "restore" { // what could not be removed stays: the empty folder with its manifest, or the manifest alone
			delete(tree, "/p/"+archive+"/1")
			delete(tree, "/p/"+archive+"/1.manifest.json")
		}
		onePlace(t, what, tree, before, after, "new")
	} else {
		*failures++
	}
	return true
}

func aboutOutcome(outcomes []store.Outcome, state string) bool {
	for _, o := range outcomes {
		if o.State == state {
			return true
		}
	}
	return false
}

// TestSD60_DiskGoesBad: from some operation on, everything that changes the disk fails. Once it
// works again, the next writer leaves every entry in one place.
func TestSD60_DiskGoesBad(t *testing.T) {
	t.Parallel()
	for _, sc := range sweepScenes() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			for at := 1; ; at++ {
				fs, before, after := sc.start(t)
				first, hit := fs.Ops(), false
				fs.Hook = func(op crashfs.Op) error {
					switch op.Name {
					case "lstat", "open", "read", "stat", "readdir", "readlink", "lock":
						return nil
					}
					if op.N-first < at {
						return nil
					}
					hit = true
					return syscall.EIO
				}
				c, err := sweeping(fs).Update(context.Background(), sc.run)
				fs.Hook = nil
				if !hit {
					return
				}
				what := fmt.Sprintf("all bad from %d on", at)
				if err != nil {
					clear(t, what, err)
				}
				tree := recovered(t, what, fs)
				if err == nil && aboutOutcome(c.Outcomes, store.Failed) && cmp.Diff(after, tree) != "" {
					truthful(t, what, sc, tree, c.Outcomes)
					continue
				}
				onePlace(t, what, tree, before, after, "")
			}
		})
	}
}

// TestSD60_ArchiveCannotBeMade (SD-8): if a file is in the archive's place, or the disk refuses a
// folder, that is an error before anything moves, and nothing is left behind.
func TestSD60_ArchiveCannotBeMade(t *testing.T) {
	t.Parallel()
	sc := sweepScenes()[4]
	for name, spoil := range map[string]func(fs *crashfs.FS) (code report.Code){
		"file": func(fs *crashfs.FS) report.Code {
			fs.Put("/p/"+archive, "a file")
			return "not_directory"
		},
		"snapshot is a file": func(fs *crashfs.FS) report.Code {
			fs.Put("/p/"+archive+"/1", "a file")
			return "not_directory"
		},
		"full disk": func(fs *crashfs.FS) report.Code {
			fs.Hook = func(op crashfs.Op) error {
				if op.Name == "mkdir" && strings.HasSuffix(op.Path, "/1") {
					return syscall.ENOSPC
				}
				return nil
			}
			return "no_space"
		},
		"read-only": func(fs *crashfs.FS) report.Code {
			fs.Hook = func(op crashfs.Op) error {
				if op.Name == "mkdir" && strings.HasPrefix(op.Path, "/p/"+archive) {
					return syscall.EROFS
				}
				return nil
			}
			return "permission"
		},
		"link to nowhere": func(fs *crashfs.FS) report.Code {
			fs.Symlink("/elsewhere", "/p/"+archive)
			return "path_outside"
		},
		"link outside": func(fs *crashfs.FS) report.Code {
			fs.MkdirAll("/elsewhere")
			fs.Symlink("/elsewhere", "/p/"+archive)
			return "path_outside"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs, _, _ := sc.start(t)
			code := spoil(fs)
			before := fs.Entries("/p")
			outside := fs.Entries("/elsewhere")
			_, err := sweeping(fs).Update(context.Background(), sc.run)
			fs.Hook = nil
			if got := report.CodeOf(err); got != code {
				t.Errorf("code %q, want %q (%v)", got, code, err)
			}
			after := fs.Entries("/p")
			delete(before, "/p/.baton/local/lock.json") // names the last holder of the lock
			delete(after, "/p/.baton/local/lock.json")
			if diff := cmp.Diff(before, after) + cmp.Diff(outside, fs.Entries("/elsewhere")); diff != "" {
				t.Errorf("something changed:\n%s", diff)
			}
		})
	}
}
