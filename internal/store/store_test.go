package store_test

import (
	"context"
	"fmt"
	"testing"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestCheckName(t *testing.T) {
	t.Parallel()
	for name, good := range map[string]bool{
		"a": true, "a/b.md": true, ".baton/tasks/1.md": true, "a b/ü…/日本": true, "..a": true, "a..": true, "a:b": false,
		"": false, "/": false, "/a": false, "a/": false, "a//b": false, ".": false, "..": false, "a/..": false,
		"a/../b": false, "./a": false, "a\\b": false, "a\x00": false, "a\tb": false, "a\x1b[0m": false, "\x7f": false,
	} {
		err := store.CheckName(name)
		if (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
		if err != nil && (report.KindOf(err) != report.Violation || report.CodeOf(err) != "path_outside") {
			t.Errorf("%q: kind %s code %s", name, report.KindOf(err), report.CodeOf(err))
		}
	}
}

// TestTxIsAModel: a transaction that writes, appends and reads at random reads what a plain map
// would hold, and so does the store after the commit.
func TestTxIsAModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := storetest.NewMemory()
		model := map[string]string{}
		for range rapid.IntRange(1, 3).Draw(t, "transactions") {
			steps := rapid.SliceOfN(rapid.IntRange(0, 5), 0, 8).Draw(t, "steps")
			_, err := s.Update(context.Background(), func(tx *store.Tx) error { return play(t, tx, model, steps) })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(model, s.Files()); diff != "" {
				t.Fatalf("after the commit:\n%s", diff)
			}
		}
	})
}

func play(t *rapid.T, tx *store.Tx, model map[string]string, steps []int) error {
	for _, step := range steps {
		name := rapid.SampledFrom([]string{"a", "d/b", "d/c"}).Draw(t, "name")
		text := rapid.StringN(0, 5, -1).Draw(t, "text")
		switch step {
		case 0, 1:
			tx.Write(name, []byte(text))
			model[name] = text
		case 2, 3:
			if _, there := model[name]; there || text != "" {
				tx.Append(name, []byte(text))
				model[name] += text
			}
		case 4:
			doc, err := tx.Read(name)
			want, there := model[name]
			if err != nil || doc.Exists != there || string(doc.Data) != want {
				return fmt.Errorf("read %s: %+v, %w; want %q", name, doc, err, want)
			}
		default:
			n := rapid.IntRange(0, 7).Draw(t, "limit")
			want := model[name]
			k := min(n, len(want))
			h, errHead := tx.Head(name, n)
			l, errTail := tx.Tail(name, n)
			if errHead != nil || errTail != nil || string(h.Data) != want[:k] || string(l.Data) != want[len(want)-k:] {
				return fmt.Errorf("parts of %q: %+v, %+v", want, h, l)
			}
		}
	}
	return nil
}

// TestSeen: the first read of a document is the one that counts, and a read of the whole document
// replaces a read of a part.
func TestSeen(t *testing.T) {
	t.Parallel()
	m := storetest.NewMemory()
	m.Put("a", []byte("one"))
	tx := store.NewTx(context.Background(), m)
	read := func() {
		if _, err := tx.Read("a"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tx.Head("a", 1); err != nil {
		t.Fatal(err)
	}
	read()
	m.Put("a", []byte("two"))
	read()
	seen := tx.Reads()
	if len(seen) != 1 || !seen[0].Whole || !seen[0].Matches(true, 3, []byte("one")) || seen[0].Matches(true, 3, []byte("two")) ||
		seen[0].Matches(false, 0, nil) {
		t.Errorf("%+v", seen)
	}
}
