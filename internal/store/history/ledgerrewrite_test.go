package history_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/store"
	"baton/internal/store/disk/crashfs"

	"github.com/google/go-cmp/cmp"
)

const ledgerPath = "/p/.baton/local/ledger"

// longBook returns a disk with a durable book that the next look rewrites. It must be durable
// because the ledger syncs nothing: otherwise a power cut could lose its earlier content.
func longBook(t *testing.T) *crashfs.FS {
	t.Helper()
	fs := newCrashFS(t, nil)
	s := watchingOn(fs)
	long := strings.Repeat("word ", 250)
	for i := range 260 {
		update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", fmt.Appendf(nil, "one\n%d %s\n", i%2, long)) })
	}
	for path := range fs.Files("/p") {
		f, err := fs.Append(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
		for dir := filepath.ToSlash(filepath.Dir(path)); dir != "/"; dir = filepath.ToSlash(filepath.Dir(dir)) {
			if err := fs.SyncDir(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	fs.Put("/p/tasks/1.md", "one\n1 "+long+"\nby hand\n")
	return fs
}

// ledgerTemps returns the temporary files next to the books.
func ledgerTemps(fs *crashfs.FS) (out []string) {
	for path := range fs.Files(ledgerPath) {
		if strings.HasSuffix(path, ".tmp") {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// look looks at the document of longBook.
func look(s keeper) error {
	_, err := s.Observe(context.Background(), []string{"tasks/1.md"})
	return err
}

// TestD37_ABookThatIsRewrittenSurvivesCrashes: if the process dies or the power fails at any
// moment, the book says what it said before the rewrite or what it says after it, never less. The
// next look restores the rest; if a power cut lost the newest record, the next commit restores
// that.
func TestD37_ABookThatIsRewrittenSurvivesCrashes(t *testing.T) {
	t.Parallel()
	fs := longBook(t)
	before := bookSays(t, watchingOn(fs), "tasks/1.md")
	over := fs.Kill()
	if err := look(watchingOn(over)); err != nil {
		t.Fatal(err)
	}
	after := bookSays(t, watchingOn(over), "tasks/1.md")
	if len(before) != 3 || len(after) != len(before)+1 {
		t.Fatalf("before %.200q, after %.200q", before, after)
	}
	points, torn, lasting := 0, 0, 0
	check := func(what string, img *crashfs.FS, killed bool) {
		points++
		if len(ledgerTemps(img)) > 0 {
			torn++
		}
		s := watchingOn(img)
		now := bookSays(t, s, "tasks/1.md")
		if !slices.Equal(now, before) && !slices.Equal(now, after) {
			t.Fatalf("%s: neither the old nor the new content\nagainst before:\n%s\nagainst after:\n%s", what, cmp.Diff(
				before, now,
			), cmp.Diff(after, now))
		}
		if slices.Equal(now, after) {
			lasting++
		}
		want := after
		if killed {
			if err := look(s); err != nil {
				t.Fatalf("%s: the next look: %v", what, err)
			}
		} else {
			data, _ := img.Get("/p/tasks/1.md")
			update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte(data+"more\n")) })
			want = append(slices.Clone(after), "present tasks/1.md: more")
		}
		if diff := cmp.Diff(
			slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(bookSays(t, watchingOn(img), "tasks/1.md"))),
		); diff != "" {
			t.Fatalf("%s, and what comes next:\n%s", what, diff)
		}
	}
	crashes(t, fs, func() error { return look(watchingOn(fs)) }, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
		books := strings.HasPrefix(op.Path, ledgerPath)
		if !books && !sampled(op.N, 4) { // for other files a sample is enough
			return
		}
		what := fmt.Sprintf("before %s %s (%d)", op.Name, op.Path, op.N)
		check(what, snap(0), true)
		for seed := range seeds() {
			if !all && seed > 0 && (!books || !sampled(op.N, 2)) {
				break
			}
			check(fmt.Sprintf("%s, power cut %d", what, seed+1), snap(seed+1), false)
		}
	})
	check("at the end", fs.Kill(), true)
	for seed := range seeds() {
		check("power cut at the end", fs.Crash(rand.New(rand.NewPCG(seed, 0))), false)
	}
	if torn == 0 || lasting == 0 || lasting == points {
		t.Errorf("of %d crashes %d left a temporary file, and %d the new book", points, torn, lasting)
	}
	t.Logf("%d crashes", points)
}

// TestARewriteRemovesWhatAKilledOneLeft: a rewrite removes baton's own temporary files that
// are at least a minute old, and nothing else.
func TestARewriteRemovesWhatAKilledOneLeft(t *testing.T) {
	t.Parallel()
	fs := longBook(t)
	var dead *crashfs.FS
	crashes(t, fs, func() error { return look(watchingOn(fs)) }, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
		if op.Name == "rename" && strings.HasPrefix(op.Path, ledgerPath+"/.") {
			dead = snap(0)
		}
	})
	if dead == nil {
		t.Fatal("no book was rewritten")
	}
	left := ledgerTemps(dead)
	if len(left) != 1 || len(ledgerTemps(fs)) != 0 {
		t.Fatalf("a killed rewrite left %q, a complete one %q", left, ledgerTemps(fs))
	}
	now := steady().Now()
	young, strange := ledgerPath+"/.0123456789abcdef.0123456789ab.tmp", ledgerPath+"/.notes.tmp"
	dead.Put(young, "x")
	dead.Put(strange, "x")
	dead.Touch(left[0], now.Add(-time.Minute-time.Second))
	dead.Touch(young, now.Add(-time.Minute+time.Second))
	dead.Touch(strange, now.Add(-time.Hour))
	// The dead process's book is complete, so somebody must change the document before the next
	// look does anything.
	data, _ := dead.Get("/p/tasks/1.md")
	dead.Put("/p/tasks/1.md", data+"more by hand\n")
	if err := look(watchingOn(dead)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{young, strange}, ledgerTemps(dead)); diff != "" {
		t.Error(diff)
	}
}
