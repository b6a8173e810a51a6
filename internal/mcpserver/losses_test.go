package mcpserver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The tools that write say what their documents lost, and a task that lost a criterion is not completed (F-25, F-26).
func TestF26_ToolsSayWhatIsLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{}), nil)
	must(t, session, "task_check", map[string]any{"id": "1", "criterion": 1, "evidence": "seen"})
	name := filepath.Join(w.dir, ".baton", "tasks", "task-1-state.md")
	text, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(text), "- [ ] It is tested\n") {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(string(text), "- [ ] It is tested\n", "", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for tool, arguments := range map[string]map[string]any{
		"task_claim":  {"id": "1"},
		"next":        nil,
		"task_edit":   {"id": "1", "priority": "high"},
		"task_log":    {"id": "1", "did": []any{"wiped one"}},
		"task_check":  {"id": "1", "criterion": 1, "evidence": "seen again"},
		"task_output": {"id": "1", "summary": "tokens are signed"},
	} {
		lost := false
		warnings, _ := at(must(t, session, tool, arguments), "warnings").([]any)
		for _, one := range warnings {
			said, _ := at(one, "text").(string)
			lost = lost || at(one, "code") == "entries_lost" && strings.Contains(said, `criterion "It is tested"`)
		}
		if !lost {
			t.Errorf("%s: %v", tool, warnings)
		}
	}
	said := failure(t, session, "task_complete", map[string]any{"id": "1"})
	if said["code"] != "task_entries_lost" || said["kind"] != "violation" {
		t.Errorf("%v", said)
	}
}

// The tools that write into the digest say what it lost.
func TestToolsSayWhatTheDigestLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{AllTools: true}), nil)
	must(t, session, "decision_add", map[string]any{"text": "Sign with Ed25519"})
	must(t, session, "decision_add", map[string]any{"text": "Rotate weekly"})
	name := filepath.Join(w.dir, ".baton", "STATE.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for line := range strings.SplitSeq(string(text), "\n") {
		if !strings.Contains(line, "Ed25519") {
			kept = append(kept, line)
		}
	}
	if err := os.WriteFile(name, []byte(strings.Join(kept, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tool      string
		arguments map[string]any
	}{
		{"decision_add", map[string]any{"text": "Keep keys for a year"}},
		{"blocker_add", map[string]any{"text": "No keys yet"}},
		{"blocker_resolve", map[string]any{"text": "1"}},
		{"state_next", map[string]any{"action": "plan-phase", "phases": "1"}},
		{"state_begin", map[string]any{"phase": "1", "stage": "plan"}},
		{"task_new", map[string]any{"title": "Rotate keys", "criteria": "they rotate"}},
	} {
		said := must(t, session, c.tool, c.arguments)
		if warnings, _ := json.Marshal(said["warnings"]); !strings.Contains(string(warnings), `"code":"entries_lost"`) ||
			!strings.Contains(string(warnings), "Ed25519") {
			t.Errorf("%s: %s", c.tool, warnings)
		}
	}
}
