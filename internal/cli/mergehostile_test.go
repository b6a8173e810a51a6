package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// loudly returns an environment with user settings under which git signs, converts line ends, colours, pages, aborts
// commits and shows conflicts in another form, and with variables that name a repository that does not exist.
func loudly(t *testing.T) []string {
	t.Helper()
	home := t.TempDir()
	for name, text := range map[string]string{
		".gitconfig": "[commit]\n\tgpgsign = true\n[log]\n\tshowSignature = true\n\tdecorate = full\n\tdate = relative\n" +
			"\tmailmap = true\n" +
			"[core]\n\tautocrlf = true\n\tquotePath = true\n\tpager = false\n\thooksPath = " +
			filepath.ToSlash(filepath.Join(home, "hooks")) +
			"\n[merge]\n\tconflictStyle = diff3\n\tff = only\n[color]\n\tui = always\n[status]\n\tshort = true\n\tbranch = true\n" +
			"\trelativePaths = true\n" +
			"\tshowUntrackedFiles = no\n\tshowStash = true\n[diff]\n\tnoprefix = true\n\texternal = false\n\trenames = copies\n" +
			"[i18n]\n\tlogOutputEncoding = UTF-16\n",
		"hooks/pre-commit": "#!/bin/sh\nexit 1\n",
	} {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	kept := slices.DeleteFunc(
		os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "GIT_") || strings.HasPrefix(entry, "HOME=") },
	)
	return append(kept, "HOME="+home, "XDG_CONFIG_HOME="+
		home, "GIT_DIR=/nonexistent", "GIT_WORK_TREE=/nonexistent", "GIT_INDEX_FILE=/nonexistent/index", "LC_ALL=C")
}

// Git's answers to baton do not depend on the user's settings: who created a task later, what a merge left, what is
// missing, and what was committed (D40).
func TestD40_TheUsersSettingsOfGitDecideNothing(t *testing.T) {
	t.Parallel()
	answers := func(environ []string) []string {
		a, b := clones(t, true)
		a.do(`task new Pier`)
		a.shell("git", "add", "-A")
		a.shell("git", "commit", "-q", "-m", "Pfähle")
		b.now = b.now.Add(3600e9)
		b.do(`task new Rail`, `decision add "Tar over paint"`)
		b.commit("rail")
		a.environ = environ
		a.pull(b)
		var out []string
		say := func(args ...string) {
			text, code := a.run(args...)
			if code != 0 && code != 6 {
				t.Errorf("%v: exit code %d\n%s", args, code, text)
			}
			text = regexp.MustCompile(`in the future: [0-9-]+ [0-9:]+`).ReplaceAllString(text, "in the future")
			out = append(out, strings.ReplaceAll(text, filepath.Dir(a.dir), "…"))
		}
		say("merge", "check", "--json")
		say("doctor", "--fix", "--json")
		a.commit("repaired")
		a.edit(".baton/STATE.md", "Tar over paint", "")
		say("lost", "--json")
		say("blame", ".baton/STATE.md", "--json")
		say("context", "--json")
		say("merge", "install", "--json")
		say("doctor", "--json")
		return out
	}
	quiet, loud := answers(nil), answers(loudly(t))
	for i := range quiet {
		if diff := cmp.Diff(quiet[i], loud[i]); diff != "" {
			t.Errorf("with other settings of git:\n%s", diff)
		}
	}
}
