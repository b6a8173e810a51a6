//go:build unix

package gitrepo

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// trap is a repository whose config has git run programs wherever a config can. Each of them
// creates a file in sprung.
type trap struct {
	sandbox
	dir, sprung string
	commits     []string
}

// marker returns a command that leaves a file.
func (tr trap) marker(name string) string { return "touch '" + filepath.Join(tr.sprung, name) + "'" }

// newTrap builds the repository first and writes its config last, so that nothing is sprung yet.
func newTrap(t *testing.T) trap {
	t.Helper()
	s := newSandbox(t)
	tr := trap{sandbox: s, sprung: s.folder("sprung")}
	tr.dir = s.repo("trap")
	base := s.put(tr.dir, "a.md", "a\nb\n")
	s.git(tr.dir, "checkout", "-q", "-b", "side")
	s.put(tr.dir, "a.md", "A\nb\n")
	s.git(tr.dir, "checkout", "-q", "main")
	s.put(tr.dir, "a.md", "x\nb\n")
	s.git(tr.dir, "merge", "-q", "-s", "ours", "-m", "merge", "side")
	tr.commits = []string{base, s.git(tr.dir, "rev-parse", "HEAD")}
	inner := s.repo("inner")
	s.put(inner, "sub.md", "sub")
	s.git(tr.dir, "submodule", "--quiet", "add", inner, "sub")
	s.git(tr.dir, "commit", "-q", "-m", "sub")
	tr.write(filepath.Join(tr.dir, ".git"), true)
	tr.write(filepath.Join(tr.dir, ".git", "modules", "sub"), false)
	return tr
}

// write makes a git folder hostile.
func (tr trap) write(gitdir string, promises bool) {
	tr.t.Helper()
	config, err := os.ReadFile(filepath.Join(gitdir, "config"))
	if err != nil {
		tr.t.Fatal(err)
	}
	text := string(config)
	add := func(section string, pairs ...string) {
		text += "[" + section + "]\n"
		for i := 0; i < len(pairs); i += 2 {
			text += "\t" + pairs[i] + " = \"" + strings.ReplaceAll(pairs[i+1], `"`, `\"`) + "\"\n"
		}
	}
	run := tr.marker
	add("core", "fsmonitor", run("fsmonitor")+"; false", "hooksPath", tr.hooks(), "pager", run("pager"), "editor", run("editor"),
		"sshCommand", run("ssh"), "askPass", run("askpass"), "gitProxy", run("proxy"), "alternateRefsCommand", run("alternates"),
		"attributesFile", filepath.Join(gitdir, "elsewhere"))
	add("alias", "status", "!"+run("alias"), "log", "!"+run("alias"), "config", "!"+run("alias"))
	add("pager", "log", run("pager"), "status", run("pager"), "config", run("pager"))
	add("credential", "helper", "!"+run("credential"))
	add("gpg", "program", run("gpg"))
	add("log", "showSignature", "true", "diffMerges", "remerge")
	add("diff", "external", run("external"))
	add("sequence", "editor", run("editor"))
	add("trace2", "normalTarget", filepath.Join(tr.sprung, "trace2"), "eventTarget", filepath.Join(tr.sprung, "trace2"))
	add("uploadpack", "packObjectsHook", run("pack"))
	add("receive", "procReceiveRefs", "refs", "fsckObjects", "true")
	add("gc", "recentObjectsHook", run("gc"))
	add("protocol", "allow", "always")
	add(`protocol "ext"`, "allow", "always")
	add("status", "submoduleSummary", "true")
	add("diff", "submodule", "log")
	add("submodule", "recurse", "true")
	add(`submodule "sub"`, "update", "!"+run("submodule"), "ignore", "none")
	add(`filter "evil"`, "clean", run("clean")+"; cat", "smudge", run("smudge")+"; cat", "required", "true")
	add(`filter "long"`, "process", run("process"))
	add(`filter "users"`, "clean", run("overridden")+"; cat")
	add("include", "path", "included")
	add(`diff "evil"`, "command", run("command"), "textconv", run("textconv")+"; cat", "cachetextconv", "true")
	add(`merge "evil"`, "driver", run("driver")+"; exit 1")
	add("merge", "default", "evil")
	if !promises { // only this repository has the filter
		add(`filter "within"`, "clean", run("within")+"; cat")
	}
	if promises { // an object that is missing comes from a program
		text = strings.Replace(text, "repositoryformatversion = 0", "repositoryformatversion = 1", 1)
		add("extensions", "partialClone", "origin")
		add(`remote "origin"`, "url", "ext::sh -c "+strings.ReplaceAll(run("ext"), " ", "% "), "promisor", "true",
			"uploadpack", run("uploadpack"))
	}
	attributes := "* merge=evil filter=evil diff=evil\nprocess.md filter=long\nb.md filter=users\nincluded.md filter=included\n" +
		"sub.md filter=within\n"
	for name, data := range map[string]string{
		"config": text, "info/attributes": attributes, "elsewhere": attributes,
		"included": "[filter \"included\"]\n\tclean = \"" + run("included") + "; cat\"\n",
	} {
		if err := os.MkdirAll(filepath.Join(gitdir, "info"), 0o777); err != nil {
			tr.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(gitdir, name), []byte(data), 0o666); err != nil {
			tr.t.Fatal(err)
		}
	}
}

// hooks creates a folder with every hook that a command of git might run.
func (tr trap) hooks() string {
	tr.t.Helper()
	dir := tr.folder("hooks")
	for _, name := range [...]string{
		"post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc", "post-checkout", "pre-commit",
	} {
		script := "#!/bin/sh\n" + tr.marker("hook") + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o777); err != nil {
			tr.t.Fatal(err)
		}
	}
	return dir
}

// markers returns the names of the programs that ran since the last call.
func (tr trap) markers() []string {
	tr.t.Helper()
	entries, err := os.ReadDir(tr.sprung)
	if err != nil {
		tr.t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
		if err := os.Remove(filepath.Join(tr.sprung, e.Name())); err != nil {
			tr.t.Fatal(err)
		}
	}
	return out
}

// touch gives files another time, so that git compares their contents.
func (tr trap) touch() {
	tr.t.Helper()
	later := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC) // no commit has this time
	for _, name := range [...]string{"a.md", "process.md", "b.md", "included.md", "sub/sub.md"} {
		path := filepath.Join(tr.dir, name)
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		if err := os.Chtimes(path, later, later); err != nil {
			tr.t.Fatal(err)
		}
	}
}

// listening puts a git into PATH that lists the arguments of every call before it runs the real
// one. It returns a function that reads the list.
func listening(t *testing.T) func() string {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	list := filepath.Join(dir, "calls")
	script := "#!/bin/sh\necho \"$@\" >>'" + list + "'\nexec '" + git + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return func() string {
		data, _ := os.ReadFile(list)
		return string(data)
	}
}

// TestF80_D45_NothingInAConfigRuns asks every question of this package in a hostile repository. Each of
// git's commands that baton calls is among them, and none runs anything.
func TestF80_D45_NothingInAConfigRuns(t *testing.T) {
	tr := newTrap(t)
	for _, name := range [...]string{"process.md", "b.md", "included.md"} {
		tr.quietly("hash", name)
	}
	tr.markers()
	calls := listening(t)
	missing := strings.Repeat("1", 40)
	ctx := context.Background()
	open := func() Repo {
		tr.touch()
		r := Open(tr.dir, tr.environ())
		r.Patience = time.Minute
		return r
	}
	for name, ask := range map[string]func(r Repo) error{
		"Head":  func(r Repo) error { r.GitDir = ""; _, err := r.Head(ctx); return err },
		"Start": func(r Repo) error { defer tr.unborn()(); _, err := r.Start(ctx); return err },
		"Since": func(r Repo) error { _, err := r.CommitsSince(ctx, tr.commits[0]); return err },
		"Between": func(r Repo) error {
			_, err := r.CommitsBetween(ctx, tr.commits[0], time.Time{}, time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC))
			return err
		},
		"Counted": func(r Repo) error { _, err := r.StatusWithBranch(ctx, 1<<20); return err },
		"Dirty":   func(r Repo) error { _, err := r.Dirty(ctx); return err },
		"Live":    func(r Repo) error { r.Live(ctx); return nil },
		"Several": func(r Repo) error { _, err := r.Several(ctx); return err },
		"Lacking": func(r Repo) error { _, _, err := r.Lacking(ctx, tr.commits[0]); return err },
		"Sides":   func(r Repo) error { _, _, err := r.Sides(ctx, "a.md"); return err },
		"FilesAt": func(r Repo) error { _, err := r.FilesAt(ctx, tr.commits[1], []string{"a.md"}); return err },
		"FirstOn": func(r Repo) error { _, err := r.FirstOn(ctx, tr.commits[1], tr.commits[0], "a.md"); return err },
		"Tracked": func(r Repo) error { _, err := r.Tracked(ctx, "a.md"); return err },
		"Others":  func(r Repo) error { _, err := r.Untracked(ctx, "sub"); return err },
		"Objects": func(r Repo) error { _, err := r.Objects(ctx, []string{missing, tr.commits[0]}, 1<<20); return err },
		"Outside": func(r Repo) error { _, err := r.Outside(ctx, Siblings, []string{tr.commits[0]}); return err },
		"Unknown": func(r Repo) error { _, err := r.Outside(ctx, Siblings, []string{missing}); return err },
		"Ours":    func(r Repo) error { _, _, err := r.Versions(ctx, Ours, []string{"a.md"}); return err },
		"Others2": func(r Repo) error { _, _, err := r.Versions(ctx, Siblings, []string{"a.md"}); return err },
		"Dropped": func(r Repo) error { _, _, err := r.Versions(ctx, Dropped, []string{"a.md"}); return err },
		"Setting": func(r Repo) error { _, err := r.Setting(ctx, "merge.baton.driver"); return err },
		"Set":     func(r Repo) error { return r.Set(ctx, "merge.baton.driver", "x") },
		"Forget":  func(r Repo) error { return r.Forget(ctx, "merge.baton") },
	} {
		err := ask(open())
		if ran := tr.markers(); len(ran) > 0 {
			t.Errorf("%s runs %v", name, ran)
		}
		if err != nil && !slices.Contains([]string{"Unknown", "Objects", "Sides"}, name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range commands() {
		if !strings.Contains(calls(), " "+c.name+" ") {
			t.Errorf("no question calls git %s", c.name)
		}
	}
	// Nothing above would tell anything if the trap did not work.
	var sprung []string
	for _, args := range [...][]string{
		{"status"},
		{"log", "-p", "-m", "--show-signature"},
		{"log", "--raw", "-m"},
		{"diff", tr.commits[0]}, // ends early if the program of process.md ends before it was asked anything
		{"diff", tr.commits[0], tr.commits[1]},
		{"cat-file", "-e", missing},
	} {
		tr.touch()
		cmd := exec.Command("git", append([]string{"-C", tr.dir}, args...)...)
		cmd.Env = tr.environ()
		_ = cmd.Run()
		sprung = append(sprung, tr.markers()...)
	}
	for _, name := range [...]string{
		"fsmonitor", "clean", "process", "overridden", "included", "driver", "command", "textconv", "ext",
		"within",
	} {
		if !slices.Contains(sprung, name) {
			t.Errorf("the trap does not run %s: %v", name, sprung)
		}
	}
}

// unborn has HEAD name a branch without a commit, of which files do not tell. It returns a function
// that takes this back.
func (tr trap) unborn() func() {
	tr.t.Helper()
	head, tables := filepath.Join(tr.dir, ".git", "HEAD"), filepath.Join(tr.dir, ".git", "reftable")
	if err := os.Mkdir(tables, 0o777); err != nil {
		tr.t.Fatal(err)
	}
	put := func(text string) {
		if err := os.WriteFile(head, []byte(text), 0o666); err != nil {
			tr.t.Error(err)
		}
	}
	put("ref: refs/heads/none\n")
	return func() {
		put("ref: refs/heads/main\n")
		if err := os.Remove(tables); err != nil {
			tr.t.Error(err)
		}
	}
}

// quietly adds a file to the index without running a filter.
func (tr trap) quietly(text, name string) {
	tr.t.Helper()
	path := filepath.Join(tr.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		tr.t.Fatal(err)
	}
	cmd := exec.Command("git", "-C", tr.dir, "hash-object", "-w", "--no-filters", name)
	cmd.Env = tr.environ()
	id, err := cmd.Output()
	if err != nil {
		tr.t.Fatal(err)
	}
	cmd = exec.Command("git", "-C", tr.dir, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "update-index", "--add",
		"--cacheinfo", "100644,"+strings.TrimSpace(string(id))+","+name)
	cmd.Env = tr.environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		tr.t.Fatalf("%v\n%s", err, out)
	}
}

// A command that is not in the list is not called.
func TestD45_OnlyListedCommandsAreCalled(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	r := Open(s.repo("repo"), s.environ())
	if _, err := r.ask(t.Context(), "fetch"); err == nil || !strings.Contains(err.Error(), "does not call git fetch") {
		t.Error(err)
	}
}

// The user's own filters work, with the user's own commands.
func TestD45_FiltersOfTheUserStay(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir, sprung := s.repo("repo"), s.folder("sprung")
	s.put(dir, "a.md", "a")
	user := filepath.Join(s.dir, "user.config")
	for path, text := range map[string]string{
		user:                    "[filter \"lfs\"]\n\tclean = \"touch '" + sprung + "/user'; cat\"\n\trequired\n",
		dir + "/.gitattributes": "* filter=lfs\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s.git(dir, "config", "filter.lfs.clean", "touch '"+sprung+"/theirs'; cat")
	later := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC) // no commit has this time
	if err := os.Chtimes(filepath.Join(dir, "a.md"), later, later); err != nil {
		t.Fatal(err)
	}
	r := Open(dir, append(s.environ(), "GIT_CONFIG_GLOBAL="+user))
	r.Patience = time.Minute
	if _, err := r.Dirty(t.Context()); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(sprung)
	if err != nil || len(entries) != 1 || entries[0].Name() != "user" {
		t.Errorf("%v %v", entries, err)
	}
}

// Whatever a .git looks like, git and baton read the same config, or baton asks git.
func TestD45_NoOtherConfigThanTheOneThatWasRead(t *testing.T) {
	t.Parallel()
	for name, disguise := range map[string]func(tr trap) string{
		"none":    func(tr trap) string { return tr.dir },
		"pointer": func(tr trap) string { return tr.pointing("gitdir: " + tr.dir + "/.git\n") },
		"blank at the end": func(tr trap) string {
			if err := os.Rename(tr.dir+"/.git", tr.dir+"/.git "); err != nil {
				tr.t.Fatal(err)
			}
			tr.git(tr.dir, "init", "-q")
			return tr.pointing("gitdir: " + tr.dir + "/.git \n")
		},
		"the folder itself": func(tr trap) string {
			bare := tr.dir + "/.git"
			tr.append(bare+"/config", "[core]\n\tworktree = "+tr.dir+"\n")
			if err := os.MkdirAll(bare+"/.git", 0o777); err != nil {
				tr.t.Fatal(err)
			}
			return bare
		},
		"the folder above": func(tr trap) string {
			inner := tr.dir + "/deep"
			if err := os.MkdirAll(inner+"/.git/objects", 0o777); err != nil {
				tr.t.Fatal(err)
			}
			return inner
		},
		"refs that git may not enter": func(tr trap) string {
			inner := tr.folder("trap/deep")
			tr.git(inner, "init", "-q")
			if err := os.Chmod(inner+"/.git/refs", 0o600); err != nil {
				tr.t.Fatal(err)
			}
			return inner
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrap(t)
			root := disguise(tr)
			tr.markers()
			tr.touch()
			r := Open(root, tr.environ())
			r.Patience = time.Minute
			_, err := r.Dirty(t.Context())
			if ran := tr.markers(); len(ran) > 0 {
				t.Errorf("status runs %v (%v)", ran, err)
			}
		})
	}
}

// pointing creates a folder beside the repository with a .git that says where the repository is.
func (tr trap) pointing(text string) string {
	tr.t.Helper()
	dir := tr.folder("pointing")
	for name, data := range map[string]string{".git": text, "a.md": "size"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			tr.t.Fatal(err)
		}
	}
	return dir
}

func (tr trap) append(name, text string) {
	tr.t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		tr.t.Fatal(err)
	}
	if err := os.WriteFile(name, append(data, text...), 0o666); err != nil {
		tr.t.Fatal(err)
	}
}

// What the config asks for is read once, and again when a file has changed. With an include it is
// read every time.
func TestD45_ConfigIsReadWhenItChanged(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("repo")
	r := Open(dir, s.environ())
	look := func(want asks) {
		t.Helper()
		if got := r.asks(); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	look(asks{})
	r.memory.asks.worktree = true
	look(asks{worktree: true}) // remembered
	s.git(dir, "config", "filter.x.clean", "cat")
	look(asks{filters: true})
	list, err := ask(t, func() ([]string, error) { return r.filters(t.Context(), r.asks()) })
	if err != nil || len(list) != 8 || len(r.memory.filters) != 8 {
		t.Errorf("%q %v", list, err)
	}
	s.git(dir, "config", "extensions.worktreeConfig", "true")
	look(asks{filters: true, worktree: true})
	s.git(dir, "config", "--worktree", "include.path", "other")
	look(asks{filters: true, worktree: true, include: true})
	if _, err := ask(t, func() ([]string, error) { return r.filters(t.Context(), r.asks()) }); err != nil || r.memory.filters != nil {
		t.Errorf("remembered with an include: %v", err)
	}
	// Some names cannot be overridden, so git is not asked.
	s.git(dir, "config", "filter.a=b.clean", "cat")
	if _, err := r.Dirty(t.Context()); !errors.Is(err, ErrUnknown) || !strings.Contains(Why(err), "cannot switch off") {
		t.Error(err)
	}
}
