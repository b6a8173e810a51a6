package gitrepo

import (
	"context"
	"path/filepath"
	"testing"
	"time"
)

// TestSidesOfAMerge: during a merge, after it, and without one.
func TestSidesOfAMerge(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("repo")
	s.put(dir, "sub/base.md", "base")
	main := s.git(dir, "rev-parse", "--abbrev-ref", "HEAD")
	s.git(dir, "checkout", "-q", "-b", "side")
	s.put(dir, "sub/a [1].md", "theirs")
	s.put(dir, "sub/only.md", "first")
	first := s.now().Add(-time.Minute) // the commit was the last call of git but one
	theirs := s.put(dir, "sub/only.md", "x")
	s.git(dir, "checkout", "-q", main)
	ours := s.put(dir, "sub/a [1].md", "ours")
	r := Open(filepath.Join(dir, "sub"), s.environ())
	sides := func() ([2]string, error) {
		return ask(t, func() ([2]string, error) {
			x, y, err := r.Sides(context.Background(), "a [1].md")
			return [2]string{x, y}, err
		})
	}
	if got, err := sides(); err == nil {
		t.Errorf("without a merge: %v", got)
	}
	s.git(dir, "merge", "-q", "--no-commit", "-s", "ours", "side")
	want := [2]string{ours, theirs}
	if got, err := sides(); err != nil || got != want {
		t.Errorf("%v %v, want %v", got, err, want)
	}
	if other, end := r.Joining(); other != theirs || end != "git commit" {
		t.Error(other, end)
	}
	s.put(dir, "sub/a [1].md", "both")
	s.put(dir, "sub/more.md", "later")
	if other, end := r.Joining(); other != "" || end != "" {
		t.Error(other, end)
	}
	if got, err := sides(); err != nil || got != want {
		t.Errorf("%v %v, want %v", got, err, want)
	}
	files, err := ask(t, func() (map[string][]byte, error) {
		return r.FilesAt(context.Background(), theirs, []string{"a [1].md", "only.md", "none.md"})
	})
	if err != nil || len(files) != 2 || string(files["a [1].md"]) != "theirs" || string(files["only.md"]) != "x" {
		t.Errorf("%q %v", files, err)
	}
	if at, err := r.FirstOn(context.Background(), ours, theirs, "only.md"); err == nil {
		t.Error(at)
	}
	if at, err := r.FirstOn(context.Background(), theirs, ours, "only.md"); err != nil || !at.Equal(first) {
		t.Errorf("first at %v, %v, want %v", at, err, first)
	}
}
