package cli

import (
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"baton/internal/digest"
	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/phases"
	"baton/internal/digest/standing"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/importing"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

const (
	longTitle = "Move the accounts and their invoices to the new storage layer, with all indexes"
	longText  = "The old layer keeps running until every invoice of the last two years was compared with the new one, " +
		"because the auditors want to see both"
)

// widePages returns pages that print what people wrote, which may be long, for terminals of 80 and of 120 columns.
func widePages() map[string]scene {
	held := &workspace.Claim{By: "agent-1@desk", Until: "2026-03-14T12:30:00Z", Fence: 3}
	waits := []tasks.Dependent{
		{ID: "12", Title: longTitle, Status: "ready", State: "waiting", WaitingFor: []task.ID{"7"}},
		{ID: "13", Title: "Docs", Status: "ready", State: "waiting", WaitingFor: []task.ID{"7", "12"}},
	}
	detail := taskScene(held)
	detail.ID, detail.Title, detail.Requirements = "7", longTitle, longText
	detail.Priority, detail.From, detail.Found, detail.Source = "high", "3", []task.ID{"21", "22"}, "gh:owner/repo#12"
	gone := taskScene(nil)
	gone.ID, gone.Title, gone.Status, gone.State, gone.Reason = "8", longTitle, "cancelled", "cancelled", longText
	gone.Sessions, gone.ChainInputs, gone.Dependents = nil, nil, waits
	stands := standing.Facts{
		Focus: &standing.Task{ID: "7", Title: longTitle}, Others: 1,
		Last: &standing.Entry{Task: "7", At: "2026-03-14 12:01", N: 4, Next: longText},
	}
	stands.Counted(3, 7)
	own := digests.StateResult{
		Layout: "baton", Path: ".baton/STATE.md", Size: digest.Size{Lines: 24, Bytes: 700}, MaxLines: 100, MaxBytes: 32_768,
		GSD: &gsd.Model{}, Tasks: &stands, Next: &phases.Next{}, Decisions: []decision.Row{{Date: "2026-03-01", Text: longText}},
	}
	ends := longFinished()
	started := startScene(held)
	started.Title, started.Task, started.Next = longTitle, "7", []string{longText}
	made := []tasks.Created{
		{ID: "7", Title: longTitle, Path: ".baton/tasks/task-7-state.md", Ready: true},
		{ID: "8", Title: "Docs", Path: ".baton/tasks/task-8-state.md", Dependencies: []task.ID{"7"}},
	}
	imported := &tasks.ImportReport{
		Format: "github", Applied: true, Done: 3, Dropped: 1, Satisfied: 2,
		Present: []tasks.ImportPresent{{ID: "5", Title: longTitle, Source: "gh:owner/repo#3"}},
		NoPlace: []importing.Loss{
			{What: "assignees", Count: 4}, {What: "labels other than priorities", Count: 11}, {What: "milestones", Count: 2},
		},
	}
	planned := *imported
	planned.Applied = false
	boxes := setting{stdin: "- [ ] a\n"}
	reopened := tasks.TaskChange{Task: "7", Title: longTitle, Status: "in_progress", Changed: true}
	cancelled := tasks.CancelResult{
		Task: "7", Title: longTitle, Status: "cancelled", Changed: true, Path: ".baton/tasks/task-7-state.md", Dependants: waits,
	}
	deleted := cancelled
	deleted.Path = ".baton/archive/task-7-state.md"
	moved := deleted
	moved.Applied = true
	return map[string]scene{
		"wide_show":           {args: words("task show 7"), answer: detail},
		"wide_show_cancelled": {args: words("task show 8"), answer: gone},
		"wide_edit": {args: words("task edit 7 --title x --drop 2 --reason y"), answer: tasks.EditResult{
			Task: "7", Title: longTitle, Path: ".baton/tasks/task-7-state.md", Changed: []string{"title", "criteria"},
			Removed: []string{longText}, Archive: ".baton/archive/task-7-archive.md", Reopened: []int{3}, WaitingFor: []task.ID{"3", "4"},
		}},
		"wide_cancel":      {args: words("task cancel 7 --reason x"), answer: cancelled},
		"wide_delete":      {args: words("task delete 7"), answer: deleted},
		"wide_deleted":     {args: words("task delete 7 --apply"), answer: moved},
		"wide_new":         {args: words("task new --from -"), set: boxes, answer: tasks.NewResult{Tasks: made}},
		"wide_import":      {args: words("task import -"), set: boxes, answer: tasks.NewResult{Tasks: made, Import: &planned}},
		"wide_imported":    {args: words("task import - --apply"), set: boxes, answer: tasks.NewResult{Tasks: made, Import: imported}},
		"wide_start":       {args: words("session start 7"), answer: started},
		"wide_history":     {args: words("history"), answer: ends},
		"wide_decided":     {args: words("history --decisions"), answer: digests.DecisionList{Decisions: own.Decisions}},
		"wide_state":       {args: words("state show"), answer: own},
		"wide_next":        {args: words("state next"), answer: own},
		"wide_next_phase":  {args: words("state next"), answer: gsdScene()},
		"wide_reopen":      {args: words("task reopen 7"), answer: reopened},
		"wide_complete":    {args: words("task complete 7"), answer: wideComplete()},
		"wide_session_end": {args: words("session end 7"), answer: sessions.SessionEndResult{Task: "7", Logged: 2, Released: true}},
	}
}

func longFinished() digests.HistoryResult {
	return digests.HistoryResult{
		Archived: 2, Tasks: []digests.FinishedTask{
			{ID: "7", Title: longTitle, Status: "complete", Last: "2026-03-14 12:01"},
			{ID: "6", Title: "Docs", Status: "cancelled"},
		},
		Phases: []digests.FinishedPhase{{ID: "1", Name: longTitle, Plans: 3}},
	}
}

func wideComplete() tasks.CompleteResult {
	return tasks.CompleteResult{
		Task: "7", Title: longTitle, Status: "complete", Changed: true,
		HandedTo: []tasks.InputReceipt{{Task: "12", Title: longTitle, Change: "added"}},
		Ready:    []tasks.TaskRow{{ID: "12", Title: longTitle, Status: "ready", Ready: true, CriteriaTotal: 3}},
		Warnings: []report.Finding{{
			Code: "output_from_log", Severity: report.Info, Path: ".baton/tasks/task-7-state.md",
			Text: "no task waits for #7, so its output is what its log says; `baton task output 7 --summary TEXT` replaces it",
		}},
	}
}

// inWidths returns pages for terminals of 80 and of 120 columns.
func inWidths(pages map[string]scene) map[string]scene {
	out := map[string]scene{}
	for name, c := range pages {
		narrow, wide := c, c
		narrow.set, wide.set = terminal(80), terminal(120)
		narrow.set.stdin, wide.set.stdin = c.set.stdin, c.set.stdin
		out[name+"_80"], out[name+"_120"] = narrow, wide
	}
	return out
}

// No page that people see while they plan and work is wider than the terminal, and none breaks a command in two.
func TestPagesFitInto80And120Columns(t *testing.T) {
	t.Parallel()
	for name, c := range inWidths(widePages()) {
		got := c.set.play(t, canned{answer: c.answer}, c.args...)
		for line := range strings.SplitSeq(got.out+got.errors, "\n") {
			if n := displaywidth.String(line); n > c.set.env.Width {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}
