package filestore_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// entryOf returns a relocation of an entry as it is, in the form of a journal.
func entryOf(t *testing.T, fs *crashfs.FS, from, to, name, newName string) string {
	t.Helper()
	i := storetest.Look(t, sweeping(fs), from, name)
	b := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	return fmt.Sprintf(`{"from":%q,"to":%q,"name":%q,"new_name":%q,"mode":%d,"size":%d,"sec":%d,"nsec":%d}`,
		from, to, b(name), b(newName), i.Mode.Type(), i.Size, i.ModTime.Unix(), i.ModTime.Nanosecond())
}

// TestTS34_MovedLinkInTheWay (SD-9): a journal that came with a repository cannot move a link, or a
// folder of links, onto a path that the rest of the journal uses, neither by name nor through other
// links.
func TestTS34_MovedLinkInTheWay(t *testing.T) {
	t.Parallel()
	for name, rest := range map[string]func(t *testing.T, fs *crashfs.FS) string{
		"into git": func(t *testing.T, fs *crashfs.FS) string {
			t.Helper()
			return `"relocations":[` + entryOf(t, fs, "w", "a", "git", "b") + `,` + entryOf(t, fs, "w", "a/b", "payload", "pre-commit") +
				`]`
		},
		"out": func(t *testing.T, fs *crashfs.FS) string {
			t.Helper()
			return `"relocations":[` + entryOf(t, fs, "w", "a", "out", "b") + `,` + entryOf(t, fs, "w", "a/b/c", "payload", "x") + `]`
		},
		"in": func(t *testing.T, fs *crashfs.FS) string {
			t.Helper()
			return `"relocations":[` + entryOf(t, fs, "w", "a", "payload", "b") + `,` + entryOf(t, fs, "w", "a", "out", "d") + `,` +
				strings.Replace(entryOf(t, fs, "w", "w/in", "payload", "y"), `"from":"w"`, `"from":"a/d"`, 1) + `]`
		},
		"by way of a link": func(t *testing.T, fs *crashfs.FS) string {
			t.Helper()
			return `"relocations":[` + entryOf(t, fs, "w", "w/also-a", "git", "b") + `,` + entryOf(t, fs, "w", "a/b", "payload", "x") + `]`
		},
		"to a way of a link": func(t *testing.T, fs *crashfs.FS) string {
			t.Helper()
			return `"relocations":[` + entryOf(t, fs, "w", "a", "out", "b") + `,` + entryOf(t, fs, "w", "w/also-a/b", "payload", "x") + `]`
		},
		"settled": func(t *testing.T, fs *crashfs.FS) string {
			t.Helper()
			return `"relocations":[` + entryOf(t, fs, "w", "a", "out", "b") + `],"settle":["a/b/secret"]`
		},
		"settled itself": func(t *testing.T, fs *crashfs.FS) string {
			t.Helper()
			return `"relocations":[` + entryOf(t, fs, "w", "a", "way", "b") + `],"settle":["a/b"]`
		},
		"taken away": func(t *testing.T, fs *crashfs.FS) string {
			t.Helper()
			return `"relocations":[` + entryOf(t, fs, "w", "a", "out", "b") + `],"discards":[{"folder":"a/b/empty"}]`
		},
		"document": func(t *testing.T, fs *crashfs.FS) string {
			t.Helper()
			return `"files":[{"name":"a/b/doc","kind":"replace","old":{"exists":false,"size":0},"new":{"exists":true,"size":1},` +
				`"data":"eA=="}],"relocations":[` +
				entryOf(t, fs, "w", "a", "out", "b") + `]`
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs := newCrashFS(t, map[string]string{"w/payload": "x", ".git/config": "c", "old": "o"})
			fs.MkdirAll("/p/a")
			fs.MkdirAll("/p/in")
			fs.Put("/out/secret", "list\n")
			fs.MkdirAll("/out/empty")
			fs.Symlink("../.git", "/p/w/git")
			fs.Symlink("/out", "/p/w/out")
			fs.Symlink("../in", "/p/w/in")
			fs.Symlink("../a", "/p/w/also-a")
			fs.Symlink("/out/secret", "/p/w/way")
			fs.Put("/p/.baton/local/journal", sealed(`{"version":2,"token":"000102030405",`+rest(t, fs)+`}`))
			before := fs.Entries("/")
			_, err := nudge(sweeping(fs))
			if code := report.CodeOf(err); code != "journal_unreadable" {
				t.Errorf("code %q: %v", code, err)
			}
			after := fs.Entries("/")
			delete(before, "//p/.baton/local/lock.json")
			delete(after, "//p/.baton/local/lock.json")
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("something changed:\n%s", diff)
			}
		})
	}
}

// TestSD9_LinkPutInTheWay (SD-D19): after a sweep was promised, somebody replaces a folder by a
// link. The link is not followed, even if it leads to a folder inside.
func TestSD9_LinkPutInTheWay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ place, target string }{
		"archive, git":       {archive, "/p/.git"},
		"archive, out":       {archive, "/out"},
		"archive, inside":    {archive, "/p/in"},
		"snapshot":           {archive + "/1", "/p/in"},
		"the folder, inside": {folder, "/p/in"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs, _, _ := sweepScenes()[4].start(t)
			fs.Put("/p/.git/config", "c")
			fs.Put("/p/in/notes.md", "notes")
			fs.Put("/out/secret", "s")
			fs.Hook = func(op crashfs.Op) error {
				if j, ok := fs.Get("/p/.baton/local/journal"); ok && op.Name == "syncdir" && strings.HasSuffix(j, "}\n") {
					fs.Hook = nil
					fs.Delete("/p/" + c.place)
					fs.Symlink(c.target, "/p/"+c.place)
				}
				return nil
			}
			before := fmt.Sprint(fs.Entries("/out"), fs.Entries("/p/.git"), fs.Entries("/p/in"))
			got, err := sweeping(fs).Update(context.Background(), sweepScenes()[4].run)
			if err != nil || fs.Hook != nil || len(got.Outcomes) != 3 {
				t.Fatalf("%+v, %v", got, err)
			}
			for _, o := range got.Outcomes {
				if o.State != store.Failed || !strings.Contains(o.Error, "leads") {
					t.Errorf("%+v", o)
				}
			}
			if after := fmt.Sprint(fs.Entries("/out"), fs.Entries("/p/.git"), fs.Entries("/p/in")); after != before {
				t.Errorf("%s\nbefore: %s", after, before)
			}
		})
	}
}

// forbidden returns a sweep with entries that must stay where they are.
func forbidden() sweepScene {
	return sweepScene{"forbidden", func(t *testing.T, fs *crashfs.FS) {
		t.Helper()
		entries(t, fs)
		fs.Put("/p/"+folder+"/.git/config", "c")
		fs.MkdirAll("/p/" + archive)
		fs.Put("/p/"+folder+"/twin", "t")
	}, func(tx *store.Tx) error {
		tx.Create(archive+"/1.manifest.json", []byte(list))
		tx.RecordOutcomes(archive + "/1.manifest.json")
		f, err := tx.Scan(folder)
		if err != nil {
			return err
		}
		for _, i := range f.Items {
			r := store.Relocation{From: folder, To: archive + "/1", Name: i.Name, Seen: i}
			switch i.Name {
			case ".git", "dir", "link":
			case "twin": // would move to where the snapshot will be
				r.To, r.NewName = archive, "1"
			default:
				continue
			}
			tx.Relocate(r)
		}
		return nil
	}}
}

// TestSD9_EntryThatMustStay (SD-20, SD-52): an entry that must not move, such as git's folder, is
// reported as failed and stays. The others move, also after a crash at any operation.
func TestSD9_EntryThatMustStay(t *testing.T) {
	t.Parallel()
	sc := forbidden()
	fs, before, after := sc.start(t)
	if after["/p/"+folder+"/.git/config"] != "file c" || after["/p/"+folder+"/twin"] != "file t" ||
		after["/p/"+archive+"/1/dir/flat.md"] != "file flat" || after["/p/"+archive+"/1/link"] == "" {
		t.Fatalf("%v", after)
	}
	manifest := after["/p/"+archive+"/1.manifest.json"]
	for _, line := range []string{`".git" failed`, `"twin" failed`, `"dir" moved`, `"link" moved`} {
		if !strings.Contains(manifest, line) {
			t.Errorf("%q lacks %s", manifest, line)
		}
	}
	crashes(t, fs, func() error {
		_, err := sweeping(fs).Update(context.Background(), sc.run)
		return err
	}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
		what := fmt.Sprintf("before %s %s (%d)", op.Name, op.Path, op.N)
		crashed(t, what, snap(0), true, before, after, "")
	})
	// The same for moves out of a snapshot.
	_, err := sweeping(fs).Update(context.Background(), func(tx *store.Tx) error {
		return move(tx, archive+"/1", folder, "dir", "link")
	})
	fs.Put("/p/"+archive+"/1/.git/config", "c")
	c, errGit := sweeping(fs).Update(context.Background(), func(tx *store.Tx) error {
		return move(tx, archive+"/1", folder, ".git")
	})
	if err != nil || errGit != nil || len(c.Outcomes) != 1 || c.Outcomes[0].State != store.Failed {
		t.Errorf("%+v, %v, %v", c, err, errGit)
	}
}

// TestSD8_NewEntryAfterTheCopy (SD-20): an entry that was copied to another file system counts as
// moved, even if its name is used again before the next writer comes.
func TestSD8_NewEntryAfterTheCopy(t *testing.T) {
	t.Parallel()
	sc := mountedScenes()[0]
	fs, _, _ := sc.start(t)
	var img *crashfs.FS
	fs.Hook = func(op crashfs.Op) error {
		if _, there := fs.Get("/p/" + archive +
			"/cleanup-1/link"); there && img == nil && op.Name == "lstat" && strings.HasSuffix(op.Path, "/pipe") {
			img = fs.Kill()
		}
		return nil
	}
	if _, err := sweeping(fs).Update(context.Background(), sc.run); err != nil {
		t.Fatal(err)
	}
	at := "/p/" + folder
	img.Put(at+"/notes.md", "new notes")
	img.Put(at+"/dir/new.md", "new")
	tree := recovered(t, "after", img)
	if manifest := tree["/p/"+archive+
		"/cleanup-1.manifest.json"]; !strings.Contains(manifest, `"notes.md" moved`) || !strings.Contains(manifest, `"dir" moved`) {
		t.Errorf("%s", manifest)
	}
	for path, want := range map[string]string{
		at + "/notes.md": "file new notes", at + "/dir/new.md": "file new",
		"/p/" + archive + "/cleanup-1/notes.md": "file notes", "/p/" + archive + "/cleanup-1/dir/flat.md": "file flat",
	} {
		if tree[path] != want {
			t.Errorf("%s: %q", path, tree[path])
		}
	}
}

// TestSD60_LeftoverThatCannotGo: a dead process's temporary file that cannot be removed stops
// nobody. It is reported, and every writer tries again until it is gone.
func TestSD60_LeftoverThatCannotGo(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"w/a": "A"})
	var img *crashfs.FS
	fs.Hook = func(op crashfs.Op) error {
		if op.Name == "exchange" {
			img = fs.Kill()
		}
		return nil
	}
	update(t, on(fs), func(tx *store.Tx) { tx.Write("w/a", []byte("B")) })
	left := func() (n int) {
		for path := range img.Files("/p/w") {
			if strings.HasSuffix(path, ".tmp") {
				n++
			}
		}
		return n
	}
	if left() != 1 {
		t.Fatalf("%v", img.Files("/p/w"))
	}
	img.Hook = func(op crashfs.Op) error {
		if op.Name == "remove" && strings.HasSuffix(op.Path, ".tmp") && strings.HasPrefix(op.Path, "/p/w/.a.") {
			return syscall.EPERM
		}
		return nil
	}
	for n := range 3 {
		c, err := on(img).Update(context.Background(), func(tx *store.Tx) error {
			tx.Write("w/other", []byte{byte('0' + n)})
			return nil
		})
		if err != nil || len(c.Notes) != 1 || c.Notes[0].Code != "temp_left" || len(c.Written) != 1 {
			t.Fatalf("%+v, %v", c, err)
		}
	}
	img.Hook = nil
	c, err := nudge(on(img))
	if err != nil || len(c.Notes) != 1 || c.Notes[0].Code != "swept" || left() != 0 {
		t.Errorf("%+v, %v, %v", c, err, img.Files("/p/w"))
	}
	if c, err := nudge(on(img)); err != nil || len(c.Notes) != 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestSD52_NoEmptySnapshotIsLeft (SD-60): if a process dies before the commit point, the next
// writer leaves nothing of it, not even an empty folder.
func TestSD52_NoEmptySnapshotIsLeft(t *testing.T) {
	t.Parallel()
	for _, sc := range sweepScenes() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			fs, before, after := sc.start(t)
			crashes(t, fs, func() error {
				_, err := sweeping(fs).Update(context.Background(), sc.run)
				return err
			}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
				tree := recovered(t, "killed", snap(0))
				old, neu := cmp.Diff(before, tree), cmp.Diff(after, tree)
				if old != "" && neu != "" {
					t.Fatalf("before %s %s (%d): %s", op.Name, op.Path, op.N, old)
				}
			})
		})
	}
}

// TestSD52_MadeFoldersOfOthersStay: folders that lock.json names are not trusted. One that is not
// empty, is a link, has no valid folder name, or is baton's own stays.
func TestSD52_MadeFoldersOfOthersStay(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"w/a": "A"})
	fs.MkdirAll("/p/empty/inner")
	fs.MkdirAll("/p/.git/refs")
	fs.MkdirAll("/p/.baton/local/caches")
	fs.MkdirAll("/out/empty")
	fs.MkdirAll("/p/real/empty")
	fs.Symlink("/out", "/p/out")
	fs.Symlink("real", "/p/way")
	fs.Put(
		"/p/.baton/local/lock.json",
		`{"pid":1,"made":["w","w/a","empty","empty/inner",".git/refs",".baton/local/caches","out/empty","out","../out/empty",`+
			`"/out/empty","way/empty","way","none"]}`,
	)
	want := fs.Entries("/")
	delete(want, "//p/empty")
	delete(want, "//p/empty/inner")
	if _, err := nudge(on(fs)); err != nil {
		t.Fatal(err)
	}
	got := fs.Entries("/")
	delete(want, "//p/.baton/local/lock.json")
	delete(got, "//p/.baton/local/lock.json")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
