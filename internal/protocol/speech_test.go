package protocol

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestF40_QuotationsStayAsTheyAre: only baton's own words are translated, and only for a client that has the tools.
func TestF40_QuotationsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	text := "Run `baton task show 7`, not “`baton task show 7`” or `baton lost`: `baton task list` and `open"
	if got := (wording{}).speak(text); got != text {
		t.Errorf("without the server: %q", got)
	}
	want := "Run `task_show` (id: 7), not “`baton task show 7`” or `baton lost`: `task_list` and `open"
	if got := (wording{Facts: Facts{Tools: true}}).speak(text); got != want {
		t.Errorf("%q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		inner := rapid.StringMatching("[a-z`“ ]{0,12}(`baton status`)?[a-z` ]{0,12}").Draw(t, "text")
		line := said(inner) + " and `baton status`"
		if got := (wording{Facts: Facts{Tools: true}}).speak(line); got != said(inner)+" and `status`" {
			t.Fatalf("%q: %q", line, got)
		}
	})
}

// TestF40_TextsForAClientWithTheServer: every text names the tools, and says once what to do without them.
func TestF40_TextsForAClientWithTheServer(t *testing.T) {
	t.Parallel()
	f := shop()
	f.Tools = true
	f.Task.Criteria = append(f.Task.Criteria, Criterion{N: 4, Text: "Lists", Verify: "baton task list"})
	text := Orientation(f, start()).Text
	wants(t, text, "run what shows it, then `task_check` (id: 101, criterion: N, evidence: TEXT).",
		"Before you finish: `task_log` (id: 101, did: TEXT, next: TEXT).", "(`task_output` (id: 100))",
		"- The tools are those of the server baton. Without it, `task_log` is the command `baton task log`, and so on.",
		"(verify with `baton task list`)")
	lacks(t, text, "`baton task check", "`baton task show", "`baton task output")
	lacks(t, Orientation(shop(), start()).Text, "`task_")
	for i := range f.Task.Next {
		f.Task.Next[i] = "n"
	}
	f.Task.Next = slices.Repeat(f.Task.Next, 20)
	wants(t, Orientation(f, start()).Text, "12 more next steps (`task_show` (id: 101))")
	wants(t, StopReason(f), "To finish: `task_log` (id: 101, did: …, issues: …, next: …), or `baton task log 101 --did",
		"`task_check` (id: 101, criterion: N, evidence: TEXT).")
	wants(t, Pointer(f), "`context` prints it")
	wants(t, CompactNote(f), "`context` prints the state again")
	f.Task = nil
	wants(t, Orientation(f, start()).Text, "`task_list` (status: ready) lists them, `task_claim` (id: ID) takes one.")
}

// TestNoTextAsksForProofs: clients refuse to let a command of baton run other commands, so no text for a session asks for
// that (D56).
func TestNoTextAsksForProofs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts().Draw(t, "facts")
		f.Tools = rapid.Bool().Draw(t, "tools")
		for _, text := range []string{
			Orientation(f, start()).Text, Pack(f, Limit{Tokens: 4000}).Text, StopReason(f), CompactNote(f), SubTask(f), Pointer(f),
		} {
			if strings.Contains(text, "prove") || strings.Contains(text, "--run") {
				t.Fatal(text)
			}
		}
	})
}
