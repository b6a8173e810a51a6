package gitrepo

import (
	"bytes"
	"context"
	"strings"
)

// Unborn stands for HEAD in a repository without a commit on its branch: every commit comes after it.
const Unborn = "unborn"

// Start gives what CommitsSince counts from later: the commit of HEAD, or Unborn. ErrUnknown outside git and when git
// does not tell in time.
func (r Repo) Start(ctx context.Context) (string, error) {
	head, err := r.Head(ctx)
	if err == nil {
		return head, nil
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
