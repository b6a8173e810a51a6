package decision

import "testing"

// A row directly below a bullet is text of the bullet in Markdown and a decision for people. It is
// one entry, and the bullet ends before it.
func TestBullets_EndBeforeARow(t *testing.T) {
	t.Parallel()
	for name, doc := range map[string]string{
		"a row":   "### Decisions\n\n" + twoColumns + "- [Phase 1]: k\n| 2026-01-01 | a |\n",
		"a table": "### Decisions\n\n- [Phase 1]: k\n" + twoColumns + "| 2026-01-01 | a |\n",
	} {
		none := 0
		r := mustRotateWith(t, doc, "", GSD, DefaultSettings(), RotateOptions{Keep: &none})
		if rows := ReadArchive(r.Archive, GSD).Rows; r.Result.Moved != 2 || len(rows) != 2 {
			t.Errorf("%s: %d moved to\n%s", name, r.Result.Moved, r.Archive)
		}
	}
}
