package filestore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/store/disk"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
)

const swapped = "/p/.baton/local/active.json"

// TestWriteCacheIsWholeAtEveryMoment: a reader finds one of the texts as a whole, whenever a
// process dies and while others write.
func TestWriteCacheIsWholeAtEveryMoment(t *testing.T) {
	t.Parallel()
	for _, exchange := range []bool{true, false} {
		fs := newCrashFS(t, nil)
		fs.NoExchange = !exchange
		s, before := on(fs), "none"
		for i := range 12 {
			text := strings.Repeat(fmt.Sprint(i%10), 1+i*7%40) + "\n"
			crashes(t, fs, func() error { return s.WriteCache("active.json", []byte(text)) }, func(
				op crashfs.Op, snap func(uint64) *crashfs.FS,
			) {
				got, ok := snap(0).Get(swapped)
				if got = strings.TrimRight(got, " "); got != text && got != before && (ok || before != "none") {
					t.Fatalf("before %s %s: %q, want %q or %q", op.Name, op.Path, got, before, text)
				}
			})
			if got, err := s.ReadCache("active.json"); err != nil || strings.TrimRight(string(got), " ") != text {
				t.Fatalf("%q, %v", got, err)
			}
			before = text
		}
	}
}

// TestWriteCacheFromManySides: readers and writers run at once, and some writers replace the file.
func TestWriteCacheFromManySides(t *testing.T) {
	t.Parallel()
	s := filestore.Open(filestore.Options{Root: realTemp(t), Runtime: ".baton/local"})
	texts, done := map[string]bool{}, make(chan bool)
	of := func(i int) string { return strings.Repeat(string(rune('a'+i)), 300*(i+1)) + "\n" }
	for i := range 6 {
		texts[of(i)] = true
	}
	if err := s.WriteCache("active.json", []byte(of(0))); err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		go func() {
			defer func() { done <- true }()
			for n := range 100 {
				write := s.WriteCache
				if n%10 == i {
					write = s.ReplaceCache
				}
				if err := write("active.json", []byte(of(i))); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	for left := 6; left > 0; {
		if got, err := s.ReadCache("active.json"); err != nil || !texts[strings.TrimRight(string(got), " ")] {
			t.Errorf("%.40q, %v", got, err)
		}
		select {
		case <-done:
			left--
		default:
		}
	}
}

// TestWriteCacheMakesNoFile: from the second time on, no file is created, and all caches of a folder
// share one spare. A file with a second name is not written.
func TestWriteCacheMakesNoFile(t *testing.T) {
	t.Parallel()
	s := filestore.Open(filestore.Options{Root: realTemp(t), Runtime: ".baton/local"})
	path := filepath.Join(s.Runtime(), "active.json")
	swap := func(text string) disk.FileID {
		t.Helper()
		if err := s.WriteCache("active.json", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := s.ReadCache("active.json"); err != nil || strings.TrimRight(string(got), " ") != text {
			t.Fatalf("%q, %v", got, err)
		}
		info, err := disk.OS{}.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Links == 0 {
			t.Skip("this system does not tell how many names a file has, so that it is always replaced")
		}
		return info.ID
	}
	two := map[disk.FileID]bool{swap("{}\n"): true, swap("{ }\n"): true}
	for i := range 20 {
		two[swap(strings.Repeat("x", 1+i*37%100)+"\n")] = true
	}
	for n := 0; n < 20_000; n += 100 {
		two[swap(strings.Repeat("y", n)+"\n")] = true
	}
	two[swap("{}\n")] = true
	if len(two) > 2 {
		t.Errorf("%d files were made", len(two))
	}
	other := filepath.Join(filepath.Dir(path), "copy.json")
	if err := os.Link(path, other); err != nil {
		t.Skipf("the folder for temporary files does not support second names (TMPDIR may name one on another file system): %v", err)
	}
	before, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		swap("{\"other\":1}\n")
	}
	if after, err := os.ReadFile(other); err != nil || string(after) != string(before) {
		t.Errorf("a file that shared the name holds %.40q, %v", after, err)
	}
	spare := filepath.Join(s.Runtime(), ".spare")
	copied := filepath.Join(s.Runtime(), "copy.spare")
	if err := os.Link(spare, copied); err != nil {
		t.Fatal(err)
	}
	before, err = os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		swap("{\"another\":1}\n")
	}
	if after, err := os.ReadFile(copied); err != nil || string(after) != string(before) {
		t.Errorf("a file that shared the spare's name holds %.40q, %v", after, err)
	}
	// The caches of a folder share one spare.
	for range 3 {
		for _, name := range []string{"active.json", "second.json"} {
			if err := s.WriteCache(name, []byte("{}\n")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if left, err := filepath.Glob(filepath.Join(s.Runtime(), ".*spare")); err != nil || len(left) != 1 {
		t.Errorf("%q, %v", left, err)
	}
}
