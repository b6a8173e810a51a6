package specflow

import (
	"strings"
	"testing"

	"baton/internal/threeway/laws"
)

// Text that people write after the labels of a digest and into its rows is in every result.
func TestD40_NoSentenceBehindALabelIsLost(t *testing.T) {
	t.Parallel()
	laws.Check(t, func(o, a, b []byte) ([]byte, int) {
		r := Merge(o, a, b)
		return r.Text, r.Conflicts
	}, strings.Replace(mergeBase, "/sf:audit\n", "/sf:audit\n- **Last Pause:** none\n", 1), mergeProblems,
		laws.Replace(`^(- \*\*(Next Step|Last Pause):\*\*) .*`, "$1 look at %s first"), laws.Replace(`^(- \*\*Status:\*\*) .*`,
			"$1 waits for %s"),
		laws.Replace(`^(\| \d \| SPEC-00\d \|) \w+ (\| \w+ \| \w+ \|)$`, "$1 %s $2"), laws.Replace(`updated: .*\*`, "updated: 2026-02-01*"),
		laws.Replace(`updated: .*\*`, "updated: 2026-03-01*"))
}

func TestD40_BothPlacesOfWorkStay(t *testing.T) {
	t.Parallel()
	ours := strings.NewReplacer("SPEC-001\n- **Status:** draft", "SPEC-002\n- **Status:** review", "/sf:audit", "/sf:review",
		"updated: 2026-01-02", "updated: 2026-01-03", "| Two |", "| Second |").Replace(mergeBase)
	theirs := strings.NewReplacer("SPEC-001\n- **Status:** draft", "SPEC-003\n- **Status:** running", "/sf:audit", "/sf:run",
		"updated: 2026-01-02", "updated: 2026-01-04", "| Two |", "| Zwei |").Replace(mergeBase)
	want := "- **Active Specification:** SPEC-003\n- **Active Specification (other side, 2026-01-03):** SPEC-002\n- **Status:** running\n" +
		"- **Next Step:** /sf:run\n- **Next Step (other side, 2026-01-03):** /sf:review\n\n"
	for _, p := range [...][2]string{{ours, theirs}, {theirs, ours}} {
		r := Merge([]byte(mergeBase), []byte(p[0]), []byte(p[1]))
		if text := string(r.Text); r.Conflicts != 0 || len(r.Asides) != 3 || !strings.Contains(text, want) ||
			!strings.Contains(text, "| 2 | SPEC-002 | Zwei (other side: Second) | low | draft |") {
			t.Errorf("%+v\n%s", r.Asides, text)
		}
		for _, again := range p {
			if more := Merge([]byte(mergeBase), r.Text, []byte(again)); string(more.Text) != string(r.Text) || len(more.Asides) != 0 {
				t.Errorf("once more: %+v\n%s", more.Asides, more.Text)
			}
		}
	}
}
