package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"baton/internal/report"
	"baton/internal/store"

	"github.com/google/go-cmp/cmp"
)

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
	wantKind(t, err, report.Conflict, report.CodeExists)
	want(t, s, map[string]string{"a": "1", "taken": "1", "log": "(absent)"})
}

func create(t *testing.T, s store.Store) {
	do(t, s, func(tx *store.Tx) { tx.Create("n/a", []byte("1")) })
	_, err := s.Update(context.Background(), func(tx *store.Tx) error { tx.Create("n/a", []byte("1")); return nil })
	wantKind(t, err, report.Conflict, report.CodeExists)
	_, err = s.Update(context.Background(), func(tx *store.Tx) error {
		tx.Create("n/b", []byte("1"))
		tx.Create("n/b", []byte("2"))
		return nil
	})
	wantKind(t, err, report.Conflict, report.CodeExists)
	_, err = s.Update(context.Background(), func(tx *store.Tx) error {
		tx.Create("n/a", []byte("1"))
		tx.Write("n/a", []byte("2"))
		return nil
	})
	wantKind(t, err, report.Conflict, report.CodeExists)
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
		wanted := []store.Entry{
			{Name: "a", Size: 2},
			{Name: "b", Size: 3},
			{Name: "log", Size: 2},
			{Name: "sub", Dir: true},
		}
		if diff := cmp.Diff(wanted, got, ignoreTime); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
	})
}

// runsAgain checks that the store notices what another store of the same documents, or an editor,
// does between a read and the commit.
func runsAgain(t *testing.T, s store.Store) {
	put, ok := s.(interface{ Put(string, []byte) })
	if !ok {
		t.Skip("this store has no way to change a document behind a transaction's back")
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
		t.Skip("this store has no way to change a document behind a transaction's back")
	}
	runs := 0
	_, err := s.Update(context.Background(), func(tx *store.Tx) error {
		runs++
		_, _ = tx.Read("doc")
		tx.Write("doc", []byte("ours"))
		put.Put("doc", fmt.Append(nil, runs))
		return nil
	})
	wantKind(t, err, report.Conflict, report.CodeChangedUnderUs)
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

// callersBytes checks that slices which the caller changes later do not change the store.
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
