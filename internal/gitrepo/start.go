package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Unborn stands for HEAD in a repository without a commit on its branch: every commit comes after
// it.
const Unborn = "unborn"

// Start gives what CommitsSince counts from later: the commit of HEAD, or Unborn. ErrUnknown
// outside git and when git does not tell in time.
func (r Repo) Start(ctx context.Context) (string, error) {
	head, err := r.Head(ctx)
	if err == nil {
		return head, nil
	}
	if r.unborn() {
		return Unborn, nil
	}
	branch, err := r.ask(ctx, "symbolic-ref", "--quiet", "HEAD")
	if err != nil {
		return "", err
	}
	// Git says so itself: a question that failed is no proof of an empty branch.
	found, err := r.ask(ctx, "for-each-ref", "--count=1", strings.TrimSpace(string(branch)))
	if err != nil {
		return "", err
	}
	if len(bytes.TrimSpace(found)) > 0 {
		return "", ErrUnknown
	}
	return Unborn, nil
}

// Begin gives the same from files alone: "" where they do not tell.
func (p Place) Begin() string {
	head := p.Head()
	if head == "" && p.unborn() {
		return Unborn
	}
	return head
}

// unborn says that HEAD names a branch which has no commit yet, where files prove it: there is
// neither a file of the branch nor a line in packed-refs, and refs are not kept in another format.
func (p Place) unborn() bool {
	head, err := readFile(filepath.Join(p.GitDir, "HEAD"))
	name, symbolic := strings.CutPrefix(strings.TrimSpace(string(head)), "ref:")
	if name = strings.TrimSpace(name); err != nil || !symbolic || p.Dir == "" || p.unusual() ||
		!strings.HasPrefix(name, "refs/heads/") {
		return false
	}
	for _, dir := range [...]string{p.GitDir, p.Dir} {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	hash, err := p.packedRef(name)
	return errors.Is(err, fs.ErrNotExist) || err == nil && hash == ""
}
