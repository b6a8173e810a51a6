package filestore_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// mountedScenes returns sweeps into an archive on another file system, and back from it.
func mountedScenes() []sweepScene {
	cleanup, restore := sweepScenes()[0], sweepScenes()[3]
	return []sweepScene{
		{"cleanup", func(t *testing.T, fs *crashfs.FS) {
			t.Helper()
			fs.Mount("/p/" + archive)
			entries(t, fs)
		}, cleanup.run},
		{"restore", func(t *testing.T, fs *crashfs.FS) {
			t.Helper()
			fs.Mount("/p/" + archive)
			fs.MkdirAll("/p/" + folder)
			at := "/p/" + archive + "/1/"
			fs.Put(at+"notes.md", "notes")
			fs.Put(at+oddName, "odd")
			fs.Put(at+"dir/inner/deep.md", "deep")
			fs.Put(at+"dir/flat.md", "flat")
			fs.Put(at+"plan.md", "plan")
			fs.Put(at+"workflow.yaml", "task: old\n")
			fs.Symlink("../elsewhere/notes.md", at+"link")
			fs.Put(at+"pipe", "a file")
			fs.Put("/p/"+archive+"/1.manifest.json", "list\nall moved\n")
		}, restore.run},
	}
}

// TestSD8_OtherFileSystem: where a rename is impossible, entries are copied with mode and time and
// compared, and only then removed. Entries that cannot be copied stay and are reported.
func TestSD8_OtherFileSystem(t *testing.T) {
	t.Parallel()
	fs, before, _ := mountedScenes()[0].start(t)
	when := time.Unix(1_600_000_000, 123_456_789)
	for _, name := range []string{"notes.md", "dir", "dir/flat.md", "link"} {
		fs.Touch("/p/"+folder+"/"+name, when)
	}
	if err := fs.CopyMeta("/p/"+folder+"/notes.md", infoOfMode(0o640)); err != nil {
		t.Fatal(err)
	}
	c, err := sweeping(fs).Update(context.Background(), mountedScenes()[0].run)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range c.Outcomes {
		want := store.Moved
		if o.Name == "pipe" {
			want = store.Failed
			if !strings.Contains(o.Error, "cannot be copied to another file system") {
				t.Errorf("%q", o.Error)
			}
		}
		if o.State != want {
			t.Errorf("%q: %s %s", o.Name, o.State, o.Error)
		}
	}
	tree := swept(fs)
	wanted := map[string]string{
		"/p/.devt/state": "folder", "/p/.devt/state/.archive": "folder", "/p/.devt/state/.archive/cleanup-1": "folder",
		"/p/.devt/state/.archive/cleanup-1.manifest.json": tree["/p/.devt/state/.archive/cleanup-1.manifest.json"],
	}
	for at, what := range before {
		base := strings.TrimPrefix(at, "/p/.devt/state/")
		if base == at || base == ".archive" {
			continue
		}
		if base != "pipe" && base != "plan.md" && base != "workflow.yaml" {
			at = "/p/.devt/state/.archive/cleanup-1/" + base
		}
		wanted[at] = what
	}
	if diff := cmp.Diff(wanted, tree); diff != "" {
		t.Errorf("after:\n%s", diff)
	}
	s := sweeping(fs)
	for _, name := range []string{"notes.md", "dir", "link"} {
		i := storetest.Look(t, s, archive+"/cleanup-1", name)
		if !i.ModTime.Equal(when) || name == "notes.md" && i.Mode.Perm() != 0o640 {
			t.Errorf("%s: %v %v", name, i.ModTime, i.Mode)
		}
	}
	truthful(t, "after", mountedScenes()[0], tree, c.Outcomes)
}

func infoOfMode(mode fs.FileMode) (i disk.FileInfo) {
	i.Mode = mode
	return i
}

// TestSD8_CrashWhileCopying (SD-52): after a crash, even between copy and removal, the next writer
// leaves each entry in one place.
func TestSD8_CrashWhileCopying(t *testing.T) {
	t.Parallel()
	for _, sc := range mountedScenes() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			fs, before, after := sc.start(t)
			points := 0
			crashes(t, fs, func() error {
				_, err := sweeping(fs).Update(context.Background(), sc.run)
				return err
			}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
				for seed := range min(seeds(), 3) {
					points++
					what := fmt.Sprintf("before %s %s (%d), seed %d", op.Name, op.Path, op.N, seed)
					first := snap(seed)
					crashed(t, what, first, seed == 0, before, after, "")
				}
				// A second crash, in the recovery from the first.
				if !sampled(op.N, 8) {
					return
				}
				first := snap(uint64(op.N % 3))
				crashes(t, first, func() error { _, err := nudge(sweeping(first)); return err },
					func(again crashfs.Op, snap func(uint64) *crashfs.FS) {
						if !sampled(op.N/8+again.N, 16) {
							return
						}
						points++
						what := fmt.Sprintf(
							"before %s %s (%d), then before %s %s (%d)", op.Name, op.Path, op.N, again.Name, again.Path, again.N,
						)
						crashed(t, what, snap(uint64(again.N%3)), false, before, after, "")
					})
			})
			t.Logf("%d crashes", points)
		})
	}
}

// TestSD8_FaultsWhileCopying (SD-60): if the disk becomes full in the middle of a copy, the entry
// stays where it was.
func TestSD8_FaultsWhileCopying(t *testing.T) {
	t.Parallel()
	for _, sc := range mountedScenes() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			failures := 0
			for at := 1; failSweep(t, sc, syscall.ENOSPC, at, &failures); at++ {
			}
			if failures < 10 {
				t.Errorf("only %d faults were reported by an outcome", failures)
			}
		})
	}
}

// fixedScenes returns the sweeps on a disk where no folder can be renamed, as with an overlay file
// system.
func fixedScenes() []sweepScene {
	scenes := sweepScenes()
	for i := range scenes {
		fill := scenes[i].fill
		scenes[i].fill = func(t *testing.T, fs *crashfs.FS) {
			t.Helper()
			fill(t, fs)
			fs.FixedFolders = true
		}
	}
	return scenes
}

// TestSD8_FoldersThatCannotBeRenamed: an overlay file system refuses to rename a folder of a lower
// layer, although both names are on it. The folder is created again and its content is renamed.
// Nothing is copied.
func TestSD8_FoldersThatCannotBeRenamed(t *testing.T) {
	t.Parallel()
	for i, sc := range fixedScenes() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			_, _, renamed := sweepScenes()[i].start(t)
			fs, before, after := sc.start(t)
			if diff := cmp.Diff(renamed, after); diff != "" {
				t.Fatalf("not the result of a rename:\n%s", diff)
			}
			points := 0
			crashes(t, fs, func() error {
				_, err := sweeping(fs).Update(context.Background(), sc.run)
				return err
			}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
				if strings.HasSuffix(op.Path, "deep.md") && (op.Name == "open" || op.Name == "create") {
					t.Errorf("%s of %s: the file can be renamed", op.Name, op.Path)
				}
				for seed := range min(seeds(), 3) {
					points++
					what := fmt.Sprintf("before %s %s (%d), seed %d", op.Name, op.Path, op.N, seed)
					crashed(t, what, snap(seed), seed == 0, before, after, "")
				}
			})
			crashed(t, "acknowledged, killed", fs.Kill(), true, before, after, "new")
			for seed := range seeds() {
				acknowledged := fs.Crash(rand.New(rand.NewPCG(seed, 7)))
				crashed(t, fmt.Sprintf("acknowledged, seed %d", seed), acknowledged, false, before, after, "new")
			}
			t.Logf("%d crashes", points)
		})
	}
}

// TestSD8_FaultsInFixedFolders: a folder moves that cannot be renamed. Whichever operation fails,
// all of it is in one place afterwards, and the outcome says which.
func TestSD8_FaultsInFixedFolders(t *testing.T) {
	t.Parallel()
	for _, fault := range []syscall.Errno{syscall.ENOSPC, syscall.EACCES} {
		t.Run(errorName(fault), func(t *testing.T) {
			t.Parallel()
			failures := 0
			for at := 1; failSweep(t, fixedScenes()[0], fault, at, &failures); at++ {
			}
			if failures < 10 {
				t.Errorf("only %d faults were reported by an outcome", failures)
			}
		})
	}
}

// TestSD8_SourceThatCannotGo: an entry whose source cannot be removed gets its name back, and its
// copy is removed.
func TestSD8_SourceThatCannotGo(t *testing.T) {
	t.Parallel()
	sc := mountedScenes()[0]
	stuck := func(op crashfs.Op) error {
		if op.Name == "remove" && strings.HasPrefix(op.Path, "/p/"+folder+"/dir/") {
			return syscall.EPERM
		}
		return nil
	}
	check := func(what string, tree map[string]string) {
		if tree["/p/"+folder+"/dir/inner/deep.md"] != "file deep" || tree["/p/"+folder+"/dir/flat.md"] != "file flat" ||
			tree["/p/"+archive+"/cleanup-1/dir"] != "" || len(dropTemps(tree)) != len(tree) {
			t.Errorf("%s: %v", what, tree)
		}
		manifest := tree["/p/"+archive+"/cleanup-1.manifest.json"]
		if !strings.Contains(manifest, `"dir" failed`) || !strings.Contains(manifest, `"link" moved`) {
			t.Errorf("%s: %s", what, manifest)
		}
	}
	fs, _, _ := sc.start(t)
	fs.Hook = stuck
	c, err := sweeping(fs).Update(context.Background(), sc.run)
	if err != nil || len(c.Notes) != 0 || len(c.Outcomes) != 5 || c.Outcomes[1].State != store.Failed ||
		!strings.Contains(c.Outcomes[1].Error, "not permitted") {
		t.Errorf("%+v, %v", c, err)
	}
	check("at once", swept(fs))
	// A crash at any moment does not change that, as long as nothing can be removed.
	fs, before, _ := sc.start(t)
	first := fs.Ops()
	for at := 1; ; at++ {
		img, hit := fs.Kill(), false
		base := img.Ops()
		var killed *crashfs.FS
		img.Hook = func(op crashfs.Op) error {
			if op.N-base == at {
				hit, killed = true, img.Kill()
			}
			return stuck(op)
		}
		if _, err := sweeping(img).Update(context.Background(), sc.run); err != nil {
			t.Fatal(err)
		}
		if !hit {
			break
		}
		killed.Hook = stuck
		if _, err := nudge(sweeping(killed)); err != nil {
			t.Fatal(err)
		}
		killed.Hook = nil
		if tree := recovered(t, "killed", killed); cmp.Diff(before, tree) != "" {
			check(fmt.Sprintf("killed before operation %d", at), tree)
		}
	}
	if fs.Ops() != first {
		t.Error("the scene was used")
	}
}

// TestSD8_FolderThatIsHalfMoved: if the rest of a folder cannot move and the moved part cannot go
// back, every file is in one of the two places. That is reported and does not block every later
// write.
func TestSD8_FolderThatIsHalfMoved(t *testing.T) {
	t.Parallel()
	sc := mountedScenes()[0]
	fs, _, _ := sc.start(t)
	moved := false
	fs.Hook = func(op crashfs.Op) error {
		at := strings.HasPrefix(op.Path, "/p/"+folder+"/dir/")
		moved = moved || at && op.Name == "remove" // the first file, flat.md; from then on the folder is fixed
		if at && moved && (op.Name == "renamenew" || op.Name == "create") {
			return syscall.EACCES
		}
		return nil
	}
	c, err := sweeping(fs).Update(context.Background(), sc.run)
	if err != nil || len(c.Notes) != 1 || c.Notes[0].Code != "journal_left" {
		t.Errorf("%+v, %v", c, err)
	}
	c, err = nudge(sweeping(fs))
	codes := map[string]bool{}
	for _, n := range c.Notes {
		codes[string(n.Code)] = true
	}
	if err != nil || !codes["temp_left"] || !codes["recovered"] {
		t.Errorf("%+v, %v", c, err)
	}
	fs.Hook = nil
	tree := recovered(t, "after", fs)
	if tree["/p/"+archive+"/cleanup-1/dir/flat.md"] != "file flat" || tree["/p/"+folder+"/dir/flat.md"] != "" ||
		tree["/p/"+folder+"/dir/inner/deep.md"] != "file deep" || tree["/p/"+archive+"/cleanup-1/dir/inner/deep.md"] != "" {
		t.Errorf("%v", tree)
	}
	if manifest := tree["/p/"+archive+"/cleanup-1.manifest.json"]; !strings.Contains(manifest, `"dir" failed`) {
		t.Errorf("%s", manifest)
	}
}

// TestSD20_ChangedWhileCopied: if somebody writes to an entry while it is copied, the entry stays
// in its place with that edit.
func TestSD20_ChangedWhileCopied(t *testing.T) {
	t.Parallel()
	sc := mountedScenes()[0]
	for at := 1; ; at++ {
		fs, _, _ := sc.start(t)
		first, hit := fs.Ops(), false
		path := "/p/" + folder + "/notes.md"
		fs.Hook = func(op crashfs.Op) error {
			if op.N-first == at {
				hit = true
				if _, there := fs.Get(path); there {
					fs.Put(path, "edited")
				} else {
					path = ""
				}
			}
			return nil
		}
		c, err := sweeping(fs).Update(context.Background(), sc.run)
		fs.Hook = nil
		if err != nil {
			t.Fatal(err)
		}
		if !hit {
			return
		}
		if path == "" {
			continue // it was already gone
		}
		tree := recovered(t, "after", fs)
		what := fmt.Sprintf("edited before operation %d", at)
		truthful(t, what, sc, tree, c.Outcomes)
		if tree[path] != "file edited" && tree["/p/"+archive+"/cleanup-1/notes.md"] != "file edited" {
			t.Fatalf("%s: the edit is lost: %v, %v", what, tree, c.Outcomes)
		}
	}
}
