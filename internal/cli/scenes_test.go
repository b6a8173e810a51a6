package cli

import (
	"slices"
	"strconv"

	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/usecase/waiting"
	"baton/internal/workspace"
)

func ranCommand(command string, passed bool) *tasks.Evidence {
	exit := 0
	if !passed {
		exit = 1
	}
	return &tasks.Evidence{
		Kind: "run", Passed: passed, Command: command, Exit: &exit, DurationMS: 1234, Commit: "3f2c1aa8d00f", Dirty: true,
		By: "agent-1@desk", At: "2026-03-14T11:00:00Z",
	}
}

func criteriaScene() []tasks.CriterionView {
	return []tasks.CriterionView{
		{N: 1, Key: "aa", Text: "Tokens are signed", Checked: true, Verified: true, Evidence: ranCommand("go test ./token", true)},
		{
			N: 2, Key: "bb", Text: "Expired tokens are refused, whatever the clock of the client says, and the answer names the reason",
			Checked: true, Evidence: &tasks.Evidence{Kind: "claim"},
		},
		{N: 3, Key: "cc", Text: "A person has seen it", Checked: true, Evidence: &tasks.Evidence{
			Kind: "word", By: "agent-1@desk", Text: "tried it by hand",
		}},
		{N: 4, Key: "dd", Text: "Keys rotate", Verify: "go test ./rotate"},
		{N: 5, Key: "ee", Text: "Load test", Evidence: ranCommand("make load", false)},
	}
}

func taskScene(held *workspace.Claim) tasks.TaskDetail {
	return tasks.TaskDetail{
		ID: "101", Title: "JWT service", Status: "in_progress", Dialect: "v2", Path: ".baton/tasks/task-101-state.md",
		Epic: "User authentication (#10)", Repository: "api", PRD: "docs/auth.md", Requirements: "Issue tokens.\n\nRefuse what is expired.",
		Dependencies: []task.ID{"100"}, Parent: "PROJ-4", Children: []task.ID{"101a"}, Criteria: criteriaScene(),
		Sessions: []workspace.SessionView{
			{Number: 4, Started: "2026-03-12T09:00:00Z", Did: []string{"Read the code"}},
			{Number: 5, Started: "2026-03-13T09:00:00Z", Did: []string{
				"Signed tokens", "Wrote tests",
			}, Issues: []string{"The clock of the test"}, Next: []string{"Rotate"}},
			{Number: 6, Label: "6b", Started: "2026-03-14T09:00:00Z", Did: []string{
				"Refused expired tokens",
			}, State: []string{"All green"}, Next: []string{"Rotate the keys", "Load test"}, Commits: []string{"3f2c1aa", "77aa001"}},
		},
		TotalSessions: 6, ArchivedSessions: 3,
		ChainInputs: []tasks.InputView{
			{Task: "100", Title: "Database schema", Text: "Tables users and keys.\n\n```sql\nselect 1;\n```\nMore.\nMore.\nMore.\nMore."},
		},
		InputChanged: []tasks.InputChange{{Task: "100", Since: 2, Diff: "-Table users\n+Tables users and keys\n"}},
		ChainOutput:  tasks.OutputView{State: "written", Text: "### Summary\nIssues tokens."},
		Claim:        held, SizeBytes: 61_000,
		Dependents: []tasks.Dependent{{ID: "102", Title: "Auth endpoints", Status: "ready", WaitingFor: []task.ID{"101"}}},
		Commits:    []workspace.CommitView{{Hash: "3f2c1aa8d00f", Subject: "Sign tokens"}},
		Warnings: []report.Finding{
			{Code: "large", Text: "task 101 has 59.6 KB: summarise it", Path: ".baton/tasks/task-101-state.md", Line: 3},
			{Code: "no_criteria", Severity: report.Info, Text: "a note"},
		},
	}
}

func statusScene(held *workspace.Claim) sessions.StatusResult {
	return sessions.StatusResult{
		Root: "/projects/shop", Layouts: []sessions.LayoutView{{Role: "tasks", Name: "baton", Path: ".baton/tasks"}},
		Digests: []sessions.DigestStatus{
			{
				Layout: "gsd", Path: ".planning/STATE.md", Milestone: "v2.0", MilestoneName: "Code quality", Percent: number(
					40,
				), Status: "executing",
				Phase: "4 of 8 (Billing)", ActivePhase: "4", LastActivity: "2026-03-13", StoppedAt: "Plan 04-02", Decisions: 5,
				Archived: 12,
				Blockers: []string{"The auditors are away"},
			},
			{Layout: "specflow", Path: ".specflow/STATE.md", Specs: []string{"SPEC-007 running"}, NextSpec: "SPEC-008"},
		},
		Active: []tasks.TaskRow{{ID: "101", Title: "JWT service", CriteriaDone: 2, CriteriaTotal: 4}, {ID: "105", Title: "Adrift"}},
		Next:   []tasks.TaskRow{{ID: "102", Title: "Auth endpoints", Ready: true}},
		Sizes: []sessions.SizeRow{
			{Path: ".planning/STATE.md", Lines: 88, MaxLines: 100, Bytes: 4_200, MaxBytes: 32_768},
			{Path: ".baton/tasks/task-101-state.md", Bytes: 80_000, MaxBytes: 76_800, Over: true},
		},
		Runtime: ".baton/local", SharedRuntime: "/projects/main/.baton/local/shared", Holder: "agent-1@desk",
		Counts: map[string]int{"ready": 2, "complete": 1, "in_progress": 1, "waiting for review": 3, "blocked": 1}, Ready: 1, Waiting: 1,
		Blocked: []sessions.BlockedRow{{Task: "104", Title: "Stuck", Reason: "The key server is down"}},
		Claims:  []sessions.ClaimRow{{Task: "101", Claim: *held}, {Task: "107", Title: "Reviewed", Claim: *held}},
		Agents: []sessions.AgentRow{
			{
				Session: "3f2a8c1e-2222-4333-8444-555555555555", Client: "claude", Task: "101", Seen: "2026-03-14T11:58:00Z", Live: true,
				Injected: sessions.InjectedView{Times: 3, Characters: 6200, Tokens: 1550}, Subs: 2,
			},
			{Session: "s-1", Client: "codex", Seen: "2026-03-13T09:00:00Z"},
		},
		Lost:     loss.LostStatus{Count: 3, Documents: map[string]int{".planning/STATE.md": 2, ".baton/tasks/task-101-state.md": 1}},
		Warnings: []report.Finding{{Code: "duplicate_task_file", Text: "task 7 is in two folders", Severity: report.Severe}},
	}
}

func checkScene(changed bool, e *tasks.Evidence) tasks.CheckResult {
	return tasks.CheckResult{
		Task: "101", Changed: changed, Done: 2, Total: 2,
		Criterion: tasks.CriterionView{N: 2, Text: "Keys rotate", Checked: true, Verified: e != nil && e.Kind == "run", Evidence: e},
	}
}

func splitScene() tasks.SplitResult {
	return tasks.SplitResult{
		Task: "101", Sessions: 22, Box: "+--------------+\n| #101 is big  |\n+--------------+",
		Suggested: []tasks.SubTask{
			{ID: "101a", Title: "Sign", Criteria: []string{"Sign tokens", "Sign refresh tokens"}, Estimate: 4},
			{ID: "101b", Title: "Rotate", Criteria: []string{"Rotate keys"}, Estimate: 1},
		},
	}
}

func startScene(held *workspace.Claim) sessions.SessionStartResult {
	return sessions.SessionStartResult{
		Session: "s-1", Task: "101", Title: "JWT service", Path: ".baton/tasks/task-101-state.md", As: "agent-1@desk",
		Started: "2026-03-14T12:00:00Z", Number: 7, Claim: held, Criteria: criteriaScene()[3:], Next: []string{"Rotate the keys"},
		Inputs: []tasks.InputReceipt{{
			Task: "100", Title: "Database schema", Change: "replaced", Begins: "Tables users and keys",
		}, {Task: "99", Title: "Hosts", Change: "unchanged", Begins: "Two hosts"}},
		InputChanged: []tasks.InputChange{{Task: "100", Since: 6, Diff: "-old\n+new"}},
		Warnings:     []report.Finding{{Code: "commits_unknown", Text: "commits will not be recorded"}},
	}
}

// graphScene has a diamond, a second root, a missing dependency, a cycle, and titles that diagrams might misread.
func graphScene() tasks.GraphResult {
	return tasks.GraphResult{
		Nodes: []tasks.GraphNode{
			{ID: "100", Title: "Database schema", Status: "complete"},
			{ID: "101", Title: `JWT "service" [v2]`, Status: "in_progress", Ready: true, Depth: 1},
			{ID: "103", Title: "Docs; drop <b>", Status: "ready", Ready: true, Depth: 1},
			{ID: "102", Title: `Auth \ endpoints`, Status: "ready", WaitingFor: []task.ID{"101", "103"}, Depth: 2},
			{ID: "PROJ-4", Title: "", Status: "missing"},
			{ID: "104", Title: "Stuck", Status: "blocked", Depth: 1},
			{ID: "201", Title: "Hen", Status: "ready", WaitingFor: []task.ID{"202"}},
			{ID: "202", Title: "Egg", Status: "ready", WaitingFor: []task.ID{"201"}},
		},
		Edges: []tasks.GraphEdge{
			{From: "100", To: "101"},
			{From: "100", To: "103"},
			{From: "101", To: "102"},
			{From: "103", To: "102"},
			{From: "PROJ-4", To: "104"},
			{From: "201", To: "202"},
			{From: "202", To: "201"},
		},
		Cycles: [][]task.ID{{"201", "202", "201"}},
	}
}

// terminal is a terminal with so many columns and no colours.
func terminal(columns int) setting {
	return setting{env: report.Env{Terminal: true, Width: columns}, vars: map[string]string{"NO_COLOR": "1", "LANG": "C.UTF-8"}}
}

// longList has titles that all begin alike.
func longList() tasks.TaskList {
	const title = " of the migration to the new storage layer, with all its indexes"
	return tasks.TaskList{Tasks: []tasks.TaskRow{
		{
			ID: "1", Title: "Step 1" + title, Status: "in_progress", CriteriaDone: 2, CriteriaTotal: 14, Sessions: 3, SizeBytes: 12_600,
			Claim: &workspace.Claim{By: "agent-1@desk", Until: "2026-03-14T12:30:00Z"},
		},
		{
			ID: "2", Title: "Step 2" + title, Status: "ready", Ready: true, CriteriaTotal: 3, SizeBytes: 700, Priority: "high",
			Agent: "database-engineer",
		},
		{ID: "12", Title: "Step 12" + title, Status: "ready", WaitingFor: []task.ID{"1", "2"}, SizeBytes: 700, Priority: "low"},
	}, More: 9}
}

// wideGraph is a chain of tasks with long titles. The last one also waits for the first, and was found during the second.
func wideGraph(size int) tasks.GraphResult {
	var g tasks.GraphResult
	for i := 1; i <= size; i++ {
		id := task.ID(strconv.Itoa(i))
		title := "Step " + string(id) + " of the migration to the new storage layer"
		n := tasks.GraphNode{ID: id, Title: title, Status: "ready", Ready: i == 1}
		if i > 1 {
			n.WaitingFor = []task.ID{task.ID(strconv.Itoa(i - 1))}
			g.Edges = append(g.Edges, tasks.GraphEdge{From: n.WaitingFor[0], To: id})
		}
		g.Nodes = append(g.Nodes, n)
	}
	g.Nodes[size-1].From = "2"
	g.Edges = slices.Insert(g.Edges, 0, tasks.GraphEdge{From: "1", To: task.ID(strconv.Itoa(size))})
	return g
}

// crowdedStatus has much to say of everything.
func crowdedStatus(held *workspace.Claim) sessions.StatusResult {
	r := statusScene(held)
	const text = "Completed the migration of all tables to the new storage layer, see PROJECT.md for what " +
		"remains to be done until the release, and for the two decisions that nobody has made yet about the indexes of the archive"
	d := &r.Digests[0]
	d.LastActivity, d.StoppedAt, d.Blockers = text, text, []string{text, text, text, text}
	r.Digests = r.Digests[:1]
	for i := range 5 {
		row := tasks.TaskRow{ID: task.ID(strconv.Itoa(300 + i)), Title: text, Status: "in_progress", CriteriaTotal: 3}
		r.Active = append(r.Active, row)
		r.Warnings = append(r.Warnings, report.Finding{Code: "large", Text: text, Path: ".baton/tasks/task-9-state.md"})
		r.Agents = append(r.Agents, r.Agents[0])
		r.Sizes = append(r.Sizes, r.Sizes[0])
		r.Neighbours.Rows = append(r.Neighbours.Rows, sessions.NeighbourRow{Text: text})
		r.Lost.Documents[".baton/tasks/task-"+strconv.Itoa(i)+"-state.md"] = 1
	}
	return r
}

// waitingScene has a session in every state.
func waitingScene() waiting.Result {
	row := func(agent, session string, id task.ID, where string, state agentsession.State, since string) waiting.Row {
		return waiting.Row{
			Agent: agent, Session: session, Task: id, Worktree: where, State: state, Waits: state.Waits(), Since: since, Seen: since,
		}
	}
	asks := row("claude", "11111111-2222-4333-8444-555555555555", "101", "../wt2", agentsession.Asks, "2026-03-14T11:12:00Z")
	asks.About = "Bash: find . -name '*.orig' -not -path './node_modules/*' -print0 | xargs -0 rm --"
	question := row("codex", "01a1f852-60ad-70c3-8cde-000000000001", "102", ".", agentsession.Question, "2026-03-14T11:30:00Z")
	question.About = "Which port should the server listen on?"
	limit := row("claude", "s-3", "PROJ-4", "../wt3", agentsession.Limit, "2026-03-14T11:40:00Z")
	limit.About, limit.Until = "rate_limit", "2026-03-14T15:00:00Z"
	return waiting.Result{Waiting: 4, Sessions: []waiting.Row{
		asks, question, row("gemini", "s-2", "", ".", agentsession.Stopped, "2026-03-14T11:35:00Z"), limit,
		row("claude", "s-4", "103", ".", agentsession.Working, "2026-03-14T11:50:00Z"),
		row("opencode", "s-5", "", ".", agentsession.Idle, "2026-03-14T11:45:00Z"),
		row("claude", "s-6", "104", "../container", agentsession.Silent, "2026-03-14T08:00:00Z"),
		row("qwen", "s-7", "105", ".", agentsession.Dead, "2026-03-13T20:00:00Z"),
	}}
}
