package gitrepo

import (
	"bytes"
	"context"
)

// Several reports whether there is more than one branch, counting those of remotes, so that
// branches will be merged. ErrUnknown outside git, and if git does not answer in time.
func (r Repo) Several(ctx context.Context) (bool, error) {
	out, err := r.ask(ctx, "for-each-ref", "--count=2", "--format=%(refname)", "refs/heads", "refs/remotes")
	return bytes.Count(out, []byte{'\n'}) > 1, err
}
