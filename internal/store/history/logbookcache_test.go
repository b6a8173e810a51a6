package history_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/history"

	"github.com/google/go-cmp/cmp"
)

// withoutCache returns what the log alone says.
func withoutCache(t *testing.T, fs *crashfs.FS) map[string]history.Known {
	t.Helper()
	img := fs.Kill()
	img.Delete(knownFile)
	return knownOf(t, img)
}

// TestAStoreRemembersWhatItKnew: a store notices what other processes write, and also a log that
// started over, lost its end, or has other records of the same length. It reads only what is new.
func TestAStoreRemembersWhatItKnew(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s, r := loggingOn(fs), rand.New(rand.NewPCG(5, 6))
	same := func(what string) {
		t.Helper()
		got, err := s.Known(context.Background())
		if diff := cmp.Diff(withoutCache(t, fs), got); diff != "" || err != nil {
			t.Fatalf("%s: %v (-log +store):\n%s", what, err, diff)
		}
	}
	write := func(s keeper, i int) {
		t.Helper()
		update(t, s, func(tx *store.Tx) { tx.Write(fmt.Sprintf("docs/%02d", r.IntN(50)), fmt.Appendf(nil, "%04d", i)) })
	}
	for i := range 200 {
		write([]keeper{s, loggingOn(fs)}[r.IntN(2)], i)
		if i%5 == 0 {
			same(fmt.Sprintf("after %d changes", i))
		}
	}
	first, err := s.Known(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	read := s.Counters().BytesRead.Load()
	same("a second time")
	if n := s.Counters().BytesRead.Load() - read; n > 100 {
		t.Errorf("reading again without news cost %d bytes", n)
	}
	kept := fmt.Sprint(first)
	write(loggingOn(fs), 999)
	same("after one more")
	if fmt.Sprint(first) != kept {
		t.Error("an earlier result changed")
	}
	rewrite := func(text string) { update(t, loggingOn(fs), func(tx *store.Tx) { tx.Write("docs/00", []byte(text)) }) }
	rewrite("0001")
	without, _ := fs.Get(logFile)
	rewrite("0002")
	same("with the last record")
	with, _ := fs.Get(logFile)
	fs.Put(logFile, without)
	same("without the last record")
	fs.Put(logFile, with)
	same("with it again")
	fs.Put(logFile, without)
	rewrite("a text that is not as long")
	if other, _ := fs.Get(logFile); len(other) < len(with) {
		t.Fatal("the other record is shorter")
	}
	same("with another last record")
	fs.Delete(logFile)
	same("without a log")
	for i := range 100 {
		write(loggingOn(fs), i)
	}
	same("with a new log")
}

// TestKnownIsRightAfterFailedCommits: no failed operation makes the result wrong, even if the cache
// was just being rewritten.
func TestKnownIsRightAfterFailedCommits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 180)
	fs := newCrashFS(t, nil)
	s := loggingOn(fs)
	for i := range 15 { // the next record crosses a knownStep of the log
		update(t, s, func(tx *store.Tx) {
			tx.Write(fmt.Sprintf("docs/%d%s", i, long), []byte("a"))
			tx.Write(fmt.Sprintf("more/%d%s", i, long), []byte("a"))
		})
	}
	made := 0
	for at, done := 1, false; !done; at += 3 {
		img := fs.Kill()
		s := loggingOn(img)
		first, hit := img.Ops(), false
		img.Hook = func(op crashfs.Op) error {
			if op.N-first == at {
				hit = true
				return syscall.EIO
			}
			return nil
		}
		_, err := s.Update(context.Background(), func(tx *store.Tx) error {
			for i := range 20 {
				tx.Write(fmt.Sprintf("docs/%d%s", i, long), fmt.Appendf(nil, "b%d", i))
			}
			return nil
		})
		img.Hook = nil
		if _, ok := img.Get(knownFile); ok {
			made++
		}
		got, fault := s.Known(context.Background())
		if diff := cmp.Diff(withoutCache(t, img), got); diff != "" || fault != nil {
			t.Fatalf("operation %d (%v): %v (-log +store):\n%s", at, err, fault, diff)
		}
		if diff := cmp.Diff(withoutCache(t, img), knownOf(t, img)); diff != "" {
			t.Fatalf("operation %d (%v) (-log +cache):\n%s", at, err, diff)
		}
		done = !hit
	}
	if made < 10 {
		t.Errorf("the cache was rewritten only %d times", made)
	}
}

// TestTheCacheRecordsLooks: many documents make long records, which a hook should not have to
// read (D30).
func TestTheCacheRecordsLooks(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := loggingOn(fs)
	docs := make([]history.DocChange, 150)
	for i := range docs {
		docs[i] = history.DocChange{Name: fmt.Sprintf("docs/%d", i), Kind: history.DocOutside, After: history.DocSumOf([]byte("x"))}
	}
	for range 2 {
		if err := history.LogOutside(s.History, docs); err != nil {
			t.Fatal(err)
		}
	}
	reader := loggingOn(fs)
	known, err := reader.Known(context.Background())
	if n := reader.Counters().BytesRead.Load(); err != nil || len(known) != len(docs) || n > 8<<10 {
		t.Errorf("%d documents, %v; %d bytes were read", len(known), err, n)
	}
}
