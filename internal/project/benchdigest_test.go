package project

import (
	"fmt"
	"strings"
	"testing"

	"baton/internal/usecase/digests"
)

// BenchmarkDecisionAdd adds a decision to a digest of 100 lines, including two fsyncs; with a rotation there are six.
func BenchmarkDecisionAdd(b *testing.B) {
	rows := ""
	for i := range 20 {
		rows += fmt.Sprintf("| 2026-01-%02d | SPEC-001 | decision number %d |\n", i+1, i)
	}
	text := strings.TrimSuffix(smallSpecflow, "| 2026-02-01 | SPEC-001 | first |\n") + rows + "\n## Notes\n\n"
	for c, lines := range map[string]int{"within the limits": 99, "with a rotation": 100} {
		b.Run(c, func(b *testing.B) {
			w := newWorld(b)
			full := text + strings.Repeat("a note\n", lines-strings.Count(text, "\n"))
			for b.Loop() {
				w.write(".specflow/STATE.md", full)
				added, err := w.as("a").Digests.AddDecision(b.Context(), digests.DecisionRequest{Text: "one more"})
				if err != nil || added.Rotation.Rotated != (lines == 100) {
					b.Fatal(added.Rotation, err)
				}
			}
		})
	}
}
