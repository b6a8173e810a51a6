package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/digest/decision"
	"baton/internal/report"
	"baton/internal/usecase/loss"
)

func TestWrongUsageOfLost(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"lost 3f9c", "lost --restore --accept", "lost --all --restore", "lost --dry-run", "lost --accept --dry-run",
	} {
		if got := play(t, canned{}, strings.Fields(line)...); got.code != 2 {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestTheListOfLostEntriesIsHarmless checks the list by document, and the fates of entries that are not certainly lost.
func TestTheListOfLostEntriesIsHarmless(t *testing.T) {
	t.Parallel()
	list := loss.LostList{Since: "x", Lost: []loss.LostEntry{
		{ID: "3f9c2a1", Kind: "decision", Label: "Use\x1b one lock", Document: "a.md", Fate: "lost", Seen: "y", By: "agent-1"},
		{
			ID: "77ab01e", Kind: "criterion", Label: "It holds", Became: "It stands", Document: "b.md", Fate: "reworded", Seen: "y",
			Source: loss.BlameOutside,
		},
		{ID: "80ab01e", Kind: "criterion", Label: "It lies", Document: "b.md", Fate: "lost", Seen: "y", Source: loss.BlameBefore},
	}}
	got := play(t, canned{answer: list}, "lost", "--all", "-C", "my dir")
	want := `a.md
ID       WHAT      SEEN  BY       TEXT
3f9c2a1  decision  y     agent-1  Use␛ one lock

b.md
ID       WHAT                 SEEN  BY       TEXT
77ab01e  criterion, reworded  y     by hand  It holds → It stands
80ab01e  criterion            y              It lies

baton has recorded entries since x.
To restore everything: baton lost --restore -C 'my dir'
If all of it was removed on purpose: baton lost --accept -C 'my dir'
For some of it, name IDs or files: baton lost --accept ID -C 'my dir'
`
	if diff := cmp.Diff(want, got.out); diff != "" {
		t.Error(diff)
	}
	if got := play(t, canned{answer: loss.LostList{Busy: true}}, "lost"); !strings.Contains(got.out, "rebase") {
		t.Errorf("%+v", got)
	}
	if got := play(t, canned{answer: loss.LostList{}}, "lost"); !strings.HasPrefix(got.out, "baton knows of no losses") {
		t.Errorf("%+v", got)
	}
}

// TestWithoutGitsAnswerNothingIsCalledSafe checks the list, a restore and an acceptance.
func TestWithoutGitsAnswerNothingIsCalledSafe(t *testing.T) {
	t.Parallel()
	for _, code := range []report.Code{"git_silent", "book_unusable", "entries_unjudged"} {
		doubts := []report.Finding{{Code: code, Severity: report.Warning, Text: "who knows"}}
		for line, answer := range map[string]any{
			"lost":           loss.LostList{Since: "x", Warnings: doubts},
			"lost --restore": loss.LostRestored{Warnings: doubts},
			"lost --accept":  loss.LostAccepted{Warnings: doubts},
		} {
			got := play(t, canned{answer: answer}, strings.Fields(line)...)
			if got.code != 0 || strings.Contains(got.out, "Nothing is lost") || !strings.Contains(got.out, "does not know") ||
				!strings.Contains(got.out+got.errors, "who knows") {
				t.Errorf("%s, %s: %+v", code, line, got)
			}
		}
	}
}

// TestARestoreNamesWhatMoved checks that a restore names the decisions that a rotation moved, like every change of a
// digest.
func TestARestoreNamesWhatMoved(t *testing.T) {
	t.Parallel()
	got := play(t, canned{answer: loss.LostRestored{
		Applied: true, Entries: []loss.LostEntry{
			{ID: "3f9c2a1", Kind: "decision", Label: "Use one lock", Document: "a.md", Fate: "lost", Seen: "y"},
		},
		Rotations: []decision.Result{{Rotated: true, Moved: 3, Kept: 5, Archive: "old.md"}},
	}}, "lost", "--restore")
	if !strings.HasPrefix(got.out, "Restored: 1 entry\n  3 decisions moved to old.md, 5 stay\n") {
		t.Errorf("%+v", got)
	}
}

// TestUnseenDocumentsAreNotCalledSafe checks documents that baton never looked at, as in a fresh clone.
func TestUnseenDocumentsAreNotCalledSafe(t *testing.T) {
	t.Parallel()
	for names, want := range map[string]string{
		"a.md":                "Never checked: a.md. What was removed from it is not listed.\n",
		"a.md b.md c.md d.md": "Never checked: a.md, b.md, c.md and 1 more. What was removed from them is not listed.\n",
	} {
		for _, since := range []string{"", "x"} {
			got := play(t, canned{answer: loss.LostList{Since: since, Unseen: strings.Fields(names)}}, "lost")
			if strings.Contains(got.out, "Nothing is lost") ||
				!strings.HasSuffix(got.out, want+"To record entries from now on: baton init\n") {
				t.Errorf("%+v", got)
			}
		}
	}
}

// TestSinceWhenLossesAreKnown checks that if some documents are known only since later, that time is named too.
func TestSinceWhenLossesAreKnown(t *testing.T) {
	t.Parallel()
	for all, want := range map[string]string{
		"": "baton has recorded entries since x.", "x": "baton has recorded entries since x.",
		"y": "baton has recorded entries since x, and those of all documents since y.",
	} {
		if got := play(t, canned{answer: loss.LostList{Since: "x", AllSince: all}}, "lost"); !strings.Contains(got.out, want+"\n") {
			t.Errorf("%s: %+v", all, got)
		}
	}
}
