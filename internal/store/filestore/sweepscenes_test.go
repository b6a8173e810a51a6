package filestore_test

import (
	"context"
	"fmt"
	"path"
	"strings"
	"testing"

	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

const folder, archive = ".devt/state", ".devt/state/.archive"

// sweeping returns a store on fs that records outcomes of relocations in documents.
func sweeping(fs *crashfs.FS) *filestore.Store {
	return filestore.Open(filestore.Options{
		Root: "/p", Runtime: ".baton/local", Command: "test", Env: steady(), FS: fs, Wait: -1, RecordOutcomes: storetest.RecordOutcomes,
	})
}

// sweepScene is a transaction that moves entries.
type sweepScene struct {
	name string
	fill func(t *testing.T, fs *crashfs.FS)
	run  func(tx *store.Tx) error
}

const list = "list\nplanned\n"

// move asks for the relocation of entries as they are now, whatever their age.
func move(tx *store.Tx, from, to string, names ...string) error {
	f, err := tx.Scan(from)
	if err != nil {
		return err
	}
	for _, name := range names {
		r := store.Relocation{From: from, To: to, Name: name}
		for _, i := range f.Items {
			if i.Name == name {
				r.Seen = i
			}
		}
		if r.Seen.Name == "" {
			return fmt.Errorf("%s holds no %q", from, name)
		}
		tx.Relocate(r)
	}
	return nil
}

const oddName = "od\xffd\nname~"

func entries(t *testing.T, fs *crashfs.FS) {
	t.Helper()
	at := "/p/" + folder + "/"
	fs.Put(at+"notes.md", "notes")
	fs.Put(at+oddName, "odd")
	fs.Put(at+"dir/inner/deep.md", "deep")
	fs.Put(at+"dir/flat.md", "flat")
	fs.Symlink("../elsewhere/notes.md", at+"link")
	fs.Pipe(at + "pipe")
	fs.Put(at+"plan.md", "plan")
	fs.Put(at+"workflow.yaml", "task: old\n")
}

func sweepScenes() []sweepScene {
	sweep := func(tx *store.Tx, snapshot string, names ...string) error {
		tx.Create(archive+"/"+snapshot+".manifest.json", []byte(list))
		tx.RecordOutcomes(archive + "/" + snapshot + ".manifest.json")
		return move(tx, folder, archive+"/"+snapshot, names...)
	}
	return []sweepScene{
		{"cleanup", entries, func(tx *store.Tx) error {
			return sweep(tx, "cleanup-1", "notes.md", "dir", "link", "pipe", oddName)
		}},
		{"reset", entries, func(tx *store.Tx) error {
			if _, err := tx.Read(folder + "/workflow.yaml"); err != nil {
				return err
			}
			tx.Write(folder+"/workflow.yaml", []byte("task: old\nreleased: yes\n"))
			tx.Append(folder+"/plan.md", []byte(", done"))
			return sweep(tx, "1", "workflow.yaml", "plan.md", "notes.md", "dir", "link")
		}},
		{"begin", entries, func(tx *store.Tx) error {
			record, err := tx.Read(folder + "/workflow.yaml")
			if err != nil {
				return err
			}
			tx.Create(archive+"/begin-1/workflow.yaml", record.Data)
			tx.Write(folder+"/workflow.yaml", []byte("task: new\n"))
			return sweep(tx, "begin-1", "notes.md", "plan.md", "dir")
		}},
		{"restore", archived, func(tx *store.Tx) error {
			if _, err := tx.Read(archive + "/1.manifest.json"); err != nil {
				return err
			}
			tx.Write(archive+"/1.manifest.json", []byte(list))
			tx.RecordOutcomes(archive + "/1.manifest.json")
			tx.Discard(archive+"/1", archive+"/1.manifest.json")
			return move(tx, archive+"/1", folder, "notes.md", "dir", "link", "pipe", oddName, "plan.md", "workflow.yaml")
		}},
		{"entries alone", entries, func(tx *store.Tx) error {
			return move(tx, folder, archive+"/1", "notes.md", "dir", "link")
		}},
		{"swap", archived, func(tx *store.Tx) error {
			if err := sweep(tx, "2", "workflow.yaml"); err != nil {
				return err
			}
			return move(tx, archive+"/1", folder, "workflow.yaml")
		}},
	}
}

// archived creates a folder whose entries are in a snapshot, and a new record.
func archived(t *testing.T, fs *crashfs.FS) {
	t.Helper()
	entries(t, fs)
	if err := fs.Mkdir("/p/"+archive, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := fs.Mkdir("/p/"+archive+"/1", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"notes.md", "dir", "link", "pipe", oddName, "plan.md", "workflow.yaml"} {
		if err := fs.RenameNew("/p/"+folder+"/"+name, "/p/"+archive+"/1/"+name); err != nil {
			t.Fatal(err)
		}
	}
	fs.Put("/p/"+archive+"/1.manifest.json", "list\nall moved\n")
	for _, dir := range []string{folder, archive, archive + "/1"} {
		if err := fs.SyncDir("/p/" + dir); err != nil {
			t.Fatal(err)
		}
	}
}

// swept returns everything in the folder, by path.
func swept(fs *crashfs.FS) map[string]string { return fs.Entries("/p/.devt") }

// start returns a disk for a scene, and everything in its folder before and after it.
func (sc sweepScene) start(t *testing.T) (fs *crashfs.FS, before, after map[string]string) {
	t.Helper()
	fs = newCrashFS(t, nil)
	sc.fill(t, fs)
	if sc.name == "swap" {
		fs.Put("/p/"+folder+"/workflow.yaml", "task: present\n")
	}
	before = swept(fs)
	done := fs.Kill()
	if _, err := sweeping(done).Update(context.Background(), sc.run); err != nil {
		t.Fatal(err)
	}
	return fs, before, swept(done)
}

// bare removes what a change that never began may leave: empty folders in the archive.
func bare(tree, before map[string]string) map[string]string {
	out := map[string]string{}
	for at, what := range tree {
		empty := what == "folder" && strings.Contains(at, "/.archive") && before[at] == ""
		for other := range tree {
			if strings.HasPrefix(other, at+"/") && tree[other] != "folder" {
				empty = false
			}
		}
		if !empty {
			out[at] = what
		}
	}
	return out
}

// dropTemps removes temporary names and everything below them.
func dropTemps(tree map[string]string) map[string]string {
	out := map[string]string{}
	for at, what := range tree {
		temp := false
		for dir := at; dir != "/" && dir != "."; dir = path.Dir(dir) {
			base := path.Base(dir)
			temp = temp || strings.HasPrefix(base, ".") && strings.HasSuffix(base, ".tmp")
		}
		if !temp {
			out[at] = what
		}
	}
	return out
}

// onePlace checks that a folder is entirely as before a scene or entirely as after it. So every
// entry is in one place and unharmed, and the document about the moves is correct.
func onePlace(t *testing.T, what string, tree, before, after map[string]string, must string) {
	t.Helper()
	old, neu := cmp.Diff(before, bare(tree, before)), cmp.Diff(after, tree)
	if must != "old" && neu == "" || must != "new" && old == "" {
		return
	}
	t.Fatalf("%s (must be %q):\nagainst old:\n%s\nagainst new:\n%s", what, must, old, neu)
}

// recovered lets the next writer run and checks that nothing is left to do.
func recovered(t *testing.T, what string, fs *crashfs.FS) map[string]string {
	t.Helper()
	if _, err := nudge(sweeping(fs)); err != nil {
		t.Fatalf("%s: recovery: %v", what, err)
	}
	if _, left := fs.Get("/p/.baton/local/journal"); left {
		t.Fatalf("%s: the journal is still there", what)
	}
	return swept(fs)
}
