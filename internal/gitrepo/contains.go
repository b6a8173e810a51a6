package gitrepo

import (
	"context"
	"slices"
	"strings"
)

// Contained reports, for each of some commits, whether head builds on it. Commits that git does not
// know any more are not contained. ErrUnknown if git does not answer in time.
func (r Repo) Contained(ctx context.Context, head string, commits []string) (map[string]bool, error) {
	answers := make(map[string]bool, len(commits))
	commits = slices.DeleteFunc(slices.Clone(commits), func(id string) bool { return !isHash(id) })
	if len(commits) == 0 || !isHash(head) {
		return answers, nil
	}
	input := strings.Join(commits, "\n") + "\n^" + head + "\n"
	out, err := r.askAbout(ctx, input, 0, "rev-list", "--ignore-missing", "--stdin")
	if err != nil {
		return nil, err
	}
	outside := map[string]bool{}
	for hash := range strings.FieldsSeq(string(out)) {
		outside[hash] = true
	}
	inside := slices.DeleteFunc(slices.Clone(commits), func(id string) bool { return outside[id] })
	for _, id := range commits {
		answers[id] = false
	}
	if len(inside) == 0 {
		return answers, nil
	}
	// git leaves out the commits that it does not know, too.
	known, err := r.askAbout(ctx, strings.Join(inside, "\n")+"\n", 0, "cat-file", "--batch-check")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(known)) {
		if fields := strings.Fields(line); len(fields) == 3 && isHash(fields[0]) {
			answers[fields[0]] = fields[1] == "commit"
		}
	}
	return answers, nil
}

// Lacking returns a local branch that does not build on a commit, and its newest commit; "" if all
// of them do. ErrUnknown if git does not know the commit or does not answer in time.
func (r Repo) Lacking(ctx context.Context, commit string) (branch, tip string, err error) {
	if !isHash(commit) {
		return "", "", ErrUnknown
	}
	out, err := r.ask(ctx, "for-each-ref", "--count=1", "--no-contains="+commit, "--format=%(objectname) %(refname)",
		"refs/heads")
	tip, ref, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	return strings.TrimPrefix(ref, "refs/heads/"), tip, err
}

// FirstAfter returns the first commit on a branch after the one that was its tip; before is "" if
// the branch had none. ErrUnknown if git does not answer in time.
func (r Repo) FirstAfter(ctx context.Context, before, tip string) (commit string, err error) {
	if !isHash(tip) || before != "" && !isHash(before) {
		return "", ErrUnknown
	}
	args := []string{"rev-list", "--first-parent", "--reverse", tip}
	if before != "" {
		args = append(args, "^"+before)
	}
	out, err := r.ask(ctx, args...)
	commit, _, _ = strings.Cut(string(out), "\n")
	return commit, err
}

// LastOn returns the newest commit up to a tip that touched a file, and the file as of then. name
// is a slash path below Root. commit is "" if there is none. ErrUnknown if git does not answer in
// time.
func (r Repo) LastOn(ctx context.Context, tip, name string) (commit string, data []byte, err error) {
	if !isHash(tip) {
		return "", nil, ErrUnknown
	}
	out, err := r.ask(ctx, "--literal-pathspecs", "log", "-1", "--format=%H", "--no-show-signature",
		"--no-decorate", tip, "--", name)
	commit = strings.TrimSpace(string(out))
	if err != nil || commit != "" && !isHash(commit) {
		return "", nil, ErrUnknown
	}
	if commit == "" {
		return "", nil, nil
	}
	files, err := r.FilesAt(ctx, commit, []string{name})
	return commit, files[name], err
}
