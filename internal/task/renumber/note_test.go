package renumber

import (
	"strings"
	"testing"

	"baton/internal/task"
)

// The note of an old number changes neither the stamp of a session nor the entry that the ledger knows.
func TestD44_TheNoteOfAnOldNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"Session 4 - 2026-11-26 18:00 (was session 1)":  {"2026-11-26 18:00", " (was session 1)"},
		"Session 4 (was session 3b)":                    {"", " (was session 3b)"},
		"Session 4 - 2026-11-26 18:00 (was session )":   {"2026-11-26 18:00 (was session )", ""},
		"Session 4 - 2026-11-26 18:00 (was session 1 )": {"2026-11-26 18:00 (was session 1 )", ""},
		"Session 4 - the plan (was session 1) goes on":  {"the plan (was session 1) goes on", ""},
		"Session 4 - (was session 1)":                   {"", " (was session 1)"},
	} {
		s, ok := task.SessionHeading(text)
		if !ok || s.Number != 4 || s.Stamp != want[0] || s.Note != want[1] || s.HasTime != strings.HasPrefix(want[0], "2026") {
			t.Errorf("%q: %v %+v", text, ok, s)
		}
	}
	log := func(heading string) []byte {
		return []byte("# Task #1: A\n\n## 3. Progress Log\n\n### " + heading + "\n**Did:** a\n")
	}
	before := task.Hold(log("Session 1 - 2026-11-26 18:00")).Sessions
	after := task.Hold(log("Session 4 - 2026-11-26 18:00" + task.Note("1"))).Sessions
	filed := task.HoldArchive([]byte("# Task #1 Archive\n\n## Session 4 - 2026-11-26 18:00 (was session 1)\n**Did:** a\n"))
	if before[0].Text != after[0].Text || filed[0].Text != before[0].Text || after[0].Date != before[0].Date || after[0].Number != 4 {
		t.Errorf("%+v\n%+v\n%+v", before, after, filed)
	}
}
