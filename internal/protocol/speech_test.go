package protocol

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestF40_AToolForACommand: a tool has the arguments of the command, without texts that the caller gives. What no tool
// can do stays a command.
func TestF40_AToolForACommand(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"baton task log 7 --did TEXT --next TEXT":  "tool `task_log` with id 7, did, next",
		`baton task log 7 --did "…" --issues "…"`:  "tool `task_log` with id 7, did, issues",
		"baton task check 7 N --evidence TEXT":     "tool `task_check` with id 7, criterion, evidence",
		"baton task log ID --did TEXT":             "tool `task_log` with id, did",
		"baton task show 7":                        "tool `task_show` with id 7",
		"baton task show 7 --all":                  "tool `task_show` with id 7, archived",
		"baton task show 7 --section chain_output": "tool `task_show` with id 7, section chain_output",
		"baton task output 7 --summary TEXT":       "tool `task_output` with id 7, summary",
		"baton task ready":                         "tool `task_list` with status ready",
		"baton session start ID":                   "tool `task_claim` with id",
		"baton status":                             "tool `status`",
		"baton decision add TEXT":                  "tool `decision_add` with text",
		"baton decision list --all":                "",
		"baton task show 7 8":                      "",
		"baton task list --json":                   "",
		"baton task new TITLE --accept TEXT":       "",
		"baton lost --restore":                     "",
		"git status":                               "",
		"baton":                                    "",
		"baton task":                               "",
		"baton task showing 7":                     "",
		"baton task prove 7 N -- CMD":              "",
	} {
		if got := toolFor(command); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

// TestF40_QuotationsStayAsTheyAre: only baton's own words are translated, and only for a client that has the tools.
func TestF40_QuotationsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	text := "Run `baton task show 7`, not “`baton task show 7`” or `baton lost`: `baton task list` and `open"
	if got := (wording{}).speak(text); got != text {
		t.Errorf("without the server: %q", got)
	}
	want := "Run tool `task_show` with id 7, not “`baton task show 7`” or `baton lost`: tool `task_list` and `open"
	if got := (wording{Facts: Facts{Tools: true}}).speak(text); got != want {
		t.Errorf("%q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		inner := rapid.StringMatching("[a-z`“ ]{0,12}(`baton status`)?[a-z` ]{0,12}").Draw(t, "text")
		line := said(inner) + " and `baton status`"
		if got := (wording{Facts: Facts{Tools: true}}).speak(line); got != said(inner)+" and tool `status`" {
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
	wants(t, text, "run what shows it, then tool `task_check` with id 101, criterion, evidence.",
		"Before you finish: tool `task_log` with id 101, did, next.", "(tool `task_output` with id 100)",
		"- The tools are those of the server baton. Without it, `task_log` is the command `baton task log`, and so on.",
		"(verify with `baton task list`)")
	lacks(t, text, "`baton task check", "`baton task show", "`baton task output")
	lacks(t, Orientation(shop(), start()).Text, "tool `")
	for i := range f.Task.Next {
		f.Task.Next[i] = "n"
	}
	f.Task.Next = slices.Repeat(f.Task.Next, 20)
	wants(t, Orientation(f, start()).Text, "12 more next steps (tool `task_show` with id 101)")
	wants(t, StopReason(f), "To finish: tool `task_log` with id 101, did, issues, next, or `baton task log 101 --did",
		"tool `task_check` with id 101, criterion, evidence.")
	wants(t, Pointer(f), "tool `context` prints it")
	wants(t, CompactNote(f), "tool `context` prints the state again")
	f.Task = nil
	wants(t, Orientation(f, start()).Text, "tool `task_list` with status ready lists them, tool `task_claim` with id takes one.")
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
