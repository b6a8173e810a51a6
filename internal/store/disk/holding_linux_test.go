package disk_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"baton/internal/store/disk"
)

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// TestD36_SubfoldersAreReleasedWithTheirFolder: a folder that was opened in one step is released when a
// folder above it moves.
func TestD36_SubfoldersAreReleasedWithTheirFolder(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	path := func(name string) string { return filepath.Join(top, name) }
	h := &disk.Holding{FS: disk.OS{}, Tops: []string{top}}
	defer h.Hold()()
	must(t, os.MkdirAll(path("a/b"), 0o755))
	_, err := h.ReadDir(path("a/b"))
	must(t, err, h.RenameNew(path("a"), path("moved")), os.MkdirAll(path("a/b"), 0o755), os.WriteFile(path("a/b/x"), nil, 0o600))
	if infos, err := h.ReadDir(path("a/b")); err != nil || len(infos) != 1 {
		t.Errorf("%v, %v: the folder that moved away", infos, err)
	}
}

// TestD36_FoldersBeyondTheLimit: folders beyond the limit are compared each time they are opened
// again.
func TestD36_FoldersBeyondTheLimit(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	h := &disk.Holding{FS: disk.OS{}, Tops: []string{top}}
	defer h.Hold()()
	for n := range 70 {
		dir := filepath.Join(top, fmt.Sprint(n))
		must(t, os.Mkdir(dir, 0o755), h.MakeLink("x", filepath.Join(dir, "link")))
	}
	last := filepath.Join(top, "69")
	must(t, os.Rename(last, filepath.Join(top, "away")), os.Mkdir(last, 0o755))
	if err := h.MakeLink("x", filepath.Join(last, "link")); !errors.Is(err, disk.ErrElsewhere) {
		t.Errorf("another folder in its place: %v", err)
	}
	must(t, os.Remove(last), os.Rename(filepath.Join(top, "away"), last), h.Remove(filepath.Join(last, "link")))
}

type withoutCall struct{ disk.OS }

func (withoutCall) OpenFolder(path string) (disk.Folder, error) {
	return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOSYS}
}

type byPaths struct{ disk.OS }

func (byPaths) OpenFolder(string) (disk.Folder, error) { return nil, errors.ErrUnsupported }

// TestD36_AFailureIsNoReasonToGoByPaths: only an FS without open folders works by paths.
func TestD36_AFailureIsNoReasonToGoByPaths(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	for _, c := range []struct {
		fs   disk.FS
		want error
	}{{withoutCall{}, syscall.ENOSYS}, {byPaths{}, nil}} {
		h := &disk.Holding{FS: c.fs, Tops: []string{top}}
		release := h.Hold()
		_, err := h.ReadDir(top)
		if check := h.Check(top); !errors.Is(err, c.want) || !errors.Is(check, c.want) {
			t.Errorf("%T: %v, %v", c.fs, err, check)
		}
		release()
	}
}

// TestD36_ATopThatBecameALink: a top that became a link leads elsewhere, and the user is told.
func TestD36_ATopThatBecameALink(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(t.TempDir(), link))
	_, err := disk.OS{}.OpenFolder(link)
	if _, why, hint := disk.Reason(err); !errors.Is(err, disk.ErrElsewhere) || !strings.Contains(why, "replaced") || hint != "try again" {
		t.Errorf("%v: %s; %s", err, why, hint)
	}
}

// TestModeOfAnUnreadableFile: all mode bits are set, also on a kernel without fchmodat2, and never
// those of a link's target.
func TestModeOfAnUnreadableFile(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	path := func(name string) string { return filepath.Join(top, name) }
	must(t, os.WriteFile(path("file"), nil, 0o600), os.Mkdir(path("dir"), 0o700), os.Symlink("file", path("link")))
	must(t, os.Chmod(path("file"), 0), os.Chmod(path("dir"), 0))
	at, err := disk.OS{}.OpenFolder(top)
	must(t, err)
	defer at.Close()
	must(t, disk.ChmodByProc(at, "file", 0o640), disk.ChmodByProc(at, "dir", 0o1750))
	if err := disk.ChmodByProc(at, "link", 0o777); !errors.Is(err, disk.ErrLink) {
		t.Errorf("a link: %v", err)
	}
	for name, want := range map[string]fs.FileMode{"file": 0o640, "dir": fs.ModeDir | fs.ModeSticky | 0o750} {
		if info, err := at.Lstat(name); err != nil || info.Mode != want {
			t.Errorf("%s: %v, %v", name, info.Mode, err)
		}
	}
	like, err := at.Lstat("dir")
	must(t, err, os.Mkdir(path("like"), 0o700), at.CopyMeta("like", like))
	if info, err := at.Lstat("like"); err != nil || info.Mode != like.Mode {
		t.Errorf("like: %v, %v", info.Mode, err)
	}
}

// TestRenameat2InASandbox: an EPERM of a sandbox is about the call, and any other is about the
// files.
func TestRenameat2InASandbox(t *testing.T) {
	if err := disk.Known(syscall.EPERM, true); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("sandbox: %v", err)
	}
	if err := disk.Known(syscall.EPERM, false); err != syscall.EPERM {
		t.Errorf("file: %v", err)
	}
}
