package gitrepo

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CommitsUntil returns the commits of CommitsSince that were made until a time, because later ones
// are somebody else's work. The zero time means no limit. ErrUnknown as CommitsSince.
func (r Repo) CommitsUntil(ctx context.Context, head string, until time.Time) ([]Commit, error) {
	if until.IsZero() {
		return r.CommitsSince(ctx, head)
	}
	span, err := r.since(head)
	if span == "" || err != nil {
		return nil, err
	}
	// Git's own limit by time stops at the first commit that is too old, so later commits are
	// filtered out here.
	out, err := r.ask(ctx, commitLog(span, "%ct %H %s", 4*mostCommits)...)
	if err != nil {
		return nil, err
	}
	var commits []Commit
	for line := range strings.SplitSeq(strings.TrimRight(string(out), "\n"), "\n") {
		when, rest, _ := strings.Cut(line, " ")
		hash, subject, _ := strings.Cut(rest, " ")
		at, err := strconv.ParseInt(when, 10, 64)
		if err == nil && at <= until.Unix() && isHash(hash) && len(commits) < mostCommits {
			commits = append(commits, Commit{hash, subject})
		}
	}
	slices.Reverse(commits)
	return commits, nil
}
