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
