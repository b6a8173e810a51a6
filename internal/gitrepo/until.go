package gitrepo

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CommitsBetween returns the commits of CommitsSince that were written from one time until another,
// because a merge or a pull also brings older ones, and later ones are somebody else's work. A
// rebase and a cherry-pick make a commit again that somebody wrote before. So the commit counts
// only if it was also written in that time. The merge that a pull makes does not count. The zero
// time means no limit. ErrUnknown as CommitsSince.
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
	out, err := r.ask(ctx, commitLog(span, "%ct %at %H %s", 4*mostCommits)...)
	if err != nil {
		return nil, err
	}
	var commits []Commit
	for line := range strings.SplitSeq(strings.TrimRight(string(out), "\n"), "\n") {
		words := strings.SplitN(line, " ", 4)
		if len(words) < 4 || !isHash(words[2]) || len(commits) == mostCommits || pulled(words[3]) {
			continue
		}
		made, written := unixTime(words[0]), unixTime(words[1])
		least := from.Truncate(time.Second)
		if !made.Before(least) && !written.Before(least) && (until.IsZero() || !made.After(until)) {
			commits = append(commits, Commit{words[2], words[3]})
		}
	}
	slices.Reverse(commits)
	return commits, nil
}

// unixTime reads a time that git writes in seconds. It is the zero time if git wrote none.
func unixTime(seconds string) time.Time {
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(at, 0)
}

// pulled reports whether git pull wrote the subject of a merge.
func pulled(subject string) bool {
	rest, branch := strings.CutPrefix(subject, "Merge branch '")
	return branch && strings.Contains(rest, "' of ") || strings.HasPrefix(subject, "Merge remote-tracking branch '")
}
