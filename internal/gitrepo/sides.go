package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"baton/internal/report"
)

// Joining describes the operation in progress that joins two sides in a checkout, from files: the
// commit that is joined with HEAD, and the git command that completes the operation. Both are "" if
// there is none. A merge of more than two sides has no single commit.
func (p Place) Joining() (theirs, end string) {
	if p.GitDir == "" {
		return "", ""
	}
	for _, state := range [...]struct{ ref, while, end string }{
		{"MERGE_HEAD", "MERGE_HEAD", "git commit"},
		{"REBASE_HEAD", "rebase-merge", "git rebase --continue"},
		{"REBASE_HEAD", "rebase-apply", "git rebase --continue"},
		{"CHERRY_PICK_HEAD", "CHERRY_PICK_HEAD", "git cherry-pick --continue"},
	} {
		if _, err := os.Lstat(filepath.Join(p.GitDir, state.while)); err != nil {
			continue
		}
		data, _ := readFile(filepath.Join(p.GitDir, state.ref))
		if theirs = strings.TrimSpace(string(data)); !isHash(theirs) {
			theirs = ""
		}
		return theirs, state.end
	}
	return "", ""
}

// Sides returns the two commits that were joined in some files. While a merge is in progress, these
// are HEAD and the other commit; otherwise, they are the parents of the newest merge that touched
// the files. Names are slash paths below Root. ErrUnknown if there is no such merge of two commits,
// or git does not answer in time.
func (r Repo) Sides(ctx context.Context, names ...string) (ours, theirs string, err error) {
	if other, end := r.Joining(); end != "" {
		if ours, err = r.Head(ctx); err == nil && other == "" {
			err = ErrUnknown
		}
		return ours, other, err
	}
	args := []string{
		"--literal-pathspecs",
		"log",
		"-n",
		"1",
		"--merges",
		"--no-show-signature",
		"--no-decorate",
		"--format=%P",
		"HEAD",
		"--",
	}
	out, err := r.ask(ctx, append(args, names...)...)
	if err != nil {
		return "", "", err
	}
	both := strings.Fields(string(out))
	if len(both) != 2 || !isHash(both[0]) || !isHash(both[1]) {
		return "", "", ErrUnknown
	}
	return both[0], both[1], nil
}

// FilesAt returns the files of a commit by their slash paths below Root. It leaves out files that
// the commit does not have, and everything after the first 64 MiB. ErrUnknown if git does not
// answer in time.
func (r Repo) FilesAt(ctx context.Context, commit string, names []string) (map[string][]byte, error) {
	files := map[string][]byte{}
	if !isHash(commit) {
		return nil, ErrUnknown
	}
	if len(names) == 0 {
		return files, nil
	}
	out, err := r.ask(ctx, append([]string{"--literal-pathspecs", "ls-tree", "-z", commit, "--"}, names...)...)
	if err != nil {
		return nil, err
	}
	blobs, ids := map[string]string{}, []string{}
	for record := range strings.SplitSeq(string(out), "\x00") {
		head, name, _ := strings.Cut(record, "\t")
		if fields := strings.Fields(head); len(fields) == 3 && fields[1] == "blob" {
			blobs[name] = fields[2]
			ids = append(ids, fields[2])
		}
	}
	objects, err := r.Objects(ctx, ids, report.MostBytes)
	if err != nil {
		return nil, err
	}
	for name, id := range blobs {
		if data, ok := objects[id]; ok {
			files[name] = data
		}
	}
	return files, nil
}

// FirstOn returns when the first commit of one side that touched a file was made: of the commits
// that commit builds on and other does not. ErrUnknown if there is none, or git does not answer in
// time.
func (r Repo) FirstOn(ctx context.Context, commit, other, name string) (time.Time, error) {
	if !isHash(commit) || !isHash(other) {
		return time.Time{}, ErrUnknown
	}
	out, err := r.ask(
		ctx, "--literal-pathspecs", "log", "--reverse", "--no-show-signature", "--no-decorate", "--format=%at", commit,
		"^"+other, "--", name,
	)
	if err != nil {
		return time.Time{}, err
	}
	first, _, _ := strings.Cut(string(out), "\n")
	seconds, err := strconv.ParseInt(strings.TrimSpace(first), 10, 64)
	if err != nil {
		return time.Time{}, ErrUnknown
	}
	return time.Unix(seconds, 0).UTC(), nil
}
