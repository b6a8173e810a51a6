package history_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/disk/unsynced"
	"baton/internal/store/filestore"
	"baton/internal/store/history"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// loggingOn returns a store in memory that keeps versions and a log.
func loggingOn(fs *crashfs.FS) keeper {
	return open(filestore.Options{
		Root: "/p", Runtime: ".baton/local", Command: "test", Env: steady(), FS: fs, Wait: -1,
	}, history.Options{Snapshots: roomy, Watch: watcher()})
}

func watcher() history.Watch {
	return history.Watch{By: func() string { return "agent-1" }, Head: func() string { return "c0ffee" }}
}

const logFile = "/p/.baton/local/log/000001.jsonl"

// changes returns the log, which must have no faults.
func changes(t testing.TB, s keeper) []history.Change {
	t.Helper()
	list, faults, err := s.Changes(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(faults) > 0 {
		t.Fatalf("%+v", faults)
	}
	return list
}

// summaries returns each change as "kind name, kind name".
func summaries(list []history.Change) (out []string) {
	for _, c := range list {
		var docs []string
		for _, d := range c.Docs {
			docs = append(docs, d.Kind+" "+d.Name)
		}
		mark := map[bool]string{true: "broken: "}[c.Broken]
		out = append(out, mark+strings.Join(docs, ", "))
	}
	return out
}

// TestD37_EveryCommitIsInTheLog: a record says who made the change, when, with which command and at
// which commit, and what became of which document.
func TestD37_EveryCommitIsInTheLog(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"a": "by hand"})
	s := loggingOn(fs)
	update(t, s, func(tx *store.Tx) { tx.Write("a", []byte("one")); tx.Append("b", []byte("first\n")) })
	update(t, s, func(tx *store.Tx) { tx.Append("b", []byte("second\n")) })
	update(t, s, func(tx *store.Tx) { tx.Write("a", []byte("one")) }) // nothing to do
	update(t, s, func(tx *store.Tx) {
		if _, err := tx.Read("b"); err != nil {
			t.Error(err)
		}
		tx.Discard("", "b")
		tx.Undoes(1)
	})
	list := changes(t, s)
	if diff := cmp.Diff([]string{"replaced a, created b", "appended b", "removed b"}, summaries(list)); diff != "" {
		t.Fatal(diff)
	}
	for i, c := range list {
		if c.Seq != int64(i+1) || c.By != "agent-1" || c.Head != "c0ffee" || c.Command != "test" || !c.At.Equal(steady().Now()) {
			t.Errorf("%+v", c)
		}
	}
	if list[2].Undoes != 1 || list[1].Undoes != 0 {
		t.Error("the undone change is not in the record")
	}
	for _, c := range []struct {
		sum  history.DocSum
		text string
	}{
		{list[0].Docs[0].Before, "by hand"},
		{list[0].Docs[0].After, "one"},
		{list[0].Docs[1].After, "first\n"},
		{list[1].Docs[0].Before, "first\n"},
		{list[1].Docs[0].After, "first\nsecond\n"},
		{list[2].Docs[0].Before, "first\nsecond\n"},
	} {
		if !c.sum.Matches(true, []byte(c.text)) || c.sum.Matches(true, []byte(c.text+"x")) || c.sum.Matches(false, nil) {
			t.Errorf("%+v is not %q", c.sum, c.text)
		}
	}
	if !list[0].Docs[1].Before.Matches(false, nil) || !list[2].Docs[0].After.Matches(false, nil) {
		t.Error("an absent document is recorded as present")
	}
	some, _, err := s.Changes(context.Background(), 2)
	if err != nil || len(some) != 1 || some[0].Seq != 3 {
		t.Errorf("%+v %v", some, err)
	}
}

// TestD37_AnUpdateThatFailsIsNotInTheLog: its record is taken back with everything else.
func TestD37_AnUpdateThatFailsIsNotInTheLog(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes() {
		t.Run(sc.Name, func(t *testing.T) {
			t.Parallel()
			for at, done := 1, false; !done; at++ {
				fs := newCrashFS(t, sc.Before)
				first, hit := fs.Ops(), ""
				fs.Hook = func(op crashfs.Op) error {
					if op.N-first == at {
						hit = op.Name + " " + op.Path
						return os.ErrPermission
					}
					return nil
				}
				s := loggingOn(fs)
				did, err := s.Update(context.Background(), sc.Run)
				fs.Hook = nil
				done = hit == ""
				list := changes(t, s)
				skipped := slices.ContainsFunc(did.Notes, func(f report.Finding) bool { return f.Code == "log_skipped" })
				switch ours := strings.Contains(hit, "/local/log") || strings.HasSuffix(hit, "/local/ledger/known"); {
				case ours && err != nil:
					t.Fatalf("%s: %v", hit, err)
				case err == nil && !skipped && len(list) != 1:
					t.Fatalf("%s: the change is in the log %d times", hit, len(list))
				case err != nil && len(list) > 0 && !strings.Contains(err.Error(), "halfway"):
					t.Fatalf("%s: an update that failed with %v is in the log: %v", hit, err, summaries(list))
				}
				if err != nil {
					continue
				}
				update(t, s, func(tx *store.Tx) { tx.Write("later", []byte("x")) })
				if list = changes(t, s); len(list) == 0 || summaries(list)[len(list)-1] != "created later" {
					t.Fatalf("%s: %v", hit, summaries(list))
				}
			}
		})
	}
}

// TestD37_TheLogSurvivesCrashes: if a process dies or the power fails at any moment, each record
// still follows from the one before, and the record after a torn one says so. Only the last record
// may be of a change that was not made.
func TestD37_TheLogSurvivesCrashes(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes() {
		t.Run(sc.Name, func(t *testing.T) {
			t.Parallel()
			fs := newCrashFS(t, sc.Before)
			update(t, loggingOn(fs), func(tx *store.Tx) { tx.Write("earlier", []byte("x")) })
			check := func(what string, img *crashfs.FS, killed, must bool) {
				s := loggingOn(img)
				update(t, s, func(tx *store.Tx) { tx.Write("later", []byte("x")) })
				list := changes(t, s)
				n := len(list)
				if n == 0 || summaries(list[n-1:])[0] != "created later" && summaries(list[n-1:])[0] != "broken: created later" {
					t.Fatalf("%s: %v", what, summaries(list))
				}
				if killed && (list[0].Docs[0].Name != "earlier" || n > 3 || must && n != 3) {
					t.Fatalf("%s: %v", what, summaries(list))
				}
				if killed && n == 2 && cmp.Diff(sc.After, without(documents(img), "earlier", "later")) == "" {
					t.Fatalf("%s: the change was made and is not in the log", what)
				}
			}
			crashes(t, fs, func() error {
				_, err := loggingOn(fs).Update(context.Background(), sc.Run)
				return err
			}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
				for seed := range uint64(3) {
					check(fmt.Sprintf("before %s %s (%d), seed %d", op.Name, op.Path, op.N, seed), snap(seed), seed == 0, false)
				}
			})
			check("acknowledged", fs.Kill(), true, true)
		})
	}
}

func without(docs map[string]string, names ...string) map[string]string {
	for _, name := range names {
		delete(docs, name)
	}
	return noTemps(docs)
}

// TestD37_ATornRecordIsCutOff: the next record says that the chain starts over, and a check finds
// no fault.
func TestD37_ATornRecordIsCutOff(t *testing.T) {
	t.Parallel()
	for name, torn := range map[string]string{
		"half a record": `{"seq":3,"at":"2025-`, "a page of nothing": strings.Repeat(
			"\x00", 4096,
		), "nothing and a line's end": strings.Repeat("\x00", 99) + "\n",
		"more than a record": strings.Repeat("x", 50000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs := newCrashFS(t, nil)
			s := loggingOn(fs)
			write := func(text string) { update(t, s, func(tx *store.Tx) { tx.Write("a", []byte(text)) }) }
			write("one")
			write("two")
			text, _ := fs.Get(logFile)
			fs.Put(logFile, text+torn)
			if got := summaries(changes(t, s)); len(got) != 2 {
				t.Errorf("before the next write: %v", got)
			}
			write("three")
			write("four")
			want := []string{"created a", "replaced a", "broken: replaced a", "replaced a"}
			if diff := cmp.Diff(want, summaries(changes(t, s))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestD37_TamperingIsFound: a record that is changed, removed, moved or duplicated in the middle of
// the log is a fault with its line.
func TestD37_TamperingIsFound(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := loggingOn(fs)
	for i := range 8 {
		update(t, s, func(tx *store.Tx) { tx.Write("a", fmt.Appendf(nil, "text %d", i)) })
	}
	text, _ := fs.Get(logFile)
	lines := strings.SplitAfter(text, "\n")
	lines = lines[:len(lines)-1]
	rapid.Check(t, func(t *rapid.T) {
		now := append([]string{}, lines...)
		at := rapid.IntRange(0, len(now)-2).Draw(t, "line")
		switch rapid.SampledFrom([]string{"change", "remove", "move", "double", "rewrite"}).Draw(t, "how") {
		case "change":
			col := rapid.IntRange(0, len(now[at])-2).Draw(t, "column")
			b := []byte(now[at])
			b[col] ^= 1
			if b[col] == '\n' {
				b[col] = 'x'
			}
			now[at] = string(b)
		case "remove":
			now = append(now[:at], now[at+1:]...)
		case "move":
			now[at], now[at+1] = now[at+1], now[at]
		case "double":
			now = append(now[:at+1], now[at:]...)
		case "rewrite": // by somebody who knows how sums are computed
			var c history.Change
			if err := json.Unmarshal([]byte(now[at]), &c); err != nil {
				t.Fatal(err)
			}
			c.By = "somebody"
			now[at] = history.LogLine(t, c)
		}
		img := fs.Kill()
		img.Put(logFile, strings.Join(now, ""))
		_, faults, err := loggingOn(img).Changes(context.Background(), 0)
		if err != nil || len(faults) == 0 {
			t.Fatalf("nothing found: %v", err)
		}
		if f := faults[0]; f.File != "log/000001.jsonl" || f.Line < at || f.Line > at+2 || f.Text == "" || f.Seq == 0 {
			t.Fatalf("%+v at line %d", f, at+1)
		}
	})
	fs.Delete(logFile)
	fs.Put("/p/.baton/local/log/000002.jsonl", strings.Join(lines[4:], ""))
	if _, faults, _ := s.Changes(context.Background(), 0); len(faults) != 1 || faults[0].Line != 1 {
		t.Errorf("a file that was removed: %+v", faults)
	}
}

// TestD37_WritersOfTheLogQueue: two concurrent writers lose nothing, and the chain holds.
func TestD37_WritersOfTheLogQueue(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	open := func() keeper {
		return open(
			filestore.Options{Root: root, Runtime: ".baton/local", Wait: time.Minute, FS: unsynced.Disk},
			history.Options{Watch: watcher()},
		)
	}
	const each = 25
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			s := open() // as another process would do
			for j := range each {
				if _, err := s.Update(context.Background(), func(tx *store.Tx) error {
					tx.Append(fmt.Sprintf("doc%d", i%2), fmt.Appendf(nil, "%d %d\n", i, j))
					return nil
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if list := changes(t, open()); len(list) != 4*each || list[len(list)-1].Seq != 4*each {
		t.Errorf("%d records", len(list))
	}
}

// TestD37_TheLogGoesOnInTheNextFile: after 4 MB a new file begins. The chain is unbroken, and
// nothing is deleted.
func TestD37_TheLogGoesOnInTheNextFile(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := loggingOn(fs)
	update(t, s, func(tx *store.Tx) {
		for i := range 300 {
			tx.Write(fmt.Sprintf("docs/%03d", i), fmt.Append(nil, i))
		}
	})
	list := changes(t, s)
	if len(list[0].Docs) != 300 || list[0].More != 0 { // else nobody would miss the others when they are gone
		t.Errorf("%d documents and %d more", len(list[0].Docs), list[0].More)
	}
	var text strings.Builder
	first, _ := fs.Get(logFile)
	text.WriteString(first)
	last := list[0]
	for text.Len() < 4<<20-100 {
		next := last
		next.Seq, next.Prev = last.Seq+1, last.Sum
		line := history.LogLine(t, next)
		if err := json.Unmarshal([]byte(line), &last); err != nil {
			t.Fatal(err)
		}
		text.WriteString(line)
	}
	fs.Put(logFile, text.String())
	for i := range 3 {
		update(t, s, func(tx *store.Tx) { tx.Write("a", fmt.Append(nil, i)) })
	}
	if n := len(fs.Files("/p/.baton/local/log")); n != 2 {
		t.Errorf("%d files", n)
	}
	if list = changes(t, s); list[len(list)-1].Seq != last.Seq+3 {
		t.Errorf("%d changes", len(list))
	}
	known, err := s.Known(context.Background())
	if err != nil || len(known) != 301 {
		t.Errorf("%d documents are known: %v", len(known), err)
	}
	fs.Put("/p/.baton/local/log/000002.jsonl", "")
	update(t, s, func(tx *store.Tx) { tx.Write("a", []byte("x")) })
	if list = changes(t, s); list[len(list)-1].Seq != int64(len(list)) || list[len(list)-1].Broken {
		t.Errorf("%+v", list[len(list)-1])
	}
}

// TestD37_LoggingCostsNoFsync: logging costs no fsync, and opens one more file.
func TestD37_LoggingCostsNoFsync(t *testing.T) {
	t.Parallel()
	cost := func(watch history.Watch, fn func(tx *store.Tx)) (syncs, opens int64) {
		root := realTemp(t)
		put(t, filepath.Join(root, "old"), "old")
		s := open(filestore.Options{Root: root, Runtime: ".baton/local"}, history.Options{Watch: watch})
		update(t, s, func(tx *store.Tx) { tx.Write("other", []byte("used")) })
		c := s.Counters()
		syncs, opens = c.Syncs.Load(), c.Opens.Load()
		update(t, s, fn)
		return c.Syncs.Load() - syncs, c.Opens.Load() - opens
	}
	for name, fn := range map[string]func(tx *store.Tx){
		"one file":  func(tx *store.Tx) { tx.Write("old", []byte("new")) },
		"a journal": func(tx *store.Tx) { tx.Write("old", []byte("new")); tx.Append("more", []byte("x\n")) },
	} {
		syncs, opens := cost(history.Watch{}, fn)
		logged, loggedOpens := cost(history.Watch{By: func() string { return "" }}, fn)
		if logged != syncs || loggedOpens != opens+1 {
			t.Errorf("%s: %d fsyncs and %d opens, without a log %d and %d", name, logged, loggedOpens, syncs, opens)
		}
	}
}
