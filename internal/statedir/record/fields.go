package record

// Words of closed lists that rules use, so that a misspelt word does not compile.
const (
	firstPhase     = "context_init" // set by begin
	statusRunning  = "in_progress"  // set by begin
	validationWord = "warned"       // value of validation_status
	lanesKey       = "lanes"
	historyKey     = "workflow_id_history"
)

// allFields returns the known fields without the words that they may contain.
func allFields() []Field {
	return []Field{
		{Name: "active", Kind: "boolean", SetBy: "update", Meaning: "whether a workflow is running"},
		{Name: "phase", Kind: "string|null", SetBy: "update", Meaning: "phase that the workflow is in"},
		{Name: "tier", Kind: "string|null", SetBy: "update", Meaning: "size class of the work"},
		{Name: "iteration", Kind: "number", SetBy: "update", Meaning: "round of the workflow"},
		{Name: "task", Kind: "string|null", SetBy: "begin, update", Meaning: "what the workflow is about"},
		{Name: "workflow_type", Kind: "string|null", SetBy: "begin, update", Meaning: "kind of work"},
		{Name: "created_at", Kind: "time", SetBy: "stamped", Meaning: "start of the workflow"},
		{Name: "workflow_id", Kind: "uuid v4", SetBy: "stamped", Meaning: "id of the workflow"},
		{
			Name: "first_created_at", Kind: "time", SetBy: "stamped once", Refused: true,
			Meaning: "start of the session; never changes",
		},
		{
			Name: "original_workflow_id", Kind: "uuid v4", SetBy: "stamped once", Refused: true,
			Meaning: "first id of the session; never changes",
		},
		{
			Name: historyKey, Kind: "list of text", SetBy: "maintained", Refused: true,
			Meaning: "every id of the session, oldest first; only grows",
		},
		{Name: "status", Kind: "string", SetBy: "update", Meaning: "free word, usually in_progress, DONE or cancelled"},
		{Name: "verdict", Kind: "string|null", SetBy: "update", Meaning: "last verdict"},
		{Name: "repair", Kind: "string|null", SetBy: "update", Meaning: "note on a repair"},
		{Name: "verify_iteration", Kind: "number", SetBy: "update", Meaning: "round of the verification"},
		{Name: "stopped_at", Kind: "time|null", SetBy: "update", Meaning: "when the workflow was stopped"},
		{Name: "stopped_phase", Kind: "string|null", SetBy: "update", Meaning: "phase in which it was stopped"},
		{Name: "resume_context", Kind: "string|null", SetBy: "update", Meaning: "note for the session that resumes"},
		{Name: "skipped_phases", Kind: "string", SetBy: "update", Meaning: "phases that were left out"},
		{Name: "decisions_file", Kind: "string", SetBy: "update", Meaning: "path of the decisions"},
		{Name: "last_session", Kind: "string", SetBy: "update", Meaning: "id of the last session"},
		{Name: "autonomous", Kind: "boolean", SetBy: "update", Meaning: "go on without asking"},
		{Name: "autonomous_chain", Kind: "string", SetBy: "update", Meaning: "phases to run in a row"},
		{Name: "stop_at_phase", Kind: "string", SetBy: "update", Meaning: "phase to stop at"},
		{Name: "only_phase", Kind: "string", SetBy: "update", Meaning: "the only phase to run"},
		{Name: "tdd_mode", Kind: "boolean", SetBy: "update", Meaning: "write tests first"},
		{
			Name: "validation_status", Kind: "string", SetBy: "maintained", Refused: true,
			Meaning: "warned while validate finds errors, else absent",
		},
		{
			Name: "validation_warnings", Kind: "number", SetBy: "maintained", Refused: true,
			Meaning: "number of errors of validate, else absent",
		},
		{Name: "released_at", Kind: "time", SetBy: "release", Meaning: "when the workflow was released"},
		{
			Name: lanesKey, Kind: "block", SetBy: "lane registration", Refused: true,
			Meaning: "lanes of a parallel review",
		},
		{
			Name: "memory_signal_json", Kind: "JSON|null", SetBy: "update",
			Meaning: "signal of the memory, kept for later",
		},
		{Name: "scope_hint_json", Kind: "JSON|null", SetBy: "update", Meaning: "hint on the scope, kept for later"},
		{
			Name: "scope_trust_json", Kind: "JSON|null", SetBy: "update",
			Meaning: "how far the scope is trusted, kept for later",
		},
		{Name: "complexity", Kind: "string", SetBy: "update", Meaning: "old name of tier"},
		{Name: "scan_id", Kind: "string", SetBy: "update", Meaning: "id of a scan"},
	}
}

// Phases returns the phases in order (5.6.1). Some exist only in later releases.
func Phases() []string {
	return []string{
		firstPhase, "flow_deviation", "scope_check", "partition_lanes", "dispatch_lanes", "substance_check_lanes",
		"redispatch_lanes", "consolidate", "present_findings", "assess", "risk_warning", "scan", "regression_baseline",
		"arch_health", "arch_health_scan", "plan", "architect", "implement", "test", "simplify", "review", "verify",
		"docs",
		"retro", "curate", "autoskill", "review_deferred", "identify_scope", "debug", "complete", "finalize",
		"cancelled",
	}
}

// PhaseArtifacts returns the file that each phase writes, in the order in which validate checks
// them (5.17).
func PhaseArtifacts() [][2]string {
	return [][2]string{
		{"implement", "impl-summary.md"},
		{"test", "test-summary.md"},
		{"review", "review.md"},
		{"verify", "verification.md"},
		{"plan", "plan.md"},
		{"debug", "debug-summary.md"},
		{"retro", "lessons.yaml"},
		{"scan", "scan-results.md"},
		{"arch_health", "arch-health-scan.md"},
		{"architect", "arch-review.md"},
		{"docs", "docs-summary.md"},
		{"curate", "curation-summary.md"},
	}
}

// WorkflowTypes returns the types of workflows (5.6.1).
func WorkflowTypes() []string {
	return []string{
		"dev", "quick_implement", "debug", "retro", "code_review", "code_review_parallel", "arch_health_scan",
		"research",
		"plan", "specify", "clarify", "memory_promote", "memory_reject", "preflight", "docs",
	}
}

// TypeAliases returns other words for the types that people use (5.8.4 step 1).
func TypeAliases() map[string]string {
	return map[string]string{
		"workflow": "dev", "implement": "quick_implement", "review": "code_review", "arch": "arch_health_scan",
	}
}

// Tiers returns the size classes, smallest first.
func Tiers() []string { return []string{"TRIVIAL", "SIMPLE", "STANDARD", "COMPLEX"} }

// LaneStatuses returns the statuses of a lane. The last one exists only in later releases.
func LaneStatuses() []string {
	return []string{"in_flight", "substance_pass", "stub_redispatched", "deferred", "lane_failed"}
}
