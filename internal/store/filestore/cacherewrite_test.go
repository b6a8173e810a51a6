package filestore

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestRewriteCacheMakesNoFile: what is short stays the same file, whatever its length was; what is not, or is no file, or may not be
// written, is replaced. Nothing of what stood there before is left.
func TestRewriteCacheMakesNoFile(t *testing.T) {
	t.Parallel()
	s, path := appender(t)
	path = filepath.Join(filepath.Dir(path), "record.json")
	identity := func() FileID {
		info, err := Disk{}.Lstat(path)
		if err != nil {
			t.Fatal(err)
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
	for _, text := range []string{`{"a":1}` + "\n", "{}\n", strings.Repeat("x", mostInPlace), `{"a":2}` + "\n", ""} {
		if rewrite(text); identity() != first {
			t.Fatalf("%.20q made a file", text)
		}
	}
	rewrite(strings.Repeat("x", mostInPlace+1))
	rewrite("{}\n")
	if info, err := os.Stat(path); err != nil || info.Size() != 3 {
		t.Fatalf("a long record was not replaced: %v, %v", info, err)
	}
	for what, make := range map[string]func() error{
		"a link":         func() error { return os.Symlink(filepath.Join(filepath.Dir(path), "elsewhere"), path) },
		"read-only file": func() error { return os.WriteFile(path, []byte("old"), 0o444) },
	} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := make(); err != nil {
			t.Skipf("%s: %v", what, err)
		}
		rewrite("{}\n")
		if _, err := os.Lstat(filepath.Join(filepath.Dir(path), "elsewhere")); err == nil {
			t.Errorf("%s: another file was written", what)
		}
	}
}

// TestRewriteCacheFromManySides: whoever comes last, what stands there is one of the texts, and whole.
func TestRewriteCacheFromManySides(t *testing.T) {
	t.Parallel()
	s, _ := appender(t)
	texts := map[string]bool{}
	var all sync.WaitGroup
	for i := range 8 {
		text := strings.Repeat(string(rune('a'+i)), 20*(i+1)) + "\n"
		texts[text] = true
		all.Go(func() {
			for range 200 {
				if err := s.RewriteCache("record.json", []byte(text)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got, err := s.ReadCache("record.json"); err != nil || !texts[strings.TrimRight(string(got), " ")] {
		t.Errorf("%q, %v", got, err)
	}
}
