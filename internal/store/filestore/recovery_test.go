package filestore_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"

	"github.com/google/go-cmp/cmp"
)

const journalPath = "/p/.baton/local/journal"

// stopped runs the archiving scene and returns the disk as it is if the process dies just before
// the first operation op on path after the commit point.
func stopped(t *testing.T, op, path string) *crashfs.FS {
	t.Helper()
	sc := scenes()[0]
	fs := newCrashFS(t, sc.Before)
	var img *crashfs.FS
	fs.Hook = func(o crashfs.Op) error {
		if _, committed := fs.Get(journalPath); img == nil && committed && o.Name == op && (path == "" || o.Path == path) {
			img = fs.Kill()
		}
		return nil
	}
	if _, err := on(fs).Update(context.Background(), sc.Run); err != nil {
		t.Fatal(err)
	}
	if img == nil {
		t.Fatalf("there was no %s of %s", op, path)
	}
	return img
}

// TestD5_Recovery tests decision D5 case by case. The process died between the commit point and the
// append. Then somebody did what the case says, and then the next writer came.
func TestD5_Recovery(t *testing.T) {
	t.Parallel()
	sc := scenes()[0]
	task, archive := sc.Before["tasks/1.md"], sc.Before["archive/1.md"]
	for _, c := range []struct {
		name string
		hand map[string]string // files edited by hand after the death; "-" deletes
		want map[string]string // differences from sc.after
		kept []string          // what must be among the conflicts
		same bool              // rolled forward, without conflicts
	}{
		{name: "all old is rolled forward", same: true},
		{
			name: "half an append is finished",
			hand: map[string]string{"archive/1.md": archive + entry[:9]}, same: true,
		},
		{
			name: "an append that a power cut filled with NUL bytes is finished",
			hand: map[string]string{"archive/1.md": archive + entry[:5] + strings.Repeat("\x00", 10)}, same: true,
		},
		{
			name: "the append was done",
			hand: map[string]string{"archive/1.md": archive + entry}, same: true,
		},
		{
			name: "the append was done and somebody appended more",
			hand: map[string]string{"archive/1.md": archive + entry + byHand},
			want: map[string]string{"archive/1.md": archive + entry + byHand}, same: true,
		},
		{
			name: "one file was replaced already",
			hand: map[string]string{"tasks/2.md": sc.After["tasks/2.md"]}, same: true,
		},
		{
			name: "what loses was edited: only the moved text leaves it",
			hand: map[string]string{"tasks/1.md": byHand + task},
			want: map[string]string{"tasks/1.md": byHand + "# 1\n" + kept, "tasks/2.md": "none\n"},
			kept: []string{sc.After["tasks/1.md"], sc.After["tasks/2.md"]},
		},
		{
			name: "the moved text itself was edited: it stays, as a duplicate",
			hand: map[string]string{"tasks/1.md": strings.Replace(task, "was done", "was nearly done", 1)},
			want: map[string]string{"tasks/1.md": strings.Replace(task, "was done", "was nearly done", 1), "tasks/2.md": "none\n"},
			kept: []string{sc.After["tasks/1.md"], sc.After["tasks/2.md"]},
		},
		{
			name: "what loses was deleted",
			hand: map[string]string{"tasks/1.md": "-"},
			want: map[string]string{"tasks/1.md": "-", "tasks/2.md": "none\n"},
			kept: []string{sc.After["tasks/1.md"], sc.After["tasks/2.md"]},
		},
		{
			name: "what gains was edited: the text is added to it",
			hand: map[string]string{"archive/1.md": byHand + archive},
			want: map[string]string{"archive/1.md": byHand + archive + entry, "tasks/2.md": "none\n"},
			kept: []string{sc.After["tasks/2.md"]},
		},
		{
			name: "what gains was edited and has the text already: it is not added twice",
			hand: map[string]string{"archive/1.md": byHand + archive + entry + byHand},
			want: map[string]string{"archive/1.md": byHand + archive + entry + byHand, "tasks/2.md": "none\n"},
			kept: []string{sc.After["tasks/2.md"]},
		},
		{
			name: "what gains was deleted: it starts over with the text",
			hand: map[string]string{"archive/1.md": "-"},
			want: map[string]string{"archive/1.md": entry, "tasks/2.md": "none\n"},
			kept: []string{sc.After["tasks/2.md"]},
		},
		{
			name: "a third file was edited: it stays, the move is made",
			hand: map[string]string{"tasks/2.md": byHand},
			want: map[string]string{"tasks/2.md": byHand},
			kept: []string{sc.After["tasks/2.md"]},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fs := stopped(t, "append", "/p/archive/1.md")
			apply(fs, c.hand)
			commit, err := nudge(on(fs))
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{}
			for name, data := range sc.After {
				want[name] = data
			}
			for name, data := range c.want {
				want[name] = data
				if data == "-" {
					delete(want, name)
				}
			}
			if diff := cmp.Diff(want, documents(fs)); diff != "" {
				t.Errorf("documents:\n%s", diff)
			}
			if _, left := fs.Get(journalPath); left || notes(commit, "recovered") != 1 {
				t.Errorf("journal left %v, notes %v", left, commit.Notes)
			}
			var set []string
			for path, data := range fs.Files("/p/.baton/local/conflicts") {
				set = append(set, data)
				if !strings.Contains(path, "/conflicts/20250301T100000") {
					t.Errorf("kept as %s", path)
				}
			}
			if c.same && (len(set) != 0 || notes(commit, "conflict_kept") != 0) {
				t.Errorf("conflicts without need: %q", set)
			}
			for _, data := range c.kept {
				if !strings.Contains(strings.Join(set, "|"), data) {
					t.Errorf("%q is not among the conflicts %q", data, set)
				}
			}
			if _, err := nudge(on(fs)); err != nil || cmp.Diff(want, documents(fs)) != "" {
				t.Errorf("the next writer after that: %v", err)
			}
		})
	}
}

func apply(fs *crashfs.FS, hand map[string]string) {
	for name, data := range hand {
		if data == "-" {
			fs.Delete("/p/" + name)
		} else {
			fs.Put("/p/"+name, data)
		}
	}
}

// TestD5_IncompleteJournal: a journal that is cut off anywhere or has a changed byte counts as
// never begun.
func TestD5_IncompleteJournal(t *testing.T) {
	t.Parallel()
	sc := scenes()[0]
	whole, _ := stopped(t, "append", "/p/archive/1.md").Get(journalPath)
	for cut := 0; cut < len(whole); cut += 97 {
		for _, torn := range []string{whole[:cut], whole[:cut] +
			strings.Repeat("\x00", len(whole)-cut), whole[:cut] + "?" + whole[cut+1:]} {
			fs := stopped(t, "append", "/p/archive/1.md")
			fs.Put(journalPath, torn)
			if diff := cmp.Diff(sc.Before, readAll(t, on(fs), sc)); diff != "" {
				t.Fatalf("cut at %d: a reader used it:\n%s", cut, diff)
			}
			if _, err := nudge(on(fs)); err != nil {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			if diff := cmp.Diff(sc.Before, documents(fs)); diff != "" {
				t.Fatalf("cut at %d:\n%s", cut, diff)
			}
			if _, left := fs.Get(journalPath); left {
				t.Fatalf("cut at %d: the journal stays", cut)
			}
		}
	}
}

// TestD5_NewerJournal: the promise of a newer baton is neither dropped nor guessed.
func TestD5_NewerJournal(t *testing.T) {
	t.Parallel()
	fs := crashfs.New()
	fs.Put("/p/1.md", "x")
	record := `{"version":99,"files":[]}`
	fs.Put(journalPath, fmt.Sprintf("%s\n{\"sha256\":\"%x\"}\n", record, sha256.Sum256([]byte(record))))
	_, err := on(fs).Update(context.Background(), func(tx *store.Tx) error { tx.Write("1.md", []byte("y")); return nil })
	if report.KindOf(err) != report.Refused || report.CodeOf(err) != "journal_unreadable" {
		t.Errorf("got %v", err)
	}
	if _, there := fs.Get(journalPath); !there {
		t.Error("the journal was dropped")
	}
	if doc, err := on(fs).Read(context.Background(), "1.md"); err != nil || string(doc.Data) != "x" {
		t.Errorf("reading: %+v, %v", doc, err)
	}
}

// TestD8_PendingJournal: a reader that meets a complete journal shows all documents as they will
// be, marks them, and touches nothing. If one was edited by hand, it shows the current files.
func TestD8_PendingJournal(t *testing.T) {
	t.Parallel()
	sc := scenes()[0]
	fs := stopped(t, "append", "/p/archive/1.md")
	before := fs.Files("/")
	s := on(fs)
	for name, data := range sc.After {
		doc, err := s.Read(context.Background(), name)
		if err != nil || string(doc.Data) != data || !doc.Pending || doc.Size != int64(len(data)) {
			t.Errorf("%s: %+v, %v", name, doc, err)
		}
		for _, n := range []int{0, 5, len(entry), len(entry) + 5, 10_000} {
			k := min(n, len(data))
			h, err := s.Head(context.Background(), name, n)
			if err != nil || string(h.Data) != data[:k] || !h.Pending || h.Size != int64(len(data)) {
				t.Errorf("head %d of %s: %+v, %v", n, name, h, err)
			}
			l, err := s.Tail(context.Background(), name, n)
			if err != nil || string(l.Data) != data[len(data)-k:] || l.Offset != int64(len(data)-k) {
				t.Errorf("tail %d of %s: %+v, %v", n, name, l, err)
			}
		}
	}
	if diff := cmp.Diff(before, fs.Files("/")); diff != "" {
		t.Errorf("reading changed something:\n%s", diff)
	}
	editor(fs, "/p/tasks/2.md", false)
	for name := range sc.Before {
		now, _ := fs.Get("/p/" + name)
		if doc, err := s.Read(context.Background(), name); err != nil || string(doc.Data) != now || doc.Pending {
			t.Errorf("edited, %s: %+v, %v", name, doc, err)
		}
	}
	created := scenes()[1]
	fs = newCrashFS(t, created.Before)
	fs.Hook = func(o crashfs.Op) error {
		if _, committed := fs.Get(journalPath); committed && o.Name == "create" && o.Path == "/p/archive/1.md" {
			entries, err := on(fs.Kill()).List(context.Background(), "archive")
			if err != nil || len(entries) != 1 || entries[0].Name != "1.md" || entries[0].Size != int64(len(entry)) {
				t.Errorf("list: %+v, %v", entries, err)
			}
		}
		return nil
	}
	if _, err := on(fs).Update(context.Background(), created.Run); err != nil {
		t.Fatal(err)
	}
}

// TestD8_ReaderDuringWrites: a reader reads the losing document at one moment of a commit and the
// gaining one at any later moment. It sees the moved entry at least once.
func TestD8_ReaderDuringWrites(t *testing.T) {
	t.Parallel()
	sc := scenes()[0]
	fs := newCrashFS(t, sc.Before)
	type reading struct {
		op   crashfs.Op
		read func(name string) string
		has  bool
	}
	var readings []reading
	read := func(op crashfs.Op) {
		s := on(fs)
		hook := fs.Hook
		fs.Hook = nil
		defer func() { fs.Hook = hook }()
		r := reading{op: op, read: func(name string) string {
			doc, err := s.Read(context.Background(), name)
			if err != nil {
				t.Errorf("read %s: %v", name, err)
			}
			return string(doc.Data)
		}}
		r.has = strings.Contains(r.read("tasks/1.md"), entry)
		readings = append(readings, r)
		for _, earlier := range readings {
			if !earlier.has && !strings.Contains(earlier.read("archive/1.md"), entry) {
				t.Errorf("task read before %s %s, archive before %s %s: the entry is in neither",
					earlier.op.Name, earlier.op.Path, op.Name, op.Path)
			}
		}
	}
	fs.Hook = func(op crashfs.Op) error { read(op); return nil }
	if _, err := on(fs).Update(context.Background(), sc.Run); err != nil {
		t.Fatal(err)
	}
	read(crashfs.Op{Name: "the end"})
	if len(readings) < 50 || readings[0].has == readings[len(readings)-1].has {
		t.Errorf("%d readings, first %v, last %v", len(readings), readings[0].has, readings[len(readings)-1].has)
	}
}

// TestD11_DeathBetweenExchangeAndLook: the process dies after the exchange has pushed out a hand
// edit that nobody has seen. The next writer puts it back.
func TestD11_DeathBetweenExchangeAndLook(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"1.md": "x\n"})
	var img *crashfs.FS
	exchanged := false
	fs.Hook = func(op crashfs.Op) error {
		switch {
		case op.Name == "exchange" && !exchanged:
			exchanged = true
			editor(fs, "/p/1.md", true)
		case exchanged && img == nil:
			img = fs.Kill()
		}
		return nil
	}
	if _, err := on(fs).Update(context.Background(), addLine("1.md", "by baton\n")); err != nil {
		t.Fatal(err)
	}
	if got, _ := img.Get("/p/1.md"); got != "x\nby baton\n" {
		t.Fatalf("the test missed the moment: %q", got)
	}
	commit, err := nudge(on(img))
	if err != nil || notes(commit, "swept") != 1 {
		t.Fatalf("%v, %v", err, commit.Notes)
	}
	if diff := cmp.Diff(map[string]string{"1.md": "x\n" + byHand}, documents(img)); diff != "" {
		t.Error(diff)
	}
}

// TestD5_PushedOutByJournal: the process dies between an exchange and the look, in a transaction
// over three files, and a power cut has removed lock.json. Only the journal tells the next writer
// that the temporary file holds a hand edit, and it treats it as one.
func TestD5_PushedOutByJournal(t *testing.T) {
	t.Parallel()
	sc := scenes()[0]
	fs := newCrashFS(t, sc.Before)
	var img *crashfs.FS
	exchanged := false
	fs.Hook = func(op crashfs.Op) error {
		switch {
		case op.Name == "exchange" && !exchanged:
			exchanged = true
			editor(fs, "/p/tasks/1.md", true)
		case exchanged && img == nil:
			img = fs.Kill()
		}
		return nil
	}
	if _, err := on(fs).Update(context.Background(), sc.Run); err != nil {
		t.Fatal(err)
	}
	img.Put("/p/.baton/local/lock.json", "")
	if _, err := nudge(on(img)); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"tasks/1.md": sc.After["tasks/1.md"] + byHand, "archive/1.md": sc.After["archive/1.md"], "tasks/2.md": "none\n",
	}
	if diff := cmp.Diff(want, documents(img)); diff != "" {
		t.Error(diff)
	}
}

// TestD8_JournalThatComesLater: a store that once saw no journal notices one that appears later.
func TestD8_JournalThatComesLater(t *testing.T) {
	t.Parallel()
	fs := stopped(t, "append", "/p/archive/1.md")
	journal, _ := fs.Get(journalPath)
	fs.Delete(journalPath)
	s := on(fs)
	for range 2 {
		if doc, err := s.Read(context.Background(), "tasks/1.md"); err != nil || doc.Pending {
			t.Fatalf("%+v, %v", doc, err)
		}
	}
	fs.Put(journalPath, journal)
	if doc, err := s.Read(context.Background(), "tasks/1.md"); err != nil || !doc.Pending {
		t.Errorf("read: %+v, %v", doc, err)
	}
	if part, err := s.Tail(context.Background(), "archive/1.md", 10); err != nil || !part.Pending {
		t.Errorf("tail: %+v, %v", part, err)
	}
}
