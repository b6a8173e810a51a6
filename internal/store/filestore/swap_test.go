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
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/storetest"
)

// swap is a hostile process: it puts a link to /out in the place of a folder, and the folder back.
type swap struct {
	folder string // that becomes a link
	at     int    // operations until it does
	back   int    // operations until the folder is back, 0 for never
}

// on makes the file system's hook the hostile process.
func (s swap) on(fs *crashfs.FS) (done func() bool) {
	n, swapped, over := -1, false, false
	moved := path.Dir(s.folder) + "/away"
	fs.Hook = func(crashfs.Op) error {
		n++
		hook := fs.Hook
		fs.Hook = nil
		defer func() { fs.Hook = hook }()
		switch {
		case !swapped && n >= s.at:
			if _, err := fs.Lstat(s.folder); err != nil {
				return nil // it is not made yet
			}
			swapped = true
			if err := fs.RenameNew(s.folder, moved); err != nil {
				panic(err)
			}
			fs.Symlink("/out", s.folder)
		case swapped && !over && s.back > 0 && n >= s.at+s.back:
			over = true
			fs.Delete(s.folder)
			if err := fs.RenameNew(moved, s.folder); err != nil {
				panic(err)
			}
		}
		return nil
	}
	return func() bool { return swapped }
}

// attacked are changes of every kind, with the folders that they go by.
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

// attackedFS is a project, and a folder outside that has all names of its documents.
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

// TestD36_SwappedForALink: whenever a process puts a link in the place of a folder while baton writes, and whether it puts the
// folder back or not, nothing is written, left or removed where the link leads; nor when the next writer finds what is left.
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
						happened := swap{folder, at, back}.on(fs)
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

// TestD36_SwappedWhileRecovering: so it is for who finishes the change of a process that died.
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
					happened := swap{folder, at, 0}.on(fs)
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

// TestD36_SwappedOnDisk: a process that swaps a folder for a link all the time gets nothing written outside on a real disk.
func TestD36_SwappedOnDisk(t *testing.T) {
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
			_ = os.Rename(root+"/w", root+"/away")
			_ = os.Rename(root+"/link", root+"/w")
			_ = os.Rename(root+"/w", root+"/link")
			_ = os.Rename(root+"/away", root+"/w")
		}
	}()
	refused := 0
	for i := range 300 {
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
	t.Logf("%d of 300 were refused", refused)
}
