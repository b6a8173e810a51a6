package gsd

import (
	"testing"

	"baton/internal/report"
)

// TestD47_StatusesByWholeWords checks what the front matter gets for a text of the status, before GSD
// 1.14 and from then on. The words are those of its normaliser.
func TestD47_StatusesByWholeWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"Planning":                                {"planning", "planning"},
		"In progress":                             {"executing", "executing"},
		"Executing Phase 5":                       {"executing", "executing"},
		"Executing Phase 5 — final":               {"executing", "Executing Phase 5 — final"},
		"Phase 4.5 complete":                      {"completed", "completed"},
		"v1.0 milestone complete":                 {"completed", "completed"},
		"Complete ✓":                              {"completed", "completed"},
		"Complete but untested":                   {"completed", "Complete but untested"},
		"Abandoned plan":                          {"completed", "Abandoned plan"},
		"Paused at the float valve":               {"paused", "Paused at the float valve"},
		"Phase complete — ready for verification": {"verifying", "verifying"},
		"Waiting for parts":                       {"Waiting for parts", "Waiting for parts"},
	} {
		for i, whole := range []bool{false, true} {
			doc := Parse([]byte("---\nstatus: discussing\n---\n\n## Current Position\n\nStatus: Discussing\n")).Whole(whole)
			for _, name := range []string{"status", "Status"} {
				e, err := doc.Set(name, text, false, moment)
				if got := Parse(e.Text).fm("status"); err != nil || got != want[i] {
					t.Errorf("%s %q, whole %v: %q, %v", name, text, whole, got, err)
				}
				for _, f := range Parse(e.Text).Findings() {
					if f.Code == report.CodeStatusDrift {
						t.Errorf("%s %q, whole %v: %+v", name, text, whole, f)
					}
				}
			}
		}
	}
}
