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

// The titles are as long as people write them.
const (
	moveTitle    = "Move the order tables to the new storage layer, with their indexes and constraints"
	compareTitle = "Read orders from both layers for a week, and report every answer that differs"
	reportTitle  = "Teach the monthly report of the finance department to read archived orders"
)

// widePages returns pages with much text, each for a terminal of 80 and of 120 columns.
func widePages() map[string]scene {
	out := map[string]scene{}
	for name, c := range map[string]scene{
		"history_tasks": {words("history"), digests.HistoryResult{Archived: 12, Tasks: []digests.FinishedTask{
			{ID: "12", Title: moveTitle, Status: "complete", Last: "2026-03-14 09:00"},
			{ID: "9", Title: compareTitle, Status: "cancelled", Last: "2026-03-12 16:30"},
			{ID: "PROJ-4", Title: reportTitle, Status: "cancelled"},
		}, Phases: []digests.FinishedPhase{
			{ID: "1", Name: "Foundation", Plans: 3},
			{ID: "2", Name: "Storage of orders, invoices and everything that the finance department reads every month", Plans: 1},
		}}, setting{}},
		"history_rows":    {words("history --decisions"), digests.DecisionList{Layout: "baton", Decisions: longDecisions()}, setting{}},
		"state_next_own":  {words("state next"), ownState(), setting{}},
		"state_next_gsd":  {words("state next"), idleGSD(), setting{}},
		"state_show_own":  {words("state show"), ownState(), setting{}},
		"task_found":      {words("task show 12"), longTask(), setting{}},
		"task_cancelled":  {words("task show 12"), cancelledTask(), setting{}},
		"edit":            {append(words("task edit 12 --priority high"), "--title", moveTitle), editScene(), setting{}},
		"cancel":          {append(words("task cancel 12 --reason"), cancelReason), cancelScene(), setting{}},
		"delete":          {words("task delete 12"), deleteScene(false), setting{}},
		"delete_applied":  {words("task delete 12 --apply"), deleteScene(true), setting{}},
		"import_boxes":    {words("task import testdata/boxes.md"), importScene("checklist", false), setting{}},
		"import_github":   {words("task import testdata/boxes.md --apply"), importScene("github", true), setting{}},
		"new_several":     {words("task new --from testdata/tasks.json"), severalScene(), setting{}},
		"session_started": {words("session start 12"), longStart(), setting{}},
	} {
		for suffix, columns := range map[string]int{"_80": 80, "_120": 120} {
			c.set = terminal(columns)
			out[name+suffix] = c
		}
	}
	return out
}

// TestF15_WidePages checks that no line is wider than the terminal, and that the last one says what comes next.
func TestF15_WidePages(t *testing.T) {
	t.Parallel()
	for name, c := range widePages() {
		got := c.set.play(t, canned{answer: c.answer}, c.args...)
		lines := strings.Split(strings.TrimSuffix(got.out, "\n"), "\n")
		for _, line := range append(lines, strings.Split(got.errors, "\n")...) {
			if n := displaywidth.String(line); n > c.set.env.Width {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
		end := strings.Join(lines[max(0, len(lines)-2):], " ")
		if !strings.Contains(end, "baton ") && !strings.Contains(end, "--apply") && !strings.HasPrefix(name, "history_rows") {
			t.Errorf("%s ends with %q", name, end)
		}
	}
}

func longDecisions() []decision.Row {
	return []decision.Row{
		{
			Date: "2026-02-27", Phase: "1", Archived: true, Text: "Keep both layers for a week, and read from the old one until they agree",
			Rationale: "a wrong order costs more than a week of work",
		},
		{
			Date: "2026-03-02", Phase: "10.5", Archived: true,
			Text: "Amounts are integers of cents in every table, every message and every report, whatever the currency of the customer is",
		},
	}
}

func ownState() digests.StateResult {
	return digests.StateResult{
		Layout: "baton", Path: ".baton/STATE.md", Size: digest.Size{Lines: 27, Bytes: 1_400}, MaxLines: 100, MaxBytes: 32_768,
		GSD: &gsd.Model{Status: "unknown"}, Decisions: longDecisions(),
		Tasks: &standing.Facts{
			Total: 6, Complete: 2, Percent: 33, Focus: &standing.Task{ID: "12", Title: moveTitle}, Others: 1,
			Last: &standing.Entry{
				Task: "12", At: "2026-03-14 09:00", N: 4,
				Next: "Copy the rows of the table invoices in portions of ten thousand, and stop when one of them fails",
			},
		},
	}
}

func idleGSD() digests.StateResult {
	r := gsdScene()
	g := *r.GSD
	g.ActivePhase, g.NextAction, g.Status, g.StatusRaw = "", "", "planning", "planning"
	r.GSD, r.Next, r.Warnings = &g, &phases.Next{Action: "plan-phase", Phases: []string{"5"}}, nil
	return r
}

func longTask() tasks.TaskDetail {
	return tasks.TaskDetail{
		ID: "12", Title: moveTitle, Status: "in_progress", Dialect: "v2", Path: ".baton/tasks/task-12-state.md", Priority: "high",
		Epic: "New storage layer for orders (#10)", Repository: "api", From: "9", Found: []task.ID{"15", "17"},
		Dependencies: []task.ID{"7", "9"}, SizeBytes: 3_400, TotalSessions: 4,
		Criteria: []tasks.CriterionView{
			{
				N: 1, Text: "Every table has as many rows in the new layer as in the old one, and the sums of their amounts are equal",
				Checked: true, Verified: true,
				Evidence: ranCommand("go test ./storage/orders/... -run 'TestEveryTableHasItsRows|TestSumsAreEqual' -count 1 -race", true),
			},
			{N: 2, Text: "The indexes are used", Verify: "go test ./storage/orders/... -run TestPlansOfAllQueriesUseAnIndex -count 1 -v"},
		},
		Sessions: []workspace.SessionView{{
			Number: 4, Started: "2026-03-14T09:00:00Z", Did: []string{"Copied the tables orders and items, and compared the sums of both"},
			Next: []string{"Copy the rows of the table invoices in portions of ten thousand, and stop when one of them fails"},
		}},
		ChainInputs: []tasks.InputView{{Task: "7", Title: compareTitle, Text: "Both layers answer alike."}},
		ChainOutput: tasks.OutputView{State: "empty"},
		Claim:       &workspace.Claim{By: "agent-1@desk", Until: "2026-03-14T12:30:00Z"},
		Dependents:  []tasks.Dependent{{ID: "13", Title: reportTitle, Status: "ready", WaitingFor: []task.ID{"12"}}},
	}
}

const cancelReason = "the vendor gives the storage layer up at the end of the year, so that nothing will be moved there"

func cancelledTask() tasks.TaskDetail {
	return tasks.TaskDetail{
		ID: "12", Title: moveTitle, Status: "cancelled", Reason: cancelReason, Dialect: "v2", Path: ".baton/tasks/task-12-state.md",
		Criteria: longTask().Criteria[1:], ChainOutput: tasks.OutputView{State: "empty"}, SizeBytes: 900,
	}
}

func editScene() tasks.EditResult {
	return tasks.EditResult{
		Task: "12", Title: moveTitle, Path: ".baton/tasks/task-12-state.md", Archive: ".baton/archive/task-12-archive.md",
		Changed: []string{"title", "priority", "dependencies", "requirements", "criterion 2", "criterion 3"}, Ready: true,
	}
}

func cancelScene() tasks.CancelResult {
	const tail = " waits for #12, which is cancelled: `baton task edit 13 --not-after 12` or `baton task reopen 12`"
	return tasks.CancelResult{
		Task: "12", Title: moveTitle, Status: "cancelled", Changed: true, Path: ".baton/tasks/task-12-state.md",
		Dependants: []tasks.Dependent{
			{ID: "13", Title: reportTitle, Status: "ready", WaitingFor: []task.ID{"12"}},
		},
		Warnings: []report.Finding{
			{Code: "dependency_cancelled", Text: "task #13" + tail, Path: ".baton/tasks/task-13-state.md"},
		},
	}
}

func deleteScene(applied bool) tasks.CancelResult {
	return tasks.CancelResult{
		Task: "12", Title: moveTitle, Status: "cancelled", Changed: true, Path: ".baton/archive/task-12-state.md", Applied: applied,
	}
}

func importScene(format string, applied bool) tasks.NewResult {
	r := tasks.NewResult{
		Tasks: []tasks.Created{
			{ID: "12", Title: moveTitle, Path: ".baton/tasks/task-12-state.md", Ready: true},
			{ID: "13", Title: reportTitle, Path: ".baton/tasks/task-13-state.md", Dependencies: []task.ID{"12"}},
			{ID: "14", Title: "Remove the old layer", Path: ".baton/tasks/task-14-state.md", Dependencies: []task.ID{"12", "13"}},
		},
		Import: &tasks.ImportReport{Format: format, Applied: applied, Done: 2, Satisfied: 1},
	}
	if format == "github" {
		r.Import.Present = []tasks.ImportPresent{
			{ID: "9", Title: compareTitle, Source: "github:acme/order-service#204"},
			{ID: "11", Title: "Freeze the schema", Source: "github:acme/order-service#199", Deleted: true},
		}
		r.Import.NoPlace = []importing.Loss{{What: "assignees", Count: 4}, {What: "comments", Count: 17}, {What: "labels", Count: 6}}
	}
	return r
}

func severalScene() tasks.NewResult {
	return tasks.NewResult{Tasks: []tasks.Created{
		{
			ID: "12", Title: moveTitle, Path: ".baton/tasks/task-12-state.md", Ready: true, Dependencies: []task.ID{"7"},
			Inputs: []task.ID{"7"},
		},
		{ID: "13", Title: reportTitle, Path: ".baton/tasks/task-13-state.md", Dependencies: []task.ID{"12"}},
		{ID: "14", Title: "Remove the old layer", Path: ".baton/tasks/task-14-state.md", Dependencies: []task.ID{"12", "13"}},
	}, Warnings: []report.Finding{
		{Code: "no_criteria", Text: "#12, #13 and #14 have no criteria, so nothing says when they are done"},
	}}
}

func longStart() sessions.SessionStartResult {
	held := &workspace.Claim{By: "agent-1@desk", Until: "2026-03-14T12:30:00Z", Fence: 3}
	return sessions.SessionStartResult{
		Session: "s-1", Task: "12", Title: moveTitle, Path: ".baton/tasks/task-12-state.md", As: "agent-1@desk",
		Started: "2026-03-14T12:00:00Z", Number: 5, Claim: held, Criteria: longTask().Criteria[1:],
		Next: longTask().Sessions[0].Next,
		Inputs: []tasks.InputReceipt{{
			Task: "7", Title: compareTitle, Change: "inserted", Begins: "Both layers answer alike, except for orders without a customer",
		}},
	}
}
