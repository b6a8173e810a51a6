package filestore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
)

const byHand = "written by hand\n"

// editor adds a line to the current content of a file, in place or by renaming a new file over it.
func editor(fs *crashfs.FS, path string, rename bool) {
	now, _ := fs.Get(path)
	if rename {
		fs.Swap(path, now+byHand)
	} else {
		fs.Put(path, now+byHand)
	}
}

// everything returns all text below the root, with the conflicts folder but without lock and
// journal.
func everything(fs *crashfs.FS) string {
	var b strings.Builder
	for path, data := range fs.Files("/p") {
		if !strings.HasPrefix(path, "/p/.baton/local/") || strings.Contains(path, "/conflicts/") {
			b.WriteString(data)
		}
	}
	return b.String()
}

// TestD11_HandEditInEveryGapOfReplace: somebody adds a line before any operation of the replacement
// of one file. In the end the file has that line once, and the line of the transaction.
func TestD11_HandEditInEveryGapOfReplace(t *testing.T) {
	t.Parallel()
	for _, how := range []struct {
		name             string
		exchange, rename bool
	}{
		{"exchange, edited in place", true, false},
		{"exchange, edited by rename", true, true},
		{"link, edited in place", false, false},
	} {
		t.Run(how.name, func(t *testing.T) {
			t.Parallel()
			conflicts := 0
			for at := 1; ; at++ {
				fs := newCrashFS(t, map[string]string{"1.md": "first\n"})
				fs.NoExchange = !how.exchange
				first := fs.Ops()
				var gap crashfs.Op
				fs.Hook = func(op crashfs.Op) error {
					if op.N-first == at {
						gap = op
						editor(fs, "/p/1.md", how.rename)
					}
					return nil
				}
				commit, err := on(fs).Update(context.Background(), addLine("1.md", "by baton\n"))
				fs.Hook = nil
				if gap.N == 0 {
					break
				}
				what := fmt.Sprintf("edit before %s %s (%d)", gap.Name, gap.Path, at)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				got, _ := fs.Get("/p/1.md")
				if strings.Count(got, byHand) != 1 || strings.Count(got, "by baton\n") != 1 || !strings.HasPrefix(got, "first\n") {
					t.Fatalf("%s: %q", what, got)
				}
				if left := leftovers(documents(fs)); len(left) > 0 {
					t.Fatalf("%s: left %v", what, left)
				}
				conflicts += notes(commit, "conflict_kept")
			}
			if conflicts == 0 {
				t.Error("no edit was found in what the rename pushed out")
			}
		})
	}
}

func addLine(name, line string) func(tx *store.Tx) error {
	return func(tx *store.Tx) error {
		doc, err := tx.Read(name)
		if err != nil {
			return err
		}
		tx.Write(name, []byte(string(doc.Data)+line))
		return nil
	}
}

func notes(c store.Commit, code report.Code) (n int) {
	for _, f := range c.Notes {
		if f.Code == code {
			n++
		}
	}
	return n
}

// TestD11_HandEditInEveryGapOfArchiving: the same for each file of a transaction over three. The
// entry that moves is always in one of the two files.
func TestD11_HandEditInEveryGapOfArchiving(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tasks/1.md", "archive/1.md", "tasks/2.md"} {
		for _, rename := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/rename=%v", name, rename), func(t *testing.T) {
				t.Parallel()
				sc := scenes()[0]
				for at := 1; ; at++ {
					fs := newCrashFS(t, sc.Before)
					first := fs.Ops()
					var gap crashfs.Op
					fs.Hook = func(op crashfs.Op) error {
						if op.N-first == at {
							gap = op
							editor(fs, "/p/"+name, rename)
						}
						return nil
					}
					_, err := on(fs).Update(context.Background(), sc.Run)
					fs.Hook = nil
					if gap.N == 0 {
						break
					}
					what := fmt.Sprintf("edit before %s %s (%d)", gap.Name, gap.Path, at)
					if err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					nothingMissing(t, what, fs)
					docs := documents(fs)
					if got := docs[name]; strings.Count(got, byHand) != 1 {
						t.Fatalf("%s: the edit is not in its file: %q", what, got)
					}
					if strings.Count(docs["archive/1.md"], entry) != 1 || strings.Contains(docs["tasks/1.md"], entry) {
						t.Fatalf("%s: the entry was not moved once: %q", what, docs["tasks/1.md"])
					}
					if !strings.HasPrefix(docs["tasks/2.md"], "input from 1\n") {
						t.Fatalf("%s: the third file: %q", what, docs["tasks/2.md"])
					}
				}
			})
		}
	}
}

// nothingMissing checks that the moved entry is in one of the two files, and that the hand edit is
// somewhere.
func nothingMissing(t *testing.T, what string, fs *crashfs.FS) {
	t.Helper()
	docs := documents(fs)
	if !strings.Contains(docs["tasks/1.md"]+docs["archive/1.md"], entry) {
		t.Fatalf("%s: a hole: the entry is in neither file\n%q\n%q", what, docs["tasks/1.md"], docs["archive/1.md"])
	}
	if !strings.Contains(docs["tasks/1.md"], kept) || !strings.HasPrefix(docs["archive/1.md"], old) {
		t.Fatalf("%s: text that nobody touched is gone", what)
	}
	if !strings.Contains(everything(fs), byHand) {
		t.Fatalf("%s: what was written by hand is nowhere: %q", what, docs)
	}
}

// TestD5_HandEditThenDeath: somebody edits in any gap, and the process dies in any later one. After
// recovery no text is missing, and the edit is somewhere.
func TestD5_HandEditThenDeath(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tasks/1.md", "archive/1.md", "tasks/2.md"} {
		for _, rename := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/rename=%v", name, rename), func(t *testing.T) {
				t.Parallel()
				sc := scenes()[0]
				for at := 1; editThenDeaths(t, sc, name, rename, at); at++ {
				}
			})
		}
	}
}

func editThenDeaths(t *testing.T, sc scene, name string, rename bool, at int) bool {
	t.Helper()
	fs := newCrashFS(t, sc.Before)
	first, hit := fs.Ops(), false
	fs.Hook = func(op crashfs.Op) error {
		if op.N-first == at {
			hit = true
			editor(fs, "/p/"+name, rename)
		}
		if op.N-first < at || !sampled(op.N+at, 11) {
			return nil
		}
		img := fs.Kill()
		what := fmt.Sprintf("edit before operation %d, death before %s %s (%d)", at, op.Name, op.Path, op.N-first)
		if _, err := nudge(on(img)); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		nothingMissing(t, what, img)
		if left := leftovers(documents(img)); len(left) > 0 {
			t.Fatalf("%s: left %v", what, left)
		}
		return nil
	}
	if _, err := on(fs).Update(context.Background(), sc.Run); err != nil {
		t.Fatal(err)
	}
	return hit
}

// TestTS26_ChangedUnderUs: if a file changes during every attempt, the commit gives up after five
// and leaves it untouched.
func TestTS26_ChangedUnderUs(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"1.md": "x\n"})
	runs := 0
	_, err := on(fs).Update(context.Background(), func(tx *store.Tx) error {
		runs++
		if err := addLine("1.md", "by baton\n")(tx); err != nil {
			return err
		}
		editor(fs, "/p/1.md", false)
		return nil
	})
	if report.KindOf(err) != report.Conflict || report.CodeOf(err) != "changed_under_us" {
		t.Fatalf("got %v", err)
	}
	if got, _ := fs.Get("/p/1.md"); runs != store.Attempts || got != "x\n"+strings.Repeat(byHand, runs) {
		t.Errorf("%d runs, %q", runs, got)
	}
}

// TestD11_LateWriteThroughAnOpenFile: an editor that had the file open before the exchange writes
// into the old file that was pushed out. Its bytes are kept.
func TestD11_LateWriteThroughAnOpenFile(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, map[string]string{"1.md": "x\n"})
	editing, err := fs.Append("/p/1.md")
	if err != nil {
		t.Fatal(err)
	}
	fs.Hook = func(op crashfs.Op) error {
		if op.Name == "syncdir" && op.Path == "/p" {
			fs.Hook = nil
			if _, err := editing.Write([]byte(byHand)); err != nil {
				return err
			}
		}
		return nil
	}
	commit, err := on(fs).Update(context.Background(), addLine("1.md", "by baton\n"))
	if err != nil || notes(commit, "conflict_kept") != 1 {
		t.Fatalf("%v, notes %v", err, commit.Notes)
	}
	if !strings.Contains(everything(fs), byHand) {
		t.Error("the late write is nowhere")
	}
	for _, n := range commit.Notes {
		if data, ok := fs.Get("/p/" + n.Path); !ok || data != "x\n"+byHand {
			t.Errorf("%s holds %q", n.Path, data)
		}
	}
}

// TestTxErrorsStay: an error of the transaction itself is returned unchanged, and nothing happens.
func TestTxErrorsStay(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	own := errors.New("own")
	_, err := on(fs).Update(context.Background(), func(tx *store.Tx) error {
		tx.Write("1.md", []byte("x"))
		return own
	})
	if err != own {
		t.Errorf("got %v", err)
	}
	if _, there := fs.Get("/p/1.md"); there {
		t.Error("the document was written")
	}
}
