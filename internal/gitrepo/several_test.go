package gitrepo

import (
	"errors"
	"path/filepath"
	"testing"
)

// One branch is one line of work. Another branch, or a remote's, makes several.
func TestSeveralLinesOfWork(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("p")
	want := func(in string, several bool) {
		t.Helper()
		if got, err := ask(t, func() (bool, error) { return Open(in, nil).Several(t.Context()) }); err != nil || got != several {
			t.Errorf("%s: %v %v, want %v", in, got, err, several)
		}
	}
	want(dir, false)
	s.git(filepath.Dir(dir), "clone", "-q", dir, "copy")
	want(filepath.Join(filepath.Dir(dir), "copy"), true)
	s.git(dir, "branch", "side")
	want(dir, true)
	if _, err := Open(t.TempDir(), nil).Several(t.Context()); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}
