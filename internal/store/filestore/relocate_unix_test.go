//go:build unix

package filestore_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
	"baton/internal/store/storetest"
)

// TestSD14_AnyNameOnDisk (SD-13, SD-11, SD-D18): on a real disk entries of every kind and name move
// unchanged with mode and time, and back again.
func TestSD14_AnyNameOnDisk(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	at := filepath.Join(root, folder)
	names := []string{
		"--apply", "-", "a\nb.tmp", "\x1b[31m", "\u2028~", "😀", `back\slash`, "a:b", " ", "<&>\"'", strings.Repeat("x", 255),
		"od\xffd", "\xfe\xfd.tmp", "con", "...",
	}
	moved := []string{"pipe", "dangling", "loop", "dir"}
	for i, name := range names {
		put(t, filepath.Join(at, name), name)
		if err := os.Chmod(filepath.Join(at, name), fs.FileMode(0o600|i%7)); err != nil {
			t.Skipf("the file system does not take %q: %v", name, err)
		}
	}
	put(t, filepath.Join(at, "dir/inner/x"), "x")
	for _, err := range []error{
		syscall.Mkfifo(filepath.Join(at, "pipe"), 0o600),
		os.Symlink("nowhere/at/all", filepath.Join(at, "dangling")),
		os.Symlink("loop", filepath.Join(at, "loop")),
		os.Chtimes(filepath.Join(at, "dir"), time.Time{}, time.Unix(1, 2)),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	moved = append(moved, names...)
	s := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local", RecordOutcomes: storetest.RecordOutcomes})
	before, err := s.Scan(context.Background(), folder)
	if err != nil || len(before.Items) != len(moved) {
		t.Fatalf("%d items, %v", len(before.Items), err)
	}
	for _, way := range [][2]string{{folder, archive + "/1"}, {archive + "/1", folder}} {
		c, err := s.Update(context.Background(), func(tx *store.Tx) error { return move(tx, way[0], way[1], moved...) })
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range c.Outcomes {
			if o.State != store.Moved {
				t.Errorf("%+v", o)
			}
		}
		for _, i := range before.Items {
			got := storetest.Look(t, s, way[1], i.Name)
			if !i.Same(got) || got.Mode != i.Mode || !got.ModTime.Equal(i.ModTime) && i.Name != "dir" {
				t.Errorf("%q: %+v, was %+v", i.Name, got, i)
			}
			if i.Mode.IsRegular() {
				if data, err := os.ReadFile(filepath.Join(root, way[1], i.Name)); err != nil || string(data) != i.Name {
					t.Errorf("%q: %q, %v", i.Name, data, err)
				}
			}
		}
	}
}

// TestSD3_ReadOnlyFolder (SD-60): an entry that we may not move stays, and the outcome says why.
func TestSD3_ReadOnlyFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("nothing is read-only for root")
	}
	root := realTemp(t)
	at := filepath.Join(root, folder)
	put(t, filepath.Join(at, "a"), "A")
	s := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local"})
	update(t, s, func(tx *store.Tx) { tx.Write("x", []byte("x")) })
	if err := os.Chmod(at, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(at, 0o700) })
	c, err := s.Update(context.Background(), func(tx *store.Tx) error { return move(tx, folder, "elsewhere", "a") })
	if err != nil || len(c.Outcomes) != 1 || c.Outcomes[0].State != store.Failed ||
		!strings.Contains(c.Outcomes[0].Error, "permission denied") {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := os.Stat(filepath.Join(at, "a")); err != nil {
		t.Error(err)
	}
}

// TestRenameNewNeverReplaces: an entry of any kind never replaces one whose name is taken.
func TestRenameNewNeverReplaces(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	kinds := map[string]func(path string) error{
		"file":   func(p string) error { return os.WriteFile(p, []byte(p), 0o600) },
		"folder": func(p string) error { return os.Mkdir(p, 0o700) },
		"link":   func(p string) error { return os.Symlink("none", p) },
		"pipe":   func(p string) error { return syscall.Mkfifo(p, 0o600) },
	}
	for a, makeA := range kinds {
		for b, makeB := range kinds {
			src, dst := filepath.Join(root, a+"-onto-"+b+"-source"), filepath.Join(root, a+"-onto-"+b+"-target")
			if err := makeA(src); err != nil {
				t.Fatal(err)
			}
			if err := makeB(dst); err != nil {
				t.Fatal(err)
			}
			was, _ := os.Lstat(dst)
			if err := (disk.OS{}).RenameNew(src, dst); !os.IsExist(err) {
				t.Errorf("%s onto %s: %v", a, b, err)
			}
			if is, err := os.Lstat(dst); err != nil || !os.SameFile(was, is) {
				t.Errorf("%s onto %s: replaced", a, b)
			}
			if _, err := os.Lstat(src); err != nil {
				t.Errorf("%s onto %s: %v", a, b, err)
			}
		}
	}
}
