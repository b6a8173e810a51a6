package filestore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/store/disk"
)

// TestD36_WriteCacheWritesNoOtherFile: a file with a second name, a link, or a file that may not be
// written is left unchanged.
func TestD36_WriteCacheWritesNoOtherFile(t *testing.T) {
	t.Parallel()
	for what, set := range map[string]func(other, path string) error{
		"second name":    os.Link,
		"link":           os.Symlink,
		"read-only file": func(_, path string) error { return os.WriteFile(path, []byte("old"), 0o444) },
		"empty file":     func(_, path string) error { return os.WriteFile(path, nil, 0o600) },
	} {
		t.Run(what, func(t *testing.T) {
			s, path := appender(t)
			other := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(path))), "notes.md")
			if err := os.WriteFile(other, []byte(strings.Repeat("mine", 1000)), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := s.WriteCache("first.json", nil); err != nil {
				t.Fatal(err)
			}
			path = filepath.Join(filepath.Dir(path), "record.json")
			if err := set(other, path); err != nil {
				t.Skipf("the folder for temporary files does not support that (TMPDIR may name one on another file system): %v", err)
			}
			for range 2 {
				if err := s.WriteCache("record.json", []byte("{}\n")); err != nil {
					t.Error(err)
				}
			}
			if got, err := s.ReadCache("record.json"); err != nil || strings.TrimRight(string(got), " ") != "{}\n" {
				t.Errorf("%.20q, %v", got, err)
			}
			if data, err := os.ReadFile(other); err != nil || string(data) != strings.Repeat("mine", 1000) {
				t.Errorf("the other file holds %.20q, %v", data, err)
			}
		})
	}
}

// TestD36_WriteOverWritesNoOtherFile: the same holds for lock.json and other files that are
// overwritten in place.
func TestD36_WriteOverWritesNoOtherFile(t *testing.T) {
	t.Parallel()
	s, path := appender(t)
	if err := s.WriteCache("first.json", nil); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(filepath.Dir(path), "lock.json")
	other := path + ".other"
	if err := os.WriteFile(other, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(other, path); err != nil {
		t.Skipf("the folder for temporary files does not support second names (TMPDIR may name one on another file system): %v", err)
	}
	if err := (disk.OS{}).WriteOver(path, []byte("ours"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{other: "mine", path: "ours"} {
		if data, err := os.ReadFile(name); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

// TestWriteCacheUnderItsLock: after concurrent writes, the cache is one of the texts as a whole.
func TestWriteCacheUnderItsLock(t *testing.T) {
	t.Parallel()
	s, _ := appender(t)
	texts, done := map[string]bool{}, make(chan bool)
	of := func(i int) string { return strings.Repeat(string(rune('a'+i)), 900*(i+1)) + "\n" }
	for i := range 8 {
		texts[of(i)] = true
	}
	for i := range 8 {
		text := of(i)
		go func() {
			defer func() { done <- true }()
			for range 50 {
				free, ok := s.LockCache(t.Context(), "lock-1", time.Minute)
				if !ok {
					t.Error("no lock")
					return
				}
				if got, err := s.ReadCache("record.json"); err != nil || len(got) > 0 && !texts[strings.TrimRight(string(got), " ")] {
					t.Errorf("%.30q, %v", got, err)
				}
				if err := s.WriteCache("record.json", []byte(text)); err != nil {
					t.Error(err)
				}
				free()
			}
		}()
	}
	for range 8 {
		<-done
	}
}
