package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func bothArchived(c *clinic) {
	archived(c)
	c.do(`task log 1 --did "the deck"`, "task archive 1 --keep 0")
}

func split(c *clinic) {
	c.do("init", `task new Pier --accept "it stands" --accept "it holds"`)
	c.write(".baton/tasks/task-2-state.md", strings.NewReplacer("#1", "#2", `"task_id": 1`, `"task_id": 2, "parent": 1`, "Pier", "Bay").Replace(c.read(taskFile)))
	c.date()
}

func branched(c *clinic) {
	versioned(c)
	c.shell("git", "config", "user.name", "agent-1")
	c.shell("git", "config", "user.email", "agent-1@example.org")
	c.commit("base")
}

// renumberFixtures are what two clones made under one number, and what a merge leaves besides.
func renumberFixtures() []fixture {
	return []fixture{
		{code: "task_doubled", begin: oneTask, turn: func(c *clinic) {
			c.write(".specflux/task-states/task-1-state.md", strings.ReplaceAll(strings.ReplaceAll(c.read(taskFile), "Pier", "Rail"), "it stands", "it lies"))
		}},
		{code: "task_doubled", begin: oneTask, turn: func(c *clinic) {
			text := c.read(taskFile)
			c.write(taskFile, "<<<<<<< ours\n"+text+"=======\n"+strings.ReplaceAll(strings.ReplaceAll(text, "Pier", "Rail"), "it stands", "it lies")+">>>>>>> theirs\n")
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
	}
}

// moreFixtures are findings that other checks make and the doctor gathers.
func moreFixtures() []fixture {
	const roadmap, own = ".planning/STATE.md", ownDigest
	return []fixture{
		{code: "out_of_sync", begin: planned, turn: func(c *clinic) { c.write(".planning/todos/pending/one.md", "# One\n") }},
		{code: "over_bytes", begin: decided, turn: func(c *clinic) {
			c.write(".baton/config.yaml", "state:\n  max_bytes: 1300\ndecisions:\n  keep: 1\n  tolerate: 1\n")
		}},
		{code: "nul", begin: oneTask, turn: func(c *clinic) { c.write(taskFile, c.read(taskFile)+"\x00") }},
		{code: "nul_byte", begin: decided, turn: func(c *clinic) { c.write(own, c.read(own)+"\x00") }},
		{code: "not_utf8", begin: oneTask, turn: func(c *clinic) { c.write(taskFile, c.read(taskFile)+"\xff") }},
		{code: "frontmatter_unterminated", begin: planned, turn: func(c *clinic) { c.edit(roadmap, "\n---\n", "\n") }},
		{code: "unclosed_fence", begin: decided, turn: func(c *clinic) { c.write(own, c.read(own)+"\n```\n") }},
		{code: "duplicate_section", begin: decided, turn: func(c *clinic) { c.write(own, c.read(own)+"\n## Session Continuity\n\nLast session: none\n") }},
		{code: "delimiter_mismatch", begin: specified, turn: func(c *clinic) {
			c.edit(".specflow/STATE.md", "|---|---|---|\n| 2026", "|---|---|\n| 2026")
		}},
		{code: "oversize_cell", begin: specified, turn: func(c *clinic) { c.edit(".specflow/STATE.md", "Oak piles", strings.Repeat("Oak piles ", 600)) }},
		{code: "archive_path_outside", begin: oneTask, turn: func(c *clinic) { c.edit(taskFile, `"epic_id": null`, `"epic_id": null, "archive_path": "../x.md"`) }},
		{code: "archive_missing", begin: oneTask, turn: func(c *clinic) { c.edit(taskFile, `"epic_id": null`, `"epic_id": null, "archive_path": "docs/x.md"`) }},
		{code: "claims_unavailable", begin: claimed, turn: func(c *clinic) { c.write(".baton/local/shared/claims.json", "{") }},
		{code: "counter_invalid", begin: claimed, turn: func(c *clinic) { c.edit(".baton/local/shared/claims.json", `"last_id": 1`, `"last_id": -7`) }},
		{code: "no_status_line", begin: governed1, turn: func(c *clinic) { c.write(".devt/state/debug-summary.md", "# Summary\n") }},
		{code: "invalid_status", begin: governed1, turn: func(c *clinic) { c.write(".devt/state/debug-summary.md", "## Status: MAYBE\n") }},
		{code: "session_number_duplicate", begin: logged(2), turn: func(c *clinic) { c.edit(taskFile, "### Session 2", "### Session 1") }},
	}
}

// driftFixtures are digests that say something else than what stands beside them, and rows that no list has.
func driftFixtures() []fixture {
	const roadmap, table = ".planning/STATE.md", ".specflow/STATE.md"
	return []fixture{
		{code: "percent_stale", begin: planned, turn: func(c *clinic) { c.edit(roadmap, "percent: 0", "percent: 40") }},
		{code: "next_stale", begin: planned, turn: func(c *clinic) { c.edit(roadmap, "next_action: execute-phase", "next_action: plan-phase") }},
		{code: "plan_count_drift", begin: executing, turn: func(c *clinic) { c.edit(roadmap, "Plan: 1 of 2", "Plan: 1 of 7") }},
		{code: "completed_decrease", begin: planned, turn: func(c *clinic) { c.edit(roadmap, "completed_plans: 0", "completed_plans: 2") }},
		{code: "status_drift", begin: executing, turn: func(c *clinic) {
			c.write(".planning/phases/01-piles/01-VERIFICATION.md", "---\nstatus: passed\n---\n\n# Verified\n")
		}},
		{code: "execution_row_without_file", begin: specified, turn: func(c *clinic) {
			c.write(table, c.read(table)+"\n## Execution Status\n\n| Spec ID | Mode | Progress | Last Updated |\n|---|---|---|---|\n| SPEC-4 | auto | 0/2 waves | 2026-03-01 |\n")
		}},
		{code: "bullet_orphan", begin: decided, turn: func(c *clinic) { c.edit(ownDigest, "### Decisions\n", "### Decisions\n- Oak over pine\n\n") }},
		{code: "oversize_row", begin: decided, turn: func(c *clinic) { c.edit(ownDigest, "Tar over paint", strings.Repeat("Tar over paint ", 200)) }},
		{code: "status_ambiguous", begin: planned, turn: func(c *clinic) { c.edit(roadmap, "status: planning", "status: replanning") }},
		{code: "milestone_unbounded", begin: planned, turn: func(c *clinic) { c.edit(roadmap, "status: planning", "milestone: v7.0\nstatus: planning") }},
		{code: "phase_unknown", begin: planned, turn: func(c *clinic) { c.edit(roadmap, `next_phases: ["1"]`, `next_phases: ["8"]`) }},
		{code: "execution_invalid", begin: specified, turn: func(c *clinic) { c.write(".specflow/execution/SPEC-004-state.json", "{") }},
		{code: "continue_invalid", begin: specified, turn: func(c *clinic) { c.write(".specflow/.continue-here", "x") }},
		{code: "continue_missing", begin: specified, turn: func(c *clinic) { c.write(".specflow/.continue-here", `{"state_file": "gone.md"}`) }},
		{code: "checkbox_variant", begin: oneTask, turn: func(c *clinic) { c.edit(taskFile, "- [ ] it stands", "- [ x] it stands") }},
		{code: "opaque_section", begin: oneTask, turn: func(c *clinic) { c.write(taskFile, c.read(taskFile)+"\n## Feature Checklist\n\nsoon\n") }},
		{code: "too_large", begin: oneTask, turn: func(c *clinic) {
			if err := os.Truncate(c.path(taskFile), 64<<20+1); err != nil {
				c.t.Fatal(err)
			}
		}},
	}
}

// folderFixtures are what a workflow and its sweeps may leave behind in the working folder.
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
		{code: "duplicate_key", begin: governed1, turn: func(c *clinic) { c.write(folder+"review.json", `{"status": "DONE", "status": "DONE"}`) }},
		{code: "line_unreadable", begin: governed1, turn: func(c *clinic) { c.write(folder+"workflow.yaml", c.read(folder+"workflow.yaml")+"nothing\n") }},
		{code: "record_lines", begin: governed1, turn: func(c *clinic) { c.write(folder+"workflow.yaml", c.read(folder+"workflow.yaml")+"nothing\n") }},
		{code: "contract_invalid", begin: governed1, turn: func(c *clinic) { c.write(".devt/contract.yaml", "names: 7\n") }},
		{code: "lock_invalid", begin: governed1, turn: func(c *clinic) { c.write(folder+".lock/x", "x") }},
		{code: "invalid_value", begin: governed1, turn: func(c *clinic) { c.edit(folder+"workflow.yaml", "phase: context_init", "phase: onward") }},
		{code: "wrong_kind", begin: governed1, turn: func(c *clinic) { c.edit(folder+"workflow.yaml", "iteration: 0", "iteration: many") }},
		{code: "manifest_orphaned", begin: cleaned, turn: func(c *clinic) { c.removeAll(strings.TrimSuffix(c.manifest(), ".manifest.json")) }},
		{code: "manifest_invalid", begin: cleaned, turn: func(c *clinic) {
			name := c.manifest()
			c.remove(name)
			c.write(name+"/x", "x")
		}},
		{code: "snapshot_unfinished", begin: cleaned, turn: func(c *clinic) { c.edit(c.manifest(), `"complete": true`, `"complete": false`) }},
	}
}

func executing(c *clinic) {
	planned(c)
	c.do("state begin 1 --stage plan --done", "state begin 1 --stage execute")
}

func cleaned(c *clinic) {
	governed1(c)
	c.write(".devt/state/my-notes.txt", "x")
	c.date()
	c.do("dir cleanup --apply")
}

// manifest is the name of the one manifest that a sweep left.
func (c *clinic) manifest() string {
	c.t.Helper()
	found, err := filepath.Glob(c.path(".devt/state/.archive/*.manifest.json"))
	if err != nil || len(found) != 1 {
		c.t.Fatal(found, err)
	}
	name, err := filepath.Rel(c.dir, found[0])
	if err != nil {
		c.t.Fatal(err)
	}
	return filepath.ToSlash(name)
}

func (c *clinic) removeAll(name string) {
	c.t.Helper()
	if err := os.RemoveAll(c.path(name)); err != nil {
		c.t.Fatal(err)
	}
}

// elsewhere are codes with a fixture of their own, because a command line cannot make what they need.
func elsewhere() map[string]string {
	return map[string]string{
		"claim_holder_gone": "TestDoctorKnowsHoldersThatAreGone", "file_gone": "TestD36_DoctorTellsOfLinks", "outside": "TestD36_DoctorTellsOfLinks",
		"case_clash": "TestDoctorFindsNamesAndMends", "reference_doubtful": "TestD40_AReferenceThatMayMeanEither",
		"git_silent": "TestD9_WhereGitGivesNoAnswerEveryCommandSaysSo",
	}
}

// Every code that the documentation lists for the doctor, every one that the doctor's own files name, and every one that they
// have advice on, has a fixture; and every code that the files make is in the documentation.
func TestDoctorHasAFixtureForEveryFinding(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "cli.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "adds what only shows between documents and beside them:")
	table, _, closed := strings.Cut(rest, "A fix is one transaction")
	if !found || !closed {
		t.Fatal("docs/cli.md has no table of the doctor's findings")
	}
	word := regexp.MustCompile("`([a-z0-9_]+)`")
	shown := elsewhere()
	for _, f := range fixtures() {
		shown[f.code] = "TestDoctorFindsNamesAndMends"
	}
	var documented []string
	for line := range strings.Lines(table) {
		cell, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		for _, code := range word.FindAllStringSubmatch(cell, -1) {
			if documented = append(documented, code[1]); shown[code[1]] == "" {
				t.Errorf("docs/cli.md lists %s, and no fixture shows it", code[1])
			}
		}
	}
	sources, err := filepath.Glob(filepath.Join("..", "project", "doctor*.go"))
	if err != nil || len(sources) < 5 {
		t.Fatal(sources, err)
	}
	named := regexp.MustCompile(`(?:d\.warn\(|Code: )"([a-z0-9_]+)"`)
	for _, source := range append(sources, filepath.Join("..", "project", "renumbersession.go")) {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range named.FindAllStringSubmatch(string(text), -1) {
			if code[1] == "no_project" { // an error, no finding
				continue
			}
			if !slices.Contains(documented, code[1]) {
				t.Errorf("%s makes %s, which the table in docs/cli.md does not have", filepath.Base(source), code[1])
			}
			if shown[code[1]] == "" {
				t.Errorf("%s makes %s, and no fixture shows it", filepath.Base(source), code[1])
			}
		}
	}
	for _, code := range advised(t) {
		if shown[code] == "" {
			t.Errorf("the doctor has advice on %s, and no fixture shows it", code)
		}
	}
}

// advised gives the codes of other checks that the table of remedies names.
func advised(t *testing.T) (codes []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "project", "doctorremedy.go"))
	if err != nil {
		t.Fatal(err)
	}
	word := regexp.MustCompile(`"([a-z0-9_]+)"`)
	for _, list := range regexp.MustCompile(`(?m)^\tcase ("[a-z0-9_", ]+"):$`).FindAllStringSubmatch(string(text), -1) {
		for _, code := range word.FindAllStringSubmatch(list[1], -1) {
			if code[1] != "large" { // below the limit, so that it never ails
				codes = append(codes, code[1])
			}
		}
	}
	if len(codes) < 60 {
		t.Fatalf("only %d codes: the search is wrong", len(codes))
	}
	return codes
}
