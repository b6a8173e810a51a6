package gitrepo

import (
	"bytes"
	"context"
)

// Several says whether work goes on in more than one line here, so that branches will be merged:
// there is more than one branch, one of a remote counted. ErrUnknown outside git, and when git does
// not tell in time.
func (r Repo) Several(ctx context.Context) (bool, error) {
	out, err := r.ask(ctx, "for-each-ref", "--count=2", "--format=%(refname)", "refs/heads", "refs/remotes")
	return bytes.Count(out, []byte{'\n'}) > 1, err
}
