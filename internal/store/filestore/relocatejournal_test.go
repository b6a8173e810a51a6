package filestore_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/foreign"
	"baton/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// sealed returns a journal with a correct second line.
func sealed(record string) string {
	sum := sha256.Sum256([]byte(record))
	return record + "\n" + `{"sha256":"` + hex.EncodeToString(sum[:]) + "\"}\n"
}

func madeUp(from, to, name, rest string) string {
	return sealed(fmt.Sprintf(
		`{"version":2,"started":"2025-03-01T10:00:00Z","files":null,"token":"000102030405","relocations":[{"from":%q,"to":%q,`+
			`"name":%q,"mode":0,"sec":0}]%s}`,
		from,
		to, base64.StdEncoding.EncodeToString([]byte(name)), rest,
	))
}

// TestTS34_MadeUpRelocations: a journal that came with a repository moves nothing out of the
// project, nothing of git's and nothing of baton's. It is refused, and everything stays.
func TestTS34_MadeUpRelocations(t *testing.T) {
	t.Parallel()
	for name, journal := range map[string]string{
		"slash in the name":  madeUp("w", "old", "d/x", ""),
		"name of the folder": madeUp("w", "old", ".", ""),
		"name above":         madeUp("w", "old", "..", ""),
		"empty name":         madeUp("w", "old", "", ""),
		"NUL":                madeUp("w", "old", "a\x00", ""),
		"new name above": sealed(
			`{"version":2,"token":"000102030405","relocations":[{"from":"w","to":"old","name":"YQ==","new_name":"Li4="}]}`,
		),
		"from above":            madeUp("../w", "old", "a", ""),
		"to above":              madeUp("w", "../old", "a", ""),
		"absolute":              madeUp("/w", "old", "a", ""),
		"to the runtime folder": madeUp("w", ".baton/local", "a", ""),
		"from it":               madeUp(".baton/local", "w", "lock", ""),
		"the runtime folder":    madeUp(".baton", "w", "local", ""),
		"git":                   madeUp("w", "old", ".git", ""),
		"through a link to it":  madeUp("w/way", "w", "lock", ""),
		"through a link out":    madeUp("w/out", "w", "secret", ""),
		"out through a link":    madeUp("w", "w/out", "a", ""),
		"into itself":           madeUp("w", "w/d/e", "d", ""),
		"settle above":          madeUp("w", "old", "a", `,"settle":["w/a","../x"]`),
		"settle the lock":       madeUp("w", "old", "a", `,"settle":[".baton/local/lock"]`),
		"discard above":         madeUp("w", "old", "a", `,"discards":[{"folder":"../x"}]`),
		"discard a file above":  madeUp("w", "old", "a", `,"discards":[{"folder":"w","document":"../x"}]`),
		"discard the runtime":   madeUp("w", "old", "a", `,"discards":[{"folder":".baton/local"}]`),
		"discard above it":      madeUp("w", "old", "a", `,"discards":[{"folder":".baton"}]`),
		"discard the lock":      madeUp("w", "old", "a", `,"discards":[{"document":".baton/local/lock"}]`),
		"discard through links": madeUp("w", "old", "a", `,"discards":[{"document":"w/way/lock"}]`),
		"no token":              sealed(`{"version":2,"relocations":[{"from":"w","to":"old","name":"YQ=="}]}`),
		"old version":           sealed(`{"version":1,"token":"000102030405","relocations":[{"from":"w","to":"old","name":"YQ=="}]}`),
		"newer version":         sealed(`{"version":3,"relocations":[{"from":"w","to":"old","name":"YQ=="}]}`),
		"nothing":               sealed(`{"version":2,"token":"000102030405"}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs := newCrashFS(t, map[string]string{"w/a": "A", "w/d/x": "X", "w/.git/config": "c"})
			fs.Put("/out/secret", "s")
			fs.Symlink("/out", "/p/w/out")
			fs.Symlink("/p/.baton/local", "/p/w/way")
			fs.Put("/p/.baton/local/journal", journal)
			before := fs.Entries("/")
			_, err := nudge(sweeping(fs))
			code := report.CodeOf(err)
			if code != "journal_unreadable" && code != "path_outside" {
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

// TestSDD9_JournalVersion: a journal that moves entries has its own version, so that a program
// which cannot carry it out does not drop it. The version of a journal with documents only is
// unchanged.
func TestSDD9_JournalVersion(t *testing.T) {
	t.Parallel()
	version := func(fn func(tx *store.Tx)) (v string) {
		fs := newCrashFS(t, map[string]string{"w/a": "A", "w/b": "B"})
		fs.Hook = func(op crashfs.Op) error {
			if j, ok := fs.Get("/p/.baton/local/journal"); ok && strings.HasSuffix(j, "}\n") {
				v = j[:len(`{"version":2`)]
			}
			return nil
		}
		s := sweeping(fs)
		if _, err := s.Update(context.Background(), func(tx *store.Tx) error { fn(tx); return nil }); err != nil {
			t.Fatal(err)
		}
		return v
	}
	if got := version(func(tx *store.Tx) { tx.Write("w/a", []byte("x")); tx.Append("w/b", []byte("x")) }); got != `{"version":1` {
		t.Error(got)
	}
	for name, fn := range map[string]func(tx *store.Tx){
		"relocation": func(tx *store.Tx) {
			if err := move(tx, "w", "old", "a"); err != nil {
				t.Error(err)
			}
		},
		"discard": func(tx *store.Tx) { tx.Write("w/a", []byte("x")); tx.Discard("", "w/a") },
		"settle":  func(tx *store.Tx) { tx.Write("w/a", []byte("x")); tx.RecordOutcomes("w/a") },
	} {
		if got := version(fn); got != `{"version":2` {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestSDD9_FsyncsDoNotGrow: a sweep of 300 entries needs as many fsyncs as one of 3.
func TestSDD9_FsyncsDoNotGrow(t *testing.T) {
	t.Parallel()
	syncs := map[int]int64{}
	for _, n := range []int{3, 300} {
		root := realTemp(t)
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("f%d", i))
			put(t, filepath.Join(root, folder, names[i]), "x")
		}
		s := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local", RecordOutcomes: storetest.RecordOutcomes})
		update(t, s, func(tx *store.Tx) { tx.Write("used", []byte("x")) })
		before := s.Counters().Syncs.Load()
		update(t, s, func(tx *store.Tx) {
			tx.Create(archive+"/1.manifest.json", []byte(list))
			tx.RecordOutcomes(archive + "/1.manifest.json")
			if err := move(tx, folder, archive+"/1", names...); err != nil {
				t.Error(err)
			}
		})
		syncs[n] = s.Counters().Syncs.Load() - before
	}
	// The manifest, and the folders of the manifest and the snapshot (2), the journal and its
	// folder, the manifest's name, the two folders, the completed manifest and its name, and the
	// journal's folder again.
	if syncs[3] != syncs[300] || syncs[3] > 11 {
		t.Errorf("fsyncs %v", syncs)
	}
	t.Logf("%d fsyncs", syncs[3])
}

// TestSDD10_LooksAgainUnderTheLock: what a sweep found before it had the lock of the folder may be
// out of date, so the store looks again. Only if something has changed, the sweep plans again. That
// uses up none of its attempts, and it never sees its own lock.
func TestSDD10_LooksAgainUnderTheLock(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	put(t, filepath.Join(root, folder, "a"), "A")
	var asked []string
	s := filestore.Open(filestore.Options{
		Root: root, Runtime: ".baton/local",
		Foreign: func(name string) (foreign.Lock, bool) {
			asked = append(asked, name)
			return foreign.Lock{Name: folder + "/.lock"}, strings.HasPrefix(name, folder+"/")
		},
	})
	update(t, s, func(tx *store.Tx) { tx.Write("used", []byte("x")) })
	asked = nil
	runs, locked := 0, 0
	c, err := s.Update(context.Background(), func(tx *store.Tx) error {
		runs++
		f, err := tx.Scan(folder)
		if err != nil {
			return err
		}
		for _, i := range f.Items {
			if i.Name == ".lock" {
				locked++
			}
		}
		return move(tx, folder, archive+"/1", "a")
	})
	if err != nil || len(c.Outcomes) != 1 || c.Outcomes[0].State != store.Moved {
		t.Errorf("%+v, %v", c, err)
	}
	if runs != 1 || locked != 0 {
		t.Errorf("%d runs, %d of them saw the lock", runs, locked)
	}
	if diff := cmp.Diff([]string{folder + "/x", archive + "/1/x"}, asked[:2]); diff != "" {
		t.Errorf("asked for:\n%s", diff)
	}
	if f, err := s.Scan(context.Background(), folder); err != nil || len(f.Items) != 1 {
		t.Errorf("a lock is left: %+v, %v", f, err)
	}
	// A transaction that asks for another folder each time ends as well.
	n := 0
	for i := range 40 {
		put(t, filepath.Join(root, fmt.Sprintf("f%d", i), "a"), "A")
	}
	restless := filestore.Open(filestore.Options{
		Root: root, Runtime: ".baton/local",
		Foreign: func(name string) (foreign.Lock, bool) {
			put(t, filepath.Join(root, fmt.Sprintf("f%d/new%d", n, n)), "x")
			return foreign.Lock{Name: strings.TrimSuffix(name, "/x") + ".lock"}, true
		},
	})
	_, err = restless.Update(context.Background(), func(tx *store.Tx) error {
		n++
		return move(tx, fmt.Sprintf("f%d", n), "old", "a")
	})
	if report.CodeOf(err) != "changed_under_us" || n < 4 || n > 11 {
		t.Errorf("%d runs, %v", n, err)
	}
}

// FuzzJournal: whatever a repository holds as a journal, even a complete one, nothing panics.
// Neither git's folder nor anything outside the project changes.
func FuzzJournal(f *testing.F) {
	for _, record := range []string{
		`{"version":2,"token":"000102030405","relocations":[{"from":"w","to":"old","name":"YQ==","mode":0,"size":1,"sec":0}],` +
			`"settle":["w/list"],"discards":[{"folder":"w/d","document":"w/list"}]}`,
		`{"version":2,"token":"000102030405","files":[{"name":"w/list","kind":"replace","old":{},"new":{"exists":true,"size":1},` +
			`"data":"eA=="}],"relocations":[{"from":"w","to":"w/out","name":"ZA==","mode":2147483648}]}`,
		`{"version":1,"files":[{"name":"w/a","kind":"append","old":{"exists":true,"size":1},"new":{"exists":true,"size":2},` +
			`"data":"eA=="}],"moves":[{"from":"w/a","to":"w/b","lost":"QQ==","gained":"QQ=="}]}`,
		`{"version":2,"token":"000102030405","relocations":[{"from":"w","to":"old","name":"Li4=","new_name":"AA==",` +
			`"sec":-9223372036854775808,"nsec":-1}]}`,
	} {
		f.Add(record)
	}
	f.Fuzz(func(t *testing.T, record string) {
		fs := crashfs.New()
		fs.Put("/p/w/a", "A")
		fs.Put("/p/w/d/x", "X")
		fs.Put("/p/.git/config", "c")
		fs.Put("/out/secret", "s")
		fs.Symlink("/out", "/p/w/out")
		fs.Symlink("../.git", "/p/w/git")
		fs.Put("/p/.baton/local/journal", sealed(record))
		before := [2]map[string]string{fs.Entries("/out"), fs.Entries("/p/.git")}
		_, _ = sweeping(fs).Scan(context.Background(), "w")
		_, _ = sweeping(fs).Read(context.Background(), "w/a")
		_, _ = nudge(sweeping(fs))
		if diff := cmp.Diff(before, [2]map[string]string{fs.Entries("/out"), fs.Entries("/p/.git")}); diff != "" {
			t.Error(diff)
		}
	})
}

// TestSD52_RecoveredDiscards: the note about a journal that only removes things fits that.
func TestSD52_RecoveredDiscards(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"w/a": "A"})
	fs.MkdirAll("/p/w/none")
	fs.Put("/p/.baton/local/journal", sealed(
		`{"version":2,"started":"2025-03-01T10:00:00Z","files":null,"token":"000102030405","discards":[{"folder":"w/none"}]}`,
	))
	c, err := nudge(sweeping(fs))
	if err != nil || len(c.Notes) != 1 || c.Notes[0].Code != "recovered" {
		t.Fatalf("%+v, %v", c, err)
	}
	if text := c.Notes[0].Text; strings.Contains(text, "0 files") || !strings.Contains(text, "remove leftovers") {
		t.Error(text)
	}
}
