package project

import (
	"context"
	"strings"
	"testing"

	"baton/internal/usecase/tasks"
)

// For every file, a list must show the same as show does, even if more than the beginning has to be read.
func TestTS16_HeadersSayTheSameAsFiles(t *testing.T) {
	t.Parallel()
	sessions := strings.Repeat("### Session 1 - 2026-01-01 10:00\n\n**Did:** work\n\n", 2000)
	const log = "## 3. Progress Log\n"
	tests := []struct {
		name     string
		turn     func(text string) string
		sessions int // as the metadata counts them, otherwise as the log does
	}{
		{"ordinary", func(s string) string { return s }, 0},
		{"the log's heading in a fence", func(s string) string {
			return strings.Replace(s, "### Acceptance", "```md\n"+log+"```\n\n### Acceptance", 1)
		}, 0},
		{"the log's heading in a fence inside a longer fence", func(s string) string {
			return strings.Replace(s, "### Acceptance", "````\n```\n"+log+"````\n\n### Acceptance", 1)
		}, 0},
		{"the log's heading in a comment", func(s string) string {
			return strings.Replace(s, "### Acceptance", "<!--\n"+log+"-->\n\n### Acceptance", 1)
		}, 0},
		{"context longer than the first read", func(s string) string {
			return strings.Replace(s, "### Acceptance", strings.Repeat("One more line of what is asked for.\n", 300)+"\n### Acceptance", 1)
		}, 0},
		{"context below the log", func(s string) string {
			from, to := strings.Index(s, "## 1. Context"), strings.Index(s, log)
			return s[:from] + s[to:] + "\n" + s[from:to]
		}, 0},
		{"no count of sessions", func(s string) string { return strings.Replace(s, `"total_sessions"`, `"sessions"`, 1) }, 2000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			text := strings.Replace(plain("1", "One"), log, log+"\n"+sessions, 1)
			w.write(".baton/tasks/task-1-state.md", tt.turn(text))
			list, err := w.as("agent-1").Tasks.List(context.Background(), tasks.ListRequest{})
			if err != nil {
				t.Fatal(err)
			}
			row, whole := list.Tasks[0], w.show("1")
			if row.CriteriaTotal == 0 || row.CriteriaTotal != len(whole.Criteria) || row.Title != whole.Title ||
				row.Status != whole.Status {
				t.Errorf("list %+v, show %d criteria, %q, %q", row, len(whole.Criteria), whole.Title, whole.Status)
			}
			if row.Sessions != tt.sessions {
				t.Errorf("%d sessions", row.Sessions)
			}
		})
	}
}
