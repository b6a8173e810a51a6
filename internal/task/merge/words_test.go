package merge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// The note of an old number is no part of a session: sides with and without it have the same session.
func TestD44_NotesOfOldNumbersAreNoText(t *testing.T) {
	t.Parallel()
	const first = "### Session 1 - 2026-01-01 10:00\n**Did:** a\n"
	two := func(n, note string) string {
		return changed(t, mergeBase, first, first+"\n### Session "+n+" - 2026-01-02 10:00"+note+"\n**Did:** b\n", `"total_sessions": 1`,
			`"total_sessions": 2`)
	}
	noted := two("3", " (was session 2)")
	for name, c := range map[string]struct{ base, ours, theirs, want string }{
		"only one side has it": {mergeBase, noted, two("3", ""), noted},
		"the base has none": {
			two("3", ""), noted, changed(t, two("3", ""), "** b", "** c"), changed(t, noted, "** b", "** c"),
		},
		"both, with different notes":     {mergeBase, two("3", " (was session 1)"), noted, noted},
		"both, with different numbers":   {mergeBase, noted, two("4", " (was session 2)"), two("4", " (was session 2)")},
		"a higher number without a note": {mergeBase, two("2", ""), two("4", ""), two("4", " (was session 2)")},
		"somebody took it out": {
			noted, two("3", ""), changed(t, noted, "- [ ] One", "- [x] One"), changed(t, two("3", ""), "- [ ] One", "- [x] One"),
		},
	} {
		for _, p := range [...][2]string{{c.ours, c.theirs}, {c.theirs, c.ours}} {
			r, err := Merge("35", []byte(c.base), []byte(p[0]), []byte(p[1]))
			if diff := cmp.Diff(c.want, string(r.Text)); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
			}
			again, err := Merge("35", []byte(c.base), r.Text, []byte(p[1]))
			if err != nil || string(again.Text) != c.want {
				t.Errorf("%s, once more: %v\n%s", name, err, again.Text)
			}
		}
	}
}

func TestD44_ArchivesKeepNotes(t *testing.T) {
	t.Parallel()
	const base = "# Task #35 Archive\n\n## Session 3 - 2026-01-01 10:00\n**Did:** a\n"
	noted := changed(t, base, "10:00", "10:00 (was session 1)")
	theirs := base + "\n## Session 4 - 2026-01-04 10:00 (was session 2) ##\n**Did:** b\n"
	want := changed(t, theirs, "01 10:00", "01 10:00 (was session 1)")
	for _, p := range [...][2]string{{noted, theirs}, {theirs, noted}} {
		if r := Archive([]byte(base), []byte(p[0]), []byte(p[1])); string(r.Text) != want {
			t.Errorf("%s", r.Text)
		}
	}
}
