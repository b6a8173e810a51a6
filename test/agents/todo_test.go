//go:build agents && linux

package agents

import (
	"path/filepath"
	"strings"
	"testing"
)

// The tasks of Claude Code's own list that are still open are in the entry that baton drafts.
func TestOpenTasksOfClaudeAreDrafted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, claude(), spied)
	w.prepare("claude")
	add := func(subject string) turn {
		return turn{calls: []call{{name: "TaskCreate", input: map[string]any{"subject": subject, "description": "see the subject"}}}}
	}
	w.play(
		add("Read the tokenizer"), add("Write a benchmark"),
		turn{calls: []call{{name: "TaskUpdate", input: map[string]any{"taskId": "1", "status": "completed"}}}},
		turn{calls: []call{w.client.write(filepath.Join(w.project, "new.txt"), "new\n")}},
		turn{text: "Not finished."}, turn{text: "Still not finished."},
	)
	if r := w.agent("CLAUDE_CODE_ENABLE_TODO_TOOLS=1"); r.code != 0 {
		t.Errorf("exit %d\n%s\n%s", r.code, tail(r.out), tail(r.err))
	}
	if n, done := len(w.hooks("TaskCreated")), len(w.hooks("TaskCompleted")); n != 2 || done != 1 {
		t.Errorf("%d tasks were reported, and %d of them closed", n, done)
	}
	state := w.content(".baton/tasks/task-1-state.md")
	if !strings.Contains(state, "Write a benchmark") || strings.Contains(state, "Read the tokenizer") {
		t.Errorf("the draft has other to-dos:\n%s", state)
	}
	w.quietHooks()
}
