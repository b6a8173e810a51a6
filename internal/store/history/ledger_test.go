package history_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/history"

	"github.com/google/go-cmp/cmp"
)

// linesOf treats every line of a document as a decision.
func linesOf(_ string, data []byte) (out []ledger.Entry) {
	after := ""
	for line := range strings.Lines(string(data)) {
		e := ledger.NewEntry(ledger.Decision, line)
		e.Raw, e.After = line, after
		out, after = append(out, e), e.Key
	}
	return out
}

// watch puts archive/X.md and tasks/X.md into one family. Every other document has a family of its
// own.
func watch() history.Watch {
	return history.Watch{
		Family: func(name string) (string, bool) {
			if base, ok := strings.CutPrefix(name, "archive/"); ok {
				name = "tasks/" + base
			}
			return name, name != "used"
		},
		Entries: linesOf,
		Head:    func() string { return "c0ffee" },
		By:      func() string { return "agent-1" },
	}
}

func watchingOn(fs *crashfs.FS) keeper {
	return open(filestore.Options{
		Root: "/p", Runtime: ".baton/local", Command: "test", Env: steady(), FS: fs, Wait: -1,
	}, history.Options{Watch: watch(), Snapshots: roomy})
}

func watchingAt(root string) keeper {
	return open(filestore.Options{Root: root, Runtime: ".baton/local", Command: "test"}, history.Options{Watch: watch(), Snapshots: roomy})
}

func bookOf(t *testing.T, s keeper, family string) *ledger.Book {
	t.Helper()
	b, err := s.Book(context.Background(), family)
	if err != nil {
		t.Fatal(err)
	}
	if b == nil {
		b = ledger.New(family)
	}
	return b
}

// bookSays returns the entries of a book as "state document: text".
func bookSays(t *testing.T, s keeper, family string) (out []string) {
	t.Helper()
	for _, k := range bookOf(t, s, family).Entries {
		how := ""
		if k.How != "" {
			how = " " + string(k.How)
		}
		out = append(out, fmt.Sprintf("%s%s %s: %s", k.State, how, k.Doc, k.Label))
	}
	return out
}

func says(t *testing.T, s keeper, family string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, bookSays(t, s, family)); diff != "" {
		t.Error(diff)
	}
}

func observe(t *testing.T, s keeper, names ...string) []string {
	t.Helper()
	families, err := s.Observe(context.Background(), names)
	if err != nil {
		t.Fatal(err)
	}
	return families
}

func TestD37_EveryCommitIsRecordedInTheBook(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"tasks/1.md": "by hand\n"})
	s := watchingOn(fs)
	write := func(text string) { update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte(text)) }) }
	write("by hand\none\ntwo\n")
	write("one\ntwo\n")
	says(t, s, "tasks/1.md", "left removed tasks/1.md: by hand", "present tasks/1.md: one", "present tasks/1.md: two")
	b := bookOf(t, s, "tasks/1.md")
	if k := b.Entries[0]; k.First.By != "" || k.First.Head != "c0ffee" || k.Gone.By != "agent-1" || k.Gone.Command != "test" {
		t.Errorf("%+v", k)
	}
	update(t, s, func(tx *store.Tx) {
		tx.Write("tasks/1.md", []byte("two\n"))
		tx.Append("archive/1.md", []byte("one\n"))
	})
	says(t, s, "tasks/1.md", "left removed tasks/1.md: by hand", "present tasks/1.md: two", "present archive/1.md: one")
	families, err := s.Families(context.Background())
	if diff := cmp.Diff([]string{"tasks/1.md"}, families); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestD8_TheNextCommitRecordsWhatSomebodyElseDid(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := watchingOn(fs)
	write := func(text string) { update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte(text)) }) }
	write("one\nuse the blue database for all orders that we keep here\ntwo\n")
	fs.Put("/p/tasks/1.md", "use the red database for all orders that we keep here\nthree\n")
	write("use the red database for all orders that we keep here\nthree\nfour\n")
	says(t, s, "tasks/1.md", "present tasks/1.md: use the red database for all orders that we keep here",
		"present tasks/1.md: three", "present tasks/1.md: four", "missing tasks/1.md: one",
		"left reworded tasks/1.md: use the blue database for all orders that we keep here", "missing tasks/1.md: two")
	known, err := s.Known(context.Background())
	if err != nil || known["tasks/1.md"].Missing != 2 {
		t.Errorf("%+v, %v", known, err)
	}
	write("one\nthree\n")
	if known, err = s.Known(context.Background()); err != nil || known["tasks/1.md"].Missing != 1 {
		t.Errorf("%+v, %v", known, err)
	}
}

func TestD8_ObserveRecordsWhatSomebodyElseDid(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"tasks/2.md": "old\n"})
	s := watchingOn(fs)
	update(t, s, func(tx *store.Tx) {
		tx.Write("tasks/1.md", []byte("one\ntwo\n"))
		tx.Append("archive/1.md", []byte("zero\n"))
	})
	names := []string{"tasks/1.md", "archive/1.md", "tasks/2.md", "tasks/3.md", "used"}
	if diff := cmp.Diff([]string{"tasks/2.md"}, observe(t, s, names...)); diff != "" {
		t.Errorf("baseline: %s", diff)
	}
	before := s.Counters().BytesRead.Load()
	if got := observe(t, s, names...); got != nil {
		t.Errorf("nothing changed: %q", got)
	}
	if n := s.Counters().BytesRead.Load() - before; n > 16<<10 {
		t.Errorf("a look at unchanged documents read %d bytes", n)
	}
	fs.Put("/p/tasks/1.md", "zero\ntwo\n")
	fs.Put("/p/archive/1.md", "")
	fs.Delete("/p/tasks/2.md")
	if diff := cmp.Diff([]string{"tasks/1.md", "tasks/2.md"}, observe(t, s, names...)); diff != "" {
		t.Error(diff)
	}
	says(t, s, "tasks/1.md", "present tasks/1.md: zero", "missing tasks/1.md: one", "present tasks/1.md: two")
	says(t, s, "tasks/2.md", "missing tasks/2.md: old")
	if got := observe(t, s, names...); got != nil {
		t.Errorf("a second look: %q", got)
	}
	if got := versions(t, s, "tasks/1.md"); !slices.Contains(got, "found! zero\ntwo\n") {
		t.Errorf("versions %q", got)
	}
	known, err := s.Known(context.Background())
	if err != nil || known["tasks/1.md"].Missing != 1 || known["archive/1.md"].Missing != 1 || known["tasks/2.md"].Missing != 1 {
		t.Errorf("%+v, %v", known, err)
	}
	fs.Put("/p/tasks/2.md", "old\n") // somebody puts it back
	observe(t, s, names...)
	says(t, s, "tasks/2.md", "present tasks/2.md: old")
}

// TestD37_ABookThatIsGoneStartsOver: a power cut may lose a book and keep the log, which says that
// nothing has changed.
func TestD37_ABookThatIsGoneStartsOver(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := watchingOn(fs)
	update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte("one\n")) })
	for path := range fs.Files("/p/.baton/local/ledger") {
		if len(filepath.Base(path)) == 16 {
			fs.Delete(path)
		}
	}
	if got := observe(t, s, "tasks/1.md"); len(got) != 1 {
		t.Errorf("%q", got)
	}
	if b := bookOf(t, s, "tasks/1.md"); len(b.Entries) != 1 || b.Since.IsZero() {
		t.Errorf("%+v", b)
	}
}

func TestAcceptedEntriesAreNoLongerMissing(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := watchingOn(fs)
	update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte("one\ntwo\nthree\n")) })
	fs.Put("/p/tasks/1.md", "three\n")
	key := func(text string) string { return ledger.NewEntry(ledger.Decision, text).Key }
	err := s.Accept(context.Background(), map[string][]string{"tasks/1.md": {key("one"), key("three"), "none"}, "tasks/9.md": {"none"}})
	if err != nil {
		t.Fatal(err)
	}
	says(t, s, "tasks/1.md", "left accepted tasks/1.md: one", "missing tasks/1.md: two", "present tasks/1.md: three")
	known, err := s.Known(context.Background())
	if err != nil || known["tasks/1.md"].Missing != 1 {
		t.Errorf("%+v, %v", known, err)
	}
}

// TestD7_AnAppendReadsNoArchive: a commit that appends does not read the archive, however long it
// is. The next look finds whether somebody else changed it.
func TestD7_AnAppendReadsNoArchive(t *testing.T) {
	t.Parallel()
	long := ""
	for i := range 1000 {
		long += fmt.Sprintf("%-63d\n", i)
	}
	long = strings.Repeat(long, 80) // 5 MB
	fs := newCrashFS(t, map[string]string{"archive/1.md": long, "tasks/1.md": "one\n"})
	s := watchingOn(fs)
	observe(t, s, "tasks/1.md", "archive/1.md")
	add := func(text string) {
		t.Helper()
		before := s.Counters().BytesRead.Load()
		update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte(text)); tx.Append("archive/1.md", []byte(text)) })
		if n := s.Counters().BytesRead.Load() - before; n > 256<<10 {
			t.Errorf("a commit read %d bytes", n)
		}
	}
	add("two\n")
	add("three\n")
	if st := bookOf(t, s, "tasks/1.md").Docs["archive/1.md"]; st.Unsure || st.Tail != 4096 {
		t.Errorf("%+v", st)
	}
	fs.Put("/p/archive/1.md", "three\n")
	add("four\n")
	if b := bookOf(t, s, "tasks/1.md"); !b.Docs["archive/1.md"].Unsure || b.Lacking() != 0 {
		t.Errorf("%+v", b.Docs)
	}
	observe(t, s, "tasks/1.md", "archive/1.md")
	if b := bookOf(t, s, "tasks/1.md"); b.Docs["archive/1.md"].Unsure || b.Lacking() != 1001 { // the lines of the old archive, and "two"
		t.Errorf("%+v, %d", b.Docs, b.Lacking())
	}
}

func TestD37_TheLedgerCostsNoFsync(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		syncs int64
		fn    func(tx *store.Tx, b []byte)
	}{
		{"one file changed", 2, func(tx *store.Tx, b []byte) { tx.Write("tasks/1.md", b) }},
		{"move to an archive", 6, func(tx *store.Tx, b []byte) { tx.Write("tasks/1.md", b); tx.Append("tasks/2.md", b) }},
		{"move to a new archive elsewhere", 7, func(tx *store.Tx, b []byte) { tx.Write("tasks/1.md", b); tx.Append("archive/1.md", b) }},
		{"nothing", 0, func(*store.Tx, []byte) {}},
	} {
		root := realTemp(t)
		for _, name := range []string{"tasks/1.md", "tasks/2.md", "archive/other"} {
			put(t, filepath.Join(root, name), "old\n")
		}
		s := watchingAt(root)
		update(t, s, func(tx *store.Tx) { tx.Write("archive/other", []byte("used")) })
		for _, text := range []string{"new\n", "newer\n"} { // the first commit begins the book
			before := s.Counters().Syncs.Load()
			update(t, s, func(tx *store.Tx) { c.fn(tx, []byte(text)) })
			if n := s.Counters().Syncs.Load() - before; n != c.syncs && (text == "new\n" || c.syncs != 7 || n != 6) {
				t.Errorf("%s: %d fsyncs, want %d", c.name, n, c.syncs)
			}
		}
	}
}

// TestD37_EntriesSurviveCrashes: if the process dies or the power fails at any moment, the book can
// still be read and the next commit succeeds. Whatever the documents hold then is missed if
// somebody wipes it.
func TestD37_EntriesSurviveCrashes(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes() {
		t.Run(sc.Name, func(t *testing.T) {
			t.Parallel()
			fs := newCrashFS(t, sc.Before)
			observe(t, watchingOn(fs), slices.Sorted(maps.Keys(sc.Before))...)
			points := 0
			check := func(what string, img *crashfs.FS, killed bool) {
				points++
				s := watchingOn(img)
				// If nothing is to be recovered, somebody may edit before the next writer comes.
				if _, pending := img.Get("/p/.baton/local/journal"); pending || !killed || points%2 == 0 {
					if _, err := nudge(s); err != nil {
						t.Fatalf("%s: recovery: %v", what, err)
					}
				}
				held := noTemps(documents(img))
				if !killed { // the newest record may be gone, but the next commit restores it
					update(t, s, func(tx *store.Tx) {
						for name := range held {
							held[name] += "more\n"
							tx.Write(name, []byte(held[name]))
						}
					})
				}
				for name := range held {
					img.Put("/p/"+name, "")
				}
				update(t, s, func(tx *store.Tx) {
					for name := range held {
						tx.Write(name, []byte("goes on\n"))
					}
				})
				for name, text := range held {
					family, _ := watch().Family(name)
					b := bookOf(t, s, family)
					for _, e := range linesOf(name, []byte(text)) {
						if k := b.Get(e.Key); k == nil || k.State != ledger.Missing || k.Raw != e.Raw {
							t.Fatalf("%s: %q of %s is not missed: %+v", what, e.Raw, name, k)
						}
					}
				}
			}
			crashes(t, fs, func() error {
				_, err := watchingOn(fs).Update(context.Background(), sc.Run)
				return err
			}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
				what := fmt.Sprintf("before %s %s (%d)", op.Name, op.Path, op.N)
				check(what, snap(0), true)
				if all { // otherwise each moment is tried in only one of the two ways
					check(what+", at once", snap(0), true)
				}
				if sampled(op.N, 3) {
					check(what+", power cut", snap(1), false)
				}
			})
			check("acknowledged", fs.Kill(), true)
			check("acknowledged, at once", fs.Kill(), true)
			t.Logf("%d crashes", points)
		})
	}
}

// TestF27_ABookIsNeverAheadOfItsCommit: a power cut just before the journal may keep the record of a
// move that was never made, and lose the record of its writer. The book still says that the entry is
// in the task, and the entry is missed if it is wiped there.
func TestF27_ABookIsNeverAheadOfItsCommit(t *testing.T) {
	t.Parallel()
	write := func(t *testing.T, s keeper, text string) {
		t.Helper()
		update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte(text)) })
	}
	look := func(t *testing.T, s keeper) { t.Helper(); observe(t, s, "tasks/1.md") }
	for _, wipe := range []struct {
		name string
		act  func(t *testing.T, s keeper, byHand func(text string))
	}{
		{"a commit, a wipe, a commit", func(t *testing.T, s keeper, byHand func(string)) {
			write(t, s, "# 1\n"+entry+kept+"more\n")
			byHand("# 1\n")
			write(t, s, "# 1\nmore\n")
		}},
		{"a commit, a wipe, a look", func(t *testing.T, s keeper, byHand func(string)) {
			write(t, s, "# 1\n"+entry+kept+"more\n")
			byHand("# 1\n")
			look(t, s)
		}},
		{"a wipe, a commit", func(t *testing.T, s keeper, byHand func(string)) {
			byHand("# 1\n")
			write(t, s, "# 1\nmore\n")
		}},
		{"a wipe, a look", func(t *testing.T, s keeper, byHand func(string)) {
			byHand("# 1\n")
			look(t, s)
		}},
	} {
		for _, sc := range scenes()[:2] {
			t.Run(sc.Name+"/"+wipe.name, func(t *testing.T) {
				t.Parallel()
				fs := newCrashFS(t, sc.Before)
				observe(t, watchingOn(fs), slices.Sorted(maps.Keys(sc.Before))...)
				var img *crashfs.FS
				crashes(t, fs, func() error {
					_, err := watchingOn(fs).Update(context.Background(), sc.Run)
					return err
				}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
					if op.Name == "create" && op.Path == "/p/.baton/local/journal" {
						img = snap(0)
					}
				})
				img.Put("/p/.baton/local/lock.json", "") // nor the record of its writer
				s := watchingOn(img)
				if k := bookOf(t, s, "tasks/1.md").Get(linesOf("", []byte(entry))[1].Key); k == nil || k.Doc != "tasks/1.md" {
					t.Fatalf("the book is ahead: %+v", k)
				}
				wipe.act(t, s, func(text string) { img.Put("/p/tasks/1.md", text) })
				b := bookOf(t, s, "tasks/1.md")
				for _, e := range linesOf("", []byte(entry+kept)) {
					if k := b.Get(e.Key); k == nil || k.State != ledger.Missing || k.Raw != e.Raw {
						t.Errorf("%q is not missed: %+v", e.Raw, k)
					}
				}
			})
		}
	}
}

// TestD37_TheLedgerNeverFailsACommit: no failed operation on the ledger fails the commit, and a
// commit that was not made is in no book.
func TestD37_TheLedgerNeverFailsACommit(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes() {
		for _, fault := range []syscall.Errno{syscall.ENOSPC, syscall.EACCES, syscall.EIO} {
			t.Run(sc.Name+"/"+errorName(fault), func(t *testing.T) {
				t.Parallel()
				for at, done := 1, false; !done; at++ {
					fs := newCrashFS(t, sc.Before)
					first, hit := fs.Ops(), ""
					fs.Hook = func(op crashfs.Op) error {
						if op.N-first == at {
							hit = op.Path
							return fault
						}
						return nil
					}
					s := watchingOn(fs)
					_, err := s.Update(context.Background(), sc.Run)
					fs.Hook = nil
					done = hit == ""
					if strings.Contains(hit, "/ledger") && err != nil {
						t.Fatalf("operation %d on %s: %v", at, hit, err)
					}
					if err == nil {
						allOrNothing(t, hit, sc, noTemps(documents(fs)), "new")
						continue
					}
					families, errList := s.Families(context.Background())
					if errList != nil {
						t.Fatal(errList)
					}
					for _, family := range families {
						for _, k := range bookOf(t, s, family).Entries {
							if k.State != ledger.Present || k.First.By != "" {
								t.Fatalf("operation %d on %s: %v, but the book has %+v", at, hit, err, k)
							}
						}
					}
				}
			})
		}
	}
}

func TestD37_ATornTailIsCutByTheNextCommit(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := watchingOn(fs)
	write := func(text string) { update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte(text)) }) }
	write("one\n")
	var path string
	for p := range fs.Files("/p/.baton/local/ledger") {
		if len(filepath.Base(p)) == 16 {
			path = p
		}
	}
	data, _ := fs.Get(path)
	for _, tail := range []string{"0123456789ab {\"fam", strings.Repeat("\x00", 300<<10)} {
		fs.Put(path, data+tail)
		write("one\ntwo\n")
		says(t, s, "tasks/1.md", "present tasks/1.md: one", "present tasks/1.md: two")
		if now, _ := fs.Get(path); strings.Contains(now, tail) || !strings.HasPrefix(now, data) {
			t.Error("the torn tail was not cut off")
		}
		write("one\n")
	}
	fs.Put(path, "no book\n")
	write("three\n")
	says(t, s, "tasks/1.md", "present tasks/1.md: three", "left removed tasks/1.md: one")
}

func TestTwoProcessesKeepOneBook(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	errs := make(chan error)
	for p := range 2 {
		go func() {
			s := watchingAt(root)
			for i := range 15 {
				_, err := s.Update(context.Background(), func(tx *store.Tx) error {
					doc, err := tx.Read("tasks/1.md")
					tx.Write("tasks/1.md", append(doc.Data, fmt.Sprintf("process %d entry %d\n", p, i)...))
					return err
				})
				if err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	for range 2 {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	b := bookOf(t, watchingAt(root), "tasks/1.md")
	for _, k := range b.Entries {
		if k.State != ledger.Present || k.First.By != "agent-1" {
			t.Errorf("%+v", k)
		}
	}
	if len(b.Entries) != 30 {
		t.Errorf("%d entries", len(b.Entries))
	}
}

// TestD36_TheLedgerStaysInside: a link in place of the ledger, which a repository may hold, is not
// followed, and the commit is made.
func TestD36_TheLedgerStaysInside(t *testing.T) {
	t.Parallel()
	root, outside := realTemp(t), realTemp(t)
	s := watchingAt(root)
	update(t, s, func(tx *store.Tx) { tx.Write("used", []byte("x")) })
	folder := filepath.Join(root, ".baton/local/ledger")
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, folder); err != nil {
		t.Skip("needs symbolic links: ", err)
	}
	s = watchingAt(root)
	done, err := s.Update(context.Background(), func(tx *store.Tx) error { tx.Write("tasks/1.md", []byte("one\n")); return nil })
	if err != nil || !slices.ContainsFunc(done.Notes, func(f report.Finding) bool { return f.Code == "ledger_skipped" }) {
		t.Errorf("%v, %+v", err, done.Notes)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

// A person who may not read a document may not read its book.
func TestABookHasNoMorePermissionsThanItsDocuments(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	s := watchingAt(root)
	mode := func() os.FileMode {
		t.Helper()
		books, err := filepath.Glob(filepath.Join(root, ".baton/local/ledger/????????????????"))
		if err != nil || len(books) != 1 {
			t.Fatal(books, err)
		}
		info, err := os.Stat(books[0])
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte("one\n")) })
	if got := mode(); got&0o600 != 0o600 || got&0o111 != 0 {
		t.Error(got)
	}
	if err := os.Chmod(filepath.Join(root, "tasks/1.md"), 0o440); err != nil {
		t.Fatal(err)
	}
	update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte("two\n")) })
	if got := mode(); got&0o007 != 0 || got&0o600 != 0o600 {
		t.Errorf("%o", got)
	}
}

// TestALongBookIsRewritten: what commits repeat goes, and no entry.
func TestALongBookIsRewritten(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := watchingOn(fs)
	long := strings.Repeat("word ", 250)
	for i := range 260 {
		update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", fmt.Appendf(nil, "one\n%d %s\n", i%2, long)) })
	}
	size := func() (n int) {
		for path, data := range fs.Files("/p/.baton/local/ledger") {
			if len(filepath.Base(path)) == 16 {
				n += len(data)
			}
		}
		return n
	}
	before, said := size(), bookSays(t, s, "tasks/1.md")
	fs.Put("/p/tasks/1.md", "one\n1 "+long+"\nby hand\n")
	observe(t, s, "tasks/1.md")
	if after := size(); before < 256<<10 || after > before/8 {
		t.Errorf("%d bytes, then %d", before, after)
	}
	if now := bookSays(t, s, "tasks/1.md"); len(now) != len(said)+1 {
		t.Errorf("%d entries, then %d", len(said), len(now))
	}
}

// BenchmarkLedger is a commit of a document of 20 KB with 40 entries, of which one is new:
// medians of alternating rounds without anything, and with the ledger, with ledger and log, and
// with versions too.
func BenchmarkLedger(b *testing.B) {
	text := ""
	for i := range 40 {
		text += fmt.Sprintf("%d %s\n", i, strings.Repeat("word ", 100))
	}
	unlogged := watch()
	unlogged.By = nil
	kinds := []struct {
		name string
		o    history.Options
	}{
		{"nothing", history.Options{}},
		{"ledger", history.Options{Watch: unlogged}},
		{"ledger+log", history.Options{Watch: watch()}},
		{"all", history.Options{Watch: watch(), Snapshots: roomy}},
	}
	stores, took := make([]keeper, len(kinds)), make([][]float64, len(kinds))
	for i, kind := range kinds {
		stores[i] = open(filestore.Options{Root: b.TempDir(), Runtime: ".baton/local", Command: "test"}, kind.o)
	}
	for n := 0; b.Loop(); n++ {
		for i, s := range stores {
			began := b.Elapsed()
			_, err := s.Update(context.Background(), func(tx *store.Tx) error {
				tx.Write("tasks/1.md", fmt.Appendf(nil, "%s%d\n", text, n))
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], float64((b.Elapsed() - began).Microseconds()))
		}
	}
	for i, kind := range kinds {
		slices.Sort(took[i])
		b.ReportMetric(took[i][len(took[i])/2], kind.name+"-µs")
	}
}
