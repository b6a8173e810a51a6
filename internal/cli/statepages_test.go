package cli

import (
	"strings"

	"baton/internal/digest"
	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/phases"
	"baton/internal/digest/specflow"
	"baton/internal/report"
	"baton/internal/usecase/digests"
)

func number(n int) *int { return &n }

func decisionScene() []decision.Row {
	return []decision.Row{
		{Line: 40, Date: "2026-03-10", Phase: "2", Text: "Keep the cache in SQLite", Rationale: "no server to run"},
		{
			Line: 41, Date: "2026-03-11", Phase: "3",
			Text: "Retry three times, and say so in the answer, because a reader of the log cannot tell a slow server from a dead " +
				"one otherwise",
		},
		{Line: 42, Phase: "4.5", Text: "Amounts are integers \x1b[31mof cents"},
	}
}

func gsdScene() digests.StateResult {
	return digests.StateResult{
		Layout: "gsd", Path: ".planning/STATE.md", Size: digest.Size{Lines: 88, Bytes: 4_200}, MaxLines: 100, MaxBytes: 32_768,
		GSD: &gsd.Model{
			Milestone: "v2.0", MilestoneName: "Code quality", Status: "executing", StatusRaw: "In progress", ActivePhase: "4.5",
			Progress: gsd.Progress{
				TotalPhases: number(8), CompletedPhases: number(3), TotalPlans: number(12), CompletedPlans: number(5), Percent: number(37),
			},
			CurrentPhase: "4.5", LastActivity: "2026-03-13", LastActivityDesc: "Phase 4.5 execution started",
			Position: gsd.Position{Phase: "4.5 of 8 (Billing)", Plan: "2 of 3 in current phase"},
			Session:  gsd.Session{StoppedAt: "Plan 04.5-02, step 3", ResumeFile: ".planning/phases/04.5/.continue-here.md"},
			Blockers: []gsd.Item{{Line: 60, Text: "The key server is down"}},
			Todos:    []gsd.Item{{Line: 55, Text: "Rename the module"}},
		},
		Decisions: decisionScene(), Archived: 12,
		Warnings: []report.Finding{{Code: "percent_stale", Text: "percent is 37, the phases say 40", Path: ".planning/STATE.md", Line: 9}},
	}
}

func specflowScene() digests.StateResult {
	return digests.StateResult{
		Layout: "specflow", Path: ".specflow/STATE.md", Size: digest.Size{Lines: 120, Bytes: 40_000}, MaxLines: 100, MaxBytes: 32_768,
		Specflow: &specflow.Model{
			Form: "A", Active: []specflow.Active{{ID: "SPEC-007", Title: "Export", Status: "running", Next: "/sf:review", Line: 5}},
			Queue: queueScene().Queue, Position: []specflow.Label{{Name: "Project Phase", Value: "Hardening", Line: 8}},
			Warnings:  []string{"SPEC-003 is blocked by the vendor"},
			Execution: []specflow.Execution{{ID: "SPEC-007", Mode: "orchestrated", Progress: "2/3 waves", Updated: "2026-03-13"}},
		},
		Decisions: []decision.Row{{Line: 30, Date: "2026-03-10", Spec: "SPEC-003a", Text: "Keep the cache in SQLite"}},
	}
}

func queueScene() digests.QueueList {
	return digests.QueueList{
		Path: ".specflow/STATE.md", Columns: []string{"#", "ID", "Title", "Priority", "Status"}, Queue: []specflow.QueueRow{
			{ID: "SPEC-008", Title: "Import", Status: "draft", Priority: "high", Position: "1", Line: 20},
			{ID: "SPEC-009", Title: "Reports", Status: "draft", Priority: "low", Position: "2", Depends: "SPEC-008", Line: 21},
		},
	}
}

// moved returns a change after which the digest rotated.
func moved(c digests.StateChange) digests.StateChange {
	c.Layout, c.Path = "gsd", ".planning/STATE.md"
	c.Rotation = decision.Result{
		Rotated: true, Moved: 3, Kept: 5, Archive: ".planning/DECISIONS_ARCHIVE.md",
		Before: digest.Size{Lines: 101, Bytes: 5_000}, After: digest.Size{Lines: 98, Bytes: 4_600},
	}
	return c
}

// changed returns a change within the limits.
func changed(fields ...digests.StateField) digests.StateChange {
	return digests.StateChange{
		Layout: "gsd", Path: ".planning/STATE.md", Changed: fields, Lines: []int{5},
		Rotation: decision.Result{Reason: "within_limits", After: digest.Size{Lines: 88, Bytes: 4_200}},
	}
}

// full returns a change of a digest that no rotation can bring below its limits.
func full(fields ...digests.StateField) digests.StateChange {
	c := changed(fields...)
	c.Rotation = decision.Result{
		Reason: "decisions_exhausted", OverLimit: true, DecisionRows: 5, After: digest.Size{Lines: 140, Bytes: 9_000},
		LargestSections: []digest.SectionSize{
			{Title: "Notes", Lines: 60, Bytes: 4_000}, {Title: "Migration Roadmap", Lines: 30, Bytes: 2_000},
		},
	}
	c.Warnings = []report.Finding{
		{Code: "decisions_exhausted", Text: "told on the page"}, {Code: "duplicate_section", Text: "there are two sections Decisions"},
	}
	return c
}

// digestPages returns the pages about a digest.
func digestPages() map[string]scene {
	narrow := setting{env: report.Env{Terminal: true, Width: 72}, vars: map[string]string{"NO_COLOR": "1", "LANG": "C"}}
	own := digests.StateResult{
		Layout: "baton", Path: ".baton/STATE.md", Size: digest.Size{Lines: 40, Bytes: 900}, MaxLines: 100, MaxBytes: 32_768,
		GSD: &gsd.Model{Status: "unknown"}, Next: &phases.Next{Action: "discuss-phase", Phases: []string{"1"}},
	}
	idle := gsdScene()
	next := *idle.GSD
	next.ActivePhase, next.NextAction, next.NextPhases, next.Status, next.StatusRaw = "", "plan-phase", []string{"5"}, "planning",
		"planning"
	idle.GSD, idle.Next, idle.Warnings = &next, &phases.Next{Action: "verify-phase", Phases: []string{"4.5"}}, nil
	crowded := gsdScene()
	many := *crowded.GSD
	many.MilestoneName, many.Blockers, many.Todos = "milestone", nil, nil
	for range 7 {
		many.Blockers = append(many.Blockers, gsd.Item{Text: strings.Repeat("The auditors are away. ", 12)})
		many.Todos = append(many.Todos, gsd.Item{Text: "Rename the module"})
	}
	crowded.GSD, crowded.Size.Lines, crowded.Decisions = &many, 140, append(decisionScene(), decisionScene()...)
	status := digests.StateField{Field: "status", Old: "planning", New: "executing"}
	list := digests.DecisionList{
		Layout: "gsd", Path: ".planning/STATE.md", Archive: ".planning/DECISIONS_ARCHIVE.md", Decisions: decisionScene(), Archived: 12,
	}
	every := list
	every.Decisions = append([]decision.Row{{Date: "2026-01-02", Phase: "1", Text: "Begin in Go", Archived: true}}, decisionScene()...)
	findings := []report.Finding{
		{
			Code: "lifecycle_conflict", Severity: report.Severe, Text: "active_phase and next_action are both set",
			Path: ".planning/STATE.md", Line: 6,
		},
		{Code: "percent_stale", Text: "percent is 37, the phases say 40"},
		{Code: "at_limit", Severity: report.Info, Text: "the digest has exactly 100 lines"},
	}
	scenes := map[string]scene{
		"state_show":          {words("state show"), gsdScene(), setting{}},
		"state_show_narrow":   {words("state show"), gsdScene(), narrow},
		"state_show_color":    {words("state show"), gsdScene(), setting{vars: map[string]string{"FORCE_COLOR": "1"}}},
		"state_show_idle":     {words("state show"), idle, setting{}},
		"state_show_crowded":  {words("state show"), crowded, setting{}},
		"state_show_new":      {words("state show"), own, setting{}},
		"state_show_specflow": {words("state show"), specflowScene(), setting{}},
		"state_get":           {words("state get status"), digests.StateValue{Name: "status", Value: "executing"}, setting{}},
		"state_get_section": {
			words("state get Decisions"), digests.StateValue{Name: "Decisions", Value: "- one\r\n- two\x1b[2J\n"}, setting{},
		},
		"state_get_null": {words("state get active_phase"), digests.StateValue{Name: "active_phase", Null: true}, setting{}},
		"state_get_list": {words("state get next_phases"), digests.StateValue{Name: "next_phases", List: []string{"4", "5"}}, setting{}},
		"state_set": {
			words("state set status executing"), changed(status, digests.StateField{Field: "Status", New: "Executing Phase 4"}), setting{},
		},
		"state_set_same": {words("state set status executing"), digests.StateChange{Path: ".planning/STATE.md"}, setting{}},
		"state_set_kept": {words("state set Status x"), digests.StateChange{
			Path: ".planning/STATE.md", Preserved: []digests.Preserved{{Field: "Status", Value: "Waiting for the auditors"}},
		}, setting{}},
		"state_patch": {words("state patch status=a milestone=b"), full(status), setting{}},
		"state_next": {words(
			"state next execute-phase 4 5",
		), changed(digests.StateField{Field: "next_action", Old: "plan-phase", New: "execute-phase"}), setting{}},
		"state_metric": {words("state metric 4 2 --duration 23m"), changed(digests.StateField{Field: "row", New: "x"}), setting{}},
		"state_sync": {words("state sync"), digests.StateSyncResult{
			StateChange: changed(digests.StateField{Field: "progress.percent", Old: "37", New: "40"}),
			Facts:       &digests.ProgressView{TotalPhases: 8, CompletedPhases: 4, TotalPlans: 12, CompletedPlans: 5, Percent: number(41)},
			Next:        &phases.Next{Action: "plan-phase", Phases: []string{"5"}},
		}, setting{}},
		"state_sync_same": {
			words("state sync"), digests.StateSyncResult{StateChange: digests.StateChange{Path: ".planning/STATE.md"}}, setting{},
		},
		"state_validate": {words(
			"state validate",
		), digests.StateValidation{Path: ".planning/STATE.md", Size: digest.Size{Lines: 100, Bytes: 5_000}, Findings: findings}, setting{}},
		"state_validate_order": {words(
			"state validate",
		), digests.StateValidation{Path: ".planning/STATE.md", Valid: true, Size: digest.Size{Lines: 88, Bytes: 4_200}}, setting{}},
		"decision_list":        {words("decision list"), list, setting{}},
		"decision_list_narrow": {words("decision list"), list, narrow},
		"decision_list_all":    {words("decision list --all"), every, setting{vars: map[string]string{"FORCE_COLOR": "1"}}},
		"decision_list_none":   {words("decision list"), digests.DecisionList{Path: ".planning/STATE.md"}, setting{}},
		"decision_list_moved":  {words("decision list"), digests.DecisionList{Path: ".planning/STATE.md", Archived: 3}, setting{}},
		"decision_list_spec": {
			words("decision list --spec SPEC-1"), digests.DecisionList{Path: ".specflow/STATE.md", Archived: 3}, setting{},
		},
		"decision_add": {words(
			"decision add T",
		), digests.DecisionAdded{StateChange: moved(digests.StateChange{Lines: []int{44}}), Decision: decisionScene()[0]}, setting{}},
		"decision_add_old": {words(
			"decision add T --date 2026-01-01",
		), digests.DecisionAdded{StateChange: moved(digests.StateChange{}), Decision: decisionScene()[0], Archived: true}, setting{}},
		"decision_add_split": {words("decision add T --split"), digests.DecisionAdded{
			StateChange: moved(digests.StateChange{Lines: []int{44}}), Decision: decisionScene()[2], Split: true,
		}, setting{}},
		"blocker_add": {words(
			"blocker add T",
		), digests.BlockerChange{StateChange: changed(), Blockers: []digests.Blocker{{N: 2, Text: "The key server is down"}}}, setting{}},
		"blocker_resolve": {words(
			"blocker resolve 1",
		), digests.BlockerChange{StateChange: changed(), Blockers: []digests.Blocker{{N: 1, Text: "The key server is down"}}}, setting{}},
		"blocker_list": {words("blocker list"), digests.BlockerList{
			Blockers: []digests.Blocker{{N: 1, Text: "The key server is down"}, {N: 2, Text: "No test data"}},
		}, setting{}},
		"blocker_list_none": {words("blocker list"), digests.BlockerList{}, setting{}},
		"active_list": {words("state active list"), digests.ActiveList{Form: "C", Active: []specflow.Active{
			{ID: "SPEC-007", Status: "running", Next: "/sf:review"}, {ID: "SPEC-008", Title: "Import"},
		}}, setting{}},
		"active_list_none": {words("state active list"), digests.ActiveList{Form: "A"}, setting{}},
		"active_set": {words(
			"state active set SPEC-007 --status review",
		), changed(digests.StateField{Field: "SPEC-007 status", Old: "running", New: "review"}), setting{}},
		"active_resolve": {words("state active resolve"), digests.ActiveResolved{Action: "use", ID: "SPEC-007"}, setting{}},
		"active_resolve_ask": {words("state active resolve"), digests.ActiveResolved{
			Action: "ask", Options: []specflow.Active{{ID: "SPEC-007", Title: "Export"}, {ID: "SPEC-008"}},
		}, setting{}},
		"active_resolve_none": {words("state active resolve"), digests.ActiveResolved{Action: "error", Code: "NO_ACTIVE_SPEC"}, setting{}},
		"active_resolve_other": {words(
			"state active resolve SPEC-9",
		), digests.ActiveResolved{Action: "error", Code: "SPEC_NOT_ACTIVE", ID: "SPEC-9"}, setting{}},
		"queue_list":      {words("state queue list"), queueScene(), setting{}},
		"queue_list_none": {words("state queue list"), digests.QueueList{}, setting{}},
		"queue_next":      {words("state queue next"), digests.QueueList{Queue: queueScene().Queue[:1]}, setting{}},
		"queue_next_none": {words("state queue next"), digests.QueueList{}, setting{}},
		"queue_move":      {words("state queue move SPEC-008 --to 1"), changed(), setting{}},
		"migrate": {words("state migrate"), digests.MigrateResult{
			StateChange: changed(digests.StateField{Field: "Active Specification", Old: "SPEC-007", New: "row"}), From: "A",
		}, setting{}},
		"migrate_applied": {
			words("state migrate --apply"), digests.MigrateResult{StateChange: changed(), From: "B", Applied: true}, setting{},
		},
		"migrate_same": {words(
			"state migrate",
		), digests.MigrateResult{StateChange: digests.StateChange{Path: ".specflow/STATE.md"}, From: "C"}, setting{}},
		"session_stopped": {words("session end --stopped-at T"), changed(digests.StateField{Field: "Stopped at", New: "T"}), setting{}},
	}
	for name, c := range rotationPages() {
		scenes[name] = c
	}
	for name, c := range transitionPages() {
		scenes[name] = c
	}
	for name, c := range roadmapPages() {
		scenes[name] = c
	}
	for name, c := range historyPages() {
		scenes[name] = c
	}
	return scenes
}

func rotationPages() map[string]scene {
	r := moved(digests.StateChange{})
	done := digests.RotateResult{Layout: "gsd", Path: r.Path, Rotation: r.Rotation, Rows: decisionScene()}
	plan := done
	plan.DryRun, plan.Rotation.Rotated = true, false
	none := digests.RotateResult{
		Path: r.Path, Rotation: decision.Result{Reason: "within_limits", After: digest.Size{Lines: 88, Bytes: 4_200}},
	}
	spent := digests.RotateResult{Path: r.Path, Rotation: full().Rotation}
	empty := spent
	empty.Rotation.DecisionRows = 0
	sort := digests.RotateResult{Path: r.Path, DryRun: true, Rotation: decision.Result{ArchiveSorted: true, Archive: r.Rotation.Archive}}
	sorted := sort
	sorted.DryRun = false
	both, others := done, done
	both.Rotation.OtherMoved, others.Rotation.OtherMoved = 94, 1
	others.Rotation.Moved, others.Rows = 0, nil
	bothPlan, othersPlan := both, others
	bothPlan.DryRun, othersPlan.DryRun = true, true
	unfiled := none
	unfiled.Rotation.SortReason = decision.SortNoneYet
	return map[string]scene{
		"rotate":            {words("state rotate"), done, setting{}},
		"rotate_plan":       {words("decision rotate --dry-run"), plan, setting{}},
		"rotate_none":       {words("state rotate"), none, setting{}},
		"rotate_exhausted":  {words("state rotate"), spent, setting{}},
		"rotate_quiet":      {words("state rotate --quiet"), done, setting{}},
		"rotate_quiet_none": {words("state rotate --quiet"), none, setting{}},
		"rotate_sort":       {words("decision rotate --sort-archive --dry-run"), sort, setting{}},
		"rotate_sorted":     {words("decision rotate --sort-archive"), sorted, setting{}},
		"rotate_sort_none":  {words("decision rotate --sort-archive"), unfiled, setting{}},
		"rotate_sort_moved": {words("decision rotate --sort-archive"), both, setting{}},
		"rotate_no_rows":    {words("state rotate"), empty, setting{}},
		"rotate_both":       {words("state rotate"), both, setting{}},
		"rotate_both_plan":  {words("state rotate --dry-run"), bothPlan, setting{}},
		"rotate_other":      {words("state rotate"), others, setting{}},
		"rotate_other_plan": {words("state rotate --dry-run"), othersPlan, setting{}},
	}
}

func transitionPages() map[string]scene {
	step := func(status, active, action string, next ...string) digests.TransitionResult {
		return digests.TransitionResult{StateChange: changed(
			digests.StateField{Field: "status"},
		), Phase: "4", Status: status, ActivePhase: active, NextAction: action, NextPhases: next}
	}
	kept := step("executing", "4", "")
	kept.Preserved = []digests.Preserved{{Field: "Status", Value: "Waiting for the auditors"}}
	same := digests.TransitionResult{
		StateChange: digests.StateChange{Path: ".planning/STATE.md"}, Phase: "4", Status: "executing", ActivePhase: "4",
	}
	return map[string]scene{
		"begin":            {words("state begin 4"), kept, setting{}},
		"begin_again":      {words("state begin 4"), same, setting{}},
		"begin_discuss":    {words("state begin 4 --stage discuss"), step("discussing", "4", ""), setting{}},
		"begin_done":       {words("state begin 4 --done"), step("verifying", "", "verify-phase", "4"), setting{}},
		"plan":             {words("state plan 4"), step("planning", "4", ""), setting{}},
		"plan_done":        {words("state plan 4 --done"), step("executing", "", "execute-phase", "4"), setting{}},
		"verify":           {words("state verify 4"), step("verifying", "4", ""), setting{}},
		"verify_passed":    {words("state verify 4 --passed"), step("planning", "", "discuss-phase", "5"), setting{}},
		"verify_failed":    {words("state verify 4 --failed"), step("planning", "", "plan-phase", "4"), setting{}},
		"phase_complete":   {words("state complete 4"), step("completed", "", ""), setting{}},
		"phase_superseded": {words("state complete 4"), digests.TransitionResult{Phase: "4", Superseded: true}, setting{}},
		"pause":            {words("state pause T"), step("paused", "", ""), setting{}},
		"resume":           {words("state resume"), step("executing", "", "execute-phase", "4", "5"), setting{}},
		"milestone":        {words("state milestone v2.0 --name Quality"), step("planning", "", "discuss-phase", "5"), setting{}},
	}
}

func historyPages() map[string]scene {
	one := digests.HistoryResult{
		Spec: &specflow.SpecHistory{
			ID: "SPEC-007", Title: "Export", Path: ".specflow/archive/SPEC-007.md", Archived: true,
			Fields: map[string]string{"type": "feature", "completed": "2026-03-01", "empty": ""},
			Sections: []specflow.SpecSection{
				{Kind: "audit", Title: "Audit v1", Text: "Two remarks.\n", Line: 40}, {Kind: "completion", Title: "Completion"},
			},
		},
		Decisions: []decision.Row{{
			Date: "2026-02-01", Spec: "SPEC-007", Text: "CSV first", Archived: true,
		}, {Date: "2026-03-01", Spec: "SPEC-007", Text: "JSON too"}},
	}
	bare := one
	bare.Decisions = nil
	return map[string]scene{
		"history": {words("history"), digests.HistoryResult{
			Specs: []specflow.SpecSummary{
				{ID: "SPEC-007", Title: "Export", Completed: "2026-03-01", Type: "feature", Complexity: "medium", Audits: 2, Reviews: 1},
				{ID: "SPEC-003a", Title: "Schema", Completed: "2026-02-01", Type: "refactor", Complexity: "small", Audits: 1, Reviews: 1},
			},
			Totals: &specflow.HistoryTotals{
				Count: 2, AverageAudits: 1.5, AverageReviews: 1, FirstAuditShare: 0.5, FirstReviewShare: 1,
				ByType: map[string]int{"feature": 1, "refactor": 1}, ByComplexity: map[string]int{"medium": 1, "small": 1},
			},
		}, setting{}},
		"history_none":      {words("history"), digests.HistoryResult{}, setting{}},
		"history_one":       {words("history SPEC-007"), one, setting{}},
		"history_plain":     {words("history SPEC-007"), bare, setting{}},
		"history_decisions": {words("history --decisions"), digests.DecisionList{Decisions: decisionScene()[:1]}, setting{}},
		"history_empty":     {words("history --decisions"), digests.DecisionList{}, setting{}},
	}
}
