package filestore_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
)

// TestSD20_OpenFolders (SD-8): between open folders on a real disk, vanished entries, changed
// entries and taken names are reported as anywhere. Nothing is replaced, and a folder on another
// file system gets a copy.
func TestSD20_OpenFolders(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	other := otherFileSystem(t, root)
	for _, name := range []string{"a", "taken", "gone", "grows", "away"} {
		put(t, filepath.Join(root, "w", name), name)
	}
	put(t, filepath.Join(root, "old/taken"), "theirs")
	if err := os.Symlink(other, filepath.Join(root, "far")); err != nil {
		t.Fatal(err)
	}
	s := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local", Allow: filestore.Below(other)})
	update(t, s, func(tx *store.Tx) { tx.Write("used", []byte("x")) }) // from now on the function runs once
	c, err := s.Update(context.Background(), func(tx *store.Tx) error {
		if err := move(tx, "w", "old", "a", "taken", "gone", "grows"); err != nil {
			return err
		}
		if err := move(tx, "w", "far", "away"); err != nil {
			return err
		}
		put(t, filepath.Join(root, "w/grows"), "grows and grows")
		return os.Remove(filepath.Join(root, "w/gone"))
	})
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]string{}
	for _, o := range c.Outcomes {
		states[o.Name] = o.State
	}
	for name, want := range map[string]string{
		"a": store.Moved, "taken": store.Changed, "gone": store.Vanished, "grows": store.Changed, "away": store.Moved,
	} {
		if states[name] != want {
			t.Errorf("%s: %s, want %s", name, states[name], want)
		}
	}
	for path, want := range map[string]string{
		filepath.Join(root, "old/a"): "a", filepath.Join(root, "old/taken"): "theirs", filepath.Join(root, "w/taken"): "taken",
		filepath.Join(root, "w/grows"): "grows and grows", filepath.Join(other, "away"): "away",
	} {
		if got, err := os.ReadFile(path); string(got) != want {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	if n := openBelow(t, root, other); n > 0 {
		t.Errorf("%d folders stay open", n)
	}
}

// openBelow counts the files that this process has open in folders.
func openBelow(t *testing.T, folders ...string) (n int) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	for _, e := range entries {
		to, _ := os.Readlink(filepath.Join("/proc/self/fd", e.Name()))
		for _, folder := range folders {
			if strings.HasPrefix(to, folder) {
				n++
			}
		}
	}
	return n
}

// otherFileSystem returns a new folder on another file system than dir.
func otherFileSystem(t *testing.T, dir string) string {
	t.Helper()
	here, err := (disk.OS{}).Lstat(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, parent := range []string{"/dev/shm", "/var/tmp", "/tmp"} {
		other, err := os.MkdirTemp(parent, "baton-*")
		if err != nil {
			continue
		}
		t.Cleanup(func() { _ = os.RemoveAll(other) })
		if there, err := (disk.OS{}).Lstat(other); err == nil && there.ID.Device != here.ID.Device {
			return other
		}
	}
	t.Skip("this test needs a second file system: mount a tmpfs at /dev/shm, /var/tmp or /tmp")
	return ""
}
