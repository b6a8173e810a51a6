package filestore_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/filestore"
)

func symlink(t *testing.T, target, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

// TestD36_LinksInside: a document that is a link, relative or absolute, to a place inside the root
// is read and written there; so is one behind such a link. The link stays.
func TestD36_LinksInside(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	put(t, filepath.Join(root, "real/1.md"), "x")
	symlink(t, "../real/1.md", filepath.Join(root, "links/relative.md"))
	symlink(t, filepath.Join(root, "real/1.md"), filepath.Join(root, "links/absolute.md"))
	symlink(t, "relative.md", filepath.Join(root, "links/chain.md"))
	symlink(t, "real", filepath.Join(root, "folder"))
	symlink(t, "../real/new.md", filepath.Join(root, "links/dangling.md"))
	want := "x"
	for _, name := range []string{"links/relative.md", "links/absolute.md", "links/chain.md", "folder/1.md"} {
		doc, err := s.Read(context.Background(), name)
		if err != nil || string(doc.Data) != want || doc.Outside {
			t.Errorf("read %s: %+v, %v", name, doc, err)
		}
		want += "y"
		update(t, s, func(tx *store.Tx) { tx.Write(name, []byte(want)) })
		want += "z"
		update(t, s, func(tx *store.Tx) { tx.Append(name, []byte("z")) })
		if got := get(t, filepath.Join(root, "real/1.md")); got != want {
			t.Errorf("%s: the file holds %q, want %q", name, got, want)
		}
	}
	if doc, err := s.Read(context.Background(), "links/dangling.md"); err != nil || doc.Exists {
		t.Errorf("dangling: %+v, %v", doc, err)
	}
	update(t, s, func(tx *store.Tx) { tx.Write("links/dangling.md", []byte("new")) })
	if got := get(t, filepath.Join(root, "real/new.md")); got != "new" {
		t.Errorf("dangling: %q", got)
	}
	for _, link := range []string{"links/relative.md", "links/absolute.md", "links/chain.md", "links/dangling.md", "folder"} {
		if info, err := os.Lstat(filepath.Join(root, link)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no longer a link: %v", link, err)
		}
	}
	entries, err := s.List(context.Background(), "links")
	if err != nil || len(entries) != 4 || entries[0].Size != int64(len(want)) {
		t.Errorf("list: %+v, %v", entries, err)
	}
}

// TestD36_LinksOutside: a document outside is read and marked, and written only if the
// configuration allows it.
func TestD36_LinksOutside(t *testing.T) {
	t.Parallel()
	base := realTemp(t)
	root, other := filepath.Join(base, "project"), filepath.Join(base, "project-other")
	put(t, filepath.Join(other, "1.md"), "x")
	symlink(t, filepath.Join(other, "1.md"), filepath.Join(root, "file.md"))
	symlink(t, "../project-other", filepath.Join(root, "folder"))
	s := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local"})
	for _, name := range []string{"file.md", "folder/1.md"} {
		doc, err := s.Read(context.Background(), name)
		if err != nil || string(doc.Data) != "x" || !doc.Outside {
			t.Errorf("read %s: %+v, %v", name, doc, err)
		}
		for what, fn := range map[string]func(tx *store.Tx){
			"write":  func(tx *store.Tx) { tx.Write(name, []byte("y")) },
			"append": func(tx *store.Tx) { tx.Append(name, []byte("y")) },
		} {
			_, err := s.Update(context.Background(), func(tx *store.Tx) error { fn(tx); tx.Write("good", nil); return nil })
			if e := report.As(err); e == nil || e.Kind != report.Violation || e.Code != "path_outside" || e.Path != name {
				t.Errorf("%s %s: %v", what, name, err)
			}
		}
	}
	if got := get(t, filepath.Join(other, "1.md")); got != "x" {
		t.Errorf("the file outside holds %q", got)
	}
	allowing := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local", Allow: filestore.Below(other)})
	update(t, allowing, func(tx *store.Tx) { tx.Write("file.md", []byte("y")) })
	update(t, allowing, func(tx *store.Tx) { tx.Append("folder/1.md", []byte("z")) })
	if got := get(t, filepath.Join(other, "1.md")); got != "yz" {
		t.Errorf("allowed: %q", got)
	}
}

// TestD36_OneFileTwoNames: two names of one file in one transaction would lose one of the changes.
func TestD36_OneFileTwoNames(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	put(t, filepath.Join(root, "a"), "x")
	symlink(t, "a", filepath.Join(root, "b"))
	_, err := s.Update(context.Background(), func(tx *store.Tx) error {
		tx.Write("a", []byte("1"))
		tx.Write("b", []byte("2"))
		return nil
	})
	if report.CodeOf(err) != "same_file" || get(t, filepath.Join(root, "a")) != "x" {
		t.Errorf("got %v", err)
	}
}

// TestD36_FolderSwappedForLink: if a folder becomes a link out of the project between two commands,
// the second notices.
func TestD36_FolderSwappedForLink(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	other := realTemp(t)
	update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte("x")) })
	if err := os.Rename(filepath.Join(root, "tasks"), filepath.Join(root, "away")); err != nil {
		t.Fatal(err)
	}
	symlink(t, other, filepath.Join(root, "tasks"))
	_, err := s.Update(context.Background(), func(tx *store.Tx) error { tx.Write("tasks/1.md", []byte("y")); return nil })
	if report.CodeOf(err) != "path_outside" {
		t.Errorf("got %v", err)
	}
	if entries, _ := os.ReadDir(other); len(entries) != 0 {
		t.Errorf("something was written outside: %v", entries)
	}
}
