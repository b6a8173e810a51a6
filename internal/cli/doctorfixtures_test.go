package cli

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/report"
)

func fixtures() []fixture {
	return slices.Concat(
		taskFixtures(), digestFixtures(), placeFixtures(), renumberFixtures(), moreFixtures(), driftFixtures(), folderFixtures(),
		faultFixtures(),
	)
}

// fixture is one thing that can be wrong: a project without the fault, and the function that causes it.
type fixture struct {
	code  report.Code
	begin func(*clinic)
	turn  func(*clinic)
}

func taskFixtures() []fixture {
	return []fixture{
		{
			code: "duplicate_task_file", begin: oneTask,
			turn: func(c *clinic) { c.write(".specflux/task-states/task-1-state.md", c.read(taskFile)) },
		},
		{code: "dependency_missing", begin: twoTasks, turn: func(c *clinic) { c.remove(taskFile) }},
		{code: "dependency_cancelled", begin: twoTasks, turn: func(c *clinic) { c.do("task cancel 1 --reason late") }},
		{code: "task_status_unknown", begin: oneTask, turn: func(c *clinic) { c.edit(taskFile, `"status": "ready"`, `"status": "redy"`) }},
		{code: "sessions_mismatch", begin: logged(
			2,
		), turn: func(c *clinic) { c.edit(taskFile, `"total_sessions": 2`, `"total_sessions": 7`) }},
		{
			code: "unknown_status", begin: planned,
			turn: func(c *clinic) {
				c.edit(".planning/STATE.md", "status: planning", "status: nonsense")
				c.edit(".planning/STATE.md", "Status: Ready to plan", "Status: Who knows")
			},
		},
		{code: "task_gone", begin: oneTask, turn: func(c *clinic) { c.remove(taskFile) }},
		{
			code: "dependency_cycle", begin: twoTasks,
			turn: func(c *clinic) { c.edit(taskFile, `"epic_id": null`, `"epic_id": null, "dependencies": [2]`) },
		},
		{code: "metadata_invalid", begin: oneTask, turn: func(c *clinic) { c.edit(taskFile, `"task_id":`, `"task_id"`) }},
		{code: "task_id_mismatch", begin: oneTask, turn: func(c *clinic) { c.edit(taskFile, `"task_id": 1`, `"task_id": 7`) }},
		{
			code: "conflict_markers", begin: oneTask,
			turn: func(c *clinic) { c.write(taskFile, c.read(taskFile)+"\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n") },
		},
		{code: "emptied", begin: oneTask, turn: func(c *clinic) { c.write(taskFile, "") }},
		{code: "empty_file", begin: oneTask, turn: func(c *clinic) { c.write(".baton/tasks/task-2-state.md", "") }},
		{code: "too_many", begin: oneTask, turn: func(c *clinic) {
			var ids []string
			for n := range 1001 {
				ids = append(ids, strconv.Itoa(n+2))
			}
			c.edit(taskFile, `"epic_id": null`, `"epic_id": null, "dependencies": [`+strings.Join(ids, ", ")+`]`)
		}},
		{code: "title_missing", begin: oneTask, turn: func(c *clinic) { c.edit(taskFile, "# Task #1: Pier\n", "") }},
		{code: "over_limit", begin: logged(7), turn: func(c *clinic) { c.write(".baton/config.yaml", "tasks:\n  archive_kb: 1\n") }},
		{code: "task_may_be_too_large", begin: logged(
			1,
		), turn: func(c *clinic) { c.write(taskFile, c.read(taskFile)+strings.Repeat("more and more\n", 8000)) }},
		{code: "must_split", begin: logged(15), turn: func(c *clinic) { c.do(`task log 1 --did "one more"`) }},
		{code: "archive_gone", begin: archived, turn: func(c *clinic) { c.remove(".baton/archive/task-1-archive.md") }},
		{code: "evidence_gone", begin: oneTask, turn: func(c *clinic) {
			c.run("task", "check", "1", "1", "--evidence", "seen")
			c.remove(".baton/archive/task-1-evidence.jsonl")
		}},
		{
			code: "archive_count", begin: archived,
			turn: func(c *clinic) { c.edit(taskFile, `"archived_sessions": 3`, `"archived_sessions": 5`) },
		},
		{code: "session_in_archive", begin: logged(4), turn: func(c *clinic) {
			_, third, _ := strings.Cut(c.read(taskFile), "### Session 3")
			third, _, _ = strings.Cut(third, "### Session 4")
			c.do("task archive 1 --keep 1")
			c.edit(taskFile, "### Session 4", "### Session 3"+third+"### Session 4")
		}},
		{code: "archive_orphan", begin: oneTask, turn: func(c *clinic) { c.write(".baton/archive/task-9-archive.md", "# 9\n") }},
		{code: "task_name", begin: oneTask, turn: func(c *clinic) { c.write(".baton/tasks/task-2+-state.md", c.read(taskFile)) }},
		{code: "future_time", begin: oneTask, turn: func(c *clinic) {
			if err := os.Chtimes(c.path(taskFile), c.now.Add(time.Hour), c.now.Add(time.Hour)); err != nil {
				c.t.Fatal(err)
			}
		}},
		{code: "completion_due", begin: oneTask, turn: func(c *clinic) {
			c.run("task", "check", "1", "1", "--evidence", "seen")
			c.run("task", "output", "1", "--summary", "done")
		}},
		{code: "status_merged", begin: oneTask, turn: func(c *clinic) {
			c.edit(taskFile, `"status": "ready"`, `"status": "ready", "status_merged": "ready over backlog"`)
		}},
		{code: "output_empty", begin: twoTasks, turn: func(c *clinic) { c.edit(taskFile, `"status": "ready"`, `"status": "complete"`) }},
		{code: "claim_lapsed", begin: claimed, turn: func(c *clinic) { c.now = c.now.Add(2 * time.Hour) }},
		{code: "mark_orphaned", begin: inGit, turn: func(c *clinic) {
			c.edit(".baton/local/shared/claims.json", `"claims": {}`, `"claims": {}, "marks": [{"task": "1", "status": "complete",
				"branch": "gone", "worktree": "w1", "by": "agent-2", "at": "2026-03-14T11:00:00Z"}]`)
		}},
		{code: "clock_skew", begin: claimed, turn: func(c *clinic) { c.now = c.now.Add(-2 * time.Hour); c.date() }},
	}
}

func digestFixtures() []fixture {
	return []fixture{
		{
			code: "progress_drift", begin: planned,
			turn: func(c *clinic) { c.write(".planning/phases/01-piles/01-01-SUMMARY.md", "# Done\n") },
		},
		{code: "release_conflict", begin: planned, turn: func(c *clinic) {
			c.write(".planning/config.json", `{"version": "1.10.0"}`)
			c.write(".claude/hooks/gsd-statusline.js", "#!/usr/bin/env node\n// gsd-hook-version: 1.14.0\n")
		}},
		{code: "over_lines", begin: decided, turn: func(c *clinic) {
			c.write(".baton/config.yaml", "state:\n  max_lines: 22\ndecisions:\n  keep: 1\n  tolerate: 1\n")
		}},
		{code: "entries_lost", begin: decided, turn: func(c *clinic) {
			var kept []string
			for line := range strings.Lines(c.read(".baton/STATE.md")) {
				if !strings.HasPrefix(line, "| 20") {
					kept = append(kept, line)
				}
			}
			c.write(".baton/STATE.md", strings.Join(kept, ""))
		}},
		{code: "book_unusable", begin: decided, turn: func(c *clinic) {
			c.removeAll(".baton/local/ledger")
			c.write(".baton/local/ledger", "x")
		}},
		{code: "entries_unjudged", begin: decided, turn: func(c *clinic) {
			c.remove(ownDigest)
			c.write(ownDigest+"/x", "x")
		}},
		{code: "frontmatter_invalid", begin: planned, turn: func(c *clinic) {
			c.edit(".planning/STATE.md", "status:", "stopped_at: the pier: second bay\nstatus:")
		}},
		{code: "stacked_frontmatter", begin: planned, turn: func(c *clinic) {
			c.edit(".planning/STATE.md", "\n---\n", "\n---\n\n---\nstatus: planning\n---\n")
		}},
		{code: "lifecycle_conflict", begin: planned, turn: func(c *clinic) {
			c.edit(".planning/STATE.md", "\n---\n", "\nactive_phase: \"1\"\n---\n")
		}},
		{code: "digest_missing", begin: specified, turn: func(c *clinic) {
			c.write(".specflow/DECISIONS_ARCHIVE.md", "# Decisions Archive\n")
			c.remove(".specflow/STATE.md")
		}},
		{code: "digest_missing", begin: oneTask, turn: func(c *clinic) { c.write(".specflow/PROJECT.md", "# Pier\n") }},
		{code: "digest_missing", begin: decided, turn: func(c *clinic) { c.remove(ownDigest) }},
		{
			code: "log_altered", begin: decided,
			turn: func(c *clinic) { c.edit(".baton/local/log/000001.jsonl", "decision add", "decision drop") },
		},
		{code: "layout_ambiguous", begin: specified, turn: func(c *clinic) { c.write(".planning/ROADMAP.md", "# Roadmap\n") }},
		{code: "detached_rows", begin: specified, turn: func(c *clinic) { c.edit(".specflow/STATE.md", "| 2026-03-01", "\n| 2026-03-01") }},
		{
			code: "ragged_rows", begin: specified,
			turn: func(c *clinic) { c.edit(".specflow/STATE.md", "| Oak piles |", "| Oak piles | too | many |") },
		},
		{code: "archive_unsorted", begin: specified, turn: func(c *clinic) {
			c.write(
				".specflow/DECISIONS_ARCHIVE.md",
				"# Decisions Archive\n\n| Date | Specification | Decision |\n|---|---|---|\n| 2026-02-02 | SPEC-001 | b |\n"+
					"| 2026-02-01 | SPEC-001 | a |\n",
			)
		}},
		{code: "execution_file_without_row", begin: specified, turn: func(c *clinic) {
			c.write(".specflow/execution/SPEC-004-state.json", `{"mode": "auto", "status": "running"}`)
		}},
		{code: "truncation_scar", begin: specified, turn: func(c *clinic) {
			c.write(".specflow/STATE.md", strings.TrimSuffix(c.read(".specflow/STATE.md"), "les |\n"))
		}},
		{
			code: "decisions_exhausted", begin: oneTask,
			turn: func(c *clinic) { c.write(ownDigest, c.read(ownDigest)+strings.Repeat("\nmore and more\n", 60)) },
		},
		{
			code: "active_spec_missing", begin: specified,
			turn: func(c *clinic) { c.edit(".specflow/STATE.md", "Specification:** none", "Specification:** SPEC-009") },
		},
	}
}

func placeFixtures() []fixture {
	return []fixture{
		{code: "config_key", begin: oneTask, turn: func(c *clinic) { c.write(".baton/config.yaml", "tasks:\n  archiv_kb: 1\n") }},
		{code: "config_type", begin: oneTask, turn: func(c *clinic) { c.write(".baton/config.yaml", "tasks:\n  archive_kb: many\n") }},
		{code: "ad_hoc", begin: governed1, turn: func(c *clinic) { c.write(".devt/state/my-notes.txt", "x") }},
		{code: "lock_stale", begin: governed1, turn: func(c *clinic) {
			c.write(".devt/state/.lock", "999999999")
			c.date()
		}},
		{code: "agents_outdated", begin: equipped, turn: func(c *clinic) { c.remove("AGENTS.md") }},
		{
			code: "agents_conflict", begin: equipped,
			turn: func(c *clinic) { c.write(".mcp.json", `{"mcpServers": {"baton": {"command": "other"}}}`) },
		},
		{
			code: "hooks_disabled", begin: equipped,
			turn: func(c *clinic) { c.write(".claude/settings.local.json", `{"disableAllHooks": true}`) },
		},
		{code: "missing", begin: governed1, turn: func(c *clinic) { c.write(".devt/state/review.md", "## Status: DONE\n") }},
		{code: "name_on_folder", begin: governed1, turn: func(c *clinic) { c.write(".devt/state/review.md/x", "x") }},
		{code: "conflict_kept", begin: oneTask, turn: func(c *clinic) { c.write(".baton/local/conflicts/20260314/STATE.md", "x") }},
		{code: "journal_pending", begin: oneTask, turn: func(c *clinic) { c.write(".baton/local/journal", "") }},
		{code: "monitor_blind", begin: oneTask, turn: func(c *clinic) {
			c.write(".claude/settings.json", `{"statusLine": {"command": "baton statusline"}, "hooks": {"PostToolUse": [`+
				`{"hooks": [{"type": "command", "command": "node .claude/hooks/gsd-context-monitor.js"}]}]}}`)
		}},
		{code: "runtime_not_ignored", begin: versioned, turn: func(c *clinic) { c.remove(".baton/local/.gitignore") }},
		{code: "runtime_tracked", begin: versioned, turn: func(c *clinic) { c.shell("git", "add", "-f", ".baton/local/lock") }},
	}
}

// renumberFixtures have numbers that two clones gave twice, and what else a merge leaves.
func renumberFixtures() []fixture {
	return []fixture{
		{code: "task_doubled", begin: oneTask, turn: func(c *clinic) {
			c.write(".specflux/task-states/task-1-state.md", strings.ReplaceAll(
				strings.ReplaceAll(c.read(taskFile), "Pier", "Rail"), "it stands", "it lies",
			))
		}},
		{code: "task_doubled", begin: oneTask, turn: func(c *clinic) {
			text := c.read(taskFile)
			c.write(taskFile, "<<<<<<< ours\n"+text+"=======\n"+
				strings.ReplaceAll(strings.ReplaceAll(text, "Pier", "Rail"), "it stands", "it lies")+">>>>>>> theirs\n")
		}},
		{code: "session_number_doubled", begin: logged(2), turn: func(c *clinic) {
			c.edit(taskFile, "### Session 2", "### Session 1")
			c.edit(taskFile, "all day", "all night")
		}},
		{code: "session_number_doubled", begin: bothArchived, turn: func(c *clinic) {
			c.edit(".baton/archive/task-1-archive.md", "## Session 5", "## Session 2")
		}},
		{code: "task_id_mismatch", begin: oneTask, turn: func(c *clinic) { c.edit(taskFile, "# Task #1:", "# Task #7:") }},
		{code: "task_id_mismatch", begin: oneTask, turn: func(c *clinic) {
			c.edit(taskFile, "# Task #1:", "# Task #7:")
			c.edit(taskFile, `"task_id": 1`, `"task_id": 7`)
		}},
		{code: "task_id_mismatch", begin: twoTasks, turn: func(c *clinic) {
			c.edit(taskFile, "# Task #1:", "# Task #2:")
			c.edit(taskFile, `"task_id": 1`, `"task_id": 2`)
		}},
		{code: "reference_missing", begin: split, turn: func(c *clinic) { c.remove(taskFile) }},
		{code: "merge_driver_missing", begin: branched, turn: func(c *clinic) { c.shell("git", "branch", "side") }},
		{code: "merge_driver_missing", begin: branched, turn: func(c *clinic) {
			c.do("merge install")
			c.shell("git", "branch", "side")
			c.shell("git", "config", "--unset", "merge.baton.driver")
		}},
		{code: "merge_driver_missing", begin: branched, turn: func(c *clinic) {
			c.do("merge install")
			c.shell("git", "branch", "side")
			c.write(".gitattributes", c.read(".gitattributes")+".baton/STATE.md merge=union\n")
		}},
	}
}
