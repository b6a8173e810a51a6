//go:build budget

package budget

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/gitrepo"
)

// TestD30_SessionStart measures the hook that an agent waits for before its first word. In a project of a thousand
// tasks, it takes at most five times as long as an empty program. The folder is outside git, so git's own time is not
// included. Every run is a new session, because a repeated start is answered once. All sessions act as one holder,
// whose claim is renewed. There are as many records of earlier sessions as a checkout keeps.
func TestD30_SessionStart(t *testing.T) {
	b := build(t)
	dir := thousandTasks(t)
	command{dir: dir, args: []string{b.baton, "init"}}.once(t) // the ledger knows all of them from then on
	command{dir: dir, args: []string{b.baton, "session", "start", "500"}}.once(t)
	number := 0
	start := func() string {
		number++
		return hookPayload(
			t, dir, fmt.Sprintf("session-%d", number), map[string]any{"hook_event_name": "SessionStart", "source": "startup"},
		)
	}
	hook := command{dir: dir, args: []string{b.baton, "hook", "--agent", "claude"}}
	reported := hook
	reported.stdin = start()
	if got := printed(t, reported); !strings.Contains(got, "Task #500: “Task number 500”") {
		t.Fatalf("told %q", got)
	}
	hook.fresh = start
	for range 25 {
		hook.once(t)
	}
	within(t, 5, hook, command{dir: dir, args: []string{b.floor}, fresh: start}, nil)
	reportGit(t, dir, hook)
}

// reportGit prints how long the same hook takes in a repository, where it asks git. This is git's own time, so it is
// not checked.
func reportGit(t *testing.T, dir string, hook command) {
	t.Helper()
	without := hook.median(t, 20)
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-q", "-m", "all"},
	} {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Env = append(gitrepo.Environment(os.Environ()), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("git's part is not measured: %v: %s", err, out)
		}
	}
	with := hook.median(t, 20)
	t.Logf("without git %.2f ms, with git's calls %.2f ms", ms(without), ms(with))
}

// TestD30_ToolHooks measures the hooks that run around every edit. They save what they record without an fsync.
func TestD30_ToolHooks(t *testing.T) {
	b := build(t)
	dir := thousandTasks(t)
	command{dir: dir, args: []string{b.baton, "session", "start", "500"}}.once(t)
	for name, limit := range map[string]float64{"PreToolUse": 3, "PostToolUse": 4} {
		t.Run(name, func(t *testing.T) {
			number := 0
			call := func() string {
				number++
				return hookPayload(t, dir, "session-1", map[string]any{
					"hook_event_name": name, "tool_name": "Write", "tool_use_id": fmt.Sprintf("%s-%d", name, number),
					"tool_input": map[string]any{"file_path": filepath.Join(dir, "main.go"), "content": "package main\n"},
				})
			}
			hook := command{dir: dir, args: []string{b.baton, "hook", "--agent", "claude"}, fresh: call}
			within(t, limit, hook, command{dir: dir, args: []string{b.floor}, fresh: call}, nil)
		})
	}
}

// hookPayload is the input that Claude Code writes.
func hookPayload(t *testing.T, dir, session string, more map[string]any) string {
	t.Helper()
	payload := map[string]any{"session_id": session, "transcript_path": "/home/dev/t.jsonl", "cwd": dir}
	for key, value := range more {
		payload[key] = value
	}
	data, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// thousandTasks creates a project of a thousand tasks. Each waits for the one before, and all except one are complete.
func thousandTasks(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".baton", "tasks"), 0o777); err != nil {
		t.Fatal(err)
	}
	for id := 1; id <= 1000; id++ {
		status, depends, after := "complete", "[]", id-1
		if id >= 500 {
			status = "ready"
		}
		if after > 0 {
			depends = fmt.Sprintf("[%d]", after)
		}
		text := fmt.Sprintf(
			"# Task #%d: Task number %d\n\n## 0. Metadata\n\n```json\n{\n  \"task_id\": %d,\n  \"status\": %q,\n"+
				"  \"dependencies\": %s,\n  \"total_sessions\": 0\n}\n```\n\n"+
				"## 1. Context\n\n### Requirements\n\nMake it so.\n\n### Acceptance Criteria\n\n- [ ] it holds\n- [ ] it is fast\n\n"+
				"## 3. Progress Log\n\n## 4. Chain Output\n\n%s\n",
			id, id, id, status, depends, strings.Repeat("What downstream needs to know.\n", 20),
		)
		if err := os.WriteFile(filepath.Join(dir, ".baton", "tasks", fmt.Sprintf("task-%d-state.md", id)), []byte(text), 0o666); err !=
			nil {
			t.Fatal(err)
		}
	}
	return dir
}
