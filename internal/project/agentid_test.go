package project_test

import (
	"strings"
	"testing"

	"baton/internal/agentsession"
)

// TestSessionIdsFromOutside checks that a session's id is a plain word, so that it can be written into a record, a log
// and a document (agents.md 2.5).
func TestSessionIdsFromOutside(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"a": true, "A-b_c.9": true, strings.Repeat("x", 128): true,
		"": false, strings.Repeat(
			"x", 129,
		): false, "a..b": false, "../a": false, "a/b": false, `a\b`: false, "a b": false, "a\x00b": false, "ä": false, "a\n": false,
	} {
		if agentsession.IsSession(id) != want {
			t.Errorf("%q", id)
		}
	}
}
