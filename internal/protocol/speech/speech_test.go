package speech

import "testing"

// TestF40_AToolForACommand: a tool has the arguments of the command. What no tool can do stays a command.
func TestF40_AToolForACommand(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"baton task log 7 --did TEXT --next TEXT":  "`task_log` (id: 7, did: TEXT, next: TEXT)",
		`baton task log 7 --did "…" --issues "…"`:  "`task_log` (id: 7, did: …, issues: …)",
		"baton task check 7 N --evidence TEXT":     "`task_check` (id: 7, criterion: N, evidence: TEXT)",
		"baton task log ID --did TEXT":             "`task_log` (id: ID, did: TEXT)",
		"baton task show 7":                        "`task_show` (id: 7)",
		"baton task show 7 --all":                  "`task_show` (id: 7, archived: true)",
		"baton task show 7 --section chain_output": "`task_show` (id: 7, section: chain_output)",
		"baton task output 7 --summary TEXT":       "`task_output` (id: 7, summary: TEXT)",
		"baton task ready":                         "`task_list` (status: ready)",
		"baton session start ID":                   "`task_claim` (id: ID)",
		"baton next":                               "`next`",
		"baton status":                             "`status`",
		"baton decision add TEXT":                  "`decision_add` (text: TEXT)",
		"baton task new TITLE --from-task ID":      "`task_new` (title: TITLE, discovered_from: ID)",
		"baton task check 7 N --run CMD":           "`task_check` (id: 7, criterion: N, evidence: TEXT)",
		"baton task prove 7 N -- CMD":              "`task_check` (id: 7, criterion: N, evidence: TEXT)",
		"baton decision list --all":                "",
		"baton task show 7 8":                      "",
		"baton task list --json":                   "",
		"baton lost --restore":                     "",
		"git status":                               "",
		"baton":                                    "",
		"baton task":                               "",
		"baton task showing 7":                     "",
	} {
		if got := Usual().Call(command); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

// TestF40_QuotationsStay: text in quotation marks is from files, so it stays as it is.
func TestF40_QuotationsStay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"“baton status” and `baton status`":   "“baton status” and `status`",
		"`baton status` “open `baton next`":   "`status` “open `next`",
		"“`task log`”, `task log`, `task rm`": "“`task log`”, `task_log`, `task rm`",
	} {
		if got := Usual().Say(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
