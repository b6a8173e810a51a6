package filestore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// TestSDD10_PlansOnce: a sweep runs once if nothing has changed when it gets the lock. If anything
// that it used has changed, it runs again on the current state.
func TestSDD10_PlansOnce(t *testing.T) {
	t.Parallel()
	const place = stateFolder + "/"
	for name, c := range map[string]struct {
		meanwhile func(fs *crashfs.FS) // before the lock is taken, after everything was read
		runs      int
	}{
		"nothing":               {func(*crashfs.FS) {}, 1},
		"a stale lock":          {func(fs *crashfs.FS) { fs.Put(folderLock, "999999") }, 1},
		"a temporary file":      {func(fs *crashfs.FS) { fs.Put(place+"workflow.yaml.tmp", "new") }, 2},
		"a file is gone":        {func(fs *crashfs.FS) { fs.Delete(place + "b.tmp") }, 2},
		"a file grew":           {func(fs *crashfs.FS) { fs.Put(place+"b.tmp", "more") }, 2},
		"a file is another":     {func(fs *crashfs.FS) { fs.Swap(place+"b.tmp", "B") }, 2},
		"a link leads away":     {func(fs *crashfs.FS) { fs.Delete(place + "lnk"); fs.Symlink("b.tmp", place+"lnk") }, 2},
		"its target grew":       {func(fs *crashfs.FS) { fs.Put("/p/target", "longer") }, 2},
		"a document was edited": {func(fs *crashfs.FS) { fs.Put("/p/elsewhere/doc", "other") }, 2},
		"a document appeared":   {func(fs *crashfs.FS) { fs.Put("/p/elsewhere/none", "x") }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := folderWorld(t)
			w.fs.Put(place+"a.tmp", "A")
			w.fs.Put(place+"b.tmp", "B")
			w.fs.Put("/p/target", "T")
			w.fs.Put("/p/elsewhere/doc", "doc")
			w.fs.Symlink("../../target", place+"lnk")
			var seen []string
			sweep := func(tx *store.Tx) error {
				f, err := tx.Scan(folder)
				if err != nil {
					return err
				}
				var names []string
				for _, i := range f.Items {
					names = append(names, i.Name)
				}
				seen = append(seen, strings.Join(names, " "))
				for _, name := range []string{"elsewhere/doc", "elsewhere/none"} {
					if _, err := tx.Read(name); err != nil {
						return err
					}
				}
				if len(seen) == 1 {
					c.meanwhile(w.fs)
				}
				return sweepTemps(tx)
			}
			if _, err := w.store(inFolder).Update(context.Background(), recordLine("x: 1")); err != nil { // creates the runtime folder
				t.Fatal(err)
			}
			commit, err := w.store(inFolder).Update(context.Background(), sweep)
			if err != nil || len(seen) != c.runs {
				t.Errorf("%d runs, want %d: %+v, %v", len(seen), c.runs, commit, err)
			}
			for _, names := range seen {
				if strings.Contains(" "+names+" ", " .lock ") {
					t.Errorf("the sweep saw its own lock: %s", names)
				}
			}
			for _, o := range commit.Outcomes {
				if o.State != store.Moved {
					t.Errorf("%+v", o)
				}
			}
			noLocks(t, name, w.fs)
		})
	}
}

// TestSDD10_UnsureLooksAgain: a transaction that used a listing or a failed read cannot be
// compared, so it runs again under the lock.
func TestSDD10_UnsureLooksAgain(t *testing.T) {
	t.Parallel()
	for name, look := range map[string]func(tx *store.Tx){
		"list": func(tx *store.Tx) { _, _ = tx.List(folder) },
		"scan": func(tx *store.Tx) { _, _ = tx.Scan(folder + "/workflow.yaml") },
		"read": func(tx *store.Tx) { _, _ = tx.Read(folder) },
		"head": func(tx *store.Tx) { _, _ = tx.Head(folder, 10) },
		"tail": func(tx *store.Tx) { _, _ = tx.Tail(folder, 10) },
	} {
		w := folderWorld(t)
		w.fs.Put(stateFolder+"/a.tmp", "A")
		if _, err := w.store(inFolder).Update(context.Background(), recordLine("x: 1")); err != nil {
			t.Fatal(err)
		}
		runs := 0
		c, err := w.store(inFolder).Update(context.Background(), func(tx *store.Tx) error {
			runs++
			look(tx)
			return sweepTemps(tx)
		})
		if err != nil || runs != 2 || len(c.Outcomes) != 1 || c.Outcomes[0].State != store.Moved {
			t.Errorf("%s: %d runs, %+v, %v", name, runs, c, err)
		}
	}
}

// TestSDD9_TwoManifests: a transaction with two snapshots records the outcomes in both manifests,
// also after a crash at any moment. Its discards do not affect each other.
func TestSDD9_TwoManifests(t *testing.T) {
	t.Parallel()
	run := func(tx *store.Tx) error {
		for _, n := range []string{"1", "2"} {
			tx.Create(archive+"/"+n+".manifest.json", []byte(list))
			tx.RecordOutcomes(archive + "/" + n + ".manifest.json")
		}
		if err := move(tx, folder, archive+"/1", "notes.md"); err != nil {
			return err
		}
		if err := move(tx, folder, archive+"/2", "dir"); err != nil {
			return err
		}
		tx.Discard(archive+"/2", archive+"/2.manifest.json") // both stay, because an entry was added
		tx.Discard(folder+"/none", folder+"/none.json")
		tx.Discard(folder+"/empty", "")
		tx.Discard("", folder+"/plan.md") // not read, so it stays
		return nil
	}
	start := func() *crashfs.FS {
		fs := newCrashFS(t, nil)
		entries(t, fs)
		fs.MkdirAll("/p/" + folder + "/empty")
		return fs
	}
	check := func(what string, fs *crashfs.FS) {
		t.Helper()
		tree := swept(fs)
		one, began := tree["/p/"+archive+"/1.manifest.json"]
		if !began {
			return
		}
		want := "file list\n\"notes.md\" moved\n\"dir\" moved\n"
		if two := tree["/p/"+archive+"/2.manifest.json"]; one != want || two != want {
			t.Fatalf("%s: the manifests are %q and %q", what, one, two)
		}
		if tree["/p/"+folder+"/empty"] != "" || tree["/p/"+folder+"/plan.md"] == "" {
			t.Fatalf("%s: %v", what, tree)
		}
	}
	fs := start()
	crashes(t, fs, func() error {
		_, err := sweeping(fs).Update(context.Background(), run)
		return err
	}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
		after := snap(0)
		if _, err := nudge(sweeping(after)); err != nil {
			t.Fatal(err)
		}
		check(fmt.Sprintf("before %s %s (%d)", op.Name, op.Path, op.N), after)
	})
	if _, there := swept(fs)["/p/"+archive+"/1.manifest.json"]; !there {
		t.Error("nothing was done")
	}
	check("done", fs)
}

// TestSDD9_ExtentOfARecovery: the note of a recovery counts files and entries, with correct
// singulars.
func TestSDD9_ExtentOfARecovery(t *testing.T) {
	t.Parallel()
	for want, run := range map[string]func(tx *store.Tx) error{
		"of 1 file was finished": func(tx *store.Tx) error { tx.Append("w/a", []byte("x")); return nil },
		"of 2 files was finished": func(tx *store.Tx) error {
			tx.Write("w/a", []byte("x"))
			tx.Write("w/b", []byte("x"))
			return nil
		},
		"of 1 entry was finished": func(tx *store.Tx) error { return move(tx, "w", "old", "a") },
		"of 1 file and 2 entries was finished from its journal; 2 of 2": func(tx *store.Tx) error {
			tx.Write("w/c", []byte("x"))
			return move(tx, "w", "old", "a", "b")
		},
	} {
		fs := newCrashFS(t, map[string]string{"w/a": "A", "w/b": "B"})
		var img *crashfs.FS
		fs.Hook = func(op crashfs.Op) error {
			if j, there := fs.Get("/p/.baton/local/journal"); there && strings.HasSuffix(j, "}\n") && img == nil {
				img = fs.Kill()
			}
			return nil
		}
		if _, err := sweeping(fs).Update(context.Background(), run); err != nil || img == nil {
			t.Fatal(err, img == nil)
		}
		c, err := nudge(sweeping(img))
		if err != nil || len(c.Notes) == 0 || !strings.Contains(c.Notes[len(c.Notes)-1].Text, want) {
			t.Errorf("want %q: %+v, %v", want, c.Notes, err)
		}
	}
}

// TestSDD19_NoSweepFollowsALink: a link moves as it is, whatever it leads to, and its target does
// not change. If the folder of a relocation is a link out of the project, it is refused; a link
// inside is followed.
func TestSDD19_NoSweepFollowsALink(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"w/a": "A", "w/sub/b": "B", "kept/c": "C"})
	fs.Put("/out/secret", "s")
	for name, text := range map[string]string{
		"file": "../kept/c", "folder": "../kept", "out": "/out", "up": "../../out/secret", "self": "self",
	} {
		fs.Symlink(text, "/p/w/"+name)
	}
	before := [2]map[string]string{fs.Entries("/out"), fs.Entries("/p/kept")}
	c, err := sweeping(fs).Update(context.Background(), func(tx *store.Tx) error {
		return move(tx, "w", "old", "file", "folder", "out", "up", "self", "a")
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range c.Outcomes {
		if o.State != store.Moved {
			t.Errorf("%+v", o)
		}
	}
	tree := fs.Entries("/p/old")
	for name, text := range map[string]string{
		"file": "../kept/c", "folder": "../kept", "out": "/out", "up": "../../out/secret", "self": "self",
	} {
		if got := tree["/p/old/"+name]; got != "link "+text {
			t.Errorf("%s: %q", name, got)
		}
	}
	fs.Symlink("/out", "/p/w/out")
	item := store.Item{Name: "secret"}
	for _, r := range []store.Relocation{
		{From: "w/out", To: "old", Name: "secret", Seen: item, Always: true},
		{From: "w/sub", To: "w/out", Name: "b", Seen: item, Always: true},
		{From: "w/sub", To: "w/out/deeper", Name: "b", Seen: item, Always: true},
	} {
		_, err := sweeping(fs).Update(context.Background(), func(tx *store.Tx) error { tx.Relocate(r); return nil })
		if report.KindOf(err) != report.Violation || report.CodeOf(err) != "path_outside" {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if diff := cmp.Diff(before, [2]map[string]string{fs.Entries("/out"), fs.Entries("/p/kept")}); diff != "" {
		t.Errorf("something at the end of a link changed:\n%s", diff)
	}
}

// TestD36_EveryOutsideFolderOfAJournal: a journal moves entries through two folders outside the
// project. If only the first is allowed, nothing moves.
func TestD36_EveryOutsideFolderOfAJournal(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"w/a": "A", "w/b": "B"})
	fs.MkdirAll("/allowed")
	fs.MkdirAll("/other")
	fs.Symlink("/allowed", "/p/one")
	fs.Symlink("/other", "/p/two")
	fs.Put("/p/.baton/local/journal", sealed(`{"version":2,"token":"000102030405","relocations":[`+
		`{"from":"w","to":"one","name":"YQ==","size":1},{"from":"w","to":"two","name":"Yg==","size":1}]}`))
	s := filestore.Open(filestore.Options{
		Root: "/p", Runtime: ".baton/local", Env: steady(), FS: fs, Wait: -1, Allow: filestore.Below("/allowed"),
		RecordOutcomes: storetest.RecordOutcomes,
	})
	_, err := nudge(s)
	if report.KindOf(err) != report.Violation || !strings.Contains(err.Error(), "two") {
		t.Error(err)
	}
	if len(fs.Files("/allowed"))+len(fs.Files("/other")) > 0 {
		t.Error("an entry was moved")
	}
}
