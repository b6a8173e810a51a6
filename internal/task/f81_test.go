package task

import (
	"fmt"
	"strings"
	"testing"

	"baton/internal/lineartest"
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

// F-81: reading a task takes time that grows with its size, not with the square of it.
func TestF81_ReadingATaskIsLinear(t *testing.T) {
	lineartest.Check(t, "reading", 500, 16000, func(n int) func() {
		text := manyOf(n)
		return func() { Parse("1", text) }
	})
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
