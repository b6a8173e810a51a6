package hook

import "testing"

// keyOf understands a payload and gives its key.
func keyOf(t *testing.T, line, data string) string {
	t.Helper()
	in, fault := decode(flags{agent: claude, event: line}, "/", []byte(data))
	if fault != "" || in.ignored {
		t.Fatalf("%s: %q", data, fault)
	}
	if in.event.Key == "" {
		t.Fatalf("%s has no key", data)
	}
	return in.event.Event + " " + in.event.Key
}

// Two copies of one event have one key, and two events have two (agents.md 2.6).
func TestKeys(t *testing.T) {
	t.Parallel()
	const session, codexTurn = `"session_id":"s","cwd":"/p",`, `"session_id":"s","turn_id":"t1","cwd":"/p",`
	for name, c := range map[string]struct {
		eventA, a string
		eventB, b string
		same      bool
	}{
		"Copilot's two forms are the same instant": {
			"preToolUse", `{"sessionId":"s","timestamp":1795169598064,"toolName":"create","toolArgs":{"path":"/p/a","file_text":"x"}}`,
			"",
			`{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"2026-11-20T10:13:18.064Z","tool_name":"Write",` +
				`"tool_input":{"path":"/p/a","file_text":"x"}}`, true,
		},
		"Copilot's calls at one instant are told apart": {
			"postToolUse", `{"sessionId":"s","timestamp":1795169598064,"toolName":"create","toolArgs":{"path":"/p/a"}}`,
			"postToolUse", `{"sessionId":"s","timestamp":1795169598064,"toolName":"create","toolArgs":{"path":"/p/b"}}`, false,
		},
		"Copilot's stop in two forms": {
			"agentStop", `{"sessionId":"s","timestamp":1795169598064,"stop_hook_active":false}`,
			"", `{"hook_event_name":"Stop","session_id":"s","timestamp":"2026-11-20T10:13:18.064Z","stop_hook_active":false}`, true,
		},
		"a stop after one that was held": {
			"", `{` + session + `"hook_event_name":"Stop","prompt_id":"p","stop_hook_active":false}`,
			"", `{` + session + `"hook_event_name":"Stop","prompt_id":"p","stop_hook_active":true}`, false,
		},
		"a stop when background work is done": {
			"", `{` + session + `"hook_event_name":"Stop","prompt_id":"p","stop_hook_active":false,"background_tasks":[{}]}`,
			"", `{` + session + `"hook_event_name":"Stop","prompt_id":"p","stop_hook_active":false,"background_tasks":[]}`, false,
		},
		"the same stop by settings and plugin": {
			"", `{` + session +
				`"hook_event_name":"Stop","prompt_id":"p"}`, "", `{` + session + `"prompt_id":"p","hook_event_name":"Stop"}`, true,
		},
		"turns of Codex": {
			"", `{` + codexTurn + `"hook_event_name":"Stop"}`, "", `{"session_id":"s","turn_id":"t2","hook_event_name":"Stop"}`, false,
		},
		"two sub-agents of one prompt": {
			"", `{` + session + `"hook_event_name":"SubagentStop","prompt_id":"p","agent_id":"1"}`,
			"", `{` + session + `"hook_event_name":"SubagentStop","prompt_id":"p","agent_id":"2"}`, false,
		},
		"a call and the batch of it alone": {
			"", `{` + session + `"hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"u"}`,
			"", `{` + session + `"hook_event_name":"PostToolBatch","tool_calls":[{"tool_name":"Bash","tool_use_id":"u"}]}`, true,
		},
		"Gemini's calls have no id": {
			"",
			`{"session_id":"s","hook_event_name":"AfterTool","timestamp":"2026-11-20T09:22:37.508Z","tool_name":"t","tool_input":{"a":1}}`,
			"",
			`{"session_id":"s","hook_event_name":"AfterTool","timestamp":"2026-11-20T09:22:37.509Z","tool_name":"t","tool_input":{"a":1}}`,
			true,
		},
		"and differ by their input": {
			"",
			`{"session_id":"s","hook_event_name":"AfterTool","timestamp":"2026-11-20T09:22:37.508Z","tool_name":"t","tool_input":{"a":1}}`,
			"",
			`{"session_id":"s","hook_event_name":"AfterTool","timestamp":"2026-11-20T09:22:37.508Z","tool_name":"t","tool_input":{"a":2}}`,
			false,
		},
		"starts with different sources": {
			"", `{` + session + `"hook_event_name":"SessionStart","source":"startup"}`, "", `{` + session +
				`"hook_event_name":"SessionStart","source":"compact"}`, false,
		},
	} {
		a, b := keyOf(t, c.eventA, c.a), keyOf(t, c.eventB, c.b)
		if (a == b) != c.same {
			t.Errorf("%s: %q and %q", name, a, b)
		}
	}
}

// Copilot drops what is said at session start and prompt through a file of Claude Code's form: such a copy claims no key,
// and the native one is answered (agents.md 2.6).
func TestACopyThatIsNotHeardIsNotAnswered(t *testing.T) {
	t.Parallel()
	for _, event := range []string{"SessionStart", "UserPromptSubmit"} {
		in, fault := decode(flags{agent: claude}, "/", []byte(`{"hook_event_name":"`+event+
			`","session_id":"s","timestamp":"2026-11-20T10:13:18.064Z"}`))
		if !in.ignored || fault != "" || in.event.Key != "" {
			t.Errorf("%s: %+v %q", event, in, fault)
		}
	}
}
