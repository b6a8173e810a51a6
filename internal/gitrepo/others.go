package gitrepo

import (
	"context"
	"slices"
	"strings"

	"baton/internal/report"
)

// OnOthers returns the versions of a file at the tips of the newest 64 branches, local and remote,
// without those that are named like branch. name is a slash path below Root. ErrUnknown if git does
// not answer in time.
func (r Repo) OnOthers(ctx context.Context, branch, name string) ([][]byte, error) {
	out, err := r.ask(ctx, "for-each-ref", "--count=64", "--sort=-committerdate", "--format=%(objectname) %(refname)",
		"refs/heads", "refs/remotes")
	if err != nil {
		return nil, err
	}
	var input strings.Builder
	for line := range strings.Lines(string(out)) {
		tip, ref, _ := strings.Cut(strings.TrimSpace(line), " ")
		_, remote, _ := strings.Cut(strings.TrimPrefix(ref, "refs/remotes/"), "/")
		own := ref == "refs/heads/"+branch || remote == branch && strings.HasPrefix(ref, "refs/remotes/")
		if isHash(tip) && !own {
			input.WriteString(tip + ":./" + name + "\n")
		}
	}
	if input.Len() == 0 || strings.Contains(name, "\n") {
		return nil, nil
	}
	found, err := r.askAbout(ctx, input.String(), 0, "cat-file", "--batch-check")
	if err != nil {
		return nil, err
	}
	var ids []string
	for line := range strings.Lines(string(found)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[1] == "blob" && !slices.Contains(ids, fields[0]) {
			ids = append(ids, fields[0])
		}
	}
	objects, err := r.Objects(ctx, ids, report.MostBytes)
	if err != nil {
		return nil, err
	}
	var versions [][]byte
	for _, id := range ids {
		versions = append(versions, objects[id])
	}
	return versions, nil
}
