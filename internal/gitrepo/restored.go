package gitrepo

import (
	"context"
	"slices"
)

// Restored returns those of the files, slash paths below Root, that are as HEAD has them:
// unchanged, or neither in HEAD nor on disk. Ignored files are not among them. It fails if git does
// not answer within the limit.
func (r Repo) Restored(ctx context.Context, names []string) ([]string, error) {
	if r.Dir == "" || len(names) == 0 {
		return nil, nil
	}
	args := []string{
		"--literal-pathspecs", "status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignored=matching", "--",
	}
	text, err := r.ask(ctx, append(args, names...)...)
	if err != nil {
		return nil, err
	}
	differing := r.dirtyPaths(text)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.Contains(differing, name)
	}), nil
}
