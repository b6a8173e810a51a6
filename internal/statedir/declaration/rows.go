package declaration

import (
	"baton/internal/statedir"
	"baton/internal/statedir/record"
)

// controlRows returns the names that control a workflow.
func controlRows() []declaredRow {
	return []declaredRow{
		{
			name: record.FileName, kind: "control", writers: []string{"orchestrator, through update"}, from: fromSeed,
			purpose: "The record of the current workflow: id, type, phase, status, verdict, autonomy switches, the " +
				"two immutable anchors of the session and the chain of ids",
		},
		{
			name: "scratchpad.md", kind: "control", writers: []string{"any agent"}, never: 4, from: fromSeed,
			purpose: "Short-lived notes between agents; emptied between workflows",
		},
		{
			name: statedir.LockName, kind: "lock", writers: []string{"every writer of the record"}, exempt: true,
			from:    fromSeed,
			purpose: "Mutual exclusion of writers",
		},
	}
}

// artifactRows returns the files that agents write during a workflow.
func artifactRows() []declaredRow {
	return []declaredRow{
		{
			name: "plan.md", kind: "artifact", writers: []string{"architect", "planner"}, never: 2, from: fromSeed,
			purpose: "Plan of the implementation",
		},
		{
			name: "spec.md", kind: "artifact", writers: []string{"specification agent"}, never: 1, from: fromSeed,
			purpose: "Clarified requirements of a phase",
		},
		{
			name: "scope.md", kind: "artifact", writers: []string{"orchestrator"}, from: fromSeed,
			purpose: "Text of the workflow's scope",
		},
		{
			name: "decisions.md", kind: "artifact", writers: []string{"orchestrator"}, never: 3, from: fromSeed,
			purpose: "Numbered decisions (DEC-NNN) from the clarification step",
		},
		{
			name: "research.md", kind: "artifact", writers: []string{"researcher"}, statuses: workStatuses(),
			from:    fromSeed,
			purpose: "Findings on patterns and pitfalls",
		},
		{
			name: "scan-results.md", kind: "artifact", writers: []string{"architect (architecture health)"},
			from:    fromSeed,
			purpose: "Result of the architecture scan",
		},
		{
			name: "scan-delta.md", kind: "artifact", writers: []string{"architect (architecture health)"},
			from:    fromSeed,
			purpose: "Difference from the previous baseline",
		},
		{
			name: "lessons.yaml", kind: "artifact", writers: []string{"retrospective"}, from: fromSeed,
			purpose: "Draft lessons for the curator to promote (LES-NNNN)",
		},
		{
			name: "debug-context.md", kind: "artifact", writers: []string{"orchestrator"}, from: fromSeed,
			purpose: "Symptoms as captured",
		},
		{
			name: "debug-investigation.md", kind: "artifact", writers: []string{"debugger"}, from: fromSeed,
			purpose: "Log of hypotheses",
		},
		{
			name: "debug-summary.md", kind: "artifact", writers: []string{"debugger"}, statuses: debugStatuses(),
			scoped: 9, from: fromSeed,
			purpose: "Final findings of a debugging workflow",
		},
		{
			name: "arch-review.md", kind: "artifact", writers: []string{"architect"}, statuses: workStatuses(),
			from:    fromSeed,
			purpose: "Review of the architecture",
		},
		{
			name: "arch-health-scan.md", kind: "artifact", writers: []string{"architecture-health workflow"},
			from:    fromSeed,
			purpose: "Body of the health scan",
		},
		{
			name: "docs-summary.md", kind: "artifact", writers: []string{"documentation writer"},
			statuses: workStatuses(), from: fromSeed,
			purpose: "Summary of a documentation update",
		},
		{
			name: "curation-summary.md", kind: "artifact", writers: []string{"curator"}, statuses: workStatuses(),
			from:    fromSeed,
			purpose: "Decisions on what was promoted",
		},
		{
			name: "session-report.md", kind: "artifact", writers: []string{"session-report workflow"}, from: fromSeed,
			purpose: "Summary of one session",
		},
		{
			name: "autoskill-proposals.md", kind: "artifact", writers: []string{"autoskill"}, from: fromSeed,
			purpose: "Proposals to improve skills and agents",
		},
		{
			name: "baseline-gates.md", kind: "artifact", writers: []string{"orchestrator"}, from: fromSeed,
			purpose: "State of the quality gates before the work, for regressions",
		},
		{
			name: "claude-mem-harvest.md", kind: "gate-marker", writers: []string{"orchestrator (before a step)"},
			listed: 10, from: fromSeed,
			purpose: "What was harvested from the memory service",
			gate:    "exactly one of this and claude-mem-skipped.txt, fresh",
		},
		{
			name: "claude-mem-skipped.txt", kind: "gate-marker", writers: []string{"orchestrator (before a step)"},
			listed: 11, from: fromSeed,
			purpose: "Why the harvest was skipped",
			gate: "a line reason=not_installed, mcp_unavailable, corpus_empty or task_unrelated_to_history; the " +
				"last one also needs a line details=",
		},
		{
			name: "review-scope.md", kind: "artifact", writers: []string{"orchestrator"}, from: fromSeed,
			undeclared: true,
			purpose:    "List of the files to review; another name of code-review-input.md",
		},
		{
			name: "review.md", kind: "sidecar-markdown", writers: []string{"code reviewer"}, scoped: 1, from: fromSeed,
			purpose: "Body of the code review",
		},
		{
			name: "graph-impact.md", kind: "artifact", writers: []string{"orchestrator"}, graph: 1, from: fromSeed,
			purpose: "Impact map derived from the code graph",
			gate:    "exactly one of this and graphify-skip-reason.txt when the code graph is ready",
		},
		{
			name: "topic-symbols-dropped.json", kind: "artifact", writers: []string{"code review, impact step"},
			listed: 9, from: fromSeed,
			purpose: "Symbols left out when the preflight's list was cut at 32; the source of the truncation notice " +
				"in graph-impact.md",
		},
		{
			name: "continue-here.md", kind: "artifact", writers: []string{"pause"}, from: fromSeed,
			purpose: "Narrative for the session that resumes",
		},
	}
}

// pairRows returns the summaries with their JSON files, and the files that programs write for
// programs.
func pairRows() []declaredRow {
	return []declaredRow{
		{
			name: "impl-summary.md", kind: "sidecar-markdown", writers: []string{"programmer"}, scoped: 5,
			from:    fromSeed,
			purpose: "What was implemented, for people",
		},
		{
			name: "impl-summary.json", kind: "sidecar-json", writers: []string{"programmer"}, scoped: 6, from: fromSeed,
			purpose: "What was implemented, for programs",
			sidecar: &pair{"impl-summary.md", summaryStatuses(), summaryVerdicts(), []string{"programmer"}},
		},
		{
			name: "test-summary.md", kind: "sidecar-markdown", writers: []string{"tester"}, scoped: 3, from: fromSeed,
			purpose: "What was tested, for people",
		},
		{
			name: "test-summary.json", kind: "sidecar-json", writers: []string{"tester"}, scoped: 4, from: fromSeed,
			purpose: "What was tested, for programs",
			sidecar: &pair{"test-summary.md", summaryStatuses(), summaryVerdicts(), []string{"tester"}},
		},
		{
			name: "verification.md", kind: "sidecar-markdown", writers: []string{"verifier"}, listed: 13, scoped: 7,
			from:    fromSeed,
			purpose: "Result of the verification, for people",
		},
		{
			name: "verification.json", kind: "sidecar-json", writers: []string{"verifier"}, listed: 12, scoped: 8,
			from:    fromSeed,
			purpose: "Result of the verification, for programs",
			sidecar: &pair{"verification.md", verificationStatuses(), verificationVerdicts(), []string{"verifier"}},
			gate: "this or verification.md required and fresh for the types dev, code_review, code_review_parallel " +
				"and when no type is set, " +
				"unless the configuration has workflow.verification false",
		},
		{
			name: "review.json", kind: "sidecar-json", writers: []string{"code reviewer"}, scoped: 2, from: fromSeed,
			purpose: "Result of the code review, for programs",
			sidecar: &pair{"review.md", reviewStatuses(), reviewVerdicts(), []string{"code-reviewer"}},
		},
		{
			name: "handoff.json", kind: "input-json", writers: []string{"pause"}, from: fromSeed,
			purpose: "What the next session needs to resume; read by next",
		},
		{
			name: "preflight-brief.json", kind: "input-json", writers: []string{"preflight generator"}, from: fromSeed,
			purpose: "Brief that every dispatch reads (scope hint, scope trust)",
			gate:    "not older than the anchor by more than the grace",
		},
	}
}

// logRows returns the names that outlive a workflow.
func logRows() []declaredRow {
	return []declaredRow{
		{
			name: statedir.ArchiveName, dir: true, kind: "archive",
			writers: []string{"reset", "cleanup", "evict", "begin", "prune"}, exempt: true,
			from: fromSeed, purpose: "Snapshots: the newest archive_runs (5)",
		},
		{
			name: "deferred.md", kind: "log", writers: []string{"deferred verbs"}, exempt: true, from: fromSeed,
			purpose: "Items put off until later (DEF-NNN), across workflows",
		},
		{
			name: "preflight-denies.jsonl", kind: "log",
			writers: []string{"preflight hook", "bash guard", "graph loader"}, exempt: true,
			from: fromSeed, purpose: "One record per refused action",
		},
		{
			name: "dispatch-warnings.jsonl", kind: "log", writers: []string{"dispatch guard hook"}, exempt: true,
			from:    fromSeed,
			purpose: "Advisory records on dispatches of agents",
		},
		{
			name: "probe-failures.jsonl", kind: "log",
			writers: []string{"probes of graphify and of the Python service"}, exempt: true,
			from: fromSeed, purpose: "Failed probes by category; shown by health checks when recent",
		},
		{
			name: ".graphify-rebuild.lock", kind: "lock", writers: []string{"graph rebuild"}, exempt: true,
			from:    fromSeed,
			purpose: "Exclusive lock of a rebuild, body {pid, started_at} as JSON; left behind only by a crash",
		},
		{
			name: "static-compress.jsonl", kind: "log", writers: []string{"static compressor"}, exempt: true,
			from: fromSeed, undeclared: true,
			purpose: "One record per compression or restoration",
		},
	}
}

// auditRows returns the names that only people and checks read.
func auditRows() []declaredRow {
	return []declaredRow{
		{
			name: "preflight-brief.md", kind: "audit-only", writers: []string{"preflight generator"},
			statuses: briefStatuses(), from: fromSeed,
			purpose: "The brief for people",
		},
		{
			name: "arch-baseline.json", kind: "audit-only", writers: []string{"architecture-health workflow"},
			from:    fromSeed,
			purpose: "Baseline of the architecture scan",
		},
		{
			name: "arch-triage.json", kind: "audit-only", writers: []string{"architecture-health workflow"},
			from:    fromSeed,
			purpose: "Triage of scan findings",
		},
		{
			name: "arch-scan-report.md", kind: "audit-only", writers: []string{"architecture-health workflow"},
			from:    fromSeed,
			purpose: "Report of the project's own scanner",
		},
		{
			name: "scanner-output.txt", kind: "audit-only",
			writers: []string{"architecture-health workflow (older projects)"}, from: fromSeed,
			purpose: "Raw scanner output, superseded by arch-scan-report.md",
		},
	}
}
