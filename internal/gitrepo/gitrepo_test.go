package gitrepo

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"baton/internal/gitrepo/gittest"
)

// sandbox is a folder in which git runs without the machine's settings. Each call of git is a
// minute later than the one before.
type sandbox struct {
	t       *testing.T
	dir     string
	minutes *atomic.Int64
}

func newSandbox(t *testing.T) sandbox {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return sandbox{t, dir, new(atomic.Int64)}
}

func (s sandbox) now() time.Time {
	return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(s.minutes.Load()) * time.Minute)
}

func (s sandbox) git(in string, args ...string) string {
	s.t.Helper()
	s.minutes.Add(1)
	cmd := exec.Command("git", append([]string{"-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", "-C", in}, args...)...)
	cmd.Env = s.environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (s sandbox) environ() []string {
	return append(gittest.Environ(os.Environ(), "agent-1", s.now()), "HOME="+s.dir)
}

func (s sandbox) folder(name string) string {
	s.t.Helper()
	dir := filepath.Join(s.dir, name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		s.t.Fatal(err)
	}
	return dir
}

// repo creates a repository with one commit.
func (s sandbox) repo(name string) string {
	dir := s.folder(name)
	s.git(dir, "init", "-q")
	s.git(dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

func TestOutsideGit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := os.Stat(filepath.Join(filepath.Dir(dir), ".git")); err == nil {
		t.Skip("temporary folders are inside a repository here")
	}
	r := Open(dir, nil)
	if r.Place != (Place{}) {
		t.Errorf("place %+v", r.Place)
	}
	if _, err := r.Head(context.Background()); !errors.Is(err, ErrUnknown) {
		t.Errorf("head: %v", err)
	}
	if _, err := r.Dirty(context.Background()); !errors.Is(err, ErrUnknown) {
		t.Errorf("dirty: %v", err)
	}
}

func TestD1_PlacesOfCheckouts(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	main := s.repo("main")
	linked := filepath.Join(s.dir, "linked")
	s.git(main, "worktree", "add", "-q", linked)
	bare := filepath.Join(s.dir, "bare.git")
	s.git(s.dir, "clone", "-q", "--bare", main, bare)
	ofBare := filepath.Join(s.dir, "of-bare")
	s.git(bare, "worktree", "add", "-q", "-b", "work", ofBare)
	outer := s.repo("outer")
	s.git(outer, "submodule", "--quiet", "add", main, "sub")
	sub := filepath.Join(outer, "sub")
	ofSub := filepath.Join(s.dir, "of-sub")
	s.git(sub, "worktree", "add", "-q", "-b", "work", ofSub)
	inner := filepath.Join(main, "deep", "er")
	if err := os.MkdirAll(inner, 0o777); err != nil {
		t.Fatal(err)
	}

	tests := []struct {
		name, dir, top, main, common string
	}{
		{"main checkout", main, main, main, filepath.Join(main, ".git")},
		{"folder in it", inner, main, main, filepath.Join(main, ".git")},
		{"linked worktree", linked, linked, main, filepath.Join(main, ".git")},
		{"worktree of a bare repository", ofBare, ofBare, "", bare},
		{"submodule", sub, sub, sub, filepath.Join(outer, ".git", "modules", "sub")},
		{"worktree of a submodule", ofSub, ofSub, sub, filepath.Join(outer, ".git", "modules", "sub")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := Common(tt.dir)
			if got.Top != tt.top || got.Main != tt.main || got.Dir != tt.common {
				t.Errorf("place %+v, want top %s, main %s, common %s", got, tt.top, tt.main, tt.common)
			}
			if head, want := got.Head(), s.git(tt.dir, "rev-parse", "HEAD"); head != want {
				t.Errorf("head %q, want %q", head, want)
			}
		})
	}
}

func TestD1_BareRepositoryNamedDotGit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	main := s.repo("main")
	hub := s.folder("hub")
	s.git(s.dir, "clone", "-q", "--bare", main, filepath.Join(hub, ".git"))
	tree := filepath.Join(hub, "tree")
	s.git(hub, "worktree", "add", "-q", "-b", "work", tree)
	if got := Common(tree); got.Main != "" || got.Dir != filepath.Join(hub, ".git") {
		t.Errorf("place %+v", got)
	}
}

func TestHeadFromFiles(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("repo")
	first := s.git(dir, "rev-parse", "HEAD")
	check := func(name, want string) {
		t.Helper()
		if got := Common(dir).Head(); got != want {
			t.Errorf("%s: head %q, want %q", name, got, want)
		}
	}
	check("loose ref", first)
	s.git(dir, "pack-refs", "--all")
	check("packed ref", first)
	packed := filepath.Join(dir, ".git", "packed-refs")
	refs, err := os.ReadFile(packed)
	if err != nil {
		t.Fatal(err)
	}
	remark := "#" + strings.Repeat("x", 1<<14) + "\n"
	long := strings.Repeat(remark, mostBytes/len(remark)+1) + string(refs)
	if err := os.WriteFile(packed, []byte(long), 0o666); err != nil {
		t.Fatal(err)
	}
	check("packed ref in a large file", first)
	if err := os.WriteFile(packed, refs, 0o666); err != nil {
		t.Fatal(err)
	}
	s.git(dir, "commit", "-q", "--allow-empty", "-m", "second")
	check("loose over packed", s.git(dir, "rev-parse", "HEAD"))
	s.git(dir, "checkout", "-q", "--detach", first)
	check("detached", first)

	empty := s.folder("empty")
	s.git(empty, "init", "-q")
	if got := Common(empty).Head(); got != "" {
		t.Errorf("head before the first commit: %q", got)
	}
}

func TestHeadIgnoresNamesThatLeaveTheFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	hash := strings.Repeat("a", 40)
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte(hash), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: ../secret\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := Common(dir).Head(); got != "" {
		t.Errorf("head %q", got)
	}
}

func TestD18_CommitsSince(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("repo")
	start := s.git(dir, "rev-parse", "HEAD")
	s.git(dir, "checkout", "-q", "-b", "side")
	s.git(dir, "commit", "-q", "--allow-empty", "-m", "on the side")
	s.git(dir, "checkout", "-q", "main")
	s.git(dir, "commit", "-q", "--allow-empty", "-m", "second  with  blanks")
	s.git(dir, "merge", "-q", "--no-ff", "-m", "merge side", "side")
	r := Open(dir, s.environ())
	got, err := ask(t, func() ([]Commit, error) { return r.CommitsSince(context.Background(), start) })
	if err != nil {
		t.Fatal(err)
	}
	var subjects []string
	for _, c := range got {
		subjects = append(subjects, c.Subject)
	}
	if want := []string{"second  with  blanks", "merge side"}; !slices.Equal(subjects, want) {
		t.Errorf("commits %q, want %q", subjects, want)
	}
	for _, head := range []string{"", "main", "--all", strings.Repeat("0", 40)} {
		if _, err := r.CommitsSince(context.Background(), head); !errors.Is(err, ErrUnknown) {
			t.Errorf("since %q: %v", head, err)
		}
	}
}

func TestD18_AtMostFiftyCommitsNewestLast(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("repo")
	start := s.git(dir, "rev-parse", "HEAD")
	var stream strings.Builder
	for i := range 60 {
		stream.WriteString("commit refs/heads/main\ncommitter agent-1 <agent-1@example.org> " + "1700000000 +0000\ndata 3\n")
		stream.WriteString(string(rune('0'+i/10)) + string(rune('0'+i%10)) + "\n")
		if i == 0 {
			stream.WriteString("from " + start + "\n")
		}
	}
	cmd := exec.Command("git", "-C", dir, "fast-import", "--quiet")
	cmd.Stdin, cmd.Env = strings.NewReader(stream.String()), s.environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r := Open(dir, s.environ())
	got, err := ask(t, func() ([]Commit, error) { return r.CommitsSince(context.Background(), start) })
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 50 || got[0].Subject != "10" || got[49].Subject != "59" {
		t.Errorf("%d commits, from %+v to %+v", len(got), got[0], got[len(got)-1])
	}
}

func TestD40_ForeignGitEnvironmentIsIgnored(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir, other := s.repo("repo"), s.repo("other")
	if err := os.WriteFile(filepath.Join(dir, "new"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	environ := append(
		s.environ(),
		"GIT_DIR="+filepath.Join(other, ".git"),
		"GIT_WORK_TREE="+other,
		"GIT_INDEX_FILE=/nowhere",
		"GIT_PREFIX=x/",
	)
	r := Open(dir, environ)
	dirty, err := ask(t, func() (bool, error) { return r.Dirty(context.Background()) })
	if err != nil || !dirty {
		t.Errorf("dirty %v, %v", dirty, err)
	}
	for except, want := range map[string]bool{"new": false, "ne": true, "*": true} {
		dirty, err := ask(t, func() (bool, error) { return r.Dirty(context.Background(), except) })
		if err != nil || dirty != want {
			t.Errorf("except %s: dirty %v, %v", except, dirty, err)
		}
	}
	clean := Open(other, environ)
	if dirty, err := ask(t, func() (bool, error) { return clean.Dirty(context.Background()) }); err != nil || dirty {
		t.Errorf("dirty %v, %v", dirty, err)
	}
	for _, e := range Environment(environ) {
		if strings.HasPrefix(e, "GIT_DIR=") || strings.HasPrefix(e, "GIT_WORK_TREE=") {
			t.Errorf("%s is handed to git", e)
		}
	}
}

// ask repeats a question that a busy machine may not answer within the limit.
func ask[T any](t *testing.T, question func() (T, error)) (T, error) {
	t.Helper()
	var last T
	var err error
	for range 20 {
		if last, err = question(); !errors.Is(err, ErrUnknown) {
			return last, err
		}
	}
	return last, err
}

// TestWhyGitGaveNoAnswer: git was too slow, or gives its own reason.
func TestWhyGitGaveNoAnswer(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	r := Open(s.repo("repo"), append(s.environ(), "GIT_TEST_ASSUME_DIFFERENT_OWNER=1"))
	r.Patience = time.Minute
	if _, err := r.Dirty(t.Context()); !errors.Is(err, ErrUnknown) || !strings.Contains(Why(err), "dubious ownership") ||
		strings.Contains(Why(err), "\n") {
		t.Errorf("%v", err)
	}
	r.Patience = time.Nanosecond
	if _, err := r.Dirty(t.Context()); !errors.Is(err, ErrUnknown) || Why(err) != "it took longer than 1ns" {
		t.Errorf("%v", err)
	}
	if why := Why(ErrUnknown); why != "" {
		t.Error(why)
	}
}

func TestCancelledContextIsReported(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	r := Open(s.repo("repo"), s.environ())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Dirty(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
