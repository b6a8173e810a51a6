package filestore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"

	"github.com/google/go-cmp/cmp"
)

// leftovers returns the temporary files among the documents.
func leftovers(docs map[string]string) (names []string) {
	for name := range docs {
		if strings.HasSuffix(name, ".tmp") {
			names = append(names, name)
		}
	}
	return names
}

// clear checks what every refusal needs: a kind and a code, one sentence, and a place.
func clear(t *testing.T, what string, err error) *report.Error {
	t.Helper()
	e, ok := errors.AsType[*report.Error](err)
	if !ok {
		t.Fatalf("%s: not a report.Error: %v", what, err)
	}
	if e.Kind != report.Refused || e.Code == "" || e.Message == "" || e.Hint == "" {
		t.Fatalf("%s: unclear error %+v", what, e)
	}
	return e
}

// TestD10_EveryOperationFails: whichever operation fails and with whatever error, either the change
// is there as a whole, or the error says that it is not and nothing has changed. No temporary file
// stays.
func TestD10_EveryOperationFails(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes() {
		for _, fault := range []syscall.Errno{syscall.ENOSPC, syscall.EACCES, syscall.EIO} {
			for _, exchange := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s/%s/exchange=%v", sc.Name, errorName(fault), exchange), func(t *testing.T) {
					t.Parallel()
					for at := 1; failOnce(t, sc, fault, exchange, at); at++ {
					}
				})
			}
		}
	}
}

// failOnce fails operation number at of the scene. It returns false if the scene has fewer
// operations.
func failOnce(t *testing.T, sc scene, fault syscall.Errno, exchange bool, at int) bool {
	t.Helper()
	fs := newCrashFS(t, sc.Before)
	fs.NoExchange = !exchange
	var failed crashfs.Op
	first := fs.Ops()
	fs.Hook = func(op crashfs.Op) error {
		if op.N-first == at {
			failed = op
			return fault
		}
		return nil
	}
	_, err := on(fs).Update(context.Background(), sc.Run)
	fs.Hook = nil
	if failed.N == 0 {
		return false
	}
	what := fmt.Sprintf("%v of %s %s (%d)", fault, failed.Name, failed.Path, at)
	got := documents(fs)
	if err == nil {
		allOrNothing(t, what, sc, noTemps(got), "new")
	} else {
		if e := clear(t, what, err); e.Code == "interrupted_commit" {
			t.Fatalf("%s: one fault was too much: %v", what, err)
		}
		allOrNothing(t, what, sc, noTemps(got), "old")
	}
	aboutTemp := strings.HasSuffix(failed.Path, ".tmp")
	if left := leftovers(documents(fs)); len(left) > 0 && !aboutTemp {
		t.Fatalf("%s: temporary files stay: %v", what, left)
	}
	if _, err := nudge(on(fs)); err != nil {
		t.Fatalf("%s: next writer: %v", what, err)
	}
	if left := leftovers(documents(fs)); len(left) > 0 {
		t.Fatalf("%s: temporary files stay after the next writer: %v", what, left)
	}
	return true
}

// TestD10_DiskGoesBad: from some operation on, everything that changes the disk fails, so nothing
// can be taken back either. Once the disk works again, the next writer leaves all old or all new
// documents.
func TestD10_DiskGoesBad(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes() {
		t.Run(sc.Name, func(t *testing.T) {
			t.Parallel()
			for at := 1; ; at++ {
				fs := newCrashFS(t, sc.Before)
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
				_, err := on(fs).Update(context.Background(), sc.Run)
				fs.Hook = nil
				if !hit {
					return
				}
				what := fmt.Sprintf("all bad from %d on", at)
				if err != nil {
					clear(t, what, err)
				}
				if _, err := nudge(on(fs)); err != nil {
					t.Fatalf("%s: next writer: %v", what, err)
				}
				must := ""
				if err == nil {
					must = "new"
				}
				allOrNothing(t, what, sc, documents(fs), must)
			}
		})
	}
}

// TestD10_FullDisk: on a full disk the commit is refused with no_space and names the document, and
// an append is cut back.
func TestD10_FullDisk(t *testing.T) {
	t.Parallel()
	sc := scenes()[0]
	fs := newCrashFS(t, sc.Before)
	fs.Hook = func(op crashfs.Op) error {
		if op.Name == "write" && op.Path == "/p/archive/1.md" {
			return syscall.ENOSPC
		}
		return nil
	}
	_, err := on(fs).Update(context.Background(), sc.Run)
	fs.Hook = nil
	e := clear(t, "append", err)
	if e.Code != "no_space" || e.Path != "archive/1.md" {
		t.Errorf("code %q path %q", e.Code, e.Path)
	}
	if diff := cmp.Diff(sc.Before, documents(fs)); diff != "" {
		t.Errorf("something changed:\n%s", diff)
	}
	if _, left := fs.Get("/p/.baton/local/journal"); left {
		t.Error("the journal is still there")
	}
}

// TestTS7_FolderInsteadOfFile tests folders and other things in the place of a document.
func TestTS7_FolderInsteadOfFile(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"tasks/1.md/inner": "x", "file": "y"})
	fs.Symlink("ring", "/p/ring")
	s := on(fs)
	for name, code := range map[string]report.Code{"tasks/1.md": "is_directory", "file/below.md": "not_directory", "ring": "link_loop"} {
		before := documents(fs)
		_, err := s.Read(context.Background(), name)
		if e := clear(t, "read "+name, err); e.Code != code || e.Path != name {
			t.Errorf("read %s: code %q path %q", name, e.Code, e.Path)
		}
		for kind, fn := range map[string]func(tx *store.Tx){
			"write":  func(tx *store.Tx) { tx.Write(name, []byte("z")) },
			"append": func(tx *store.Tx) { tx.Append(name, []byte("z")) },
		} {
			_, err := s.Update(context.Background(), func(tx *store.Tx) error { fn(tx); return nil })
			if e := clear(t, kind+" "+name, err); e.Code != code || e.Path != name {
				t.Errorf("%s %s: code %q path %q", kind, name, e.Code, e.Path)
			}
		}
		if diff := cmp.Diff(before, documents(fs)); diff != "" {
			t.Errorf("%s: something changed:\n%s", name, diff)
		}
	}
}

// TestFileVanishes: if a document vanishes at any moment of its change, either the next run of the
// transaction finds it gone and decides, or it is changed as a whole.
func TestFileVanishes(t *testing.T) {
	t.Parallel()
	for at := 1; ; at++ {
		fs := newCrashFS(t, map[string]string{"1.md": "a"})
		first, hit := fs.Ops(), false
		fs.Hook = func(op crashfs.Op) error {
			if op.N-first == at {
				hit = true
				fs.Delete("/p/1.md")
			}
			return nil
		}
		var saw []bool
		_, err := on(fs).Update(context.Background(), func(tx *store.Tx) error {
			doc, err := tx.Read("1.md")
			if err != nil {
				return err
			}
			saw = append(saw, doc.Exists)
			if doc.Exists {
				tx.Write("1.md", []byte(string(doc.Data)+"b"))
			}
			return nil
		})
		fs.Hook = nil
		if !hit {
			return
		}
		if err != nil {
			t.Fatalf("vanished before operation %d: %v", at, err)
		}
		if got, there := fs.Get("/p/1.md"); there && got != "ab" {
			t.Fatalf("vanished before operation %d: %q", at, got)
		}
		if left := leftovers(documents(fs)); len(left) > 0 {
			t.Fatalf("vanished before operation %d: left %v, runs saw %v", at, left, saw)
		}
	}
}
