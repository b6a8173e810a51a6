package merging

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/gitrepo"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// Names of what baton sets up in git: the file with the patterns, and the section of git's config.
const (
	AttributesName = ".gitattributes"
	mergeBegin     = "# baton merge: begin (baton merge install)"
	mergeEnd       = "# baton merge: end"
	MergeSection   = "merge.baton"
)

// driverStart begins the command that any version writes, and driverEnd ends that of this version.
const (
	driverStart = "if command -v baton "
	driverEnd   = "; exit 1; fi"
)

// driverOf returns the command in git's config. program is where baton was when it was written: a
// graphical client or a CI runner may have another PATH. If baton is not there either, git merges
// by lines and the file counts as a conflict all the same, because such a merge can damage a
// document without any marker (F-31).
func driverOf(program string) string {
	const call = " merge driver %O %A %B %P"
	command := driverStart + ">/dev/null 2>&1; then baton" + call + "; "
	if program != "" {
		// git replaces what begins with a per cent sign.
		word := safetext.ShellQuote(strings.ReplaceAll(filepath.ToSlash(program), "%", "%%"))
		command += "elif test -x " + word + "; then " + word + call + "; "
	}
	return command + "else git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B; " +
		"echo 'baton: git did not find baton and merged' %P 'line by line; read it, then git add it' >&2" +
		driverEnd
}

// DriverOutdated reports whether an older version wrote a command in git's config. One that
// somebody wrote by hand is not outdated.
func DriverOutdated(command string) bool {
	return strings.HasPrefix(command, driverStart) && !strings.HasSuffix(command, driverEnd)
}

const mergeName = "baton: tasks, decisions and digests by their meaning"

// MergeInstall makes git merge the documents of the present layouts with baton. It adds patterns to
// .gitattributes, which is part of the repository, and the command to this clone's config; a clone
// without the command merges by lines. With remove it removes both. Existing settings are left
// alone. It fails with NotFound no_git outside git, with NotFound no_project without a layout, with
// Refused git_missing without git in PATH, with Refused git_config if git refuses the command (then
// nothing is written), and with the errors of writing.
func (p Merging) MergeInstall(ctx context.Context, remove bool) (MergeSetup, error) {
	const op = "merge.install"
	at, patterns, err := p.MergePlaces(ctx, op)
	if err != nil {
		return MergeSetup{}, err
	}
	out := MergeSetup{
		Attributes: AttributesName, Patterns: patterns, Changed: []string{}, Deleted: []string{}, Removed: remove,
		Warnings: []report.Finding{},
	}
	if at.Git.Dir == "" {
		return MergeSetup{}, &report.Error{
			Op: op, Kind: report.NotFound, Code: report.CodeNoGit, Message: at.Root + " is not in a git repository",
			Hint: "git init creates one",
		}
	}
	if !gitrepo.Installed() {
		return MergeSetup{}, &report.Error{
			Op: op, Kind: report.Refused, Code: report.CodeGitMissing,
			Message: "git is not installed, or not in PATH; " +
				"nothing was changed",
			Hint: "install git, or put it into PATH, and run this again",
		}
	}
	// The config comes first: git may refuse it, and alone it has no effect.
	keys, err := Of(at).mergeConfig(ctx, op, &out)
	if err != nil {
		return MergeSetup{}, err
	}
	notes, err := at.Update(ctx, func(c *workspace.Change) error {
		out.Changed, out.Deleted = []string{}, []string{}
		doc, err := c.Tx.Read(AttributesName)
		if err != nil {
			return err
		}
		lines := patterns
		if remove {
			lines = nil
		}
		text := WithMergeBlock(string(doc.Data), lines)
		switch {
		case text == string(doc.Data):
			return nil
		case text == "":
			workspace.DropFile(c.Tx, AttributesName)
			out.Deleted = append(out.Deleted, AttributesName)
		default:
			c.Tx.Write(AttributesName, []byte(text))
		}
		out.Changed = append(out.Changed, AttributesName)
		return nil
	})
	if err != nil {
		return MergeSetup{}, err
	}
	out.Changed = append(out.Changed, keys...)
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// mergeConfig writes or removes the command, and returns the keys that changed.
func (p Merging) mergeConfig(ctx context.Context, op string, out *MergeSetup) (changed []string, err error) {
	driver := driverOf(workspace.OwnProgram(p.Env, "baton"))
	values := [...][2]string{{MergeSection + ".name", mergeName}, {MergeSection + ".driver", driver}}
	for _, v := range values {
		now, err := p.Git.Setting(ctx, v[0])
		if err != nil {
			return nil, p.gitRefused(op, err)
		}
		if out.Removed && now != "" || !out.Removed && now != v[1] {
			changed = append(changed, v[0])
		}
	}
	if r := p.O.Rehearsal; r != nil {
		if len(changed) > 0 {
			r.Changes = append(r.Changes, configChange(values[:], changed, out.Removed))
		}
		return changed, nil
	}
	for _, v := range values {
		var err error
		switch {
		case out.Removed && len(changed) > 0:
			err = p.Git.Forget(ctx, MergeSection) // the second call finds nothing, which does no harm
		case slices.Contains(changed, v[0]):
			err = p.Git.Set(ctx, v[0], v[1])
		}
		if err != nil {
			return nil, p.gitRefused(op, err)
		}
	}
	if !out.Removed {
		out.Driver = driver
	}
	return changed, nil
}

// configChange shows how the keys would change.
func configChange(values [][2]string, changed []string, remove bool) workspace.DoctorChange {
	sign, text := "+", "git config --local\n"
	if remove {
		sign = "-"
	}
	for _, v := range values {
		if slices.Contains(changed, v[0]) {
			text += sign + v[0] + " = " + v[1] + "\n"
		}
	}
	return workspace.DoctorChange{Path: ".git/config", Diff: text}
}

// gitRefused is the error if git did not change the config. The most common reason is a lock that
// nobody holds any more, and only a person can find that out.
func (p Merging) gitRefused(op string, err error) error {
	message, hint := "git did not change the repository's config, so "+AttributesName+" is unchanged",
		"git config --local "+MergeSection+".driver shows what is there"
	if why := gitrepo.Why(err); why != "" {
		message += ": " + safetext.Line(why)
	}
	lock := filepath.Join(p.Git.Dir, "config.lock")
	if _, err := os.Lstat(lock); err == nil {
		hint = "if no other git is running, delete " + safetext.Quote(lock) + " and run this again"
	}
	return &report.Error{
		Op: op, Kind: report.Refused, Code: report.CodeGitConfig, Err: err, Message: message, Hint: hint,
	}
}

// MergePlaces returns the workspace whose root contains the documents, and their patterns.
func (p Merging) MergePlaces(ctx context.Context, op string) (*workspace.Workspace, []string, error) {
	at := p.Workspace
	if !p.Found {
		var err error
		if at, _, err = p.ForDigest(ctx, op); report.CodeOf(err) == report.CodeNoDigest && p.AnyRoot() == "" {
			return nil, nil, p.NoProject(op)
		} else if err != nil {
			return nil, nil, err
		}
	}
	var out []string
	add := func(names ...string) {
		for _, name := range names {
			if strings.ContainsAny(name, " \"") {
				name = `"` + strings.ReplaceAll(name, `"`, `\"`) + `"`
			}
			out = append(out, name)
		}
	}
	for _, d := range workspace.LookDigests(at.Root, at.Env.Getenv) {
		add(d.State, d.Archive)
		if d.StateArchive != "" {
			add(d.StateArchive)
		}
	}
	for _, d := range at.Dirs {
		if d.Layout != workspace.LayoutGiven && filepath.IsLocal(filepath.FromSlash(d.Dir)) {
			add(d.Dir+"/task-*-state.md", d.Archive+"/task-*-archive.md", d.Archive+"/task-*-evidence.jsonl")
		}
	}
	return at, workspace.Compact(out), nil
}

// WithMergeBlock puts the patterns between baton's two lines. The block is added at the end if it
// is missing, and moved to the end if a later line would override one of its patterns. Without
// patterns the block is removed. Everything else stays.
func WithMergeBlock(text string, patterns []string) string {
	eol := "\n"
	if strings.Contains(text, "\r\n") {
		eol = "\r\n"
	}
	block := ""
	if len(patterns) > 0 {
		block = mergeBegin + eol
		for _, pattern := range patterns {
			block += pattern + " merge=baton" + eol
		}
		block += mergeEnd + eol
	}
	start := strings.Index(text, mergeBegin)
	if start < 0 {
		if block != "" && text != "" && !strings.HasSuffix(text, "\n") {
			text += eol
		}
		return text + block
	}
	before, rest := text[:start], text[start:]
	end := strings.Index(rest, mergeEnd)
	if end < 0 {
		end = len(mergeBegin) // the last line is gone, so the lines after the first are not baton's
	} else {
		end += len(mergeEnd)
	}
	rest = strings.TrimPrefix(strings.TrimPrefix(rest[end:], "\r"), "\n")
	for _, pattern := range patterns {
		if !workspace.MergedByBaton(block+rest, pattern) {
			return WithMergeBlock(before+rest, patterns)
		}
	}
	return before + block + rest
}
