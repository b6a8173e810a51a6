package gitrepo

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CommitsBetween returns the commits of CommitsSince that were made from one time until another,
// because a merge or a pull also brings older ones, and later ones are somebody else's work. The
// zero time means no limit. ErrUnknown as CommitsSince.
func (r Repo) CommitsBetween(ctx context.Context, head string, from, until time.Time) ([]Commit, error) {
	if from.IsZero() && until.IsZero() {
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
		made := time.Unix(at, 0)
		inTime := err == nil && !made.Before(from.Truncate(time.Second)) && (until.IsZero() || !made.After(until))
		if inTime && isHash(hash) && len(commits) < mostCommits {
			commits = append(commits, Commit{hash, subject})
		}
	}
	slices.Reverse(commits)
	return commits, nil
}
