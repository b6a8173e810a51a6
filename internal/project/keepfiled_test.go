package project

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/workspace"
)

// TestD44_ADoubledSessionFarBackInTheArchive: a log entry reads only the end of the archive (D7). The doctor names doubled
// sessions of the whole archive, so its repair must find them there, too.
func TestD44_ADoubledSessionFarBackInTheArchive(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var filed strings.Builder
	filed.WriteString("# Task #1: Archived Sessions\n")
	session := func(n int, did string) string {
		return fmt.Sprintf("## Session %d - 2026-02-%02d 10:00\n**Did:** %s\n", n, n, did)
	}
	for n := 1; n <= 20; n++ {
		did := "drove pile " + fmt.Sprint(n)
		if n > 3 {
			did += strings.Repeat(" and looked at it", 400)
		}
		filed.WriteString("\n" + session(n, did))
	}
	filed.WriteString("\nSessions archived: 1-20\n")
	s.write(archivePath("1"), filed.String())
	s.write(statePath("1"), "# Task #1: Pier\n\n## 0. Metadata\n```json\n{\n  \"task_id\": 1,\n  \"status\": \"in_progress\",\n"+
		"  \"archived_sessions\": 20,\n  \"total_sessions\": 22\n}\n```\n\n## 1. Context\n\n### Acceptance Criteria\n- [ ] It stands\n\n"+
		"## 3. Progress Log\n\n### Archived Summary (Sessions 1-20)\n**Accomplishments:** drove piles\n\n#"+session(3, "drove pile 3")+
		"\n#"+session(21, "cut them")+"\n## 4. Chain Output\n\n(To be completed)\n")
	for run := range 2 {
		out, err := s.as("a").Doctor.Doctor(context.Background(), workspace.DoctorRequest{Fix: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range out.Findings {
			if run > 0 && f.Code == report.CodeSessionInArchive {
				t.Errorf("the repair left %s", f.Text)
			}
		}
	}
	if text := s.read(statePath("1")); strings.Contains(text, "### Session 3 ") || !strings.Contains(text, "### Session 21 ") {
		t.Error(text)
	}
}
