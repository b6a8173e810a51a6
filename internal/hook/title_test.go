package hook

import (
	"strings"
	"testing"

	"baton/internal/agentsession"
)

// Claude Code takes a title at the start of a session and at a prompt. To the others it would be a key that they do not
// know.
func TestTitlesGoToClaudeCodeOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		client, event, more string
		want                bool
	}{
		{claude, "SessionStart", "", true},
		{claude, "UserPromptSubmit", "", true},
		{claude, "PostToolBatch", "", false},
		{codex, "SessionStart", `,"model":"m","permission_mode":"x"`, false},
		{qwen, "SessionStart", `,"timestamp":"2026-11-20T09:23:21.460Z","permission_mode":"yolo"`, false},
	} {
		in, fault := decode(flags{agent: c.client}, "/", []byte(`{"session_id":"s","hook_event_name":"`+c.event+`"`+c.more+`}`))
		if fault != "" || in.client.name != c.client || in.event.Titled {
			t.Fatalf("%+v: %+v %s", c, in, fault)
		}
		out := string(in.render(agentsession.Answer{Title: "#101 JWT service"}).stdout)
		if got := strings.Contains(out, `"sessionTitle":"#101 JWT service"`); got != c.want {
			t.Errorf("%+v: %s", c, out)
		}
	}
	in, _ := decode(flags{agent: claude}, "/", []byte(`{"session_id":"s","hook_event_name":"SessionStart","session_title":"mine"}`))
	if !in.event.Titled {
		t.Error("the title of a person is not seen")
	}
}

// What Claude Code 2.1.328 sends when the agent adds and closes a task of its own list. An answer would keep it from
// doing so.
func TestTasksOfClaudeCode(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{"TaskCreated": agentsession.TodoAdded, "TaskCompleted": agentsession.TodoDone} {
		in, fault := decode(flags{agent: claude}, "/", []byte(`{"session_id":"s","cwd":"/p","hook_event_name":"`+raw+
			`","task_id":"1","task_subject":"Write the tests","task_description":"all of them"}`))
		if fault != "" || in.ignored || in.event.Event != want || in.event.Text != "Write the tests" || in.event.Key == "" {
			t.Errorf("%s: %+v %s", raw, in, fault)
		}
		if out := in.render(everything()); len(out.stdout) > 0 {
			t.Errorf("%s is answered: %s", raw, out.stdout)
		}
	}
}
