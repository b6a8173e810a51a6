package filestore_test

import (
	"context"
	"fmt"
	"os"
	"path"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/filestore/crashtest"
	"baton/internal/store/storetest"
)

// attacked are changes of every kind, with the folders that they use.
var attacked = map[string]struct {
	folders []string
	change  func(tx *store.Tx) error
}{
	"one file": {[]string{"/p/w", "/p/.baton", "/p/.baton/local"}, func(tx *store.Tx) error {
		tx.Write("w/a", []byte("new"))
		return nil
	}},
	"a new file": {[]string{"/p/w", "/p/w/deep", "/p/.baton/local"}, func(tx *store.Tx) error {
		tx.Create("w/deep/er/new", []byte("new"))
		return nil
	}},
	"through the journal": {[]string{"/p/w", "/p/old", "/p/.baton/local"}, func(tx *store.Tx) error {
		tx.Write("w/a", []byte("new"))
		tx.Append("old/list", []byte("more\n"))
		tx.Create("old/new", []byte("n"))
		return nil
	}},
	"relocations": {[]string{"/p/w", "/p/old", "/p/old/1", "/p/.baton/local"}, func(tx *store.Tx) error {
		tx.Create("old/1.manifest", []byte(list))
		tx.RecordOutcomes("old/1.manifest")
		if err := move(tx, "w", "old/1", "a", "dir", "link"); err != nil {
			return err
		}
		tx.Discard("w/empty", "w/b")
		return nil
	}},
}

// attackedFS returns a project, and a folder outside that has all names of its documents.
func attackedFS(t *testing.T) *crashfs.FS {
	t.Helper()
	files := map[string]string{"w/a": "A", "w/b": "B", "w/dir/x": "X", "old/list": "L\n", "old/1/kept": "K"}
	fs := newCrashFS(t, files)
	fs.MkdirAll("/p/w/empty")
	fs.MkdirAll("/p/.baton/local")
	fs.Symlink("a", "/p/w/link")
	for name, text := range files {
		fs.Put("/out/"+path.Base(name), text)
	}
	for _, name := range []string{"deep", "er", "empty", "local"} {
		fs.MkdirAll("/out/" + name)
	}
	fs.Put("/out/local/lock", "theirs")
	return fs
}

func attackedStore(fs *crashfs.FS) *filestore.Store {
	return filestore.Open(filestore.Options{
		Root: "/p", Runtime: ".baton/local", Command: "test", Env: steady(), FS: fs, Wait: -1, RecordOutcomes: storetest.RecordOutcomes,
	})
}

// TestD36_SwappedForALink: while baton writes, a process replaces a folder by a link and perhaps
// restores the folder. Nothing is written, left or removed where the link leads, not even when the
// next writer cleans up.
func TestD36_SwappedForALink(t *testing.T) {
	t.Parallel()
	for name, c := range attacked {
		for _, folder := range c.folders {
			t.Run(name+" "+strings.ReplaceAll(folder, "/", " "), func(t *testing.T) {
				t.Parallel()
				for _, back := range []int{0, 1, 2, 3, 7} {
					for at := 0; ; at++ {
						fs := attackedFS(t)
						fs.NoExchange = at%5 == 4
						before := fmt.Sprint(fs.Entries("/out"))
						happened := crashtest.Swap{Folder: folder, At: at, Back: back}.On(fs)
						s := attackedStore(fs)
						_, err := s.Update(context.Background(), c.change)
						fs.Hook = nil
						if now := fmt.Sprint(fs.Entries("/out")); now != before {
							t.Fatalf("%d, back after %d (%v):\n%s\nbefore:\n%s", at, back, err, now, before)
						}
						_, err = nudge(attackedStore(fs))
						if now := fmt.Sprint(fs.Entries("/out")); now != before {
							t.Fatalf("%d, back after %d, then (%v):\n%s\nbefore:\n%s", at, back, err, now, before)
						}
						if !happened() {
							break
						}
					}
				}
			})
		}
	}
}

// TestD36_SwappedWhileRecovering: the same for a writer that completes the change of a dead
// process.
func TestD36_SwappedWhileRecovering(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"through the journal", "relocations"} {
		c := attacked[name]
		var images []*crashfs.FS
		fs := attackedFS(t)
		fs.Hook = func(op crashfs.Op) error {
			if j, ok := fs.Get("/p/.baton/local/journal"); ok && strings.HasSuffix(j, "}\n") && op.Name != "stat" {
				images = append(images, fs.Kill())
			}
			return nil
		}
		if _, err := attackedStore(fs).Update(context.Background(), c.change); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(images); i += 6 {
			for _, folder := range c.folders {
				for at := 0; ; at += 1 + at/9 {
					fs := images[i].Kill()
					before := fmt.Sprint(fs.Entries("/out"))
					happened := crashtest.Swap{Folder: folder, At: at}.On(fs)
					_, err := nudge(attackedStore(fs))
					fs.Hook = nil
					if now := fmt.Sprint(fs.Entries("/out")); now != before {
						t.Fatalf("%s, image %d, %s, %d (%v):\n%s\nbefore:\n%s", name, i, folder, at, err, now, before)
					}
					if !happened() {
						break
					}
				}
			}
		}
	}
}

// TestD36_SwappedWhileCachesAreWritten: the same for caches, which take no lock.
func TestD36_SwappedWhileCachesAreWritten(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"/p/.baton/local", "/p/.baton/local/deep"} {
		for at := 0; ; at++ {
			fs := attackedFS(t)
			fs.MkdirAll("/out/deep")
			for _, name := range []string{"a", "b", "deep/a", "deep/b"} {
				fs.Put("/out/"+name, "theirs")
			}
			before := fmt.Sprint(fs.Entries("/out"))
			happened := crashtest.Swap{Folder: folder, At: at, Back: at % 3 * 2}.On(fs)
			s := attackedStore(fs)
			for range 2 { // the second time there is something to exchange
				_ = s.WriteCache("deep/a", []byte("a"))
				_ = s.AppendCache("deep/b", []byte("b"), 2)
			}
			_ = s.RemoveCache("deep/a")
			_ = s.SweepCaches("deep", "")
			if free, ok := s.LockCache(context.Background(), "deep/lock", 0); ok {
				free()
			}
			fs.Hook = nil
			if now := fmt.Sprint(fs.Entries("/out")); now != before {
				t.Fatalf("%s, %d:\n%s\nbefore:\n%s", folder, at, now, before)
			}
			if !happened() {
				break
			}
		}
	}
}

// TestF84_AFolderSwappedForALinkOnDisk (D36): a process that keeps swapping a folder for a link on a real disk gets
// nothing written outside.
func TestF84_AFolderSwappedForALinkOnDisk(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	other := realTemp(t)
	update(t, s, func(tx *store.Tx) { tx.Write("w/a", []byte("0")) })
	symlink(t, other, root+"/link")
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = disk.OS{}.Exchange(root+"/w", root+"/link")
		}
	}()
	refused := 0
	for i := range 60 {
		_, err := s.Update(context.Background(), func(tx *store.Tx) error {
			tx.Write("w/a", fmt.Append(nil, i))
			tx.Write("w/deep/b", fmt.Append(nil, i))
			return nil
		})
		if err != nil {
			refused++
			if report.KindOf(err) == report.Internal {
				t.Error(err)
			}
		}
	}
	close(stop)
	<-stopped
	if left, err := os.ReadDir(other); err != nil || len(left) > 0 {
		t.Errorf("outside: %v, %v", left, err)
	}
	t.Logf("%d of 60 were refused", refused)
}
