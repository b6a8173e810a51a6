package gitrepo

import (
	"context"
	"errors"
	"testing"
)

func TestD18_StartBeforeTheFirstCommit(t *testing.T) {
	s := newSandbox(t)
	root := s.repo("r")
	r := Open(root, nil)
	outside := Open(s.folder("outside"), nil)
	if _, err := outside.Start(context.Background()); !errors.Is(err, ErrUnknown) {
		t.Errorf("outside git: %v", err)
	}
	s.git(root, "checkout", "-q", "--orphan", "empty")
	got, err := ask(t, func() (string, error) { return r.Start(context.Background()) })
	if err != nil || got != Unborn {
		t.Fatalf("start %q, %v", got, err)
	}
	if got := r.Begin(); got != Unborn {
		t.Errorf("start from files: %q", got)
	}
	if got := outside.Begin(); got != "" {
		t.Errorf("start outside git: %q", got)
	}
	none, err := r.CommitsSince(context.Background(), got)
	if err != nil || len(none) != 0 {
		t.Errorf("before the first commit: %v, %v", none, err)
	}
	s.git(root, "commit", "-q", "--allow-empty", "-m", "First here")
	commits, err := ask(t, func() ([]Commit, error) { return r.CommitsSince(context.Background(), got) })
	if err != nil || len(commits) != 1 || commits[0].Subject != "First here" {
		t.Errorf("commits %v, %v", commits, err)
	}
	head, err := ask(t, func() (string, error) { return r.Start(context.Background()) })
	if err != nil || head != commits[0].Hash {
		t.Errorf("start %q, %v, want the commit", head, err)
	}
	if got := r.Begin(); got != head {
		t.Errorf("start from files: %q, want %q", got, head)
	}
}
