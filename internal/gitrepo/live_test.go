package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// live repeats the question until a busy machine answers in time.
func live(t *testing.T, r Repo, except ...string) Live {
	t.Helper()
	for range 20 {
		if l := r.Live(context.Background(), except...); len(l.Late) == 0 {
			return l
		}
	}
	t.Skip("git did not answer within its limit twenty times: run the test on a machine that is not busy")
	return Live{}
}

func TestD30_LiveFacts(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("repo")
	for _, name := range []string{"old name.txt", "kept\ttab", "sub/in.txt", ".baton/STATE.md"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s.git(dir, "add", "-A")
	s.git(dir, "commit", "-q", "-m", "second: with \x1b words")
	s.git(dir, "mv", "old name.txt", "new name.txt")
	for _, name := range []string{"kept\ttab", "sub/in.txt", "sub/new.txt", ".baton/STATE.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("changed"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := live(t, Open(dir, s.environ()), ".baton")
	slices.Sort(got.Dirty)
	if want := []string{"kept\ttab", "new name.txt", "sub/in.txt", "sub/new.txt"}; !slices.Equal(got.Dirty, want) {
		t.Errorf("dirty %q, want %q", got.Dirty, want)
	}
	if got.Branch != "main" || got.Head != s.git(dir, "rev-parse", "HEAD") || len(got.Commits) != 2 || got.Commits[1].Subject != "first" {
		t.Errorf("live %+v", got)
	}
	below := live(t, Open(filepath.Join(dir, "sub"), s.environ()))
	slices.Sort(below.Dirty)
	if want := []string{"../.baton/STATE.md", "../kept\ttab", "../new name.txt", "in.txt", "new.txt"}; !slices.Equal(below.Dirty, want) {
		t.Errorf("dirty from below %q, want %q", below.Dirty, want)
	}
	s.git(dir, "checkout", "-q", "-f", "--detach")
	if got := live(t, Open(dir, nil)); got.Branch != "" || got.Head == "" {
		t.Errorf("detached %+v", got)
	}
}

func TestD30_LiveWithoutACommitAndOutsideGit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.folder("empty")
	s.git(dir, "init", "-q")
	if err := os.WriteFile(filepath.Join(dir, "a"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := live(t, Open(dir, nil)); got.Branch != "main" || got.Head != "" || len(got.Commits) != 0 ||
		!slices.Equal(got.Dirty, []string{"a"}) {
		t.Errorf("live %+v", got)
	}
	if got := (Repo{}).Live(context.Background()); got.Branch != "" || got.Dirty != nil || got.Late != nil {
		t.Errorf("outside %+v", got)
	}
}

func TestD30_LateAnswersAreNamed(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	r := Open(s.repo("repo"), s.environ())
	r.Patience = time.Nanosecond
	got := r.Live(context.Background())
	if !slices.Equal(got.Late, []string{"commits", "dirty"}) || got.Branch != "main" || got.Head == "" {
		t.Errorf("live %+v", got)
	}
}

func TestD9_BusyDuringAMerge(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("repo")
	if Common(dir).Busy() || (Place{}).Busy() {
		t.Error("busy at rest")
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "MERGE_HEAD"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if !Common(dir).Busy() {
		t.Error("not busy during a merge")
	}
}

func TestBranchIgnoresInvalidNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"ref: refs/heads/feature/x\n": "feature/x", "ref: refs/heads/a\nb": "", "0123": "", "": "",
		"ref: refs/remotes/o/x": "refs/remotes/o/x",
	} {
		if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := Common(dir).Branch(); got != want {
			t.Errorf("%q: branch %q, want %q", text, got, want)
		}
	}
}
