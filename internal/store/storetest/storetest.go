package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"baton/internal/report"
	"baton/internal/store"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Run is the conformance suite; open gives a new empty store each time, which settles documents by Settle.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	t.Helper()
	for _, c := range []struct {
		name string
		test func(t *testing.T, s store.Store)
	}{
		{"absent", absent},
		{"write and read", writeAndRead},
		{"parts", parts},
		{"list", list},
		{"names", names},
		{"nothing to do", nothingToDo},
		{"all or nothing", allOrNothing},
		{"create", create},
		{"append", appending},
		{"reads see own writes", ownWrites},
		{"list sees own writes", ownList},
		{"runs again", runsAgain},
		{"gives up", givesUp},
		{"cancelled", cancelled},
		{"any bytes", anyBytes},
		{"caller's bytes", callersBytes},
		{"writers queue", writersQueue},
		{"scan", scan},
		{"relocate", relocate},
		{"relocate what changed", relocateChanged},
		{"relocate only", relocateOnly},
		{"relocate refused", relocateRefused},
		{"settle", settle},
		{"discard", discard},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			c.test(t, s)
			if err := s.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	}
}

// do commits fn and fails the test when that fails.
func do(t *testing.T, s store.Store, fn func(tx *store.Tx)) store.Commit {
	t.Helper()
	c, err := s.Update(context.Background(), func(tx *store.Tx) error { fn(tx); return nil })
	if err != nil {
		t.Fatalf("update: %v", err)
	}
	return c
}

func text(t *testing.T, s store.Store, name string) string {
	t.Helper()
	doc, err := s.Read(context.Background(), name)
	if err != nil {
		t.Fatalf("read %s: %v", name, err)
	}
	if !doc.Exists {
		return "(absent)"
	}
	if doc.Size != int64(len(doc.Data)) || doc.Name != name || doc.Pending || doc.Outside {
		t.Errorf("read %s: %+v", name, doc)
	}
	return string(doc.Data)
}

func want(t *testing.T, s store.Store, docs map[string]string) {
	t.Helper()
	for name, data := range docs {
		if got := text(t, s, name); got != data {
			t.Errorf("%s: got %q, want %q", name, got, data)
		}
	}
}

func wantKind(t *testing.T, err error, kind report.Kind, code string) {
	t.Helper()
	e, ok := errors.AsType[*report.Error](err)
	if !ok || e.Kind != kind || e.Code != code || e.Message == "" {
		t.Errorf("got %v (%+v), want kind %s code %s", err, e, kind, code)
	}
}

func absent(t *testing.T, s store.Store) {
	ctx := context.Background()
	doc, err := s.Read(ctx, "a/none.md")
	if err != nil || doc.Exists || doc.Data != nil || doc.Size != 0 {
		t.Errorf("read: %+v, %v", doc, err)
	}
	for what, read := range map[string]func(context.Context, string, int) (store.Part, error){"head": s.Head, "tail": s.Tail} {
		if p, err := read(ctx, "a/none.md", 10); err != nil || p.Exists || len(p.Data) != 0 {
			t.Errorf("%s: %+v, %v", what, p, err)
		}
	}
	if l, err := s.List(ctx, "a"); err != nil || len(l) != 0 {
		t.Errorf("list: %v, %v", l, err)
	}
}

func writeAndRead(t *testing.T, s store.Store) {
	c := do(t, s, func(tx *store.Tx) { tx.Write("b/two.md", []byte("2")); tx.Write("a.md", []byte("1")) })
	if diff := cmp.Diff([]string{"a.md", "b/two.md"}, c.Written); diff != "" {
		t.Errorf("written:\n%s", diff)
	}
	want(t, s, map[string]string{"a.md": "1", "b/two.md": "2"})
	do(t, s, func(tx *store.Tx) { tx.Write("a.md", []byte("one, and longer")) })
	want(t, s, map[string]string{"a.md": "one, and longer", "b/two.md": "2"})
	do(t, s, func(tx *store.Tx) { tx.Write("a.md", nil) })
	want(t, s, map[string]string{"a.md": ""})
}

func parts(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) { tx.Write("d", []byte("0123456789")) })
	for _, c := range []struct {
		limit      int
		head, tail string
	}{{0, "", ""}, {3, "012", "789"}, {10, "0123456789", "0123456789"}, {99, "0123456789", "0123456789"}} {
		h, err := s.Head(context.Background(), "d", c.limit)
		if err != nil || string(h.Data) != c.head || h.Size != 10 || h.Offset != 0 || !h.Exists {
			t.Errorf("head %d: %+v, %v", c.limit, h, err)
		}
		l, err := s.Tail(context.Background(), "d", c.limit)
		if err != nil || string(l.Data) != c.tail || l.Size != 10 || l.Offset != int64(10-len(c.tail)) || !l.Exists {
			t.Errorf("tail %d: %+v, %v", c.limit, l, err)
		}
	}
}

var ignoreTime = cmpopts.IgnoreFields(store.Entry{}, "ModTime")

func list(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) {
		for _, name := range []string{"l/b.md", "l/a.md", "l/sub/c.md", "other.md", "l/B.md"} {
			tx.Write(name, []byte(name))
		}
	})
	got, err := s.List(context.Background(), "l")
	wanted := []store.Entry{{Name: "B.md", Size: 6}, {Name: "a.md", Size: 6}, {Name: "b.md", Size: 6}, {Name: "sub", Dir: true}}
	if diff := cmp.Diff(wanted, got, ignoreTime); diff != "" || err != nil {
		t.Errorf("list l: %v\n%s", err, diff)
	}
	root, err := s.List(context.Background(), ".")
	if err != nil {
		t.Errorf("list .: %v", err)
	}
	seen := map[string]bool{}
	for _, e := range root {
		seen[e.Name] = true
	}
	if !seen["l"] || !seen["other.md"] {
		t.Errorf("list .: %v", root)
	}
}

func names(t *testing.T, s store.Store) {
	ctx := context.Background()
	for _, name := range []string{"", "/abs", "a//b", "../up", "a/../b", "./a", "a/.", "a\\b", "a\x00b", "a\nb", "a/", "a\x7f"} {
		_, err := s.Read(ctx, name)
		wantKind(t, err, report.Violation, "path_outside")
		_, err = s.Head(ctx, name, 1)
		wantKind(t, err, report.Violation, "path_outside")
		_, err = s.Tail(ctx, name, 1)
		wantKind(t, err, report.Violation, "path_outside")
		for _, fn := range []func(tx *store.Tx){
			func(tx *store.Tx) { tx.Write(name, []byte("x")) },
			func(tx *store.Tx) { tx.Create(name, []byte("x")) },
			func(tx *store.Tx) { tx.Append(name, []byte("x")) },
		} {
			_, err := s.Update(ctx, func(tx *store.Tx) error { tx.Write("good", []byte("x")); fn(tx); return nil })
			wantKind(t, err, report.Violation, "path_outside")
		}
	}
	_, err := s.List(ctx, "../up")
	wantKind(t, err, report.Violation, "path_outside")
	want(t, s, map[string]string{"good": "(absent)"})
	odd := "ünï/日本 — x.md"
	do(t, s, func(tx *store.Tx) { tx.Write(odd, []byte("x")) })
	want(t, s, map[string]string{odd: "x"})
}

func nothingToDo(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) { tx.Write("a", []byte("1")) })
	for what, fn := range map[string]func(tx *store.Tx){
		"nothing":      func(*store.Tx) {},
		"only reads":   func(tx *store.Tx) { _, _ = tx.Read("a") },
		"the same":     func(tx *store.Tx) { tx.Write("a", []byte("1")) },
		"empty append": func(tx *store.Tx) { tx.Append("a", nil); tx.Append("b", nil) },
	} {
		if c := do(t, s, fn); len(c.Written) != 0 {
			t.Errorf("%s: written %v", what, c.Written)
		}
	}
	want(t, s, map[string]string{"a": "1", "b": "(absent)"})
}

func allOrNothing(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) { tx.Write("a", []byte("1")); tx.Write("taken", []byte("1")) })
	own := errors.New("own")
	_, err := s.Update(context.Background(), func(tx *store.Tx) error { tx.Write("a", []byte("2")); return own })
	if !errors.Is(err, own) {
		t.Errorf("got %v", err)
	}
	_, err = s.Update(context.Background(), func(tx *store.Tx) error {
		tx.Write("a", []byte("2"))
		tx.Append("log", []byte("x"))
		tx.Create("taken", []byte("2"))
		return nil
	})
	wantKind(t, err, report.Conflict, "exists")
	want(t, s, map[string]string{"a": "1", "taken": "1", "log": "(absent)"})
}

func create(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) { tx.Create("n/a", []byte("1")) })
	_, err := s.Update(context.Background(), func(tx *store.Tx) error { tx.Create("n/a", []byte("1")); return nil })
	wantKind(t, err, report.Conflict, "exists")
	_, err = s.Update(context.Background(), func(tx *store.Tx) error {
		tx.Create("n/b", []byte("1"))
		tx.Create("n/b", []byte("2"))
		return nil
	})
	wantKind(t, err, report.Conflict, "exists")
	_, err = s.Update(context.Background(), func(tx *store.Tx) error {
		tx.Create("n/a", []byte("1"))
		tx.Write("n/a", []byte("2"))
		return nil
	})
	wantKind(t, err, report.Conflict, "exists")
	want(t, s, map[string]string{"n/a": "1", "n/b": "(absent)"})
}

func appending(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) { tx.Append("log/a", []byte("1")) })
	do(t, s, func(tx *store.Tx) { tx.Append("log/a", []byte("2")); tx.Append("log/a", []byte("3")) })
	do(t, s, func(tx *store.Tx) {
		tx.Write("doc", []byte("x"))
		tx.Append("log/a", []byte("4"))
		tx.Append("doc", []byte("y"))
	})
	want(t, s, map[string]string{"log/a": "1234", "doc": "xy"})
	do(t, s, func(tx *store.Tx) { tx.Append("log/a", []byte("lost")); tx.Write("log/a", []byte("new")) })
	want(t, s, map[string]string{"log/a": "new"})
}

func ownWrites(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) { tx.Write("a", []byte("old")); tx.Write("log", []byte("0123")) })
	do(t, s, func(tx *store.Tx) {
		tx.Write("a", []byte("new"))
		tx.Append("log", []byte("45"))
		tx.Append("fresh", []byte("ab"))
		for name, wanted := range map[string]string{"a": "new", "log": "012345", "fresh": "ab"} {
			doc, err := tx.Read(name)
			if err != nil || string(doc.Data) != wanted || !doc.Exists || doc.Size != int64(len(wanted)) {
				t.Errorf("read %s: %+v, %v", name, doc, err)
			}
			for n := range 8 {
				k := min(n, len(wanted))
				h, err := tx.Head(name, n)
				if err != nil || string(h.Data) != wanted[:k] || h.Size != doc.Size {
					t.Errorf("head %s %d: %+v, %v", name, n, h, err)
				}
				l, err := tx.Tail(name, n)
				if err != nil || string(l.Data) != wanted[len(wanted)-k:] || l.Offset != doc.Size-int64(k) {
					t.Errorf("tail %s %d: %+v, %v", name, n, l, err)
				}
			}
		}
	})
	want(t, s, map[string]string{"a": "new", "log": "012345", "fresh": "ab"})
}

func ownList(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) { tx.Write("d/b", []byte("1")); tx.Write("d/log", []byte("1")) })
	do(t, s, func(tx *store.Tx) {
		tx.Write("d/a", []byte("12"))
		tx.Write("d/b", []byte("123"))
		tx.Append("d/log", []byte("2"))
		tx.Write("d/sub/x", []byte("1"))
		tx.Write("e", []byte("1"))
		got, err := tx.List("d")
		wanted := []store.Entry{{Name: "a", Size: 2}, {Name: "b", Size: 3}, {Name: "log", Size: 2}, {Name: "sub", Dir: true}}
		if diff := cmp.Diff(wanted, got, ignoreTime); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
	})
}

// runsAgain: what another store of the same documents, or an editor, does between the read and the commit is seen.
func runsAgain(t *testing.T, s store.Store) {
	put, ok := s.(interface{ Put(string, []byte) })
	if !ok {
		t.Skip("this store gives no way to change a document behind a transaction's back")
	}
	for _, how := range []string{"write", "append after read", "append after tail"} {
		put.Put("doc", []byte("a"))
		runs := 0
		do(t, s, func(tx *store.Tx) {
			runs++
			switch doc, _ := tx.Read("doc"); how {
			case "write":
				tx.Write("doc", append(doc.Data, '!'))
			case "append after read":
				tx.Append("doc", []byte("!"))
			default:
				_, _ = tx.Tail("doc", 1)
				tx.Append("doc", []byte("!"))
			}
			if runs == 1 {
				put.Put("doc", []byte("b"))
			}
		})
		if got := text(t, s, "doc"); runs != 2 || got != "b!" {
			t.Errorf("%s: %d runs, %q", how, runs, got)
		}
	}
}

func givesUp(t *testing.T, s store.Store) {
	put, ok := s.(interface{ Put(string, []byte) })
	if !ok {
		t.Skip("this store gives no way to change a document behind a transaction's back")
	}
	runs := 0
	_, err := s.Update(context.Background(), func(tx *store.Tx) error {
		runs++
		_, _ = tx.Read("doc")
		tx.Write("doc", []byte("ours"))
		put.Put("doc", fmt.Append(nil, runs))
		return nil
	})
	wantKind(t, err, report.Conflict, "changed_under_us")
	if got := text(t, s, "doc"); runs != store.Attempts || got != fmt.Sprint(store.Attempts) {
		t.Errorf("%d runs, %q", runs, got)
	}
}

func cancelled(t *testing.T, s store.Store) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	ran := false
	_, err := s.Update(ctx, func(tx *store.Tx) error { ran = true; tx.Write("a", []byte("1")); return nil })
	if !errors.Is(err, context.Canceled) || ran {
		t.Errorf("update: %v, ran %v", err, ran)
	}
	if _, err := s.Read(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("read: %v", err)
	}
	want(t, s, map[string]string{"a": "(absent)"})
}

func anyBytes(t *testing.T, s store.Store) {
	data := bytes.Repeat([]byte{0, 0xff, '\r', '\n', 0xef, 0xbb, 0xbf, '{', '"', '\\', 0xe2, 0x80, 0xa8}, 9000)
	do(t, s, func(tx *store.Tx) { tx.Write("raw", data); tx.Append("raw2", data) })
	do(t, s, func(tx *store.Tx) { tx.Append("raw", data[:7]); tx.Append("raw2", data) })
	want(t, s, map[string]string{"raw": string(data) + string(data[:7]), "raw2": strings.Repeat(string(data), 2)})
}

// callersBytes: what the caller does with its slices later does not reach the store.
func callersBytes(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) {
		for _, put := range []func(string, []byte){tx.Write, tx.Create, tx.Append} {
			data := []byte("good")
			put(fmt.Sprint("d", len(tx.Changes())), data)
			data[0] = 'b'
		}
		doc, _ := tx.Read("d0")
		copy(doc.Data, "evil")
	})
	want(t, s, map[string]string{"d0": "good", "d1": "good", "d2": "good"})
}

func writersQueue(t *testing.T, s store.Store) {
	const writers, each = 4, 10
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := range each {
				_, err := s.Update(context.Background(), func(tx *store.Tx) error {
					doc, err := tx.Read("count")
					if err != nil {
						return err
					}
					tx.Write("count", append(doc.Data, 'x'))
					tx.Append("log", fmt.Appendf(nil, "%d.%d\n", w, n))
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := text(t, s, "count"); len(got) != writers*each {
		t.Errorf("%d of %d changes survived", len(got), writers*each)
	}
	if got := strings.Count(text(t, s, "log"), "\n"); got != writers*each {
		t.Errorf("%d of %d lines", got, writers*each)
	}
}
