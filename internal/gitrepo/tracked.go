package gitrepo

import (
	"bytes"
	"context"
)

// Tracked reports whether git has a file below a folder in its index. dir is a slash path below
// Root. ErrUnknown outside git, and if git does not answer in time.
func (r Repo) Tracked(ctx context.Context, dir string) (bool, error) {
	out, err := r.ask(ctx, "ls-files", "-z", "--", ":(literal)"+dir)
	return len(bytes.TrimSpace(out)) > 0, err
}

// Untracked reports whether a path is or holds an existing file that is neither in git's index nor
// ignored. dir is a slash path below Root, which need not exist. ErrUnknown as Tracked.
func (r Repo) Untracked(ctx context.Context, dir string) (bool, error) {
	out, err := r.ask(ctx, "ls-files", "-z", "--others", "--exclude-standard", "--", ":(literal)"+dir)
	return len(bytes.TrimSpace(out)) > 0, err
}
