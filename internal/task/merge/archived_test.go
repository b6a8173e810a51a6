package merge

import (
	"strings"
	"testing"
)

// The longer text of an archived session ends in a fence that nobody closed. In the other archive, it would hide the
// session after it (D53).
func TestD53_NoArchivedSessionIsHiddenByAnother(t *testing.T) {
	t.Parallel()
	const base, footer = "# Task #35 Archive\n", "\n---\nArchived on: 2026-02-01 10:00\nReason: size\nSessions archived: 1\n"
	one := "\n## Session 1 - 2026-01-01 10:00\n**Did:** a\n"
	two := "\n## Session 2 - 2026-01-02 10:00\n**Did:** later\n"
	open := strings.Replace(one, " a\n", "\n- a\n- b\n\n```\nmake\n", 1)
	ours, theirs := base+one+two+footer, base+open
	for _, sides := range [...][2]string{{ours, theirs}, {theirs, ours}} {
		x, y := uniteArchived([]byte(base), []byte(sides[0]), []byte(sides[1]))
		if string(x) != sides[0] || string(y) != sides[1] {
			t.Errorf("%s\n=====\n%s", x, y)
		}
	}
}

// In the file of a task, such a session has the sections after it, which the other side does not get in a session (D53).
func TestD53_NoSectionIsDoubledByASession(t *testing.T) {
	t.Parallel()
	none := withoutSessions(extendBase)
	open := strings.Replace(extendBase, "**Did:** a\n", "**Did:**\n- a\n- b\n\n```\nmake\n", 1)
	for _, sides := range [...][2]string{{open, extendBase}, {extendBase, open}} {
		r, err := Merge("35", []byte(none), []byte(sides[0]), []byte(sides[1]))
		if err != nil || strings.Count(string(r.Text), "## 4. Chain Output") != 1 || !strings.Contains(string(r.Text), "**Did:** a\n") {
			t.Errorf("%v\n%s", err, r.Text)
		}
	}
}
