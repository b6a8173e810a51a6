package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// faultFixtures have something that is not a file, cannot be read, or was left by a process that died.
func faultFixtures() []fixture {
	const journal, record, archive = ".baton/local/journal", ".devt/state/workflow.yaml", ".baton/archive/task-1-archive.md"
	return []fixture{
		{code: "is_directory", begin: oneTask, turn: func(c *clinic) { c.write(".baton/tasks/task-2-state.md/x", "x") }},
		{code: "is_directory", begin: archived, turn: func(c *clinic) { c.remove(archive); c.write(archive+"/x", "x") }},
		{code: "is_directory", begin: specified, turn: func(c *clinic) { c.write(".specflow/DECISIONS_ARCHIVE.md/x", "x") }},
		{
			code: "is_directory", begin: equipped,
			turn: func(c *clinic) { c.remove(".claude/settings.json"); c.write(".claude/settings.json/x", "x") },
		},
		{code: "not_directory", begin: oneTask, turn: func(c *clinic) { c.removeAll(".baton/archive"); c.write(".baton/archive", "x") }},
		{code: "not_directory", begin: oneTask, turn: func(c *clinic) { c.removeAll(".baton/tasks"); c.write(".baton/tasks", "x") }},
		{code: "not_directory", begin: governed1, turn: func(c *clinic) { c.removeAll(".devt/state"); c.write(".devt/state", "x") }},
		{code: "not_directory", begin: specified, turn: func(c *clinic) { c.write(".specflow/execution", "x") }},
		{code: "nul", begin: archived, turn: func(c *clinic) { c.write(archive, c.read(archive)+"\x00") }},
		{
			code: "conflict_markers", begin: archived,
			turn: func(c *clinic) { c.write(archive, c.read(archive)+"\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n") },
		},
		{
			code: "conflict_markers", begin: governed1,
			turn: func(c *clinic) { c.write(record, c.read(record)+"<<<<<<< a\nx: 1\n=======\ny: 1\n>>>>>>> b\n") },
		},
		{code: "clock_skew", begin: governed1, turn: func(c *clinic) { c.now = c.now.Add(-time.Hour); c.date() }},
		{code: "unclosed_fence", begin: oneTask, turn: func(c *clinic) { c.write(taskFile, c.read(taskFile)+"\n```\n") }},
		{code: "unreadable", begin: governed1, turn: func(c *clinic) { c.remove(record); c.write(record+"/x", "x") }},
		{code: "archive_invalid", begin: governed1, turn: func(c *clinic) { c.write(".devt/state/.archive", "x") }},
		{code: "contract_invalid", begin: governed1, turn: func(c *clinic) { c.write(".devt/contract.yaml/x", "x") }},
		{code: "config_invalid", begin: oneTask, turn: func(c *clinic) { c.write(".baton/config.yaml", "tasks: {\n") }},
		{
			code: "config_invalid", begin: oneTask,
			turn: func(c *clinic) { c.write(".baton/config.yaml", strings.Repeat("# more and more\n", 1<<17)) },
		},
		{code: "config_invalid", begin: specified, turn: func(c *clinic) { c.write(".specflow/config.json", "{") }},
		{code: "config_invalid", begin: governed1, turn: func(c *clinic) { c.write(".devt/config.json", "{") }},
		{
			code: "config_unreadable", begin: oneTask,
			turn: func(c *clinic) { c.removeAll(".baton/config.yaml"); c.write(".baton/config.yaml/x", "x") },
		},
		{code: "agents_conflict", begin: equipped, turn: func(c *clinic) { c.write(".claude/settings.json", "{") }},
		{code: "claims_unavailable", begin: claimed, turn: func(c *clinic) {
			c.remove(".baton/local/shared/claims.json")
			c.write(".baton/local/shared/claims.json/x", "x")
		}},
		{code: "log_altered", begin: decided, turn: func(c *clinic) {
			c.remove(".baton/local/log/000001.jsonl")
			c.write(".baton/local/log/000001.jsonl/x", "x")
		}},
		{code: "journal_unreadable", begin: oneTask, turn: func(c *clinic) { c.write(journal+"/x", "x") }},
		{code: "journal_unreadable", begin: oneTask, turn: func(c *clinic) { c.write(journal, sealed(`{"version":1,"files":[]}`)) }},
		// of a newer baton
		{code: "journal_unreadable", begin: oneTask, turn: func(c *clinic) { c.write(journal, sealed(`{"version":99,"files":[]}`)) }},
		{code: "journal_pending", begin: planned, turn: func(c *clinic) { c.write(".planning/.rotate.json", "{}") }},
		{code: "lock_stale", begin: planned, turn: func(c *clinic) {
			c.write(".planning/STATE.md.lock", "{}")
			c.date()
			c.now = c.now.Add(time.Hour)
		}},
	}
}

// systemFixtures are faults that not every system and file system can have.
func systemFixtures(t *testing.T) []fixture {
	t.Helper()
	if runtime.GOOS != "linux" {
		return nil
	}
	return []fixture{
		{
			code: "case_clash", begin: oneTask,
			turn: func(c *clinic) { c.write(".baton/tasks/NOTES.md", "x"); c.write(".baton/tasks/notes.md", "x") },
		},
		{
			code: "case_clash", begin: governed1,
			turn: func(c *clinic) { c.write(".devt/state/Notes.md", "x"); c.write(".devt/state/notes.md", "x") },
		},
		{code: "task_doubled", begin: func(c *clinic) { c.do("init", `task new Pier --id proj-4 --accept "it stands"`) }, turn: func(
			c *clinic,
		) {
			c.write(".baton/tasks/task-PROJ-4-state.md", strings.NewReplacer(
				"proj-4", "PROJ-4", "Pier", "Rail", "it stands", "it lies",
			).Replace(c.read(".baton/tasks/task-proj-4-state.md")))
		}},
		{code: "not_regular", begin: oneTask, turn: func(c *clinic) { c.shell("mkfifo", ".baton/tasks/task-2-state.md") }},
		{code: "link_loop", begin: oneTask, turn: func(c *clinic) { c.link("task-2-state.md", ".baton/tasks/task-2-state.md") }},
		{
			code: "link_loop", begin: planned,
			turn: func(c *clinic) { c.remove(".planning/ROADMAP.md"); c.link("ROADMAP.md", ".planning/ROADMAP.md") },
		},
		{code: "unreadable", begin: governed1, turn: func(c *clinic) { c.link("nowhere", ".devt/state/debug-summary.md") }},
		{code: "path_outside", begin: planned, turn: func(c *clinic) {
			c.removeAll(".planning/phases")
			c.elsewhere("out")
			c.link("../../out", ".planning/phases")
		}},
		{code: "outside", begin: governed1, turn: func(c *clinic) {
			c.removeAll(".devt/state")
			c.elsewhere("out")
			c.link("../../out", ".devt/state")
		}},
		{code: "folder_invalid", begin: governed1, turn: func(c *clinic) {
			c.removeAll(".devt/state")
			c.write("src/x", "x")
			c.link("../src", ".devt/state")
		}},
	}
}

// sealed appends the checksum of a journal to its record.
func sealed(record string) string {
	sum := sha256.Sum256([]byte(record))
	return record + "\n" + `{"sha256":"` + hex.EncodeToString(sum[:]) + `"}` + "\n"
}

// link makes a symbolic link.
func (c *clinic) link(to, name string) {
	c.t.Helper()
	if err := os.Symlink(to, c.path(name)); err != nil {
		c.t.Fatal(err)
	}
}

// elsewhere creates a folder next to the project.
func (c *clinic) elsewhere(name string) {
	c.t.Helper()
	if err := os.Mkdir(c.path("../"+name), 0o777); err != nil {
		c.t.Fatal(err)
	}
}
