package record

import (
	"strings"
	"testing"

	"baton/internal/report"
)

// TestF72_EveryFieldTakesNull checks that null is null for every field that an update may set, and that the start and
// the id of a workflow stay.
func TestF72_EveryFieldTakesNull(t *testing.T) {
	t.Parallel()
	for _, f := range Fields() {
		u, err := Update(nil, pairsOf("zeta=1", f.Name+"=null"), stamping(), nil)
		if f.Refused || f.SetBy == "stamped" {
			if report.KindOf(err) != report.Usage {
				t.Errorf("%s: %v", f.Name, err)
			}
			continue
		}
		if err != nil || !strings.Contains(string(u.Record.Bytes()), f.Name+": null\n") {
			t.Errorf("%s: %v, %s", f.Name, err, u.Record.Bytes())
		}
	}
}

// TestF76e_AllWordsArePrinted checks that the hint for a phase that is not known has all phases.
func TestF76e_AllWordsArePrinted(t *testing.T) {
	t.Parallel()
	_, err := Update(nil, pairsOf("phase=foo"), stamping(), nil)
	for _, phase := range Phases() {
		if hint := report.As(err).Hint; !strings.Contains(hint, phase) {
			t.Errorf("no %s in %s", phase, hint)
		}
	}
}
