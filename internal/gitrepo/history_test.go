package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// put writes a file and commits it.
func (s sandbox) put(dir, name, text string) string {
	s.t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		s.t.Fatal(err)
	}
	s.git(dir, "add", "-A")
	s.git(dir, "commit", "-q", "-m", "write "+name)
	return s.git(dir, "rev-parse", "HEAD")
}

// texts returns the contents of a line's versions, newest first.
func (s sandbox) texts(dir string, line Line, names ...string) []string {
	s.t.Helper()
	r := Open(dir, s.environ())
	list, err := ask(s.t, func() ([]Version, error) {
		list, _, err := r.Versions(context.Background(), line, names)
		return list, err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	var ids, out []string
	for _, v := range list {
		ids = append(ids, v.Blob)
	}
	data, err := ask(s.t, func() (map[string][]byte, error) { return r.Objects(context.Background(), ids, 1<<20) })
	if err != nil {
		s.t.Fatal(err)
	}
	for _, v := range list {
		out = append(out, v.Name+"="+strings.TrimSpace(string(data[v.Blob])))
	}
	return out
}

// TestD9_VersionsByLine: ancestors of HEAD, commits of other branches and of every stash, and
// commits that only reflogs still know.
func TestD9_VersionsByLine(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("repo")
	const name = "sub/a [1].md"
	s.put(dir, name, "one")
	s.put(dir, "other.md", "x")
	s.git(dir, "checkout", "-q", "-b", "side")
	s.put(dir, name, "side")
	s.git(dir, "checkout", "-q", "main")
	s.put(dir, name, "dropped")
	s.git(dir, "commit", "-q", "--amend", "-m", "reworded", "--allow-empty")
	s.put(dir, name, "two")
	s.git(dir, "reset", "-q", "--hard", "HEAD~1")
	for _, text := range []string{"stashed 1", "stashed 2"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		s.git(dir, "stash", "-q")
	}
	wants := map[Line][]string{Ours: {"dropped", "one"}, Siblings: {"side", "stashed 1", "stashed 2"}, Dropped: {"dropped", "two"}}
	for line, want := range wants {
		for from, at := range map[string]string{dir: name, filepath.Join(dir, "sub"): "a [1].md"} {
			got := s.texts(from, line, at, "nothing.md")
			for i := range want {
				want[i] = at + "=" + strings.TrimPrefix(want[i], at+"=")
			}
			if slices.Sort(got); line != Ours && !slices.Equal(slices.Compact(got), want) || line == Ours && len(got) != 2 {
				t.Errorf("line %d from %s: %q, want %q", line, from, got, want)
			}
			for i := range want {
				want[i] = strings.TrimPrefix(want[i], at+"=")
			}
		}
	}
}

func TestD9_VersionsNeedNoCommit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.folder("empty")
	s.git(dir, "init", "-q")
	r := Open(dir, s.environ())
	for _, line := range []Line{Ours, Siblings, Dropped} {
		list, err := ask(t, func() ([]Version, error) {
			list, _, err := r.Versions(context.Background(), line, []string{"a.md"})
			return list, err
		})
		if err != nil || len(list) != 0 {
			t.Errorf("line %d: %v, %v", line, list, err)
		}
	}
	if _, _, err := Open(s.folder("none"), nil).Versions(context.Background(), Ours, []string{"a.md"}); err == nil {
		t.Error("versions are known outside git")
	}
}

func TestD9_CommitsOutsideALine(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("repo")
	first := s.git(dir, "rev-parse", "HEAD")
	s.git(dir, "checkout", "-q", "-b", "side")
	side := s.put(dir, "a.md", "side")
	s.git(dir, "checkout", "-q", "main")
	dropped := s.put(dir, "a.md", "dropped")
	s.git(dir, "reset", "-q", "--hard", first)
	unknown := strings.Repeat("0", 39) + "1"
	r := Open(dir, s.environ())
	all := []string{first, side, dropped, unknown, "--all"}
	for line, want := range map[Line][]string{Ours: {side, dropped}, Siblings: {dropped}} {
		got, err := ask(t, func() ([]string, error) { return r.Outside(context.Background(), line, all) })
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("line %d: %q, %v, want %q", line, got, err, want)
		}
	}
	if got := r.Moves(); !slices.Contains(got, dropped) || slices.Contains(got, side) {
		t.Errorf("main pointed to %q", got)
	}
	found, err := ask(t, func() (map[string][]byte, error) {
		return r.Objects(context.Background(), []string{unknown, side}, 1<<20)
	})
	if err != nil || found[unknown] != nil || len(found[side]) == 0 {
		t.Errorf("objects %q, %v", found, err)
	}
}

func TestObjectsAreBounded(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("repo")
	s.put(dir, "a", "aaaa\n\nno object missing\n")
	s.put(dir, "b", "")
	a, b := s.git(dir, "rev-parse", "HEAD:a"), s.git(dir, "rev-parse", "HEAD:b")
	r := Open(dir, s.environ())
	for most, want := range map[int]int{0: 0, 1: 1, 100: 2} {
		got, err := ask(t, func() (map[string][]byte, error) { return r.Objects(context.Background(), []string{a, b}, most) })
		if err != nil || len(got) != want || want > 0 && string(got[a]) != "aaaa\n\nno object missing\n" {
			t.Errorf("at most %d: %q, %v", most, got, err)
		}
	}
	// If there is much more than is wanted, git is stopped before it has written it all.
	s.put(dir, "c", strings.Repeat("much text\n", 100_000))
	c := s.git(dir, "rev-parse", "HEAD:c")
	got, err := ask(t, func() (map[string][]byte, error) { return r.Objects(context.Background(), []string{a, c, b}, 1000) })
	if err != nil || len(got) != 1 || len(got[a]) == 0 {
		t.Errorf("%d objects, %v", len(got), err)
	}
	whole, err := ask(t, func() ([]byte, error) { return r.askAbout(context.Background(), c+"\n", 1000, "cat-file", "--batch") })
	if err != nil || len(whole) != 1000 {
		t.Errorf("%d bytes, %v", len(whole), err)
	}
}
