package gittest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Hostile settings of a user and a foreign GIT_DIR change nothing: commits are made unsigned, with
// the author and time that the test chooses.
func TestSettingsOfTheMachineDoNotReachGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on PATH: install git to see what reaches it")
	}
	home, dir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		".gitconfig": "[commit]\n\tgpgsign = true\n[core]\n\tautocrlf = true\n\thooksPath = " +
			filepath.ToSlash(filepath.Join(home, "hooks")) +
			"\n[user]\n\tname = somebody\n[init]\n\tdefaultBranch = odd\n",
		".config/git/ignore": "*.md\n", ".config/git/attributes": "*.md -text\n", "hooks/pre-commit": "#!/bin/sh\nexit 1\n",
	} {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	hostile := append(os.Environ(), "HOME="+
		home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"), "GIT_DIR=/nonexistent", "GIT_AUTHOR_NAME=somebody",
		"GIT_COMMITTER_DATE=2001-01-01T00:00:00Z", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=commit.gpgsign", "GIT_CONFIG_VALUE_0=true")
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, Environ(hostile, "agent-1", time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	if got := git("log", "--format=%an %ae %aI %cn %cI %G?"); got !=
		"agent-1 agent-1@example.org 2026-03-01T09:00:00Z agent-1 2026-03-01T09:00:00Z N" &&
		got != "agent-1 agent-1@example.org 2026-03-01T09:00:00+00:00 agent-1 2026-03-01T09:00:00+00:00 N" {
		t.Error(got)
	}
	if got := git("ls-files"); got != "a.md" {
		t.Errorf("in the index is %q", got)
	}
}
