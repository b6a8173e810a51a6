package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"baton/internal/store/disk"
)

// TestD36_FoldersAreOpenedWithoutLinks: with and without openat2, a folder is opened only if no
// link is on the way.
func TestD36_FoldersAreOpenedWithoutLinks(t *testing.T) {
	for _, without := range []bool{false, true} {
		disk.WithoutOpenat2(without)
		root := t.TempDir()
		for _, err := range []error{
			os.MkdirAll(filepath.Join(root, "a/b/c"), 0o755), os.WriteFile(filepath.Join(root, "a/file"), nil, 0o600),
			os.Symlink("b", filepath.Join(root, "a/link")), os.Symlink("/etc", filepath.Join(root, "out")),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		at, err := disk.OS{}.OpenFolder(root)
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]error{
			"a": nil, "a/b/c": nil, "a/link": disk.ErrElsewhere, "a/link/c": disk.ErrElsewhere, "out": disk.ErrElsewhere,
			"a/none": fs.ErrNotExist, "none/b": fs.ErrNotExist, "a/file": disk.ErrNotFolder,
		} {
			f, err := at.OpenFolder(path)
			if want == disk.ErrNotFolder {
				if code, _, _ := disk.Reason(err); code != "not_directory" {
					t.Errorf("%s, without openat2 %v: %v", path, without, err)
				}
				continue
			}
			if !errors.Is(err, want) {
				t.Errorf("%s, without openat2 %v: %v, want %v", path, without, err, want)
			}
			if err == nil {
				_ = f.Close()
			}
		}
		if err := at.Close(); err != nil {
			t.Error(err)
		}
	}
	disk.WithoutOpenat2(false)
}

// TestD36_AnOpenFolderStaysTheSame: operations in a held folder stay in that folder, even if it is
// moved and something else takes its place, and they change no target of a link in it.
func TestD36_AnOpenFolderStaysTheSame(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	path := func(name string) string { return filepath.Join(root, name) }
	for _, err := range []error{
		os.Mkdir(path("w"), 0o755), os.Mkdir(path("other"), 0o755), os.WriteFile(path("other/target"), []byte("theirs"), 0o600),
		os.WriteFile(path("w/a"), []byte("a"), 0o644), os.Symlink("../other/target", path("w/link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	f, err := disk.OS{}.OpenFolder(path("w"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := errors.Join(os.Rename(path("w"), path("moved")), os.Symlink("other", path("w"))); err != nil {
		t.Fatal(err)
	}
	file, err := f.Create("b", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"close": file.Close(), "exchange": f.Exchange("a", "b"), "rename": f.Rename("a", "c"), "link": f.Link("c", "d"),
		"new": f.RenameNew("d", "e"), "mkdir": f.Mkdir("f", 0o755), "mode": f.CopyMeta("c", disk.FileInfo{Mode: 0o640, UID: -1, GID: -1}),
		"sync": f.SyncDir("."), "makelink": f.MakeLink("x", "g"), "remove": f.Remove("e"), "over": f.WriteOver("h", []byte("h"), 0o600),
	} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if release, got, err := f.TryLock("lock"); err != nil || !got || release() != nil {
		t.Errorf("lock: %v, %v", got, err)
	}
	for what, err := range map[string]error{
		"mode of a link": f.CopyMeta("link", disk.FileInfo{Mode: 0o777, UID: -1, GID: -1}),
		"over a link":    f.WriteOver("link", []byte("ours"), 0o600),
	} {
		if !errors.Is(err, disk.ErrLink) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, _, err := f.TryLock("link"); !errors.Is(err, disk.ErrLink) {
		t.Errorf("lock of a link: %v", err)
	}
	infos, err := f.ReadDir(".")
	if err != nil || len(infos) != 7 { // b, c, f, g, h, link, lock
		t.Errorf("%+v, %v", infos, err)
	}
	if names, err := os.ReadDir(path("other")); err != nil || len(names) != 1 {
		t.Errorf("in the other folder: %v, %v", names, err)
	}
	if data, err := os.ReadFile(path("other/target")); err != nil || string(data) != "theirs" {
		t.Errorf("%q, %v", data, err)
	}
}
