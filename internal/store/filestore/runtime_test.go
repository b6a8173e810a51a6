package filestore_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/filestore"
)

func write(s *filestore.Store) error {
	_, err := s.Update(context.Background(), func(tx *store.Tx) error {
		tx.Write("doc", []byte("x"))
		tx.Append("log", []byte("x"))
		return nil
	})
	return err
}

func wantCode(t *testing.T, err error, kind report.Kind, code report.Code) {
	t.Helper()
	if report.KindOf(err) != kind || report.CodeOf(err) != code {
		t.Errorf("got %v, want %v %s", err, kind, code)
	}
}

// wantEmpty checks that nothing was written into a folder.
func wantEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 0 {
		t.Errorf("%s holds %v, %v", dir, entries, err)
	}
}

// TestD36_RuntimeFolderOutside: a repository may hold .baton or the runtime folder as a link. If it
// leads out, baton writes neither documents nor caches through it, but still reads.
func TestD36_RuntimeFolderOutside(t *testing.T) {
	t.Parallel()
	for _, link := range []string{".baton", ".baton/local"} {
		t.Run(link, func(t *testing.T) {
			t.Parallel()
			s, root := realStore(t)
			other := realTemp(t)
			symlink(t, other, filepath.Join(root, link))
			put(t, filepath.Join(root, "doc"), "old")
			wantCode(t, write(s), report.Violation, "path_outside")
			wantCode(t, s.WriteCache("active.json", []byte("x")), report.Violation, "path_outside")
			wantCode(t, s.SweepCaches("", ""), report.Violation, "path_outside")
			if doc, err := s.Read(context.Background(), "doc"); err != nil || string(doc.Data) != "old" {
				t.Errorf("read: %+v, %v", doc, err)
			}
			wantEmpty(t, other)
		})
	}
}

// TestD36_RuntimeFolderInside: a link to a place inside is resolved once and works like a folder,
// whether or not its target exists.
func TestD36_RuntimeFolderInside(t *testing.T) {
	t.Parallel()
	for _, made := range []bool{true, false} {
		s, root := realStore(t)
		symlink(t, "../real", filepath.Join(root, ".baton/local"))
		if made {
			if err := os.Mkdir(filepath.Join(root, "real"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if err := write(s); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.WriteCache("sessions/1.json", []byte("x")); err != nil {
			t.Fatal(err)
		}
		if got := get(t, filepath.Join(root, "log")) + get(t, filepath.Join(root, "real/sessions/1.json")); got != "xxx" {
			t.Errorf("got %q", got)
		}
		if s.Runtime() != filepath.Join(root, "real") {
			t.Errorf("runtime folder %s", s.Runtime())
		}
	}
}

// TestD36_FoldersOfCachesOutside: the same for folders in the runtime folder.
func TestD36_FoldersOfCachesOutside(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	other := realTemp(t)
	symlink(t, other, filepath.Join(root, ".baton/local/sessions"))
	wantCode(t, s.WriteCache("sessions/1.json", []byte("x")), report.Violation, "path_outside")
	wantCode(t, s.RemoveCache("sessions/1.json"), report.Violation, "path_outside")
	wantEmpty(t, other)
	if err := write(s); err != nil {
		t.Error(err)
	}
}

// TestD1_SharedFolderStaysInside: a store whose root is the runtime folder itself must stay in the
// folder that holds it.
func TestD1_SharedFolderStaysInside(t *testing.T) {
	t.Parallel()
	base, other := realTemp(t), realTemp(t)
	put(t, filepath.Join(other, "secret"), "x")
	open := func(dir string) *filestore.Store {
		return filestore.Open(filestore.Options{Root: filepath.Join(base, dir), Within: base, Runtime: "."})
	}
	symlink(t, other, filepath.Join(base, "out/shared"))
	symlink(t, "real", filepath.Join(base, "in"))
	wantCode(t, write(open("out/shared")), report.Violation, "path_outside")
	_, err := open("out/shared").Read(context.Background(), "secret")
	wantCode(t, err, report.Violation, "path_outside")
	if entries, _ := os.ReadDir(other); len(entries) != 1 {
		t.Errorf("written outside: %v", entries)
	}
	if err := write(open("in/shared")); err != nil || get(t, filepath.Join(base, "real/shared/doc")) != "x" {
		t.Error(err)
	}
}

// TestRuntimeFilesAreNoLinks: lock, lock.json and journal are never opened through a link.
func TestRuntimeFilesAreNoLinks(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"lock", "lock.json", "journal"} {
		s, root := realStore(t)
		target := filepath.Join(realTemp(t), "victim")
		put(t, target, "precious")
		symlink(t, target, filepath.Join(root, ".baton/local", name))
		err := write(s)
		wantCode(t, err, report.Refused, "not_regular")
		if err == nil || !strings.Contains(err.Error(), ".baton/local/"+name) {
			t.Errorf("%s is not named: %v", name, err)
		}
		if get(t, target) != "precious" {
			t.Errorf("%s: written through the link", name)
		}
	}
}

// forge puts a journal with a correct checksum into a project.
func forge(t *testing.T, root string, record map[string]any) {
	t.Helper()
	raw, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(root, ".baton/local/journal"), fmt.Sprintf("%s\n{\"sha256\":\"%x\"}\n", raw, sha256.Sum256(raw)))
}

// TestD5_MadeUpJournal: a journal with names or sizes that baton never writes is unreadable.
// Nothing of it is carried out, and nothing crashes.
func TestD5_MadeUpJournal(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	absent, state := m{"exists": false}, func(size, tail int64) m { return m{"exists": true, "size": size, "tail": tail} }
	file := func(name, kind string, old, new m) m {
		return m{"name": name, "kind": kind, "old": old, "new": new, "data": []byte("evil")}
	}
	good := file("fine", "replace", absent, state(4, 0))
	tests := map[string][]m{
		"no files":         {},
		"hook":             {file(".git/hooks/pre-commit", "replace", absent, state(4, 0))},
		"hook in capitals": {file(".GIT/hooks/pre-commit", "replace", absent, state(4, 0))},
		"hook by a link":   {file("innocent/pre-commit", "replace", absent, state(4, 0))},
		"runtime folder":   {file(".baton/local/active.json", "replace", absent, state(4, 0))},
		"upwards":          {file("../evil", "replace", absent, state(4, 0))},
		"twice":            {good, good},
		"unknown kind":     {file("x", "create", absent, state(4, 0))},
		"negative tail":    {file("doc", "append", state(3, -1), state(7, 0))},
		"tail over size":   {file("doc", "append", state(3, 4), state(7, 0))},
		"negative size":    {file("doc", "append", state(-9, 0), state(-5, 0))},
		"overflow":         {file("doc", "append", state(1<<63-1, 0), state(0, 0))},
		"huge tail":        {file("doc", "append", state(1<<40, 1<<40), state(1<<40+4, 0))},
		"size of the new":  {file("x", "replace", absent, state(5, 0))},
		"foreign temp":     {{"name": "x", "kind": "replace", "temp": "../x", "old": absent, "new": state(4, 0), "data": []byte("evil")}},
	}
	for name, files := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, root := realStore(t)
			put(t, filepath.Join(root, "doc"), "old")
			put(t, filepath.Join(root, ".git/hooks/sample"), "")
			symlink(t, ".git/hooks", filepath.Join(root, "innocent"))
			forge(t, root, m{"version": 1, "files": files})
			_, _ = s.Read(context.Background(), "doc")
			_, _ = s.Tail(context.Background(), "doc", 10)
			wantCode(t, write(s), report.Refused, "journal_unreadable")
			if entries, _ := os.ReadDir(filepath.Join(root, ".git/hooks")); len(entries) != 1 ||
				get(t, filepath.Join(root, "doc")) != "old" {
				t.Errorf("something was written: %v", entries)
			}
		})
	}
	s, root := realStore(t)
	forge(t, root, m{"version": 1, "files": []m{good}})
	if err := write(s); err != nil || get(t, filepath.Join(root, "fine")) != "evil" {
		t.Errorf("the journal that all of these vary is not a good one: %v", err)
	}
}

// TestD5_JournalOfAnyLength: a sparse file of a gigabyte is not read.
func TestD5_JournalOfAnyLength(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	path := filepath.Join(root, ".baton/local/journal")
	put(t, path, "x")
	if err := os.Truncate(path, 1<<30); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	wantCode(t, write(s), report.Refused, "journal_unreadable")
	_, err := s.Read(context.Background(), "doc")
	wantCode(t, err, report.Refused, "journal_unreadable")
}

// TestD36_NoDocumentsInGit: no document is written into git's folder or among the store's own
// files, with or without links, because recovery would refuse such a journal.
func TestD36_NoDocumentsInGit(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	put(t, filepath.Join(root, ".git/hooks/sample"), "")
	symlink(t, ".git/hooks", filepath.Join(root, "innocent"))
	for _, name := range []string{".git/hooks/evil", "innocent/evil", ".baton/local/evil"} {
		_, err := s.Update(context.Background(), func(tx *store.Tx) error { tx.Write(name, []byte("x")); return nil })
		wantCode(t, err, report.Violation, "path_outside")
	}
	if entries, _ := os.ReadDir(filepath.Join(root, ".git/hooks")); len(entries) != 1 {
		t.Errorf("written: %v", entries)
	}
}
