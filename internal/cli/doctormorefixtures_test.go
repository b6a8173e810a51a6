package cli

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// moreFixtures are findings of other checks that the doctor collects.
func moreFixtures() []fixture {
	const roadmap, own = ".planning/STATE.md", ownDigest
	return []fixture{
		{code: "out_of_sync", begin: planned, turn: func(c *clinic) { c.write(".planning/todos/pending/one.md", "# One\n") }},
		{code: "over_bytes", begin: decided, turn: func(c *clinic) {
			c.write(".baton/config.yaml", "state:\n  max_bytes: 500\ndecisions:\n  keep: 1\n  tolerate: 1\n")
		}},
		{code: "not_trusted", begin: oneTask, turn: func(c *clinic) { c.write(".baton/config.yaml", "paths: {allow: [/]}\n") }},
		{code: "decision_doubled", begin: specified, turn: func(c *clinic) {
			c.edit(".specflow/STATE.md", "| Oak piles |\n", "| Oak piles |\n| 2026-03-02 | SPEC-002 | Tar over paint |\n")
			_, rows, _ := strings.Cut(c.read(".specflow/STATE.md"), "| 2026-03-01")
			c.write(
				".specflow/DECISIONS_ARCHIVE.md",
				"# Decisions Archive\n\n| Date | Specification | Decision |\n|---|---|---|\n| 2026-03-01"+rows,
			)
		}},
		{code: "nul", begin: oneTask, turn: func(c *clinic) { c.write(taskFile, c.read(taskFile)+"\x00") }},
		{code: "nul", begin: decided, turn: func(c *clinic) { c.write(own, c.read(own)+"\x00") }},
		{code: "not_utf8", begin: oneTask, turn: func(c *clinic) { c.write(taskFile, c.read(taskFile)+"\xff") }},
		{code: "frontmatter_unterminated", begin: planned, turn: func(c *clinic) { c.edit(roadmap, "\n---\n", "\n") }},
		{code: "unclosed_fence", begin: decided, turn: func(c *clinic) { c.write(own, c.read(own)+"\n```\n") }},
		{
			code: "duplicate_section", begin: decided,
			turn: func(c *clinic) {
				c.write(own, c.read(own)+strings.Repeat("\n## Session Continuity\n\nLast session: none\n", 2))
			},
		},
		{code: "delimiter_mismatch", begin: specified, turn: func(c *clinic) {
			c.edit(".specflow/STATE.md", "|---|---|---|\n| 2026", "|---|---|\n| 2026")
		}},
		{
			code: "oversize_cell", begin: specified,
			turn: func(c *clinic) { c.edit(".specflow/STATE.md", "Oak piles", strings.Repeat("Oak piles ", 600)) },
		},
		{
			code: "archive_path_outside", begin: oneTask,
			turn: func(c *clinic) { c.edit(taskFile, `"epic_id": null`, `"epic_id": null, "archive_path": "../x.md"`) },
		},
		{
			code: "archive_missing", begin: oneTask,
			turn: func(c *clinic) { c.edit(taskFile, `"epic_id": null`, `"epic_id": null, "archive_path": "docs/x.md"`) },
		},
		{code: "claims_unavailable", begin: claimed, turn: func(c *clinic) { c.write(".baton/local/shared/claims.json", "{") }},
		{
			code: "counter_invalid", begin: claimed,
			turn: func(c *clinic) { c.edit(".baton/local/shared/claims.json", `"last_id": 1`, `"last_id": -7`) },
		},
		{code: "no_status_line", begin: governed1, turn: func(c *clinic) { c.write(".devt/state/debug-summary.md", "# Summary\n") }},
		{code: "invalid_status", begin: governed1, turn: func(c *clinic) { c.write(".devt/state/debug-summary.md", "## Status: MAYBE\n") }},
		{code: "session_number_duplicate", begin: logged(2), turn: func(c *clinic) { c.edit(taskFile, "### Session 2", "### Session 1") }},
	}
}

// driftFixtures have digests that disagree with the files beside them, and rows outside a table.
func driftFixtures() []fixture {
	const roadmap, table = ".planning/STATE.md", ".specflow/STATE.md"
	return []fixture{
		{code: "percent_stale", begin: planned, turn: func(c *clinic) { c.edit(roadmap, "percent: 0", "percent: 40") }},
		{
			code: "next_stale", begin: planned,
			turn: func(c *clinic) { c.edit(roadmap, "next_action: execute-phase", "next_action: plan-phase") },
		},
		{
			code: "lifecycle_stale", begin: executing,
			turn: func(c *clinic) { c.edit(roadmap, "current_phase: \"1\"", "current_phase: \"2\"") },
		},
		{code: "plan_count_drift", begin: executing, turn: func(c *clinic) { c.edit(roadmap, "Plan: 1 of 2", "Plan: 1 of 7") }},
		{code: "completed_decrease", begin: planned, turn: func(c *clinic) { c.edit(roadmap, "completed_plans: 0", "completed_plans: 2") }},
		{code: "status_drift", begin: executing, turn: func(c *clinic) {
			c.write(".planning/phases/01-piles/01-VERIFICATION.md", "---\nstatus: passed\n---\n\n# Verified\n")
		}},
		{code: "execution_row_without_file", begin: specified, turn: func(c *clinic) {
			c.write(table, c.read(
				table,
			)+"\n## Execution Status\n\n| Spec ID | Mode | Progress | Last Updated |\n|---|---|---|---|\n"+
				"| SPEC-4 | auto | 0/2 waves | 2026-03-01 |\n")
		}},
		{
			code: "bullet_orphan", begin: decided,
			turn: func(c *clinic) { c.edit(ownDigest, "### Decisions\n", "### Decisions\n- Oak over pine\n\n") },
		},
		{
			code: "oversize_row", begin: decided,
			turn: func(c *clinic) { c.edit(ownDigest, "Tar over paint", strings.Repeat("Tar over paint ", 200)) },
		},
		{code: "status_ambiguous", begin: planned, turn: func(c *clinic) { c.edit(roadmap, "status: planning", "status: replanning") }},
		{
			code: "milestone_unbounded", begin: planned,
			turn: func(c *clinic) { c.edit(roadmap, "status: planning", "milestone: v7.0\nstatus: planning") },
		},
		{code: "phase_unknown", begin: planned, turn: func(c *clinic) { c.edit(roadmap, `next_phases: ["1"]`, `next_phases: ["8"]`) }},
		{code: "execution_invalid", begin: specified, turn: func(c *clinic) { c.write(".specflow/execution/SPEC-004-state.json", "{") }},
		{code: "continue_invalid", begin: specified, turn: func(c *clinic) { c.write(".specflow/.continue-here", "x") }},
		{
			code: "continue_missing", begin: specified,
			turn: func(c *clinic) { c.write(".specflow/.continue-here", `{"state_file": "gone.md"}`) },
		},
		{code: "checkbox_variant", begin: oneTask, turn: func(c *clinic) { c.edit(taskFile, "- [ ] it stands", "- [ x] it stands") }},
		{
			code: "opaque_section", begin: oneTask,
			turn: func(c *clinic) { c.write(taskFile, c.read(taskFile)+"\n## Feature Checklist\n\nsoon\n") },
		},
		{code: "too_large", begin: oneTask, turn: func(c *clinic) {
			if err := os.Truncate(c.path(taskFile), 64<<20+1); err != nil {
				c.t.Fatal(err)
			}
		}},
	}
}

// folderFixtures have what a workflow and its clean-ups may leave in the working folder.
func folderFixtures() []fixture {
	const folder = ".devt/state/"
	return []fixture{
		{code: "inherited", begin: governed1, turn: func(c *clinic) {
			c.write(folder+"debug-summary.md", "## Status: DONE\n")
			old := c.now.Add(-48 * time.Hour)
			if err := os.Chtimes(c.path(folder+"debug-summary.md"), old, old); err != nil {
				c.t.Fatal(err)
			}
		}},
		{code: "missing_required_field", begin: governed1, turn: func(c *clinic) { c.write(folder+"review.json", "{}\n") }},
		{code: "missing_recommended_field", begin: governed1, turn: func(c *clinic) { c.write(folder+"handoff.json", "{}\n") }},
		{code: "invalid_json", begin: governed1, turn: func(c *clinic) { c.write(folder+"review.json", "{") }},
		{code: "byte_order_mark", begin: governed1, turn: func(c *clinic) { c.write(folder+"review.json", "\ufeff{}\n") }},
		{code: "not_an_object", begin: governed1, turn: func(c *clinic) { c.write(folder+"review.json", "[]\n") }},
		{
			code: "duplicate_key", begin: governed1,
			turn: func(c *clinic) { c.write(folder+"review.json", `{"status": "DONE", "status": "DONE"}`) },
		},
		{
			code: "line_unreadable", begin: governed1,
			turn: func(c *clinic) { c.write(folder+"workflow.yaml", c.read(folder+"workflow.yaml")+"nothing\n") },
		},
		{code: "contract_invalid", begin: governed1, turn: func(c *clinic) { c.write(".devt/contract.yaml", "names: 7\n") }},
		{code: "lock_invalid", begin: governed1, turn: func(c *clinic) { c.write(folder+".lock/x", "x") }},
		{
			code: "invalid_value", begin: governed1,
			turn: func(c *clinic) { c.edit(folder+"workflow.yaml", "phase: context_init", "phase: onward") },
		},
		{code: "wrong_kind", begin: governed1, turn: func(c *clinic) { c.edit(folder+"workflow.yaml", "iteration: 0", "iteration: many") }},
		{code: "archive_order", begin: governed1, turn: func(c *clinic) {
			for n := range 5 {
				c.write(fmt.Sprintf(".devt/state/.archive/begin-2026-03-0%dT09-00-00-000Z/f.md", n+1), "x")
			}
		}},
		{
			code: "manifest_orphaned", begin: cleaned,
			turn: func(c *clinic) { c.removeAll(strings.TrimSuffix(c.manifest(), ".manifest.json")) },
		},
		{code: "manifest_invalid", begin: cleaned, turn: func(c *clinic) {
			name := c.manifest()
			c.remove(name)
			c.write(name+"/x", "x")
		}},
		{
			code: "snapshot_unfinished", begin: cleaned,
			turn: func(c *clinic) { c.edit(c.manifest(), `"complete": true`, `"complete": false`) },
		},
	}
}
