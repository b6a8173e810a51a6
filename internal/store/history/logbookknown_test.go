package history_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/history"

	"github.com/google/go-cmp/cmp"
)

const knownFile = "/p/.baton/local/ledger/known"

// knownOf returns what a new store that has read nothing yet knows. EachKnown must say the same,
// unless it says that the cache is damaged.
func knownOf(t testing.TB, fs *crashfs.FS) map[string]history.Known {
	t.Helper()
	known, err := loggingOn(fs).Known(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	each := map[string]history.Known{}
	whole, err := loggingOn(fs).EachKnown(context.Background(), func(name string, d history.Known) { each[name] = d })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(known, each); whole && diff != "" {
		t.Errorf("EachKnown: %s", diff)
	}
	return known
}

// TestD7_ALookKnowsWhatABatonChangeLeft: the recorded size, time and identity of each replaced file
// are those of the file, on a real disk too. After an append, size and identity are.
func TestD7_ALookKnowsWhatABatonChangeLeft(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	put(t, filepath.Join(root, "old"), "old")
	s := open(filestore.Options{Root: root, Runtime: ".baton/local"}, history.Options{Watch: watcher()})
	update(t, s, func(tx *store.Tx) { tx.Write("old", []byte("one")) })
	update(t, s, func(tx *store.Tx) { tx.Write("new", []byte("two")); tx.Append("grows", []byte("x\n")) })
	update(t, s, func(tx *store.Tx) { tx.Append("grows", []byte("y\n")) })
	known, err := s.Known(context.Background())
	if err != nil || len(known) != 3 {
		t.Fatalf("%v %v", known, err)
	}
	for name, k := range known {
		info, err := disk.OS{}.Lstat(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if k.Size != info.Size || k.ID != info.ID {
			t.Errorf("%s: %+v, is %+v", name, k, info)
		}
		if grows := name == "grows"; k.ModTime.IsZero() != grows || !grows && !k.ModTime.Equal(info.ModTime) {
			t.Errorf("%s: %s, is of %s", name, k.ModTime, info.ModTime)
		}
	}
}

// TestKnownIsTheSameWithAndWithoutItsCache: the result is the same whatever happened, and whether
// the cache is old, missing, damaged, cut off or from another log.
func TestKnownIsTheSameWithAndWithoutItsCache(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := loggingOn(fs)
	r := rand.New(rand.NewPCG(3, 4))
	other, cached := "", 0
	for i := range 300 {
		update(t, s, func(tx *store.Tx) {
			name := fmt.Sprintf("docs/%d é\"", r.IntN(40))
			switch r.IntN(4) {
			case 0:
				tx.Append(name, []byte("more\n"))
			case 1:
				if _, err := tx.Read(name); err != nil {
					t.Error(err)
				}
				tx.Discard("", name)
			default:
				tx.Write(name, fmt.Append(nil, i))
			}
		})
		if i%7 != 0 {
			continue
		}
		with := knownOf(t, fs)
		img := fs.Kill()
		if text, ok := img.Get(knownFile); ok {
			if cached++; other == "" {
				other = text
			}
			img.Delete(knownFile)
		}
		if diff := cmp.Diff(knownOf(t, img), with); diff != "" {
			t.Fatalf("after %d changes (-log +cache):\n%s", i, diff)
		}
		var names []string
		for i := range 41 {
			names = append(names, fmt.Sprintf("docs/%d é\"", i))
		}
		few, err := loggingOn(fs).KnownOf(t.Context(), names)
		if diff := cmp.Diff(with, few); diff != "" || err != nil {
			t.Fatalf("after %d changes, one by one: %v (-all +each):\n%s", i, err, diff)
		}
	}
	text, ok := fs.Get(knownFile)
	if !ok || cached < 10 {
		t.Fatal("there is no cache")
	}
	want := knownOf(t, fs)
	for name, made := range map[string]string{
		"damaged": strings.Replace(text, " 1 ", " 2 ", 1), "cut off": text[:len(text)/2], "empty": "", "an older one": other,
		"longer": text + "0 0 0 0 0 \"../../etc\"\n", "of another time": strings.Replace(
			text, "known2", "known1", 1,
		), "NUL": strings.Repeat("\x00", 5000),
	} {
		img := fs.Kill()
		img.Put(knownFile, made)
		if diff := cmp.Diff(want, knownOf(t, img)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	img := fs.Kill()
	img.Delete(logFile)
	if got := knownOf(t, img); len(got) != 0 {
		t.Errorf("without a log: %d", len(got))
	}
	update(t, loggingOn(img), func(tx *store.Tx) { tx.Write("a", []byte("b")) })
	if got := knownOf(t, img); len(got) != 1 {
		t.Errorf("after the log started over: %d", len(got))
	}
	img = fs.Kill()
	img.Delete(knownFile)
	update(t, loggingOn(img), func(tx *store.Tx) { tx.Write("a", []byte("b")) })
	if _, ok := img.Get(knownFile); !ok {
		t.Error("the next writer does not create the missing cache")
	}
}

// TestAChangeThatAHookRecordedIsKnown: changes by somebody else are known, with the number of missing
// entries. A deleted document is known to be gone.
func TestAChangeThatAHookRecordedIsKnown(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := loggingOn(fs)
	update(t, s, func(tx *store.Tx) { tx.Write("a", []byte("one")); tx.Write("b", []byte("two")) })
	err := history.LogOutside(s.History, []history.DocChange{
		{
			Name: "a", Kind: history.DocOutside, After: history.DocSum{Exists: true, Size: 7, Hash: "x"},
			ID: disk.FileID{Inode: 9}, Missing: 3,
		},
		{Name: "b", Kind: history.DocOutside, Missing: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]history.Known{"a": {Size: 7, ID: disk.FileID{Inode: 9}, Missing: 3}, "b": {Size: history.Vanished, Missing: 1}}
	if diff := cmp.Diff(want, knownOf(t, fs)); diff != "" {
		t.Error(diff)
	}
	if list := changes(t, s); !list[1].Outside() || list[1].By != "" || list[0].Outside() {
		t.Errorf("%+v", list)
	}
}

// TestAMadeUpCacheHarmsNobody: a forged cache may hold lines that are in no log, in any order.
// Known does not trust it. For a single document, the worst answer is that the document is not
// known.
func TestAMadeUpCacheHarmsNobody(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := loggingOn(fs)
	for i := range 100 {
		update(t, s, func(tx *store.Tx) { tx.Write(fmt.Sprintf("docs/%02d", i%20), fmt.Append(nil, i)) })
	}
	want := knownOf(t, fs)
	text, ok := fs.Get(knownFile)
	if !ok {
		t.Fatal("there is no cache")
	}
	for what, lines := range map[string]string{
		"a name that leads out": "1 2 3 4 5 \"../../etc/passwd\"\n", "no number": "x y z\n", "no end": "1 2 3 4 5 \"docs/99\"",
		"no name":      "1 2 3 4 5 docs\n",
		"out of order": "1 2 3 4 5 \"z\"\n1 2 3 4 5 \"../a\"\n", "empty lines": "\n\n\n", "numbers without end": strings.Repeat("9", 99) +
			" 2 3 4 5 \"a\"\n",
	} {
		img := fs.Kill()
		img.Put(knownFile, history.KnownCache(text, lines))
		if diff := cmp.Diff(want, knownOf(t, img)); diff != "" {
			t.Errorf("%s (-log +made up):\n%s", what, diff)
		}
		few, err := loggingOn(img).KnownOf(t.Context(), []string{"docs/98", "", "../../nothing"})
		if err != nil || len(few) != 0 {
			t.Errorf("%s: %v, %v", what, few, err)
		}
	}
}

// TestLacking: documents with missing entries are found in the cache and in the log alone. Once all
// entries are back, none is found.
func TestLacking(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := loggingOn(fs)
	lacking := func(want ...string) {
		t.Helper()
		for who, s := range map[string]keeper{"this one": s, "another": loggingOn(fs)} {
			if got, err := s.Lacking(t.Context()); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %q, %v", who, got, err)
			}
		}
	}
	found := func(name string, missing int) {
		t.Helper()
		after := history.DocSum{Exists: true, Size: 7, Hash: "x"}
		err := history.LogOutside(s.History, []history.DocChange{
			{Name: name, Kind: history.DocOutside, After: after, Missing: missing},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	update(t, s, func(tx *store.Tx) { tx.Write("a", []byte("one")); tx.Write("b", []byte("two")) })
	lacking()
	found("b", 2)
	found("a", 1)
	lacking("a", "b")
	for i := range 200 { // the cache is written again
		found(fmt.Sprintf("docs/%d", i%40), 0)
	}
	if text, ok := fs.Get(knownFile); !ok || !strings.Contains(text, " 2 \"b\"\n") {
		t.Fatalf("the cache does not have it: %.200q", text)
	}
	lacking("a", "b")
	found("b", 0)
	lacking("a")
	found("a", 0)
	lacking()
}

// TestAHostileLogHarmsNobody: if the log holds links, folders, made-up names, a line of 64 MB or
// random bytes, reads report it and use none of it. A change is made in any case.
func TestAHostileLogHarmsNobody(t *testing.T) {
	t.Parallel()
	folder := "/p/.baton/local/log"
	evil := history.Change{Seq: 1, Docs: []history.DocChange{
		{Name: "../../../etc/passwd", Kind: "created", After: history.DocSum{Exists: true}},
	}}
	huge := history.Change{Seq: 1, Docs: []history.DocChange{{Name: "a", Kind: "created", After: history.DocSum{Exists: true, Size: -5}}}}
	for name, c := range map[string]struct {
		make    func(fs *crashfs.FS)
		faulty  bool
		skipped bool
	}{
		"a link to another folder": {func(fs *crashfs.FS) { fs.MkdirAll("/other"); fs.Symlink("/other", folder) }, false, true},
		"a file for the folder":    {func(fs *crashfs.FS) { fs.Put(folder, "x") }, false, true},
		"a link for the log":       {func(fs *crashfs.FS) { fs.Put("/p/a", "x"); fs.Symlink("/p/a", folder+"/000001.jsonl") }, true, true},
		"a pipe for the log":       {func(fs *crashfs.FS) { fs.Pipe(folder + "/000001.jsonl") }, true, true},
		"a folder for the log":     {func(fs *crashfs.FS) { fs.MkdirAll(folder + "/000001.jsonl") }, true, true},
		"a name that leads out":    {func(fs *crashfs.FS) { fs.Put(folder+"/000001.jsonl", history.LogLine(t, evil)) }, true, false},
		"a negative size":          {func(fs *crashfs.FS) { fs.Put(folder+"/000001.jsonl", history.LogLine(t, huge)) }, true, false},
		"NUL bytes":                {func(fs *crashfs.FS) { fs.Put(folder+"/000001.jsonl", strings.Repeat("\x00\n", 1000)) }, false, false},
		"a line of 64 MB":          {func(fs *crashfs.FS) { fs.Put(folder+"/000001.jsonl", strings.Repeat("x", 64<<20)) }, true, false},
		"a line of 3 MB":           {func(fs *crashfs.FS) { fs.Put(folder+"/000001.jsonl", strings.Repeat("x", 3<<20)) }, false, false},
		"a very high number":       {func(fs *crashfs.FS) { fs.Put(folder+"/999999999999999999999.jsonl", "x") }, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs := newCrashFS(t, nil)
			c.make(fs)
			s := loggingOn(fs)
			_, faults, err := s.Changes(context.Background(), 0)
			if err != nil && report.KindOf(err) != report.Refused && report.KindOf(err) != report.Violation {
				t.Errorf("%v", err)
			}
			if c.faulty != (len(faults) > 0) {
				t.Errorf("%+v", faults)
			}
			if known, err := s.Known(context.Background()); len(known) > 0 {
				t.Errorf("%v %v", known, err)
			}
			for i := range 2 {
				did := update(t, s, func(tx *store.Tx) { tx.Write("mine", fmt.Append(nil, i)) })
				if skipped := len(did.Notes) > 0 && did.Notes[0].Code == "log_skipped"; skipped != c.skipped || len(did.Notes) > 1 {
					t.Errorf("%+v", did.Notes)
				}
			}
			list, _, _ := s.Changes(context.Background(), 0)
			if !c.skipped && (len(list) != 2 || list[1].Broken) {
				t.Errorf("%+v", list)
			}
			if len(fs.Files("/other")) > 0 {
				t.Error("something was written elsewhere")
			}
		})
	}
}

// BenchmarkKnown measures what `status` and hooks cost in a project of 1,000 documents (goal: under
// 3 ms, D31).
func BenchmarkKnown(b *testing.B) {
	root := b.TempDir()
	s := open(filestore.Options{Root: root, Runtime: ".baton/local"}, history.Options{Watch: watcher()})
	for i := range 1000 {
		if _, err := s.Update(context.Background(), func(tx *store.Tx) error {
			tx.Write(fmt.Sprintf("tasks/task-%04d-state.md", i), []byte("text"))
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(root, ".baton/local/ledger/known")); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s := open(filestore.Options{Root: root, Runtime: ".baton/local"}, history.Options{})
		if known, err := s.Known(context.Background()); err != nil || len(known) != 1000 {
			b.Fatal(len(known), err)
		}
	}
}
