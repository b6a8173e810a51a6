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

// TestF29_ADecisionTakesAnotherForm: a row becomes a bullet, and a bullet a row, if they stay the same decision.
func TestF29_ADecisionTakesAnotherForm(t *testing.T) {
	t.Parallel()
	const three, phases = "| Date | Specification | Decision |\n|---|---|---|\n", "| Phase | Decision | Rationale |\n|---|---|---|\n"
	for _, c := range []struct {
		form                  Form
		head, row, like, want string
	}{
		{Specflow, three, "| 2026-02-01 | SPEC-1 | use \\| |\n", "* x\n", "* 2026-02-01: SPEC-1: use |\n"},
		{Specflow, three, "| — | — | use sqlite |\n", "- x\n", "- use sqlite\n"},
		{GSD, phases, "| 3 | use sqlite | one file |\n", "- x\n", "- [Phase 3]: use sqlite — one file\n"},
	} {
		if got, ok := AsBullet(c.form, c.head, c.row, c.like); got != c.want {
			t.Errorf("%q: %q, %v", c.row, got, ok)
		}
	}
	for _, c := range []struct {
		form               Form
		bullet, head, want string
	}{
		{Specflow, "- SPEC-1: use sqlite\n", three, "| — | SPEC-1 | use sqlite |\n"},
		{Specflow, "- 2026-02-01: SPEC-1: a | b\n", three, "| 2026-02-01 | SPEC-1 | a \\| b |\n"},
		{Specflow, "- SPEC-1: use sqlite\n", "no table\n", ""},
	} {
		if got, ok := AsRow(c.form, c.bullet, c.head); got != c.want || ok != (c.want != "") {
			t.Errorf("%q: %q, %v", c.bullet, got, ok)
		}
	}
}
