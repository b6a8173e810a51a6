package merge

import (
	"strings"
	"testing"

	"baton/internal/threeway"
)

// JSON has no place for the replaced text, so the merge reports it.
func TestD40_SentencesInMetadataAreReported(t *testing.T) {
	t.Parallel()
	base := changed(t, mergeBase, `"task_id": 35,`, `"task_id": 35,`+"\n"+`  "title": "Print shop",`)
	ours := changed(t, base, "Print shop\",", "Printing for all\",", `"in_progress"`, `"blocked"`)
	theirs := changed(t, base, "Print shop\",", "The press\",", `"in_progress"`, `"in_review"`, "2026-01-01T10:00:00Z",
		"2026-01-02T10:00:00Z")
	for _, p := range [...][2]string{{ours, theirs}, {theirs, ours}} {
		r, err := Merge("35", []byte(base), []byte(p[0]), []byte(p[1]))
		if want := (threeway.Aside{Label: "title", Text: "Printing for all"}); err != nil || r.Conflicts != 0 || len(r.Asides) != 2 ||
			r.Asides[0] != want || r.Asides[1].Over != "in_review" {
			t.Errorf("%v %d %+v", err, r.Conflicts, r.Asides)
		}
		if !strings.Contains(string(r.Text), `"title": "The press"`) {
			t.Errorf("%s", r.Text)
		}
	}
}

// A session that an earlier merge renumbered is recognised when its branch is merged again.
func TestD40_RenumberedSessionsAreKnownAgain(t *testing.T) {
	t.Parallel()
	ours := changed(t, mergeBase, "## 4.", "### Session 2 - 2026-01-02 10:00\n**Did:** early\n\n## 4.", `"total_sessions": 1`,
		`"total_sessions": 2`)
	theirs := changed(t, mergeBase, "## 4.", "### Session 2 - 2026-01-03 10:00\n**Did:** late\n\n## 4.", `"total_sessions": 1`,
		`"total_sessions": 2`)
	once, err := Merge("35", []byte(mergeBase), []byte(ours), []byte(theirs))
	if err != nil || len(once.Renumbered) != 1 {
		t.Fatalf("%v %+v", err, once.Renumbered)
	}
	for _, side := range [...]string{ours, theirs} {
		again, err := Merge("35", []byte(mergeBase), once.Text, []byte(side))
		if err != nil || string(again.Text) != string(once.Text) || len(again.Renumbered) != 0 {
			t.Errorf("%v %+v\n%s", err, again.Renumbered, again.Text)
		}
	}
}
