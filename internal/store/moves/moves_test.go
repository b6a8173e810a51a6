package moves_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/internal/store/disk"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/moves"

	"github.com/google/go-cmp/cmp"
)

func moverOn(seam disk.FS) *moves.Mover {
	const token = "0123456789a"
	return &moves.Mover{
		FS:   seam,
		Temp: func(base string, kind int) string { return fmt.Sprintf(".%s.%s%d.tmp", base, token, kind) },
		Ours: func(base string) bool { return disk.IsTemporary(base) && strings.Contains(base, token) },
	}
}

func look(t *testing.T, seam disk.FS, path string) disk.FileInfo {
	t.Helper()
	info, err := seam.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// layered is a disk that refuses to rename folders, as an overlay file system does.
type layered struct{ disk.OS }

func (l layered) RenameNew(from, to string) error {
	if info, err := l.Lstat(from); err == nil && info.Mode.IsDir() {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EXDEV}
	}
	return l.OS.RenameNew(from, to)
}

// describe returns everything below a folder, with whatever must move along.
func describe(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.Walk(root, func(path string, info fs.FileInfo, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		text := info.Mode().String()
		if info.Mode()&fs.ModeSymlink == 0 {
			text += " " + info.ModTime().UTC().String()
		}
		if info.Mode().IsRegular() {
			var data []byte
			data, err = os.ReadFile(path)
			text += " " + string(data)
		}
		out[rel] = text
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// SD-8: on a real disk that refuses to rename folders, a folder arrives with its whole content,
// modes and times, and nothing is left behind.
func TestSD8_FolderOnDisk(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	src, dst := filepath.Join(root, "old", "dir"), filepath.Join(root, "new", "other")
	long := strings.Repeat("x", 230)
	for _, name := range []string{"flat.md", "inner/deep.md", "inner/" + long, "inner/" + long + "y", "a b\n"} {
		path := filepath.Join(src, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o640); err != nil {
			t.Skipf("this test needs a file system that takes names of any bytes, and this one refuses %q: %v", name, err)
		}
	}
	when := time.Unix(1_600_000_000, 0)
	for _, err := range []error{
		os.Mkdir(filepath.Dir(dst), 0o755), os.MkdirAll(filepath.Join(src, "empty"), 0o755),
		os.Symlink("nowhere", filepath.Join(src, "link")), os.Chtimes(filepath.Join(src, "flat.md"), when, when),
		os.Chmod(filepath.Join(src, "inner"), 0o700), os.Chtimes(filepath.Join(src, "inner"), when, when),
		os.Chtimes(src, when, when),
	} {
		if err != nil {
			t.Skip("this test needs a file system with links, and the right to set modes and times: ", err)
		}
	}
	before := describe(t, src)
	seam := layered{}
	if err := moverOn(seam).Entry(src, dst, look(t, seam, src)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, describe(t, dst)); diff != "" {
		t.Errorf("the folder changed on the way:\n%s", diff)
	}
	if left, err := filepath.Glob(filepath.Join(root, "*", "*")); err != nil || len(left) != 1 {
		t.Errorf("%q is there, %v", left, err)
	}
	if hidden, err := filepath.Glob(filepath.Join(root, "*", ".*")); err != nil || len(hidden) != 0 {
		t.Errorf("%q is left, %v", hidden, err)
	}
}

// stages returns disks with a folder that cannot be renamed.
func stages() map[string]func() *crashfs.FS {
	fill := func(fs *crashfs.FS) *crashfs.FS {
		fs.MkdirAll("/p/new")
		fs.Put("/p/old/dir/flat.md", "flat")
		fs.Put("/p/old/dir/inner/deep.md", "deep")
		return fs
	}
	return map[string]func() *crashfs.FS{
		"layers": func() *crashfs.FS {
			fs := fill(crashfs.New())
			fs.FixedFolders = true
			return fs
		},
		"another disk": func() *crashfs.FS {
			fs := crashfs.New()
			fs.Mount("/p/new")
			return fill(fs)
		},
	}
}

// SD-20: if somebody writes or creates a file while its folder moves, the file is in one of the two
// places.
func TestSD20_EditedWhileItsFolderMoves(t *testing.T) {
	t.Parallel()
	for name, stage := range stages() {
		for _, edited := range []string{"flat.md", "inner/deep.md", "fresh.md", "inner/fresh.md"} {
			t.Run(name+"/"+edited, func(t *testing.T) {
				t.Parallel()
				for at, hit := 1, true; hit; at++ {
					disk := stage()
					first, wrote, again := disk.Ops(), false, false
					hit = false
					disk.Hook = func(op crashfs.Op) error {
						if op.N-first != at || again {
							return nil
						}
						hit, again = true, true
						path := "/p/old/dir/" + edited
						_, there := disk.Get(path)
						if entries := disk.Entries("/p/old"); there ||
							strings.Contains(edited, "fresh") && entries[filepath.Dir(path)] != "" {
							disk.Put(path, "edited")
							wrote = true
						}
						return nil
					}
					err := moverOn(disk).Entry("/p/old/dir", "/p/new/dir", look(t, disk, "/p/old/dir"))
					disk.Hook = nil
					tree := disk.Entries("/p")
					where := fmt.Sprintf("before operation %d (%v): %v", at, err, tree)
					found := tree["/p/old/dir/"+edited] == "file edited" || tree["/p/new/dir/"+edited] == "file edited"
					if wrote && !found {
						t.Fatalf("the edit is lost %s", where)
					}
					_, moved := tree["/p/new/dir"]
					_, stayed := tree["/p/old/dir"]
					if half := new(moves.HalfwayError); !errors.As(err, &half) && (moved != (err == nil) || stayed == moved) {
						t.Fatalf("not in one place %s", where)
					}
				}
			})
		}
	}
}

// An existing folder of the same name that belongs to somebody else stays, and nothing is moved
// into it.
func TestFolderThatIsTaken(t *testing.T) {
	t.Parallel()
	for name, stage := range stages() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			disk := stage()
			disk.Put("/p/new/dir/theirs.md", "theirs")
			before := disk.Entries("/p")
			m := moverOn(disk)
			if err := m.Entry("/p/old/dir", "/p/new/dir", look(t, disk, "/p/old/dir")); !errors.Is(err, moves.ErrChanged) {
				t.Errorf("%v", err)
			}
			if done, err := m.Resume("/p/old/dir", "/p/new/dir", look(t, disk, "/p/old/dir")); done || err != nil {
				t.Errorf("resumed: %v, %v", done, err)
			}
			if diff := cmp.Diff(before, disk.Entries("/p")); diff != "" {
				t.Errorf("something changed:\n%s", diff)
			}
		})
	}
}

// OpenFolder is disk.FS.OpenFolder: this disk goes by paths.
func (layered) OpenFolder(string) (disk.Folder, error) { return nil, errors.ErrUnsupported }
