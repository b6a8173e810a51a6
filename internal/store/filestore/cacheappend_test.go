package filestore

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"baton/internal/report"
)

func appender(t *testing.T) (*Store, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return Open(Options{Root: dir, Runtime: ".baton/local"}), filepath.Join(dir, ".baton", "local", "hook.log")
}

// A growing cache is bounded: it is renamed once, and never grows beyond the limit.
func TestAppendCacheIsBounded(t *testing.T) {
	t.Parallel()
	s, path := appender(t)
	line := strings.Repeat("x", 99) + "\n"
	for range 35 {
		if err := s.AppendCache("hook.log", []byte(line), 1000); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]int{path: 500, path + ".1": 1000} {
		if data, err := os.ReadFile(name); err != nil || len(data) != want || strings.Trim(string(data), "x\n") != "" {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
}

// Lines of several writers do not mix.
func TestAppendCacheFromManySides(t *testing.T) {
	t.Parallel()
	s, path := appender(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				if err := s.AppendCache("hook.log", []byte("one whole line\n"), 1<<20); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if data, err := os.ReadFile(path); err != nil || string(data) != strings.Repeat("one whole line\n", 160) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

// Neither the file nor a folder on the way may be a link out of the project.
func TestAppendCacheFollowsNoLink(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "mine")
	if err := os.WriteFile(outside, []byte("mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s, path := appender(t)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, path); err != nil {
		t.Skip(err)
	}
	if err := s.AppendCache("hook.log", []byte("x\n"), 1000); report.KindOf(err) != report.Refused {
		t.Errorf("a link in its place: %v", err)
	}
	other, path := appender(t)
	if err := os.MkdirAll(filepath.Dir(filepath.Dir(path)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if err := other.AppendCache("hook.log", []byte("x\n"), 1000); report.KindOf(err) != report.Violation {
		t.Errorf("a folder that leads out: %v", err)
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "mine\n" {
		t.Errorf("%q %v", data, err)
	}
	if names, err := os.ReadDir(filepath.Dir(outside)); err != nil || len(names) != 1 {
		t.Errorf("%v %v", names, err)
	}
}
