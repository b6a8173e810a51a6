package filestore_test

import (
	"context"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// TestSD11_ScanOfLinks: a link is an entry of its own. Its target is described; with a fault, only
// the fault.
func TestSD11_ScanOfLinks(t *testing.T) {
	t.Parallel()
	disk := crashfs.New()
	disk.Put("/p/target.md", "four")
	disk.MkdirAll("/p/w/sub")
	disk.Put("/out/secret", "s")
	disk.Pipe("/p/pipe")
	when := time.Unix(1_600_000_000, 5)
	disk.Touch("/p/target.md", when)
	for name, text := range map[string]string{
		"file": "../target.md", "absolute": "/p/target.md", "folder": "sub", "self": "self", "ring": "ring2", "ring2": "ring",
		"gone": "none", "behind a file": "../target.md/x", "out": "/out/secret", "up": "../../out/secret", "out and gone": "/none",
		"chain": "file", "pipe": "../pipe", "empty": "",
	} {
		disk.Symlink(text, "/p/w/"+name)
	}
	looks := 0
	disk.Hook = func(op crashfs.Op) error {
		looks++
		if (op.Name == "open" || op.Name == "read" || op.Name == "readdir" && op.Path != "/p/w") &&
			!strings.HasPrefix(op.Path, "/p/.baton/local") {
			t.Errorf("%s of %s", op.Name, op.Path)
		}
		return nil
	}
	s := sweeping(disk)
	for name, want := range map[string]store.LinkTarget{
		"file":          {Text: "../target.md", Size: 4, Mode: 0o644, ModTime: when},
		"absolute":      {Text: "/p/target.md", Size: 4, Mode: 0o644, ModTime: when},
		"chain":         {Text: "file", Size: 4, Mode: 0o644, ModTime: when},
		"folder":        {Text: "sub", Mode: fs.ModeDir | 0o755},
		"pipe":          {Text: "../pipe", Mode: fs.ModeNamedPipe | 0o644},
		"self":          {Text: "self", Fault: "looping"},
		"ring":          {Text: "ring2", Fault: "looping"},
		"gone":          {Text: "none", Fault: "dangling"},
		"behind a file": {Text: "../target.md/x", Fault: "dangling"},
		"out":           {Text: "/out/secret", Fault: "outside"},
		"up":            {Text: "../../out/secret", Fault: "outside"},
		"out and gone":  {Text: "/none", Fault: "outside"},
	} {
		i := storetest.Look(t, s, "w", name)
		if i.Link == nil || i.Mode.Type() != fs.ModeSymlink || i.Size != int64(len(want.Text)) {
			t.Errorf("%s: %+v", name, i)
			continue
		}
		if want.Mode != 0o644 {
			i.Link.ModTime = time.Time{}
		}
		if diff := cmp.Diff(want, *i.Link); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	if looks == 0 {
		t.Error("nobody looked")
	}
}

// TestSD13_NothingIsOpened: neither a scan of a folder nor a sweep opens, reads or follows an
// entry.
func TestSD13_NothingIsOpened(t *testing.T) {
	t.Parallel()
	sc := sweepScenes()[0]
	disk, _, _ := sc.start(t)
	s := sweeping(disk)
	i := storetest.Look(t, s, folder, "pipe")
	if i.Mode.Type() != fs.ModeNamedPipe || i.Size != 0 || i.Link != nil {
		t.Errorf("%+v", i)
	}
	disk.Hook = func(op crashfs.Op) error {
		inside := strings.HasPrefix(op.Path, "/p/"+folder+"/") && !strings.Contains(op.Path, "manifest.json")
		switch op.Name {
		case "lstat", "renamenew", "readlink", "mkdir", "syncdir":
		case "readdir":
			if strings.HasSuffix(op.Path, "/dir") {
				t.Errorf("%s of %s", op.Name, op.Path)
			}
		case "openfolder": // the folders that entries move into
			if inside && !strings.HasPrefix(op.Path, "/p/"+archive) {
				t.Errorf("%s of %s", op.Name, op.Path)
			}
		default:
			if inside {
				t.Errorf("%s of %s", op.Name, op.Path)
			}
		}
		return nil
	}
	if _, err := s.Scan(context.Background(), folder); err != nil {
		t.Error(err)
	}
	if _, err := s.Update(context.Background(), sc.run); err != nil {
		t.Error(err)
	}
}

// TestSD3_UnreadableFolder (SD-2): a folder that cannot be listed is refused with the reason, and
// nothing about it is guessed.
func TestSD3_UnreadableFolder(t *testing.T) {
	t.Parallel()
	disk, _, _ := sweepScenes()[0].start(t)
	disk.Symlink("ring", "/p/ring")
	disk.Hook = func(op crashfs.Op) error {
		if op.Name == "readdir" && strings.HasSuffix(op.Path, "/dir") {
			return syscall.EACCES
		}
		return nil
	}
	for dir, code := range map[string]report.Code{
		folder + "/dir": "permission", folder + "/notes.md": "not_directory", folder + "/notes.md/x": "not_directory", "ring": "link_loop",
	} {
		f, err := sweeping(disk).Scan(context.Background(), dir)
		if e := clear(t, dir, err); e.Code != code || e.Path != dir || f.Exists || len(f.Items) > 0 {
			t.Errorf("%s: %v, %+v", dir, err, f)
		}
	}
	if f, err := sweeping(disk).Scan(context.Background(), folder+"/none"); err != nil || f.Exists {
		t.Errorf("absent: %+v, %v", f, err)
	}
	if f, err := sweeping(disk).Scan(context.Background(), ""); err != nil || !f.Exists {
		t.Errorf("root: %+v, %v", f, err)
	}
	disk.Hook = nil
	disk.Put("/p/.baton/local/journal", sealed(`{"version":9}`))
	if _, err := sweeping(disk).Scan(context.Background(), folder); err != nil {
		t.Errorf("a journal of a newer version prevents reading: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := sweeping(disk).Scan(ctx, folder); report.KindOf(err) == "" && err == nil {
		t.Error("cancelled, and no error")
	}
}

// TestSD52_ReadersBeforeRecovery (D8): at every moment of a sweep that died, a reader gets the old
// or the new record, a listing, and every entry in at least one of the two folders.
func TestSD52_ReadersBeforeRecovery(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, sc := range sweepScenes() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			disk, _, _ := sc.start(t)
			crashes(t, disk, func() error {
				_, err := sweeping(disk).Update(ctx, sc.run)
				return err
			}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
				img := snap(0)
				s := sweeping(img)
				for _, dir := range []string{folder, archive, archive + "/1"} {
					if _, err := s.List(ctx, dir); err != nil {
						t.Fatalf("before %s %s: %v", op.Name, op.Path, err)
					}
				}
				for _, name := range []string{folder + "/workflow.yaml", folder + "/plan.md", archive + "/1.manifest.json"} {
					if _, err := s.Read(ctx, name); err != nil {
						t.Fatalf("before %s %s: %v", op.Name, op.Path, err)
					}
				}
				manifest := archive + "/cleanup-1.manifest.json"
				if now, _ := img.Get("/p/" + manifest); strings.Contains(now, "moved") {
					if doc, err := s.Read(ctx, manifest); err != nil || string(doc.Data) != now {
						t.Fatalf("before %s %s: the manifest is %q and reads as %q", op.Name, op.Path, now, doc.Data)
					}
				}
				if f, err := s.Scan(ctx, folder); err != nil || !f.Exists {
					t.Fatalf("before %s %s: %+v, %v", op.Name, op.Path, f, err)
				}
			})
		})
	}
}
