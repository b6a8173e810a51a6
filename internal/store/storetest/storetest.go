package storetest

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/store"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Run is the conformance suite. open returns a new empty store each time, which records outcomes by
// RecordOutcomes.
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
		{"recordOutcomes", recordOutcomes},
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

// do commits fn and fails the test if the commit fails.
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

func wantKind(t *testing.T, err error, kind report.Kind, code report.Code) {
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
	reads := map[string]func(context.Context, string, int) (store.Part, error){"head": s.Head, "tail": s.Tail}
	for what, read := range reads {
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

var ignoreTime = cmpopts.IgnoreFields(store.Entry{}, "ModTime", "Stamp")

func list(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) {
		for _, name := range []string{"l/b.md", "l/a.md", "l/sub/c.md", "other.md", "l/B.md"} {
			tx.Write(name, []byte(name))
		}
	})
	got, err := s.List(context.Background(), "l")
	wanted := []store.Entry{
		{Name: "B.md", Size: 6},
		{Name: "a.md", Size: 6},
		{Name: "b.md", Size: 6},
		{Name: "sub", Dir: true},
	}
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
	for _, name := range []string{
		"", "/abs", "a//b", "../up", "a/../b", "./a", "a/.", "a\\b", "a\x00b", "a\nb", "a/", "a\x7f",
	} {
		_, err := s.Read(ctx, name)
		wantKind(t, err, report.Violation, report.CodePathOutside)
		_, err = s.Head(ctx, name, 1)
		wantKind(t, err, report.Violation, report.CodePathOutside)
		_, err = s.Tail(ctx, name, 1)
		wantKind(t, err, report.Violation, report.CodePathOutside)
		for _, fn := range []func(tx *store.Tx){
			func(tx *store.Tx) { tx.Write(name, []byte("x")) },
			func(tx *store.Tx) { tx.Create(name, []byte("x")) },
			func(tx *store.Tx) { tx.Append(name, []byte("x")) },
		} {
			_, err := s.Update(ctx, func(tx *store.Tx) error { tx.Write("good", []byte("x")); fn(tx); return nil })
			wantKind(t, err, report.Violation, report.CodePathOutside)
		}
	}
	_, err := s.List(ctx, "../up")
	wantKind(t, err, report.Violation, report.CodePathOutside)
	want(t, s, map[string]string{"good": "(absent)"})
	odd := "ünï/日本 — x.md"
	do(t, s, func(tx *store.Tx) { tx.Write(odd, []byte("x")) })
	want(t, s, map[string]string{odd: "x"})
}

func anyBytes(t *testing.T, s store.Store) {
	data := bytes.Repeat([]byte{0, 0xff, '\r', '\n', 0xef, 0xbb, 0xbf, '{', '"', '\\', 0xe2, 0x80, 0xa8}, 9000)
	do(t, s, func(tx *store.Tx) { tx.Write("raw", data); tx.Append("raw2", data) })
	do(t, s, func(tx *store.Tx) { tx.Append("raw", data[:7]); tx.Append("raw2", data) })
	want(t, s, map[string]string{"raw": string(data) + string(data[:7]), "raw2": strings.Repeat(string(data), 2)})
}
