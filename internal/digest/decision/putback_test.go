package decision

import "testing"

func TestSFD15_RefitWritesARowInOtherColumns(t *testing.T) {
	const three, two, phases = "| Date | Specification | Decision |\n|---|---|---|\n", "| Date | Decision |\n|---|---|\n",
		"| Date | Phase | Decision |\n|---|---|---|\n"
	for _, tt := range [...]struct{ head, row, to, want string }{
		{three, "| 2026-01-01 | SPEC-1 | Use JSON |\n", two, "| 2026-01-01 | SPEC-1: Use JSON |"},
		{two, "| 2026-01-01 | SPEC-1: Use JSON |\n", three, "| 2026-01-01 | SPEC-1 | Use JSON |"},
		{phases, "| 2026-01-01 | 4 | Use JSON |\n", two, "| 2026-01-01 | Use JSON — Phase: 4 |"},
		{two, "| 2026-01-01 |  Use  JSON |\n", two, "| 2026-01-01 |  Use  JSON |"},
	} {
		if got, ok := Refit(Specflow, tt.head, tt.row, tt.to); !ok || got != tt.want {
			t.Errorf("%q: %q, %v; want %q", tt.row, got, ok, tt.want)
		}
	}
	for _, tt := range [...]struct{ head, row, to string }{
		{three, "no row\n", two},
		{three, "| 2026-01-01 | SPEC-1 | Use JSON |\n", "no table\n"},
	} {
		if got, ok := Refit(Specflow, tt.head, tt.row, tt.to); ok || got != tt.row {
			t.Errorf("%q below %q: %q, %v", tt.row, tt.to, got, ok)
		}
	}
}

// TestF30_ADecisionHasItsScopeAndDate: the specification or phase of a row or bullet, and its date.
func TestF30_ADecisionHasItsScopeAndDate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		form              Form
		line, scope, date string
	}{
		{Specflow, "| 2026-02-08 | SPEC-039 | x |", "SPEC-039", "2026-02-08"},
		{Specflow, "| 2026-02-08 | — | SPEC-7: x |", "SPEC-7", "2026-02-08"},
		{Specflow, "| soon | — | x |", "", ""},
		{Specflow, "- SPEC-7: x", "SPEC-7", ""},
		{Specflow, "- **2026-02-08**: SPEC-7: x", "SPEC-7", "2026-02-08"},
		{GSD, "- [Phase 3]: x", "3", ""},
		{GSD, "- [Phase ?]: x", "", ""},
	} {
		doc := "## Decisions\n\n| Date | Specification | Decision |\n|---|---|---|\n" + c.line + "\n"
		if c.line[0] == '-' {
			doc = "## Decisions\n\n" + c.line + "\n"
		}
		held := Hold([]byte(doc), c.form, nil)
		if len(held) != 1 || held[0].Scope != c.scope || held[0].Date != c.date {
			t.Errorf("%s: %+v", c.line, held)
		}
	}
}
