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

// Unborn stands for HEAD in a repository whose branch has no commit yet. Every commit comes after
// it.
const Unborn = "unborn"

// Start returns what CommitsSince needs later: the commit of HEAD, or Unborn. ErrUnknown outside
// git, and if git does not answer in time.
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
	// A failed question does not prove that the branch is empty, so ask git for the branch.
	found, err := r.ask(ctx, "for-each-ref", "--count=1", strings.TrimSpace(string(branch)))
	if err != nil {
		return "", err
	}
	if len(bytes.TrimSpace(found)) > 0 {
		return "", ErrUnknown
	}
	return Unborn, nil
}

// Begin is Start from files alone; "" if they do not tell.
func (p Place) Begin() string {
	head := p.Head()
	if head == "" && p.unborn() {
		return Unborn
	}
	return head
}

// unborn reports whether files prove that HEAD names a branch without a commit: the branch has
// neither a file nor a line in packed-refs, and refs are kept in files.
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
