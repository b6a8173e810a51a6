package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Restored returns those of the files, slash paths below Root, that are as HEAD has them:
// unchanged, or neither in HEAD nor on disk. A file of which git does not know whether it changed
// is not among them: it is ignored, behind a link, in another repository, or git was told not to
// look. Restored fails if git does not answer within the limit.
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
	same := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(differing, func(path string) bool { // a folder may be ignored as a whole
			return path == name || strings.HasPrefix(name, strings.TrimSuffix(path, "/")+"/")
		})
	})
	if len(same) == 0 {
		return nil, nil
	}
	text, err = r.ask(ctx, append([]string{"--literal-pathspecs", "ls-files", "-v", "-z", "--"}, same...)...)
	if err != nil {
		return nil, err
	}
	tracked := strings.Split(string(text), "\x00")
	return slices.DeleteFunc(same, func(name string) bool {
		if slices.Contains(tracked, "H "+name) {
			return false
		}
		_, err := os.Lstat(filepath.Join(r.Root, filepath.FromSlash(name)))
		return err == nil
	}), nil
}
