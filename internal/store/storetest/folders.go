package storetest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/store"

	"github.com/google/go-cmp/cmp"
)

// RecordOutcomes is the function with which the stores of the suite are opened. It keeps the first
// line of the document and adds one line for each relocation. Recording twice gives the same result
// as recording once.
func RecordOutcomes(_ string, data []byte, outcomes []store.Outcome) []byte {
	title, _, _ := bytes.Cut(data, []byte{'\n'})
	out := append(bytes.Clone(title), '\n')
	for _, o := range outcomes {
		out = fmt.Appendf(out, "%q %s\n", o.Name, o.State)
	}
	return out
}

// Look returns the item that Scan reports for one entry.
func Look(t *testing.T, s store.Reader, dir, name string) store.Item {
	t.Helper()
	f, err := s.Scan(context.Background(), dir)
	if err != nil {
		t.Fatalf("scan %s: %v", dir, err)
	}
	for _, i := range f.Items {
		if i.Name == name {
			return i
		}
	}
	t.Fatalf("%s holds no %q", dir, name)
	return store.Item{}
}

func scan(t *testing.T, s store.Store) {
	ctx := context.Background()
	if f, err := s.Scan(ctx, "none"); err != nil || f.Exists || len(f.Items) > 0 || f.Pending {
		t.Errorf("absent: %+v, %v", f, err)
	}
	do(t, s, func(tx *store.Tx) { tx.Write("w/a.md", []byte("abc")); tx.Write("w/sub/b.md", nil) })
	f, err := s.Scan(ctx, "w")
	if err != nil || !f.Exists || f.Pending || len(f.Items) != 2 {
		t.Fatalf("%+v, %v", f, err)
	}
	slices.SortFunc(f.Items, func(a, b store.Item) int { return strings.Compare(a.Name, b.Name) })
	if a := f.Items[0]; a.Name != "a.md" || !a.Mode.IsRegular() || a.Size != 3 || a.Link != nil {
		t.Errorf("file: %+v", a)
	}
	if sub := f.Items[1]; sub.Name != "sub" || !sub.Mode.IsDir() {
		t.Errorf("folder: %+v", sub)
	}
	_, err = s.Scan(ctx, "../up")
	wantKind(t, err, report.Violation, report.CodePathOutside)
	_, err = s.Scan(ctx, "w/a.md")
	wantKind(t, err, report.Refused, report.CodeNotDirectory)
	do(t, s, func(tx *store.Tx) {
		tx.Write("w/new.md", []byte("x"))
		if f, err := tx.Scan("w"); err != nil || len(f.Items) != 2 {
			t.Errorf("a transaction scans the folder as it is: %+v, %v", f, err)
		}
	})
}

// plan returns a relocation of an entry as it is now.
func plan(t *testing.T, s store.Reader, from, name, to string) store.Relocation {
	t.Helper()
	return store.Relocation{From: from, To: to, Name: name, Seen: Look(t, s, from, name)}
}

func states(c store.Commit) (out []string) {
	for _, o := range c.Outcomes {
		out = append(out, o.Name+" "+o.State)
	}
	return out
}

func wantStates(t *testing.T, c store.Commit, wanted ...string) {
	t.Helper()
	if diff := cmp.Diff(wanted, states(c)); diff != "" {
		t.Errorf("outcomes:\n%s", diff)
	}
}

func relocate(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) {
		tx.Write("w/a", []byte("A"))
		tx.Write("w/d/x", []byte("X"))
		tx.Write("w/d/e/y", []byte("Y"))
		tx.Write("w/stays", []byte("S"))
	})
	c := do(t, s, func(tx *store.Tx) {
		tx.Create("w/old/list", []byte("list\n"))
		for _, name := range []string{"d", "a"} {
			tx.Relocate(plan(t, tx.Reader(), "w", name, "w/old/1"))
		}
	})
	wantStates(t, c, "d moved", "a moved")
	if diff := cmp.Diff([]string{"w/old/list"}, c.Written); diff != "" {
		t.Errorf("written:\n%s", diff)
	}
	if o := c.Outcomes[1]; o.From != "w" || o.To != "w/old/1" || o.NewName != "a" || o.Error != "" {
		t.Errorf("%+v", o)
	}
	want(t, s, map[string]string{
		"w/a": "(absent)", "w/d/x": "(absent)", "w/stays": "S",
		"w/old/1/a": "A", "w/old/1/d/x": "X", "w/old/1/d/e/y": "Y",
	})
	back := plan(t, s, "w/old/1", "a", "w")
	back.NewName = "b"
	c = do(t, s, func(tx *store.Tx) { tx.Relocate(back) })
	if o := c.Outcomes[0]; o.State != store.Moved || o.NewName != "b" || len(c.Written) > 0 {
		t.Errorf("%+v", c)
	}
	want(t, s, map[string]string{"w/b": "A", "w/a": "(absent)", "w/old/1/a": "(absent)"})
}

func relocateChanged(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) {
		for _, name := range []string{"gone", "changed", "always", "kind", "taken", "own"} {
			tx.Write("w/"+name, []byte(name))
		}
		tx.Write("old/taken", []byte("mine"))
	})
	moves := map[string]store.Relocation{}
	for _, name := range []string{"gone", "changed", "always", "kind", "taken", "own"} {
		moves[name] = plan(t, s, "w", name, "old")
	}
	always := moves["always"]
	always.Always = true
	kind := moves["kind"]
	kind.Always, kind.Seen.Mode = true, kind.Seen.Mode|1<<31 // it was a folder when it was planned
	gone := moves["gone"]
	gone.Name = "never"
	do(t, s, func(tx *store.Tx) { tx.Write("w/changed", []byte("other")); tx.Write("w/always", []byte("other")) })
	c := do(t, s, func(tx *store.Tx) {
		tx.Write("w/own", []byte("written by the transaction itself"))
		for _, r := range []store.Relocation{gone, moves["changed"], always, kind, moves["taken"], moves["own"]} {
			tx.Relocate(r)
		}
	})
	wantStates(t, c, "never vanished", "changed changed", "always moved", "kind changed", "taken changed", "own moved")
	want(t, s, map[string]string{
		"w/changed": "other", "old/always": "other", "w/kind": "kind", "w/taken": "taken", "old/taken": "mine",
		"w/own": "(absent)", "old/own": "written by the transaction itself",
	})
}

func relocateOnly(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) { tx.Write("w/a", []byte("A")) })
	r := plan(t, s, "w", "a", "old")
	failed := fmt.Errorf("own")
	_, err := s.Update(context.Background(), func(tx *store.Tx) error { tx.Relocate(r); return failed })
	if err != failed { //nolint:errorlint // fn's error is returned unchanged
		t.Errorf("got %v", err)
	}
	want(t, s, map[string]string{"w/a": "A"})
	wantStates(t, do(t, s, func(tx *store.Tx) { tx.Relocate(r) }), "a moved")
	want(t, s, map[string]string{"w/a": "(absent)", "old/a": "A"})
}

func relocateRefused(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) { tx.Write("w/a", []byte("A")); tx.Write("w/d/b", nil) })
	for _, r := range []store.Relocation{
		{From: "../w", To: "old", Name: "a"},
		{From: "w", To: "/old", Name: "a"},
		{From: "w", To: "old", Name: ""},
		{From: "w", To: "old", Name: "../w"},
		{From: "w", To: "old", Name: ".."},
		{From: "w", To: "old", Name: "a", NewName: "."},
		{From: "w", To: "old", Name: "a\x00"},
		{From: "w", To: "old", Name: "a", NewName: "x/y"},
		{From: "w", To: "w/d", Name: "d"},
		{From: "w", To: "w/d/e", Name: "d"},
	} {
		_, err := s.Update(context.Background(), func(tx *store.Tx) error {
			tx.Write("good", []byte("x"))
			tx.Relocate(r)
			return nil
		})
		wantKind(t, err, report.Violation, report.CodePathOutside)
	}
	for _, fn := range []func(tx *store.Tx){
		func(tx *store.Tx) { tx.RecordOutcomes("../x") },
		func(tx *store.Tx) { tx.Discard("/x", "") },
	} {
		_, err := s.Update(context.Background(), func(tx *store.Tx) error { tx.Write("good", nil); fn(tx); return nil })
		wantKind(t, err, report.Violation, report.CodePathOutside)
	}
	want(t, s, map[string]string{"good": "(absent)", "w/a": "A", "w/d/b": ""})
}

func recordOutcomes(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) { tx.Write("w/a", []byte("A")); tx.Write("w/b", []byte("B")) })
	b := plan(t, s, "w", "b", "w/old")
	do(t, s, func(tx *store.Tx) { tx.Write("w/b", []byte("another")) })
	do(t, s, func(tx *store.Tx) {
		tx.Create("w/list", []byte("list\nplanned\n"))
		tx.Relocate(plan(t, tx.Reader(), "w", "a", "w/old"))
		tx.Relocate(b)
		tx.RecordOutcomes("w/list")
	})
	want(t, s, map[string]string{"w/list": "list\n\"a\" moved\n\"b\" changed\n", "w/old/a": "A", "w/b": "another"})
}

func discard(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) {
		tx.Write("w/old/a", []byte("A"))
		tx.Write("w/list", []byte("list\n"))
		tx.Write("w/read", []byte("read"))
		tx.Write("w/unread", []byte("unread"))
	})
	undo := func(tx *store.Tx, wrong bool) {
		r := plan(t, tx.Reader(), "w/old", "a", "w")
		if wrong {
			r.Name = "b"
		}
		tx.Relocate(r)
		tx.Write("w/list", []byte("list\nplanned\n"))
		tx.RecordOutcomes("w/list")
		tx.Discard("w/old", "w/list")
	}
	do(t, s, func(tx *store.Tx) { undo(tx, true) })
	want(t, s, map[string]string{"w/list": "list\n\"b\" vanished\n", "w/old/a": "A"})
	do(t, s, func(tx *store.Tx) { undo(tx, false) })
	want(t, s, map[string]string{"w/list": "(absent)", "w/a": "A"})
	if f, err := s.Scan(context.Background(), "w/old"); err != nil || f.Exists {
		t.Errorf("the emptied folder is still there: %+v, %v", f, err)
	}
	do(t, s, func(tx *store.Tx) {
		_, _ = tx.Read("w/read")
		tx.Discard("", "w/read")
		tx.Discard("", "w/unread")
		tx.Discard("w/none", "")
	})
	want(t, s, map[string]string{"w/read": "(absent)", "w/unread": "unread", "w/a": "A"})
}
