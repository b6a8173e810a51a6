package filestore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"baton/internal/store/disk"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
)

// cached returns the text of a cache without the blanks that may follow it.
func cached(t *testing.T, s *filestore.Store, name string) string {
	t.Helper()
	data, err := s.ReadCache(name)
	if err != nil {
		t.Error(err)
	}
	return strings.TrimRight(string(data), " ")
}

// TestTheNextCacheTakesTheFileOfARetiredOne: while old caches are retired, new ones create no file.
func TestTheNextCacheTakesTheFileOfARetiredOne(t *testing.T) {
	t.Parallel()
	s := filestore.Open(filestore.Options{Root: realTemp(t), Runtime: ".baton/local"})
	name := func(i int) string { return fmt.Sprintf("agents/%d.json", i) }
	var first disk.FileInfo
	for i := range 20 {
		if err := s.WriteCache(name(i), []byte(strings.Repeat("x", 1+i*37%100)+"\n")); err != nil {
			t.Fatal(err)
		}
		info, err := disk.OS{}.Lstat(filepath.Join(s.Runtime(), name(i)))
		if err != nil {
			t.Fatal(err)
		}
		if info.Links == 0 {
			t.Skip("this system does not tell how many names a file has, so that none is used again")
		}
		if i == 0 {
			first = info
		}
		if info.ID != first.ID || info.Size != int64(2+i*37%100) {
			t.Errorf("cache %d is %+v, the first one was %+v", i, info, first)
		}
		if err := s.RetireCache(name(i)); err != nil {
			t.Fatal(err)
		}
		if got := cached(t, s, name(i)); got != "" {
			t.Errorf("a retired cache has %q", got)
		}
	}
	if left, err := s.ListCaches("agents"); err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
	// Only one file waits, and an absent cache can be retired.
	for i := range 3 {
		if err := s.WriteCache(name(i), []byte("x\n")); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 4 {
		if err := s.RetireCache(name(i)); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := os.ReadDir(filepath.Join(s.Runtime(), "agents")); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
}

// TestARetiredCacheWithASecondNameIsNotWritten: a copy made of hard links stays as it is.
func TestARetiredCacheWithASecondNameIsNotWritten(t *testing.T) {
	t.Parallel()
	s := filestore.Open(filestore.Options{Root: realTemp(t), Runtime: ".baton/local"})
	write := func(name, text string) {
		t.Helper()
		if err := s.WriteCache(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	link := func(from, to string) string {
		t.Helper()
		to = filepath.Join(s.Runtime(), to)
		if err := os.Link(filepath.Join(s.Runtime(), from), to); err != nil {
			t.Skipf("the folder for temporary files does not support second names (TMPDIR may name one on another file system): %v", err)
		}
		return to
	}
	write("a.json", "a\n")
	copied := link("a.json", "copy")
	if err := s.RetireCache("a.json"); err != nil {
		t.Fatal(err)
	}
	write("b.json", "b\n")
	if err := s.RetireCache("b.json"); err != nil {
		t.Fatal(err)
	}
	idle := link(".idle", "idle copy")
	write("c.json", "c\n")
	for path, want := range map[string]string{copied: "a\n", idle: "b\n"} {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s has %q, %v", path, got, err)
		}
	}
	if got := cached(t, s, "c.json"); got != "c\n" {
		t.Errorf("%q", got)
	}
}

// TestARetiredCacheIsWholeOrAbsent: whenever a process dies, each cache has its text or is absent.
func TestARetiredCacheIsWholeOrAbsent(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := on(fs)
	text := func(i int) string { return strings.Repeat(fmt.Sprint(i%10), 1+i*7%40) + "\n" }
	for i := range 6 {
		name, before := fmt.Sprintf("%d.json", i), fmt.Sprintf("%d.json", i-1)
		crashes(t, fs, func() error {
			if err := s.RetireCache(before); err != nil {
				return err
			}
			return s.WriteCache(name, []byte(text(i)))
		}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
			for at, n := range map[int]string{i: name, i - 1: before} {
				if got, ok := snap(0).Get("/p/.baton/local/" + n); ok && strings.TrimRight(got, " ") != text(at) {
					t.Fatalf("before %s %s: %s has %q", op.Name, op.Path, n, got)
				}
			}
		})
	}
}

// TestRetiredCachesFromManySides: caches are written, read and retired at once.
func TestRetiredCachesFromManySides(t *testing.T) {
	t.Parallel()
	s := filestore.Open(filestore.Options{Root: realTemp(t), Runtime: ".baton/local"})
	var all sync.WaitGroup
	for side := range 4 {
		all.Go(func() {
			for n := range 100 {
				name := fmt.Sprintf("agents/%d.json", (side+n)%3)
				text := strings.Repeat(name, 20)
				if err := s.WriteCache(name, []byte(text)); err != nil {
					t.Error(err)
				}
				if got := cached(t, s, name); got != text && got != "" {
					t.Errorf("%s has %.60q", name, got)
				}
				if err := s.RetireCache(name); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
