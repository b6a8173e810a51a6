package gitrepo

import (
	"bytes"
	"context"
)

// Tracked says whether git has a file below a folder in its index; dir is a slash path below Root.
// ErrUnknown outside git, and when git does not tell in time.
func (r Repo) Tracked(ctx context.Context, dir string) (bool, error) {
	out, err := r.ask(ctx, "ls-files", "-z", "--", ":(literal)"+dir)
	return len(bytes.TrimSpace(out)) > 0, err
}

// Untracked says whether git would take up a file that is not in its index and that no rule
// ignores; name is a slash path below Root, and need not be there. ErrUnknown as Tracked.
func (r Repo) Untracked(ctx context.Context, dir string) (bool, error) {
	out, err := r.ask(ctx, "ls-files", "-z", "--others", "--exclude-standard", "--", ":(literal)"+dir)
	return len(bytes.TrimSpace(out)) > 0, err
}
