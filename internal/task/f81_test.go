package task

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
)

// manyOf returns a task file with n of everything that a task can have many of.
func manyOf(n int) []byte {
	var ids, criteria, sessions strings.Builder
	for i := range n {
		fmt.Fprintf(&ids, "%d,", i+2)
		fmt.Fprintf(&criteria, "- [ ] criterion %d\n", i)
		fmt.Fprintf(&sessions, "### Session %d - 2026-03-01 10:00\n**Accomplished:**\n- a\n\n", i+1)
	}
	return []byte("# Task #1: One\n\n## 0. Metadata\n\n```json\n{\"task_id\": 1, \"dependencies\": [" +
		strings.TrimSuffix(ids.String(), ",") + "]}\n```\n\n## 2. Acceptance Criteria\n\n" + criteria.String() +
		"\n## 3. Progress Log\n\n" + sessions.String())
}

// F-81: reading a task takes time that grows with its size, not with the square of it. With 32 times
// as much, it takes about 32 times as long; the square would be 1,024 times.
func TestF81_ReadingATaskIsLinear(t *testing.T) {
	cost := func(n int) time.Duration {
		text, best := manyOf(n), time.Hour
		for range 5 {
			from := time.Now()
			Parse("1", text)
			best = min(best, time.Since(from))
		}
		return best
	}
	if small, large := cost(500), cost(16000); large > 256*small {
		t.Errorf("%v for 500 of each, %v for 16,000", small, large)
	}
}

// D52: a task with more than 1,000 dependencies is read as a whole, with a finding.
func TestF81_TooManyDependencies(t *testing.T) {
	t.Parallel()
	for n, many := range map[int]bool{1000: false, 1001: true} {
		s := Parse("1", manyOf(n))
		found := false
		for _, f := range s.Findings {
			found = found || f.Code == report.CodeTooMany
		}
		if found != many || len(s.Meta.Dependencies) != n {
			t.Errorf("%d: %v, %d read", n, found, len(s.Meta.Dependencies))
		}
	}
}
