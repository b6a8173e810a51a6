//go:build unix

package gitrepo

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestNoFileOfGitIsReadWithoutAnEnd: an unpacked archive may hold a pipe, a link to a device or an
// endless file in the place of one of git's small files. baton continues without the file and does
// not wait.
func TestNoFileOfGitIsReadWithoutAnEnd(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("a", 40)
	for _, name := range []string{
		".git", ".git/HEAD", ".git/commondir", ".git/config", ".git/refs/heads/main", ".git/packed-refs", ".git/logs/refs/stash",
		".git/MERGE_HEAD",
	} {
		for what, put := range map[string]func(path string) error{
			"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
			"device": func(path string) error { return os.Symlink("/dev/zero", path) },
			"kernel": func(path string) error { return os.Symlink("/proc/kmsg", path) },
			"sparse": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		} {
			root := t.TempDir()
			for file, text := range map[string]string{
				".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": hash + "\n", ".git/logs/refs/stash": "",
			} {
				if err := os.MkdirAll(filepath.Join(root, filepath.Dir(file)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(root, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			at := filepath.Join(root, name)
			if err := os.RemoveAll(at); err != nil {
				t.Fatal(err)
			}
			err := put(at)
			if err == nil && what == "sparse" {
				err = os.Truncate(at, 1<<40)
			}
			if err != nil {
				t.Skip("needs pipes, links and sparse files: ", err)
			}
			over := make(chan Place)
			go func() {
				p := Common(root)
				p.Branch()
				p.Begin()
				p.Joining()
				p.stashes()
				over <- p
			}()
			select {
			case p := <-over:
				if head := p.Head(); head != "" && head != hash {
					t.Errorf("%s as %s: HEAD is %q", name, what, head)
				}
			case <-time.After(30 * time.Second):
				t.Fatalf("%s as %s: it waits", name, what)
			}
		}
	}
}
