package project

import (
	"strings"
	"testing"
)

// TestDoubledDecisionsAreReported checks decisions that are both in the digest and in its archive. A single pair is not
// reported, because it may be two decisions.
func TestDoubledDecisionsAreReported(t *testing.T) {
	t.Parallel()
	for _, tt := range [...]struct {
		archived []string
		want     string
	}{
		{nil, ""},
		{[]string{"Something else", "And more"}, ""},
		{[]string{"Use one lock"}, ""},
		{[]string{
			"Use one lock", "Name things",
		}, `2 decisions are here and also in .specflow/DECISIONS_ARCHIVE.md, with the same date and text, from "Use one lock" to ` +
			`"Name things"`},
	} {
		l := &losing{stage: &stage{world: decided(t, "Use one lock", "Keep files plain", "Name things")}}
		var rows strings.Builder
		for line := range strings.Lines(l.read(keptState)) {
			for _, text := range tt.archived {
				if strings.Contains(line, text) {
					rows.WriteString(line)
				}
			}
		}
		l.write(
			specArchiveName,
			"# Decisions Archive\n\n| Date | Specification | Decision |\n|---|---|---|\n| 2026-01-01 | — | An old one |\n"+rows.String(),
		)
		got, line := "", 0
		for _, f := range must(l.as("a").Digests.StateValidate(t.Context()))(t).Findings {
			if f.Code == "decision_doubled" {
				got, line = f.Text, f.Line
				if f.Path != keptState {
					t.Errorf("%+v", f)
				}
			}
		}
		if got != tt.want {
			t.Errorf("%q: %q", tt.archived, got)
		}
		if lines := strings.Split(l.read(keptState), "\n"); tt.want != "" && !strings.Contains(lines[line-1], "Use one lock") {
			t.Errorf("line %d is %q", line, lines[line-1])
		}
	}
}
