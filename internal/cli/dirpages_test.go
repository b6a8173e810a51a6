package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/statedir/declaration"
	"baton/internal/usecase/folder"
	"baton/internal/usecase/sessions"
)

func said(text string) *string { return &text }

// auditScene returns a folder with something in every bucket.
func auditScene() folder.DirAudit {
	const day = 24 * 3600
	buckets := map[statedir.Bucket][]folder.AuditEntry{
		"canonical": {
			{Name: ".archive", Kind: "dir", AgeS: 3 * day, Exempt: true, Would: map[string]string{}},
			{Name: "deferred.md", Kind: "file", Size: 900, AgeS: 40 * day, Exempt: true, Would: map[string]string{}},
			{Name: "review.md", Kind: "file", Size: 12_600, AgeS: 2 *
				day, Inherited: true, Would: map[string]string{"reset": "reset", "evict": "stale_output", "begin": "stale_output"}},
			{Name: "workflow.yaml", Kind: "link", Size: 400, AgeS: 75, Would: map[string]string{"reset": "reset"}},
		},
		"pattern_allowed": {{Name: "review-pr367-slice-A.md", Kind: "file", Size: 3_000, AgeS: 22 *
			day, Would: map[string]string{"cleanup": "stale", "reset": "reset"}}},
		"ephemeral": {{Name: ".x.tmp", Kind: "file", Size: 10, AgeS: -7200, Would: map[string]string{
			"cleanup": "ephemeral", "reset": "reset", "begin": "ephemeral",
		}}},
		"ad_hoc": {
			{Name: "notes-of-the-second-agent-on-the-third-day.txt", Kind: "file", Size: 2_000, AgeS: 3700, Would: map[string]string{
				"cleanup": "ad_hoc", "reset": "reset",
			}},
			{Name: "pipe", Kind: "other", AgeS: 0, Would: map[string]string{"cleanup": "ad_hoc", "reset": "reset"}},
			{Name: "plan.md", Kind: "dir", AgeS: day, Reason: "folder", Would: map[string]string{
				"cleanup": "ad_hoc", "reset": "reset", "begin": "ad_hoc",
			}, Suggestion: nil},
			{Name: "review_a.md", Kind: "file", Size: 1_024, AgeS: 59, Would: map[string]string{
				"cleanup": "ad_hoc", "reset": "reset",
			}, Suggestion: said("review-a.md")},
			{Name: "way\nout", Kind: "link", Link: "outside", AgeS: day, Would: map[string]string{"cleanup": "ad_hoc", "reset": "reset"}},
		},
	}
	return folder.DirAudit{
		Layout: "devt", Folder: ".devt/state", Exists: true, Buckets: buckets, TotalBytes: 19_934,
		Counts: map[string]int{"canonical": 4, "pattern_allowed": 1, "ephemeral": 1, "ad_hoc": 5, "total": 11},
		Findings: []report.Finding{
			{Code: "pair_half", Path: ".devt/state/review.md", Text: "review.md has no review.json beside it"},
			{Code: "lock_stale", Text: "the lock names process 7, which is gone"},
		},
	}
}

// crowdedScene returns a folder with more entries than a page lists.
func crowdedScene() folder.DirAudit {
	a := folder.DirAudit{Layout: "baton", Folder: ".baton/work", Exists: true, Counts: map[string]int{
		"canonical": 1_042, "ad_hoc": 41, "total": 1_083,
	}, Buckets: map[statedir.Bucket][]folder.AuditEntry{}}
	for i := range 1_042 {
		a.Buckets["canonical"] = append(
			a.Buckets["canonical"], folder.AuditEntry{Name: fmt.Sprintf("name-%04d.md", i), Kind: "file", Size: 1, AgeS: 60},
		)
	}
	for i := range 41 {
		a.Buckets["ad_hoc"] = append(
			a.Buckets["ad_hoc"], folder.AuditEntry{Name: fmt.Sprintf("x-%04d", i), Kind: "file", Size: 1, AgeS: 60},
		)
	}
	return a
}

func sweepScene(sweep statedir.Sweep) folder.DirSweep {
	return folder.DirSweep{
		Layout: "devt", Folder: ".devt/state", Sweep: sweep, Bytes: 5_400,
		Entries: []folder.SweptEntry{
			{Name: "notes.txt", Kind: "file", Size: 2_000, Bucket: "ad_hoc", Reason: "ad_hoc", State: "would_move"},
			{Name: "old", Kind: "dir", Bucket: "ad_hoc", Reason: "ad_hoc", State: "would_move"},
			{Name: ".x.tmp", Kind: "file", Size: 10, Bucket: "ephemeral", Reason: "ephemeral", State: "would_move"},
			{Name: "review-pr367-slice-A.md", Kind: "file", Size: 3_390, Bucket: "pattern_allowed", Reason: "stale", State: "would_move"},
		},
		Kept: []cleanup.Kept{
			{
				Name: "review-b.md", Reason: "fresh",
			}, {Name: "slice-c.md", Reason: "fresh"}, {Name: "slice-d.md", Reason: "future"}, {Name: "wf-2", Reason: "instance"},
		},
	}
}

// twoFolders returns the folders of two layouts in one project.
func twoFolders() folder.DirAudit {
	first := folder.DirAudit{Layout: "baton", Folder: ".baton/work", Exists: true}
	first.Others = []folder.DirAudit{blockedScene()}
	first.Others[0].Buckets["ad_hoc"] = []folder.AuditEntry{
		{Name: "dump.bin", Kind: "file", Size: 300, Would: map[string]string{"cleanup": "ad_hoc"}},
	}
	return first
}

// blockedScene returns a folder with a file where the archive should be.
func blockedScene() folder.DirAudit {
	return folder.DirAudit{
		Layout: "devt", Folder: ".devt/state", Exists: true, TotalBytes: 300, Counts: map[string]int{"ad_hoc": 1, "total": 1},
		Buckets: map[statedir.Bucket][]folder.AuditEntry{
			"ad_hoc": {{Name: ".archive", Kind: "file", Would: map[string]string{"cleanup": "ad_hoc"}}},
		},
	}
}

// running returns a clean-up that finds a running workflow.
func running(s folder.DirSweep) folder.DirSweep {
	s.Running = &folder.RunningWorkflow{WorkflowType: "dev", Task: "Sign in with a key\nand more", Phase: "implement"}
	return s
}

// applied returns a plan as the result of carrying it out.
func applied(s folder.DirSweep, snapshot string) folder.DirSweep {
	entries := make([]folder.SweptEntry, 0, len(s.Entries))
	for _, e := range s.Entries {
		e.State = "moved"
		entries = append(entries, e)
	}
	s.Entries, s.Applied, s.Snapshot = entries, true, &snapshot
	return s
}

const recordScene = `{"active":true,"workflow_type":"dev","task":"Sign in with a key\nand a second line","phase":"context_init",` +
	`"tier":null,"iteration":0,` +
	`"workflow_id":"4f6c3a52-0c06-4c53-9a39-3f2f1b0a7c11","created_at":"2026-03-14T12:00:00.000Z",` +
	`"workflow_id_history":["1d1c","4f6c"],"scope_hint_json":{"a":[1,2]}}`

// dirPages returns the pages about the working folder.
func dirPages() map[string]scene {
	narrow := setting{env: report.Env{Terminal: true, Width: 80}, vars: map[string]string{"NO_COLOR": "1"}}
	result := sweepScene("cleanup")
	trouble := applied(result, "2026-03-14T12-00-00-000Z")
	trouble.Entries[1].State, trouble.Entries[1].Error = "failed", "permission denied"
	trouble.Entries[2].State, trouble.Entries[3].State = "vanished", "changed"
	trouble.Due, trouble.Dropped = []string{"2026-01-01T12-00-00-000Z"}, []string{"2026-01-02T12-00-00-000Z"}
	trouble.Warnings = []report.Finding{{Code: "ring_due", Severity: report.Info, Text: "a snapshot is beyond the ring"}}
	crowd := sweepScene("reset")
	crowd.Entries = nil
	for i := range 60 {
		crowd.Entries = append(crowd.Entries, folder.SweptEntry{
			Name: fmt.Sprintf("file-%02d.md", i), Kind: "file", Size: 100, Reason: "reset", State: "would_move",
		})
	}
	crowd.Kept = nil
	for i := range 12 {
		crowd.Kept = append(crowd.Kept, cleanup.Kept{Name: fmt.Sprintf("log-%02d.jsonl", i), Reason: "exempt"})
	}
	nothing := folder.DirSweep{Folder: ".devt/state", Sweep: "evict", Kept: []cleanup.Kept{{Name: "review.md", Reason: "no_anchor"}}}
	reset := applied(sweepScene("reset"), "2026-03-14T12-00-00-000Z")
	begun := applied(sweepScene("begin"), "2026-03-14T12-00-00-000Z")
	dir := &folder.FolderStatus{
		Layout: "devt", Path: ".devt/state", Exists: true, Counts: map[string]int{"canonical": 4, "ad_hoc": 2, "total": 6}, Bytes: 9_000,
		Active: true, WorkflowType: "dev", Task: "Sign in with a key\nand more", Phase: "implement",
	}
	own := sessions.StatusResult{Root: "/projects/shop", Layouts: []sessions.LayoutView{
		{Role: "folder", Name: "devt", Path: ".devt/state"},
	}, Runtime: "r", SharedRuntime: "r", Holder: "agent-1", Folder: dir}
	idle := own
	idle.Folder = &folder.FolderStatus{Layout: "devt", Path: ".devt/state", Exists: true}
	return map[string]scene{
		"status_folder":      {words("status"), own, setting{}},
		"status_folder_idle": {words("status"), idle, setting{}},
		"dir_audit":          {words("dir audit"), auditScene(), setting{}},
		"dir_audit_narrow":   {words("dir audit"), auditScene(), narrow},
		"dir_audit_color":    {words("dir audit --instance wf-1"), auditScene(), setting{vars: map[string]string{"FORCE_COLOR": "1"}}},
		"dir_audit_crowd":    {words("dir audit"), crowdedScene(), setting{}},
		"dir_audit_two":      {words("dir audit"), twoFolders(), setting{}},
		"dir_audit_blocked":  {words("dir audit"), blockedScene(), setting{}},
		"dir_history_two": {words("dir history"), folder.DirHistory{Layout: "baton", Folder: ".baton/work", Others: []folder.DirHistory{
			{Layout: "devt", Folder: ".devt/state", Snapshots: []folder.SnapshotView{
				{Name: "S", Moment: "2026-03-14T11:00:00.000Z", Entries: 1, Complete: true},
			}},
		}}, setting{}},
		"dir_audit_none":    {words("dir audit"), folder.DirAudit{Folder: ".baton/work"}, setting{}},
		"dir_audit_empty":   {words("dir audit"), folder.DirAudit{Folder: ".baton/work", Exists: true}, setting{}},
		"dir_cleanup":       {words("dir cleanup --stale-days 21"), result, setting{}},
		"dir_cleanup_done":  {words("dir cleanup --apply"), trouble, narrow},
		"dir_reset":         {words("dir reset --instance wf-1"), crowd, setting{}},
		"dir_reset_done":    {words("dir reset --apply"), running(reset), setting{}},
		"dir_reset_running": {words("dir reset"), running(sweepScene("reset")), setting{}},
		"dir_evict_none":    {words("dir evict"), nothing, setting{}},
		"dir_begin": {words("dir begin dev T"), folder.BeginResult{
			DirSweep: begun, Record: json.RawMessage(recordScene), Inherited: []string{"review.md", "test-summary.md"},
		}, narrow},
		"dir_begin_again": {words("dir begin dev T"), folder.BeginResult{Resumed: true, Record: json.RawMessage(recordScene)}, setting{}},
		"dir_begin_dry": {words(
			"dir begin dev T --dry-run",
		), folder.BeginResult{DirSweep: running(sweepScene("begin")), Record: json.RawMessage(recordScene)}, setting{}},
		"dir_begin_first": {words("dir begin dev T"), folder.BeginResult{
			DirSweep: folder.DirSweep{Folder: ".devt/state", Sweep: "begin", Applied: true}, Record: json.RawMessage(recordScene),
		}, setting{}},
		"dir_read": {words(
			"dir read",
		), folder.RecordResult{Exists: true, Path: ".devt/state/workflow.yaml", Record: json.RawMessage(recordScene)}, setting{}},
		"dir_read_ended": {words("dir read"), folder.RecordResult{Exists: true, Path: "p", Record: json.RawMessage(
			`{"active":false,"workflow_type":"dev","task":"T","phase":"complete","created_at":"2026-03-13T12:00:00Z","status":"DONE",` +
				`"iteration":0,"lanes":{}}`,
		)}, setting{}},
		"dir_read_bare": {words(
			"dir read",
		), folder.RecordResult{Exists: true, Path: "p", Record: json.RawMessage(`{"active":false,"ours":42}`)}, setting{}},
		"dir_read_none": {words(
			"dir read",
		), folder.RecordResult{Path: ".devt/state/workflow.yaml", Record: json.RawMessage(`{"active":false}`)}, setting{}},
		"dir_update": {words("dir update phase=plan"), folder.RecordChange{
			Path: ".devt/state/workflow.yaml", Record: json.RawMessage(
				recordScene,
			), Changed: []string{"task", "phase", "validation_status"},
		}, setting{}},
		"dir_update_same": {words(
			"dir update phase=plan",
		), folder.RecordChange{Path: ".devt/state/workflow.yaml", Record: json.RawMessage(recordScene)}, setting{}},
		"dir_validate": {words("dir validate"), folder.DirValidation{Folder: ".devt/state", Checked: 5, Errors: []statedir.Problem{
			{
				File: "review.json", Pointer: "/verdict", Reason: "invalid_status",
				Message: `review.json: /verdict is "OK"; allowed are APPROVED, APPROVED_WITH_NOTES, NEEDS_WORK`,
			},
			{File: "research.md", Line: 3, Reason: "invalid_status", Message: "the status is done"},
		}, Warnings: []statedir.Problem{
			{File: "review.md", Reason: "inherited", Message: "review.md was left by an earlier workflow"},
		}}, narrow},
		"dir_validate_none":  {words("dir validate"), folder.DirValidation{Folder: ".devt/state", OK: true}, setting{}},
		"dir_validate_order": {words("dir validate"), folder.DirValidation{Folder: ".devt/state", OK: true, Checked: 1}, setting{}},
		"dir_lint": {words("dir lint"), folder.LintResult{Files: 12, Findings: []folder.LintFinding{
			{File: "agents/coder.md", Reference: declaration.Reference{
				Line: 12, Reference: ".devt/state/review_a.md", Suggestion: said("review-a.md"),
			}},
			{File: "CLAUDE.md", Reference: declaration.Reference{Line: 3, Reference: ".devt/state/dump.bin"}},
		}, Warnings: []report.Finding{
			{Code: "skipped", Path: "agents/big.md", Text: "agents/big.md is larger than 8 MiB and was left out"},
		}}, setting{}},
		"dir_lint_order":   {words("dir lint"), folder.LintResult{OK: true, Files: 1}, setting{}},
		"dir_lint_nothing": {words("dir lint"), folder.LintResult{OK: true}, setting{}},
		"dir_history": {words("dir history"), folder.DirHistory{Folder: ".devt/state", Snapshots: []folder.SnapshotView{
			{
				Name: "2026-03-14T12-00-00-000Z", Kind: "cleanup", Moment: "2026-03-14T12:00:00.000Z", Entries: 3, Complete: false,
				Manifest: true,
			},
			{
				Name: "2026-03-13T12-00-00-000Z", Kind: "reset", Moment: "2026-03-13T12:00:00.000Z", Entries: 1_200, Complete: true,
				Manifest: true, WorkflowType: "dev", Phase: "complete", Task: "Sign in\nwith a key",
			},
			{Name: "2025-03-13T12-00-00-000Z-2", Kind: "reset", Moment: "2025-03-13T12:00:00.000Z", Entries: 1, Complete: true},
		}}, setting{}},
		"dir_history_none": {words("dir history"), folder.DirHistory{Folder: ".devt/state"}, setting{}},
		"dir_restore": {words("dir restore 2026 --apply"), folder.RestoreResult{
			Folder: ".devt/state", Snapshot: "2026-03-13T12-00-00-000Z", Applied: true, Emptied: true, Swapped: said(
				"2026-03-14T12-00-00-000Z",
			),
			Entries: []folder.RestoredEntry{
				{Name: "plan.md", Kind: "file", Size: 2_000, State: "restored"}, {Name: "old", Kind: "dir", State: "restored"},
			},
		}, setting{}},
		"dir_restore_part": {words("dir restore 2026 --apply"), folder.RestoreResult{
			Folder: ".devt/state", Snapshot: "2026-03-13T12-00-00-000Z", Applied: true,
			Entries: []folder.RestoredEntry{
				{Name: "plan.md", Kind: "file", Size: 2_000, State: "restored"},
				{Name: "workflow.yaml", Kind: "file", State: "taken"},
				{Name: "gone", Kind: "file", State: "missing"},
				{Name: "x", Kind: "file", State: "changed"},
				{Name: "y", Kind: "file", State: "failed", Error: "permission denied"},
			},
		}, narrow},
		"dir_restore_dry": {words("dir restore 2026"), folder.RestoreResult{
			Folder: ".devt/state", Snapshot: "S",
			Entries: []folder.RestoredEntry{{Name: "plan.md", Kind: "file", Size: 2_000, State: "would_move"}},
		}, setting{}},
		"dir_restore_swap": {words("dir restore 2026 --swap"), folder.RestoreResult{
			Folder: ".devt/state", Snapshot: "S",
			Entries: []folder.RestoredEntry{{Name: "workflow.yaml", Kind: "file", Size: 400, State: "would_move"}},
		}, setting{}},
		"dir_restore_none": {words("dir restore S --apply"), folder.RestoreResult{Folder: ".devt/state", Snapshot: "S"}, setting{}},
		"dir_lock":         {words("dir lock"), folder.DirLock{Path: ".devt/state/.lock", Why: "there is no lock file"}, setting{}},
		"dir_lock_held": {words("dir lock"), folder.DirLock{Path: ".devt/state/.lock", Held: true, PID: new(
			7,
		), Alive: true, Command: "node", AgeS: 2.5, Why: "process 7 (node) is alive", Rebuild: true}, setting{}},
		"dir_lock_stale": {words(
			"dir lock",
		), folder.DirLock{Path: ".devt/state/.lock", Held: true, PID: new(7), Stale: true, AgeS: 90, Why: "process 7 is gone"}, setting{}},
		"dir_unlock": {words(
			"dir unlock --stale",
		), folder.DirLock{Path: ".devt/state/.lock", PID: new(7), Stale: true, Removed: true, Why: "process 7 is gone"}, setting{}},
		"dir_slug": {words("dir slug A"), folder.SlugResult{Lanes: []folder.LaneName{{
			Title: "API v1", Slug: "api_v1", File: "review-lane-api_v1.md",
		}, {Title: "端点", Slug: "ungrouped", File: "review-lane-ungrouped.md"}}}, setting{}},
		"dir_contract":     {words("dir contract"), contractScene(), narrow},
		"dir_contract_all": {words("dir contract"), contractScene(), setting{}},
		"dir_contract_name": {words("dir contract review.md"), folder.ContractResult{Name: &declaration.Explanation{
			Name: "review.md", Bucket: "canonical", Schema: "review.json", Why: "review.md is a name of the contract.",
			Row: said("review.md"),
			Detail: declaration.Detail{Row: &statedir.Row{
				Name: "review.md", Writers: []string{"code reviewer"}, Purpose: "Body of the code review", Sidecar: "review.json",
			}},
			Sweeps: map[string]string{
				"cleanup": "leaves it", "reset": "moves it", "evict": "moves it when it is older than the session",
				"begin": "moves it when it is older than the session",
			},
		}}, narrow},
		"dir_contract_form": {words("dir contract review-a.md"), folder.ContractResult{Name: &declaration.Explanation{
			Name: "review-a.md", Bucket: "pattern_allowed", Why: "The name fits a form that the contract allows.",
			Row: said(`^review-[A-Za-z0-9_.-]+\.md$`),
			Detail: declaration.Detail{
				Pattern: &statedir.Pattern{Pattern: `^review-[A-Za-z0-9_.-]+\.md$`, Use: "Sliced or themed code reviews", StaleDays: 21},
			},
			Sweeps: map[string]string{"cleanup": "moves it after 21 days"},
		}}, setting{}},
		"dir_contract_not": {words("dir contract review_a.md"), folder.ContractResult{Name: &declaration.Explanation{
			Name: "review_a.md", Bucket: "ad_hoc", Why: "No name and no form of the contract fits. " +
				strings.Repeat("Long words follow. ", 5), Suggestion: said("review-a.md"),
			Sweeps: map[string]string{"cleanup": "moves it", "reset": "moves it", "evict": "leaves it", "begin": "moves it"},
		}}, narrow},
	}
}

func contractScene() folder.ContractResult {
	return folder.ContractResult{Contract: &declaration.Description{
		Version: 1, WorkflowTypes: []string{"dev", "code_review"},
		Kinds: [][2]string{{"control", "Control"}, {"project", "Of the project"}, {"sidecar-markdown", "Summaries"}},
		Canonical: []statedir.Row{
			{Name: "workflow.yaml", Type: "file", Kind: "control", Writers: []string{
				"orchestrator, through update",
			}, Purpose: "Record of the workflow"},
			{Name: "review.md", Type: "file", Kind: "sidecar-markdown", Writers: []string{
				"code reviewer",
			}, Purpose: "Body of the code review", Eviction: []statedir.EvictRule{"workflow_scoped"}},
			{Name: "threads", Type: "dir", Kind: "project", Writers: []string{
				"thread command",
			}, Purpose: "Threads that outlive sessions", Exempt: true},
		},
		Patterns:  []statedir.Pattern{{Pattern: `^review-[A-Za-z0-9_.-]+\.md$`, Use: "Sliced or themed code reviews", StaleDays: 21}},
		Ephemeral: []statedir.Pattern{{Pattern: `^.*\.tmp$`, Use: "Temporary files"}},
	}}
}
