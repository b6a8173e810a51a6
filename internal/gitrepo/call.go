package gitrepo

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// The config of a repository that somebody else made can name programs that git runs. So every call
// of git goes through Repo.call, which switches off what a command could run (D45).

// overrides returns the settings that every call sets. The repository's own values would run
// programs, or change what git prints.
func overrides() []string {
	return []string{
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=" + os.DevNull,
		"-c", "core.pager=cat",
		"-c", "log.showSignature=false",
		"-c", "diff.external=",
		"-c", "submodule.recurse=false",
		"-c", "log.diffMerges=separate", // "remerge" merges again, with the repository's merge drivers
		"-c", "safe.bareRepository=explicit",
		"-c", "i18n.logOutputEncoding=UTF-8", // our parsers expect UTF-8
		"-c", "log.showRoot=true",
		"-c", "log.follow=false",
	}
}

// command is how baton calls one of git's commands.
type command struct {
	name     string
	contents bool     // git may read files of the checkout, and would run filters
	options  []string // switch off what the repository's config adds
}

// commands lists all of git's commands that baton calls. A command that is missing here is not
// called. TestF80_D45_NothingInAConfigRuns tries a hostile config against each of them.
func commands() []command {
	return []command{
		{name: "cat-file"},
		{name: "config"},
		{name: "for-each-ref"},
		{name: "log", options: []string{"--no-ext-diff", "--no-textconv"}},
		{name: "ls-files", contents: true},
		{name: "ls-tree"},
		{name: "rev-list"},
		{name: "rev-parse"},
		{name: "status", contents: true},
		{name: "symbolic-ref"},
	}
}

// call returns a call of git that runs no program that the repository names. args are the options
// of git itself, the command and its arguments.
func (r Repo) call(ctx context.Context, args ...string) (*exec.Cmd, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		return nil, &silence{"it is not in PATH"}
	}
	at := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	known := -1
	if at >= 0 {
		known = slices.IndexFunc(commands(), func(c command) bool { return c.name == args[at] })
	}
	if known < 0 {
		return nil, &silence{"baton does not call git " + strings.Join(args, " ")}
	}
	c, environ, asked := commands()[known], Environment(r.Environ), asks{}
	if c.name != "config" { // which says what the config asks for
		asked = r.asks()
	}
	all := append([]string{"-C", r.Root}, overrides()...)
	if c.contents {
		filters, err := r.filters(ctx, asked)
		if err != nil {
			return nil, err
		}
		all = append(all, filters...)
	}
	if asked.worktree {
		// core.worktree would have git look at the files of another folder.
		environ = append(environ, "GIT_WORK_TREE="+r.Top)
	}
	all = slices.Concat(all, args[:at+1], c.options, args[at+1:])
	cmd := exec.CommandContext(ctx, git, all...)
	cmd.Env, cmd.WaitDelay = environ, Limit
	return cmd, nil
}

// Environment returns the part of an environment that git may see. It removes variables that point
// git elsewhere or have it print more. It asks for plain English and no optional locks, and forbids
// git to fetch objects: a repository whose config promises them names the program that sends them.
func Environment(environ []string) []string {
	clean := make([]string, 0, len(environ)+5)
	for _, e := range environ {
		name, _, _ := strings.Cut(e, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
			"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_OPTIONAL_LOCKS", "LC_ALL", "GIT_PAGER",
			"GIT_CONFIG", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_REPLACE_REF_BASE", "GIT_IMPLICIT_WORK_TREE",
			"GIT_INTERNAL_SUPER_PREFIX", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS",
			"GIT_ICASE_PATHSPECS", "GIT_EXTERNAL_DIFF", "GIT_NO_LAZY_FETCH", "GIT_TERMINAL_PROMPT",
			"GIT_ALLOW_PROTOCOL", "GIT_PROTOCOL_FROM_USER":
			continue
		}
		if strings.HasPrefix(name, "GIT_TRACE") {
			continue
		}
		clean = append(clean, e)
	}
	return append(
		clean, "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none", // git before 2.44 does not know GIT_NO_LAZY_FETCH
	)
}
