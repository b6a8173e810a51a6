package gsd

import (
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/threeway/laws"
)

func mergeProblems(src []byte) []string {
	var out []string
	for _, f := range Parse(src).Findings() {
		if f.Severity != report.Info {
			out = append(out, string(f.Code))
		}
	}
	return out
}

func TestD40_MergeOfDigestsKeepsItsLaws(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]Form{"gsd": Planning, "own": Own} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := string(New(form, time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC), "Shop"))
			base = strings.Replace(base, "### Pending Todos\nNone yet.", "### Pending Todos\n- one\n- two", 1)
			decision := laws.Replace(`^(None yet\.|\|------\|-------\|----------\|)$`, "$1\n- [Phase 1]: %s")
			if form == Own {
				decision = laws.Behind(`^\|------\|-------\|----------\|$`, "| 2026-02-03 | 1 | %s |")
			}
			merge := func(o, a, b []byte) ([]byte, int) {
				r := Merge(o, a, b)
				return r.Text, r.Conflicts
			}
			edits := []laws.Edit{
				decision,
				laws.Replace(`^status: .*`, "status: executing"), laws.Replace(`^status: .*`, "status: verifying"),
				laws.Replace(`^  completed_plans: .*`, "  completed_plans: 3"), laws.Replace(`^  total_plans: .*`, "  total_plans: 6"),
				laws.Replace(`^last_updated: .*`, `last_updated: "2026-02-01T10:00:00.000Z"`),
				laws.Replace(`^last_updated: .*`, `last_updated: "2026-03-01T10:00:00.000Z"`),
				laws.Before(`^last_updated`, "%s: 1"), laws.Replace(`^None yet\.$`, "- %s"), laws.Behind(`^- (one|two)$`, "- %s"),
				laws.Remove(`^- one$`),
				laws.Replace(`^Phase: .*`, "Phase: 2 of 5 (Two)"), laws.Replace(`^Phase: .*`, "Phase: 3 of 5 (Three)"),
				laws.Replace(`^(\*\*Core value:\*\*) .*`, "$1 %s"), laws.Replace(`^Stopped at: .*`, "Stopped at: here"),
			}
			laws.Check(t, merge, base, mergeProblems, edits...)
			laws.CheckSettled(t, merge, base, edits...)
		})
	}
}

func TestD40_NewestActivityWinsAndThePercentageIsReckoned(t *testing.T) {
	t.Parallel()
	base := `---
status: planning
progress:
  total_phases: 2
  completed_phases: 0
  total_plans: 4
  completed_plans: 0
  percent: 0
last_updated: "2026-01-01T10:00:00.000Z"
---

# Project State

## Current Position
Phase: 1 of 2 (One)
Status: Planning

Progress: [░░░░░░░░░░] 0%
`
	ours := strings.NewReplacer("status: planning", "status: executing", "completed_plans: 0", "completed_plans: 2", "completed_phases: 0",
		"completed_phases: 1",
		"percent: 0", "percent: 50", "2026-01-01T", "2026-01-02T", "Status: Planning", "Status: Executing", "[░░░░░░░░░░] 0%",
		"[█████░░░░░] 50%").Replace(base)
	theirs := strings.NewReplacer("status: planning", "status: verifying", "total_plans: 4", "total_plans: 8", "2026-01-01T", "2026-01-03T",
		"Status: Planning", "Status: Verifying").Replace(base)
	want := strings.NewReplacer("status: planning", "status: verifying", "completed_plans: 0", "completed_plans: 2", "completed_phases: 0",
		"completed_phases: 1", "total_plans: 4", "total_plans: 8",
		"percent: 0", "percent: 25", "2026-01-01T", "2026-01-03T", "Status: Planning", "Status: Verifying", "[░░░░░░░░░░] 0%",
		"[██░░░░░░░░] 25%").Replace(base)
	for _, p := range [...][2]string{{ours, theirs}, {theirs, ours}} {
		if r := Merge([]byte(base), []byte(p[0]), []byte(p[1])); string(r.Text) != want || r.Conflicts != 0 {
			t.Errorf("%s", r.Text)
		}
	}
}
