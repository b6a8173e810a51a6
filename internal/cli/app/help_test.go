package app

import (
	"testing"

	"baton/internal/report"
)

// TestEveryKindHasAMeaning checks that the help explains every kind of the table.
func TestEveryKindHasAMeaning(t *testing.T) {
	t.Parallel()
	seen := map[string]report.Kind{}
	for _, kind := range report.Kinds() {
		text := Meaning(kind)
		if other, twice := seen[text]; twice {
			t.Errorf("%s and %s mean the same", kind, other)
		}
		seen[text] = kind
	}
}
