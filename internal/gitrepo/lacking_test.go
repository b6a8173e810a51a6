package gitrepo

import (
	"errors"
	"strings"
	"testing"
)

// D42: a branch that lacks a commit, if there is one.
func TestD42_ABranchThatLacksACommit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("p")
	r := Open(dir, nil)
	s.git(dir, "branch", "side")
	s.git(dir, "commit", "-q", "--allow-empty", "-m", "more")
	head := r.Place.Head()
	want := func(branch, tip string) {
		t.Helper()
		var gotTip string
		got, err := ask(t, func() (branch string, err error) {
			branch, gotTip, err = r.Lacking(t.Context(), head)
			return branch, err
		})
		if err != nil || got != branch || gotTip != tip {
			t.Errorf("%q %q %v, want %q %q", got, gotTip, err, branch, tip)
		}
	}
	side, _ := r.BranchTip("side")
	want("side", side)
	s.git(dir, "branch", "-f", "side", head)
	want("", "")
	for _, commit := range []string{"", "HEAD", strings.Repeat("0", 39) + "1"} {
		if _, _, err := r.Lacking(t.Context(), commit); !errors.Is(err, ErrUnknown) {
			t.Errorf("%q: %v", commit, err)
		}
	}
}
