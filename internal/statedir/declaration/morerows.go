package declaration

import (
	"slices"

	"baton/internal/statedir"
)

// referenceRows returns the names that the original tool declares in addition to the written rules
// (SD-D3).
func referenceRows() []declaredRow {
	return []declaredRow{
		{
			name: "code-review-input.md", kind: "artifact", writers: []string{"orchestrator"}, from: fromReference,
			purpose: "List of the files to review; another name of review-scope.md",
		},
		{
			name: "weekly-report.md", kind: "artifact", writers: []string{"weekly report generator"},
			from:    fromReference,
			purpose: "Contributors and commits of a week",
		},
		{
			name: "graphify-impact-plan.json", kind: "artifact", writers: []string{"impact step"}, exempt: true,
			from:    fromReference,
			purpose: "Chosen tier, tool and arguments of the impact step, kept as evidence",
		},
		{
			name: "graphify-skip-reason.txt", kind: "gate-marker", writers: []string{"impact step"}, graph: 2,
			from:    fromReference,
			purpose: "Why the impact step was skipped",
			gate:    "see graph-impact.md",
		},
		{
			name: "staleness-suppressed.txt", kind: "gate-marker", writers: []string{"impact step"}, graph: 3,
			from:    fromReference,
			purpose: "That a stale graph forced the sparse scope",
		},
		{
			name: "scope-check-required.txt", kind: "gate-marker", writers: []string{"scope check"}, listed: 1,
			from:    fromReference,
			purpose: "That the scope check applies",
			gate:    "its presence means that scope-check-answer.txt must exist and be fresh",
		},
		{
			name: "scope-check-answer.txt", kind: "gate-marker", writers: []string{"orchestrator"}, listed: 2,
			from:    fromReference,
			purpose: "The person's answer to the scope check",
			gate:    "the trimmed body is the answer",
		},
		{
			name: "consolidator-ran.txt", kind: "gate-marker", writers: []string{"consolidator"}, listed: 3,
			from:    fromReference,
			purpose: "That the lanes were consolidated",
			gate:    "required and fresh when at least one lane has the status substance_pass",
		},
		{
			name: "auto-curator-considered.txt", kind: "gate-marker", writers: []string{"auto-curator step"}, listed: 4,
			from:    fromReference,
			purpose: "That automatic curation was considered, with its outcome",
			gate:    "required and fresh; the trimmed body is the outcome (SKIP, FIRE, DISABLED, …)",
		},
		{
			name: "last-curator-run.txt", kind: "log", writers: []string{"auto-curator step"}, exempt: true,
			from:    fromReference,
			purpose: "Time of the last automatic curation (seven-day pause)",
		},
		{
			name: "reuse-search-attempted.txt", kind: "gate-marker",
			writers: []string{"workflow, before the reuse search"}, listed: 7,
			from: fromReference, purpose: "That the search for reusable code ran at all",
			gate: "required for the types dev and quick_implement, and when no type is set",
		},
		{
			name: "reuse-candidates.md", kind: "gate-marker", writers: []string{"reuse search"}, listed: 5,
			from:    fromReference,
			purpose: "Candidates found by the search",
			gate: "required once the search was attempted; each third-level heading that is a code span " +
				"names a candidate",
		},
		{
			name: "reuse-analysis.md", kind: "gate-marker", writers: []string{"programmer"}, listed: 6,
			from:    fromReference,
			purpose: "A decision for each candidate",
			gate:    "required and fresh when there are candidates; must mention each of them",
		},
		{
			name: "knowledge-candidates-none.txt", kind: "gate-marker", writers: []string{"orchestrator"}, listed: 8,
			from:    fromReference,
			purpose: "Declaration, with a reason, that nothing was learnt",
			gate: "fresh, with a line reason=task_too_routine, no_novel_patterns or all_subsumed_by_existing_memory; " +
				"otherwise scratchpad.md must be fresh and hold a line that starts with #KNOWLEDGE-CANDIDATE:",
		},
	}
}

// undeclaredRows returns the files that the original tool or later releases of it write without a
// rule that allows them. They are declared here so that no sweep harms another program (SD-D3,
// SD-K39).
func undeclaredRows() []declaredRow {
	return []declaredRow{
		{
			name: "gate-trace.jsonl", kind: "log", writers: []string{"every gate"}, exempt: true, from: fromBaton,
			purpose: "One record per gate decision",
		},
		{
			name: "claim-check-failures.jsonl", kind: "log", writers: []string{"claim check"}, exempt: true,
			from:    fromBaton,
			purpose: "Results of checking that agents wrote what they claimed",
		},
		{
			name: "claim-checks.jsonl", kind: "log", writers: []string{"claim check (later releases)"}, exempt: true,
			from:    fromBaton,
			purpose: "The same log under its later name",
		},
		{
			name: "status.json", kind: "log", writers: []string{"subagent hook"}, from: fromBaton,
			purpose: "Last known state of each agent",
		},
		{
			name: "subagent-events.jsonl", kind: "log", writers: []string{"subagent hook (later releases)"},
			from:    fromBaton,
			purpose: "Every start and stop of an agent",
		},
		{
			name: "canonical-baseline.json", kind: "project", writers: []string{"the project's own drift check"},
			exempt: true, from: fromBaton,
			purpose: "Baseline that the project keeps under version control",
		},
		{
			name: "acceptance-criteria.json", kind: "input-json",
			writers: []string{"verifier, first round (later releases)"}, from: fromBaton,
			purpose: "Criteria that later verification rounds grade against",
		},
		{
			name: "dispatch-stamps.jsonl", kind: "log", writers: []string{"dispatch (later releases)"}, from: fromBaton,
			purpose: "Evidence that a dispatch was intended",
		},
		{
			name: "evolution-report.md", kind: "audit-only", writers: []string{"evolution scan (later releases)"},
			from:    fromBaton,
			purpose: "Metrics from the version history, for people",
		},
		{
			name: "evolution-report.json", kind: "audit-only", writers: []string{"evolution scan (later releases)"},
			from:    fromBaton,
			purpose: "The same for programs",
		},
		{
			name: "lane-snapshot.json", kind: "gate-marker", writers: []string{"consolidator (later releases)"},
			from:    fromBaton,
			purpose: "Hashes of the lane files at consolidation",
		},
		{
			name: "lane-status-overrides.jsonl", kind: "log", writers: []string{"update-lane (later releases)"},
			exempt: true, from: fromBaton,
			purpose: "Overrides of lane verdicts with their reasons",
		},
		{
			name: "lane-unassigned.txt", kind: "gate-marker", writers: []string{"lane registration (later releases)"},
			from:    fromBaton,
			purpose: "Files of the scope that no lane covers",
		},
		{
			name: "partition-degraded.txt", kind: "gate-marker", writers: []string{"lane partition (later releases)"},
			from:    fromBaton,
			purpose: "Why the partition fell back",
		},
		{
			name: "review-depth.txt", kind: "gate-marker", writers: []string{"scope check (later releases)"},
			from:    fromBaton,
			purpose: "Band of the size of the change",
		},
		{
			name: "workflow-id-rotations.jsonl", kind: "log",
			writers: []string{"every change of the workflow id (later releases)"}, exempt: true,
			from: fromBaton, purpose: "Old id, new id, source",
		},
	}
}

// folderRows returns the canonical folders except the archive.
func folderRows() []declaredRow {
	return []declaredRow{
		{
			name: statedir.InstancesName, dir: true, kind: "register", writers: []string{"new-instance"}, exempt: true,
			from:    fromBaton,
			purpose: "Register of instances, one JSON file each",
		},
		{
			name: "threads", dir: true, kind: "project", writers: []string{"thread command"}, exempt: true,
			from:    fromBaton,
			purpose: "Threads that outlive sessions",
		},
		{
			name: "notes", dir: true, kind: "project", writers: []string{"note command"}, exempt: true, from: fromBaton,
			purpose: "Notes that people asked to keep",
		},
		{
			name: "project", dir: true, kind: "project", writers: []string{"the project"}, exempt: true,
			from:    fromBaton,
			purpose: "Files that the project itself keeps here",
		},
		{
			name: "hook-trace", dir: true, kind: "log", writers: []string{"hook runner"}, exempt: true, from: fromBaton,
			purpose: "Trace of hook calls",
		},
		{
			name: "lane-files", dir: true, kind: "artifact", writers: []string{"lane registration (later releases)"},
			from:    fromBaton,
			purpose: "File list of each lane",
		},
	}
}

// DeclaredFolder reports whether the program's contract has a folder with this name, without
// building the contract. Locks ask for every name of a transaction.
func DeclaredFolder(name string) bool {
	return name == statedir.ArchiveName || slices.ContainsFunc(folderRows(), func(d declaredRow) bool {
		return d.name == name
	})
}
