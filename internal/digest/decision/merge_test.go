package decision

import (
	"strings"
	"testing"

	"baton/internal/threeway/laws"
)

// D34: a sorted archive stays sorted, and nothing is ever removed.
func TestD34_ArchivesAreJoinedInTheOrderOfTime(t *testing.T) {
	t.Parallel()
	base := "# Archive\n\n" + twoColumns + "| 2026-01-01 | a |\n"
	ours, theirs := base+"| 2026-01-03 | c |\n", base+"| 2026-01-02 | b |\n| 2026-01-04 | d |\n"
	r := MergeArchive([]byte(base), []byte(ours), []byte(theirs))
	if want := base + "| 2026-01-02 | b |\n| 2026-01-03 | c |\n| 2026-01-04 | d |\n"; string(r.Text) != want {
		t.Errorf("%s", r.Text)
	}
	r = MergeArchive([]byte(base), []byte(strings.Replace(base, "| 2026-01-01 | a |\n", "", 1)+"| 2026-01-03 | c |\n"), []byte(theirs))
	for _, row := range [...]string{"| a |", "| b |", "| c |", "| d |"} {
		if !strings.Contains(string(r.Text), row) {
			t.Errorf("%s is gone:\n%s", row, r.Text)
		}
	}
}

func TestD40_MergeOfArchivesKeepsItsLaws(t *testing.T) {
	t.Parallel()
	base := "# Archive\n\n" + twoColumns + "| 2026-01-01 | a |\n| 2026-01-02 | b |\n\n## Resolved blockers\n\n- x\n"
	laws.Check(t, func(o, a, b []byte) ([]byte, int) {
		r := MergeArchive(o, a, b)
		return r.Text, r.Conflicts
	}, base, nil, laws.Behind(`^\| 2026-0`, "| 2026-02-02 | %s |"), laws.Behind(`^- `, "- %s"), laws.Remove(`^\| 2026-01`),
		laws.Behind(`^- x`, "", "---", "*Rotated %s*"))
}
