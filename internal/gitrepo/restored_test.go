package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Only files of which git knows that they are as HEAD has them are restored.
func TestRestored(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("repo")
	put := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(".gitignore", "build/\n")
	for _, name := range []string{"same.go", "changed.go", "two  spaces.go", "hidden.go"} {
		put(name, "x")
	}
	s.git(dir, "add", "-A")
	s.git(dir, "commit", "-q", "-m", "files")
	s.git(dir, "update-index", "--assume-unchanged", "hidden.go")
	inner := s.repo("repo/inner")
	put("inner/a.go", "x")
	s.git(inner, "add", "-A")
	s.git(inner, "commit", "-q", "-m", "inner")
	put("changed.go", "y")
	put("hidden.go", "y")
	put("two  spaces.go", "y")
	put("build/out/a.go", "x")
	put("inner/a.go", "y")
	names := []string{
		"same.go", "changed.go", "two  spaces.go", "hidden.go", "build/out/a.go", "inner/a.go", "inner/new.go", "gone.go",
	}
	got, err := ask(t, func() ([]string, error) { return Open(dir, s.environ()).Restored(context.Background(), names) })
	if want := []string{"same.go", "inner/new.go", "gone.go"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}
