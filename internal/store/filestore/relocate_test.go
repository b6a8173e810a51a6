package filestore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// relocateWhile relocates notes.md and calls do before the first operation of that name on it.
func relocateWhile(t *testing.T, r store.Relocation, before string, do func(fs *crashfs.FS)) (*crashfs.FS, store.Outcome) {
	t.Helper()
	fs, _, _ := sweepScenes()[0].start(t)
	path := "/p/" + folder + "/notes.md"
	r.From, r.To, r.Name = folder, archive+"/1", "notes.md"
	r.Seen = storetest.Look(t, sweeping(fs), folder, "notes.md")
	committed := false
	fs.Hook = func(op crashfs.Op) error {
		if op.Name == "write" && op.Path == "/p/.baton/local/journal" {
			committed = true
		}
		if committed && op.Name == before && op.Path == path {
			fs.Hook = nil
			do(fs)
		}
		return nil
	}
	c, err := sweeping(fs).Update(context.Background(), func(tx *store.Tx) error { tx.Relocate(r); return nil })
	if err != nil || len(c.Outcomes) != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
	if fs.Hook != nil {
		t.Fatalf("there was no %s", before)
	}
	return fs, c.Outcomes[0]
}

// TestSD20_BetweenListingAndMoving: an entry may vanish, grow, be exchanged or change its kind
// between the plan and its turn. It moves only if it still qualifies. Every other entry stays and
// is reported.
func TestSD20_BetweenListingAndMoving(t *testing.T) {
	t.Parallel()
	path, dst := "/p/"+folder+"/notes.md", "/p/"+archive+"/1/notes.md"
	edit := func(fs *crashfs.FS) { fs.Put(path, "notes, and more") }
	swap := func(fs *crashfs.FS) { fs.Swap(path, "another") }
	folderNow := func(fs *crashfs.FS) { fs.Delete(path); fs.MkdirAll(path) }
	late, early := time.Unix(1_900_000_000, 0), time.Unix(1_000_000_000, 0)
	for name, c := range map[string]struct {
		rule  store.Relocation
		do    func(fs *crashfs.FS)
		state string
		at    string
		what  string
	}{
		"vanishes":          {store.Relocation{}, func(fs *crashfs.FS) { fs.Delete(path) }, store.Vanished, "", ""},
		"grows":             {store.Relocation{}, edit, store.Changed, path, "file notes, and more"},
		"grows, always":     {store.Relocation{Always: true}, edit, store.Moved, dst, "file notes, and more"},
		"grows, before":     {store.Relocation{Before: late}, edit, store.Moved, dst, "file notes, and more"},
		"grows, not before": {store.Relocation{Before: early}, edit, store.Changed, path, "file notes, and more"},
		"exchanged":         {store.Relocation{}, swap, store.Changed, path, "file another"},
		"exchanged, always": {store.Relocation{Always: true}, swap, store.Moved, dst, "file another"},
		"becomes a folder":  {store.Relocation{Always: true}, folderNow, store.Changed, path, "folder"},
		"becomes a link": {
			store.Relocation{Always: true}, func(fs *crashfs.FS) { fs.Symlink("/etc", path) }, store.Changed, path, "link /etc",
		},
		"name taken": {
			store.Relocation{Always: true}, func(fs *crashfs.FS) { fs.Put(dst, "theirs") }, store.Changed, path, "file notes",
		},
		"name taken by a link": {store.Relocation{}, func(fs *crashfs.FS) { fs.Symlink("x", dst) }, store.Changed, path, "file notes"},
		"touched":              {store.Relocation{}, func(fs *crashfs.FS) { fs.Touch(path, late) }, store.Changed, path, "file notes"},
		"touched to the limit": {
			store.Relocation{Before: late}, func(fs *crashfs.FS) { fs.Touch(path, late) }, store.Changed, path, "file notes",
		},
		"folder goes":  {store.Relocation{}, func(fs *crashfs.FS) { fs.Delete("/p/" + folder) }, store.Vanished, "", ""},
		"archive goes": {store.Relocation{}, func(fs *crashfs.FS) { fs.Delete("/p/" + archive) }, store.Failed, path, "file notes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs, o := relocateWhile(t, c.rule, "lstat", c.do)
			if o.State != c.state || (o.Error != "") != (c.state == store.Failed) {
				t.Errorf("%+v, want %s", o, c.state)
			}
			tree := swept(fs)
			if got := tree[c.at]; got != c.what {
				t.Errorf("at %s is %q, want %q", c.at, got, c.what)
			}
			if strings.HasPrefix(name, "name taken") && tree[dst] == "file notes" {
				t.Error("the name was taken over")
			}
		})
	}
}

// TestSD20_BetweenLookAndRename: a file that replaces an entry at the very last moment goes back.
func TestSD20_BetweenLookAndRename(t *testing.T) {
	t.Parallel()
	path, dst := "/p/"+folder+"/notes.md", "/p/"+archive+"/1/notes.md"
	for name, c := range map[string]struct {
		do     func(fs *crashfs.FS)
		state  string
		source string
		target string
	}{
		"exchanged":  {func(fs *crashfs.FS) { fs.Swap(path, "another") }, store.Changed, "file another", ""},
		"vanished":   {func(fs *crashfs.FS) { fs.Delete(path) }, store.Vanished, "", ""},
		"written to": {func(fs *crashfs.FS) { fs.Put(path, "more") }, store.Changed, "file more", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs, o := relocateWhile(t, store.Relocation{}, "renamenew", c.do)
			tree := swept(fs)
			if o.State != c.state || tree[path] != c.source || tree[dst] != c.target {
				t.Errorf("%+v, source %q, target %q", o, tree[path], tree[dst])
			}
		})
	}
}

// TestSDD9_RecoveryIsStrict (5.10): after a crash only unchanged entries move, whatever the rules
// of the transaction were. The others are marked as changed and stay, and new entries are left
// alone.
func TestSDD9_RecoveryIsStrict(t *testing.T) {
	t.Parallel()
	sc := sweepScenes()[0]
	run := func(tx *store.Tx) error {
		if err := sc.run(tx); err != nil {
			return err
		}
		for i := range tx.Relocations() {
			tx.Relocations()[i].Always = true
		}
		return nil
	}
	fs, _, _ := sc.start(t)
	var img *crashfs.FS
	fs.Hook = func(op crashfs.Op) error {
		if op.Name == "renamenew" && strings.HasSuffix(op.Path, "/dir") { // notes.md has moved
			img = fs.Kill()
		}
		return nil
	}
	if _, err := sweeping(fs).Update(context.Background(), run); err != nil {
		t.Fatal(err)
	}
	at := "/p/" + folder + "/"
	img.Put(at+"notes.md", "new notes")
	img.Put(at+oddName, "edited")
	img.Delete(at + "pipe")
	img.Put(at+"dir/new.md", "in the folder")
	img.Put(at+"appeared", "new")
	pending, err := sweeping(img).Scan(context.Background(), folder)
	if err != nil || !pending.Pending {
		t.Errorf("a reader is not told: %+v, %v", pending.Pending, err)
	}
	if f, err := sweeping(img).Scan(context.Background(), "."); err != nil || f.Pending {
		t.Errorf("root: %+v, %v", f.Pending, err)
	}
	c, err := nudge(sweeping(img))
	if err != nil || len(c.Outcomes) > 0 || len(c.Notes) != 1 || c.Notes[0].Code != "recovered" ||
		!strings.Contains(c.Notes[0].Text, "3 of 5") {
		t.Errorf("%+v, %v", c, err)
	}
	tree := swept(img)
	snap := "/p/" + archive + "/cleanup-1"
	for path, want := range map[string]string{
		at + "notes.md": "file new notes", snap + "/notes.md": "file notes",
		at + oddName: "file edited", snap + "/" + oddName: "",
		snap + "/dir/new.md": "file in the folder", at + "dir": "",
		at + "appeared": "file new", snap + "/link": "link ../elsewhere/notes.md", snap + "/pipe": "",
		snap +
			".manifest.json": "file list\n\"notes.md\" moved\n\"dir\" moved\n\"link\" moved\n\"pipe\" vanished\n" +
			"\"od\\xffd\\nname~\" changed\n",
	} {
		if tree[path] != want {
			t.Errorf("%s: %q, want %q", path, tree[path], want)
		}
	}
}

// TestD11_HandEditBeforeAnythingMoves: if a document is edited while it is being replaced, this is
// found before any entry moves. The transaction runs again on the edit.
func TestD11_HandEditBeforeAnythingMoves(t *testing.T) {
	t.Parallel()
	sc := sweepScenes()[2]
	record := "/p/" + folder + "/workflow.yaml"
	for at := 1; ; at++ {
		fs, _, _ := sc.start(t)
		first, hit, moved := fs.Ops(), false, false
		fs.Hook = func(op crashfs.Op) error {
			moved = moved || op.Name == "renamenew" && strings.HasPrefix(op.Path, "/p/"+folder) && !strings.Contains(op.Path, ".tmp")
			if op.N-first == at && !moved {
				hit = true
				fs.Put(record, "task: edited\n")
			}
			return nil
		}
		c, err := sweeping(fs).Update(context.Background(), sc.run)
		fs.Hook = nil
		what := fmt.Sprintf("edited before operation %d", at)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		tree := swept(fs)
		if !hit {
			return
		}
		truthful(t, what, sc, tree, c.Outcomes)
		if aboutOutcome(c.Outcomes, store.Changed) || len(c.Outcomes) != 3 {
			t.Fatalf("%s: %+v", what, c.Outcomes)
		}
		if tree[record] != "file task: new\n" && tree[record] != "file task: edited\n" {
			t.Fatalf("%s: the record is %q", what, tree[record])
		}
		kept := strings.Contains(fmt.Sprint(fs.Files("/p/.baton/local/conflicts")), "task: edited")
		if copied := tree["/p/"+archive+
			"/begin-1/workflow.yaml"]; copied != "file task: edited\n" && tree[record] != "file task: edited\n" && !kept {
			t.Fatalf("%s: the edit is lost: %q, %v", what, copied, c.Notes)
		}
	}
}

// TestD11_CannotBeTakenBack: two documents are edited so that the change can be neither made nor
// taken back. No entry has moved and none moves. The transaction runs again and finds the name of
// its manifest taken.
func TestD11_CannotBeTakenBack(t *testing.T) {
	t.Parallel()
	sc := sweepScenes()[2]
	sc.run = func(tx *store.Tx) error {
		tx.Write(folder+"/workflow.yaml", []byte("task: new\n"))
		tx.Create(archive+"/begin-1.manifest.json", []byte(list))
		tx.RecordOutcomes(archive + "/begin-1.manifest.json")
		return move(tx, folder, archive+"/begin-1", "notes.md", "plan.md", "dir")
	}
	record, manifest := "/p/"+folder+"/workflow.yaml", "/p/"+archive+"/begin-1.manifest.json"
	refused := 0
	for at := 1; ; at++ {
		fs, before, _ := sc.start(t)
		first, hit, moved := fs.Ops(), false, false
		fs.Hook = func(op crashfs.Op) error {
			moved = moved || op.Name == "renamenew" && strings.HasPrefix(op.Path, "/p/"+folder) && !strings.Contains(op.Path, ".tmp")
			if _, there := fs.Get(manifest); op.N-first >= at && !moved && there && !hit {
				hit = true
				fs.Put(manifest, "list\nedited\n")
				fs.Put(record, "task: edited\n")
			}
			return nil
		}
		c, err := sweeping(fs).Update(context.Background(), sc.run)
		fs.Hook = nil
		if !hit {
			break
		}
		what := fmt.Sprintf("edited from operation %d on", at)
		if err == nil {
			truthful(t, what, sc, dropTemps(swept(fs)), c.Outcomes)
			continue
		}
		if report.CodeOf(err) != "exists" {
			t.Fatalf("%s: %v", what, err)
		}
		refused++
		tree := recovered(t, what, fs)
		for _, name := range []string{"/notes.md", "/plan.md", "/dir/flat.md", "/dir/inner/deep.md"} {
			if tree["/p/"+folder+name] != before["/p/"+folder+name] || tree["/p/"+archive+"/begin-1"+name] != "" {
				t.Fatalf("%s: %s moved", what, name)
			}
		}
	}
	if refused == 0 {
		t.Error("it could always be taken back")
	}
}

// TestD5_HandEditAfterACrash: if somebody edits the record before the next writer comes, no
// document is replaced. If the moves had not begun, they are not made; if they had, they continue
// and the manifest says so.
func TestD5_HandEditAfterACrash(t *testing.T) {
	t.Parallel()
	sc := sweepScenes()[2]
	fs, before, _ := sc.start(t)
	begun, notBegun := 0, 0
	crashes(t, fs, func() error {
		_, err := sweeping(fs).Update(context.Background(), sc.run)
		return err
	}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
		img := snap(0)
		if journal, _ := img.Get("/p/.baton/local/journal"); !strings.HasSuffix(journal, "}\n") {
			return
		}
		what := fmt.Sprintf("before %s %s (%d)", op.Name, op.Path, op.N)
		img.Put("/p/"+folder+"/workflow.yaml", "task: edited\n")
		tree := dropTemps(recovered(t, what, img))
		if tree["/p/"+folder+"/workflow.yaml"] != "file task: edited\n" {
			t.Fatalf("%s: the edit is lost", what)
		}
		snapshot := "/p/" + archive + "/begin-1"
		moved := 0
		for _, name := range []string{"notes.md", "plan.md", "dir"} {
			_, src := tree["/p/"+folder+"/"+name]
			_, dst := tree[snapshot+"/"+name]
			if src == dst {
				t.Fatalf("%s: %s is in %v places", what, name, map[bool]int{true: 2, false: 0}[src])
			}
			if dst {
				moved++
			}
		}
		manifest, there := tree[snapshot+".manifest.json"]
		switch {
		case moved == 3 && manifest == "file list\n\"notes.md\" moved\n\"plan.md\" moved\n\"dir\" moved\n":
			begun++
		case moved == 0 && (!there || manifest == "file list\n\"notes.md\" changed\n\"plan.md\" changed\n\"dir\" changed\n"):
			notBegun++
			if before["/p/"+folder+"/notes.md"] != tree["/p/"+folder+"/notes.md"] {
				t.Fatalf("%s: the entries changed", what)
			}
		default:
			t.Fatalf("%s: %d moved, manifest %q", what, moved, manifest)
		}
	})
	if begun < 5 || notBegun < 5 {
		t.Errorf("%d crashes after the beginning, %d before", begun, notBegun)
	}
}

// TestSDD9_FilesGetTheNewNameFirst: without a system call that renames but never replaces, a
// process may die while a file has both names. The next writer leaves one of them.
func TestSDD9_FilesGetTheNewNameFirst(t *testing.T) {
	t.Parallel()
	sc := sweepScenes()[0]
	fs, before, after := sc.start(t)
	fs.LinkRename = true
	crashes(t, fs, func() error {
		_, err := sweeping(fs).Update(context.Background(), sc.run)
		return err
	}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
		what := fmt.Sprintf("before %s %s (%d)", op.Name, op.Path, op.N)
		crashed(t, what, snap(0), true, before, after, "")
	})
}

// TestSD41_NothingLeftToDo: a transaction whose discards find nothing touches nothing, not even the
// runtime folder.
func TestSD41_NothingLeftToDo(t *testing.T) {
	t.Parallel()
	fs := crashfs.New()
	fs.Put("/p/w/a", "A")
	writes := 0
	fs.Hook = func(op crashfs.Op) error {
		switch op.Name {
		case "lstat", "open", "read", "stat", "readdir", "readlink", "openfolder":
		default:
			writes++
		}
		return nil
	}
	c, err := sweeping(fs).Update(context.Background(), func(tx *store.Tx) error {
		tx.RecordOutcomes("w/list")
		tx.Discard("w", "")
		tx.Discard("w/none", "")
		tx.Discard("", "w/a") // not read, so not known
		return nil
	})
	if err != nil || writes > 0 || len(c.Written)+len(c.Notes)+len(c.Outcomes) > 0 {
		t.Errorf("%d writes, %+v, %v", writes, c, err)
	}
	// The first write in a project counts its moves as well.
	r := store.Relocation{From: "w", To: "old", Name: "a", Seen: storetest.Look(t, sweeping(fs), "w", "a")}
	c, err = sweeping(fs).Update(context.Background(), func(tx *store.Tx) error { tx.Relocate(r); return nil })
	if err != nil || len(c.Outcomes) != 1 || c.Outcomes[0].State != store.Moved {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestTS34_OffLimits: files of git and of the store never move, nor does a folder that holds them.
// A link to them does not help.
func TestTS34_OffLimits(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"w/a": "A", ".git/config": "c", "w/.git/config": "c"})
	fs.Symlink("/p/.baton/local", "/p/w/way")
	fs.Symlink("/out", "/p/w/out")
	fs.MkdirAll("/p/w/d/deeper")
	fs.Symlink("d/deeper", "/p/w/in")
	fs.MkdirAll("/out")
	s := filestore.Open(filestore.Options{Root: "/p", Runtime: ".baton/local", Env: steady(), FS: fs, Wait: -1})
	for _, r := range []store.Relocation{
		{From: ".baton/local", To: "w", Name: "lock"},
		{From: "w", To: ".baton/local", Name: "a"},
		{From: "w", To: "w/way", Name: "a"},
		{From: "w/way", To: "w", Name: "lock"},
		{From: ".git", To: "x", Name: "config"},
		{From: "w", To: ".git", Name: "a"},
		{From: "w", To: "w/out", Name: "a"},
		{From: "w/out", To: "w", Name: "a"},
	} {
		_, err := s.Update(context.Background(), func(tx *store.Tx) error { tx.Relocate(r); return nil })
		if report.KindOf(err) != report.Violation || report.CodeOf(err) != "path_outside" {
			t.Errorf("%+v: %v", r, err)
		}
	}
	before := fs.Entries("/p")
	for _, r := range []store.Relocation{ // an entry that must stay is reported, and stops no other
		{From: ".baton", To: "w", Name: "local"},
		{From: "w", To: "x", Name: ".git"},
		{From: "w", To: "x", Name: "a", NewName: ".GIT"},
		{From: "w", To: "w/in", Name: "d"},
	} {
		c, err := s.Update(context.Background(), func(tx *store.Tx) error { tx.Relocate(r); return nil })
		if err != nil || len(c.Outcomes) != 1 || c.Outcomes[0].State != store.Failed ||
			!strings.HasPrefix(c.Outcomes[0].Error, "it cannot be moved: ") {
			t.Errorf("%+v: %+v, %v", r, c, err)
		}
	}
	after := fs.Entries("/p")
	for _, tree := range []map[string]string{before, after} {
		delete(tree, "/p/x")
		delete(tree, "/p/.baton/local/lock.json")
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{".baton/local", ".baton", ".git/config", "w/out/x"} {
		_, err := s.Update(context.Background(), func(tx *store.Tx) error { tx.Discard(name, ""); return nil })
		if report.KindOf(err) != report.Violation {
			t.Errorf("discard %s: %v", name, err)
		}
	}
	if diff := cmp.Diff(map[string]string{}, fs.Files("/out")); diff != "" {
		t.Error(diff)
	}
	own := errors.New("own")
	if _, err := s.Update(context.Background(), func(tx *store.Tx) error { return own }); !errors.Is(err, own) {
		t.Error(err)
	}
}
