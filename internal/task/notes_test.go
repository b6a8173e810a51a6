package task_test

import (
	"testing"

	"baton/internal/task"
	"baton/internal/task/pick"
	"baton/internal/task/tasktest"

	"github.com/google/go-cmp/cmp"
)

// TestF65_Notes: text before the first label is what was done, and other labels are notes.
func TestF65_Notes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		did, notes []string
		style      task.Style
	}{
		{"prose", "Wrote it.\nIt fails.\n\nMore.", []string{"Wrote it.\nIt fails.", "More."}, nil, task.StyleE},
		{"bullets", "- a\n- b\n  c", []string{"a", "b\nc"}, nil, task.StyleE},
		{"before a label", "Wrote it.\n\n**Did:** x", []string{"Wrote it.", "x"}, nil, task.StyleC},
		{
			"unknown labels", "**Blockers:** none\n**Tried:**\n- a\n- b\n**Did:** x",
			[]string{"x"},
			[]string{"Tried: a", "Tried: b"},
			task.StyleC,
		},
		{"only unknown labels", "**What was done:**\n- wrote it", nil, []string{"What was done: wrote it"}, task.StyleE},
		{"H4", "#### Details\n\nText", []string{"#### Details", "Text"}, nil, task.StyleE},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, src := range [][]byte{
				tasktest.LogFile("### Session 1 - 2026-01-01 10:00\n\n" + test.body + "\n"),
				tasktest.CRLF(tasktest.LogFile("### Session 1 - 2026-01-01 10:00\n\n" + test.body + "\n\n---\n\n### Session 2\n")),
			} {
				got := task.Parse("7", src).Sessions[0]
				if !cmp.Equal(got.Did, test.did) || !cmp.Equal(got.Notes, test.notes) || got.Style != test.style {
					t.Errorf("did %q, notes %q, style %c", got.Did, got.Notes, got.Style)
				}
			}
		})
	}
}

// TestF65_Unread: text that belongs to no session is noticed.
func TestF65_Unread(t *testing.T) {
	t.Parallel()
	session := "### Session 1 - 2026-01-01 10:00\n\n**Did:** x\n"
	for _, test := range []struct {
		src  string
		want bool
	}{
		{string(tasktest.LogFile(session)), false},
		{string(tasktest.LogFile("(No sessions yet)\n")), false},
		{string(tasktest.LogFile("<!-- newest last -->\n\n" + session + "\n---\n")), false},
		{string(tasktest.LogFile("Beware.\n\n" + session)), true},
		{string(tasktest.LogFile(session + "\n### Plan\n\nBeware.\n")), true},
		{string(tasktest.LogFile(session + "\n## Notes\n\nBeware.\n")), true},
		{string(tasktest.LogFile(session + "\n## Notes\n")), false},
	} {
		if got := pick.Unread(task.Parse("7", []byte(test.src))); got != test.want {
			t.Errorf("%v: %s", got, test.src)
		}
	}
}
