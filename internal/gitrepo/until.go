package gitrepo

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CommitsUntil gives those commits of CommitsSince that were made until a time: what came later is
// somebody else's work. The zero time is no bound. ErrUnknown as CommitsSince.
func (r Repo) CommitsUntil(ctx context.Context, head string, until time.Time) ([]Commit, error) {
	if until.IsZero() {
		return r.CommitsSince(ctx, head)
	}
	span, err := r.since(head)
	if span == "" || err != nil {
		return nil, err
	}
	// Git's own bound by time stops at the first commit that is too old, so that later ones are
	// taken out here.
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
