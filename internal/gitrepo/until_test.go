package gitrepo

import (
	"context"
	"slices"
	"testing"
	"time"
)

// Commits after a time are left out, even if an older commit follows them in the log, and so are commits
// before a time. The zero time means no limit.
func TestCommitsBetween(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("repo")
	start := s.git(dir, "rev-parse", "HEAD")
	commit := func(subject string) time.Time {
		s.git(dir, "commit", "-q", "--allow-empty", "-m", subject)
		return s.now()
	}
	second := commit("second")
	third := commit("third")
	s.minutes.Add(-60)
	commit("by a clock that is slow")
	s.minutes.Add(60 - 1)
	fourth := commit("fourth")
	for until, want := range map[time.Time][]string{
		second.Add(-time.Second):     {"by a clock that is slow"},
		second:                       {"second", "by a clock that is slow"},
		third.Add(-time.Millisecond): {"second", "by a clock that is slow"},
		third:                        {"second", "third", "by a clock that is slow"},
		fourth:                       {"second", "third", "by a clock that is slow", "fourth"},
		{}:                           {"second", "third", "by a clock that is slow", "fourth"},
	} {
		list, err := ask(t, func() ([]Commit, error) {
			return Open(dir, s.environ()).CommitsBetween(context.Background(), start, time.Time{}, until)
		})
		var got []string
		for _, c := range list {
			got = append(got, c.Subject)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("until %v: %q, %v, want %q", until, got, err, want)
		}
	}
	list, err := ask(t, func() ([]Commit, error) {
		return Open(dir, s.environ()).CommitsBetween(context.Background(), start, third.Add(time.Millisecond), time.Time{})
	})
	if err != nil || len(list) != 2 || list[0].Subject != "third" || list[1].Subject != "fourth" {
		t.Errorf("from %v: %v, %v", third, list, err)
	}
}
