//go:build unix

package filestore_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/store/disk"

	"golang.org/x/sys/unix"
)

func pipe(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(path, 0o644); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
}

// TestRuntimeFilesAreNoPipes: a named pipe in the place of one of baton's own files is refused by
// name. baton never waits for it, whether or not its other end is open.
func TestRuntimeFilesAreNoPipes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"lock", "lock.json", "journal"} {
		for _, listening := range []bool{false, true} {
			s, root := realStore(t)
			path := filepath.Join(root, ".baton/local", name)
			pipe(t, path)
			if listening {
				f, err := os.OpenFile(path, os.O_RDWR, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
			}
			err := write(s)
			wantCode(t, err, report.Refused, "not_regular")
			if err == nil || !strings.Contains(err.Error(), ".baton/local/"+name) {
				t.Errorf("%s is not named: %v", name, err)
			}
			if _, err := s.Read(context.Background(), "doc"); name != "journal" && err != nil {
				t.Errorf("%s: read: %v", name, err)
			}
		}
	}
}

// TestReadFile: settings are read from a regular file of a bounded length, through links or not.
func TestReadFile(t *testing.T) {
	t.Parallel()
	dir := realTemp(t)
	put(t, filepath.Join(dir, "good"), "12345")
	symlink(t, "good", filepath.Join(dir, "link"))
	symlink(t, "/dev/zero", filepath.Join(dir, "device"))
	pipe(t, filepath.Join(dir, "pipe"))
	for name, code := range map[string]report.Code{"good": "", "link": "", "device": "not_regular", "pipe": "not_regular"} {
		data, err := disk.ReadFile(filepath.Join(dir, name), name, 5)
		if report.CodeOf(err) != code || code == "" && string(data) != "12345" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	_, err := disk.ReadFile(filepath.Join(dir, "good"), "good", 4)
	wantCode(t, err, report.Corrupt, "too_large")
	if _, err := disk.ReadFile(filepath.Join(dir, "none"), "none", 4); !os.IsNotExist(err) {
		t.Errorf("absent: %v", err)
	}
}
