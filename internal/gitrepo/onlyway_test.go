package gitrepo

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every call of git goes through call.go, in all packages.
func TestD45_OneWayToCallGit(t *testing.T) {
	t.Parallel()
	call := regexp.MustCompile(`(exec\.Command\(|\([^"()]+, )"git",`) // a list of words with git among them is no call
	for _, root := range [...]string{"..", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			name := entry.Name()
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			inside := filepath.Base(filepath.Dir(path)) == "gitrepo"
			runs := inside && strings.Contains(string(text), "exec.Command") ||
				strings.Contains(string(text), `LookPath("git")`) || call.Match(text)
			if runs && (!inside || name != "call.go" && name != "installed.go") {
				t.Errorf("%s calls git; only call.go may", path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
