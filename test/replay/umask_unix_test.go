//go:build unix

package replay

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSD10_TheUmaskHolds checks that all files and folders that the commands of the state folder create follow the
// umask, including the archive, its manifests and the runtime folder. The umask belongs to a whole process, so baton is
// a separate one.
func TestSD10_TheUmaskHolds(t *testing.T) {
	t.Parallel()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	for umask, not := range map[string]fs.FileMode{"077": 0o077, "027": 0o027} {
		root := t.TempDir()
		if err := os.Mkdir(filepath.Join(root, ".devt"), 0o777); err != nil {
			t.Fatal(err)
		}
		run := func(args ...string) {
			t.Helper()
			words := append([]string{"-c", "umask " + umask + `; exec "$0" "$@"`, path, "-C", root, "dir"}, args...)
			if out, err := exec.Command("sh", words...).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
			}
		}
		run("begin", "dev", "one")
		if err := os.WriteFile(filepath.Join(root, ".devt/state/odd"), []byte("x"), 0o666&^not); err != nil {
			t.Fatal(err)
		}
		run("cleanup", "--apply")
		run("begin", "dev", "two")
		run("update", "phase=plan", "--instance", "other")
		seen := map[string]bool{}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || path == root || path == filepath.Join(root, ".devt") {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			want := fs.FileMode(0o666)
			if d.IsDir() {
				want = 0o777
			}
			rel, _ := filepath.Rel(root, path)
			if filepath.ToSlash(rel) == ".baton/local" {
				want = 0o700 // for its owner only (F-82)
			}
			if got := info.Mode().Perm(); got != want&^not {
				t.Errorf("umask %s: %s has the mode %v, want %v", umask, rel, got, want&^not)
			}
			for _, what := range []string{".manifest.json", "workflow.yaml", ".instances/other.json", ".baton/local", "lock"} {
				seen[what] = seen[what] || strings.HasSuffix(filepath.ToSlash(rel), what)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range []string{".manifest.json", "workflow.yaml", ".instances/other.json", ".baton/local", "lock"} {
			if !seen[what] {
				t.Errorf("umask %s: nothing like %s was made", umask, what)
			}
		}
	}
}
