package filestore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRewriteCacheMakesFewFiles: what fits its file stays there, whatever its length was; what is too long is replaced. Nothing of what stood
// there before is left.
func TestRewriteCacheMakesFewFiles(t *testing.T) {
	t.Parallel()
	s, path := appender(t)
	path = filepath.Join(filepath.Dir(path), "record.json")
	identity := func() FileID {
		info, err := Disk{}.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Links == 0 {
			t.Skip("this system does not tell how many names a file has, so that it is always replaced")
		}
		return info.ID
	}
	rewrite := func(text string) {
		t.Helper()
		if err := s.RewriteCache("record.json", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := s.ReadCache("record.json"); err != nil || strings.TrimRight(string(got), " ") != text {
			t.Fatalf("%.80q, %v", got, err)
		}
	}
	rewrite("{}\n")
	first := identity()
	for _, text := range []string{`{"a":1}` + "\n", "{}\n", strings.Repeat("x", leastInPlace), `{"a":2}` + "\n", ""} {
		if rewrite(text); identity() != first {
			t.Fatalf("%.20q made a file", text)
		}
	}
	made := 0
	for n, last := 0, first; n < 20_000; n += 100 {
		if rewrite(strings.Repeat("y", n)); identity() != last {
			made, last = made+1, identity()
		}
	}
	if made > 4 {
		t.Errorf("a record that grew to 20 KB made %d files", made)
	}
	rewrite(strings.Repeat("x", mostInPlace+1))
	rewrite("{}\n")
	if info, err := os.Stat(path); err != nil || info.Size() != leastInPlace {
		t.Fatalf("a long record was not replaced: %v, %v", info, err)
	}
}

// TestD36_RewriteCacheWritesNoOtherFile: what stands there under a second name, or is a link, or may not be written, is left as it is.
func TestD36_RewriteCacheWritesNoOtherFile(t *testing.T) {
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
				t.Skipf("that is not to be had in the folder for temporary files (TMPDIR may name one on another file system): %v", err)
			}
			for range 2 {
				if err := s.RewriteCache("record.json", []byte("{}\n")); err != nil {
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

// TestD36_ScribbleWritesNoOtherFile: so is what lock.json and the other files that are written over in place are.
func TestD36_ScribbleWritesNoOtherFile(t *testing.T) {
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
		t.Skipf("a second name is not to be had in the folder for temporary files (TMPDIR may name one on another file system): %v", err)
	}
	if err := (Disk{}).Scribble(path, []byte("ours"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{other: "mine", path: "ours"} {
		if data, err := os.ReadFile(name); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

// TestRewriteCacheUnderItsLock: whoever comes last, what stands there is one of the texts, and whole.
func TestRewriteCacheUnderItsLock(t *testing.T) {
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
				if err := s.RewriteCache("record.json", []byte(text)); err != nil {
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
