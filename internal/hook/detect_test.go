package hook

import (
	"slices"
	"strings"
	"testing"
)

// The flag says whose file a command is in, not who runs it: each payload is known for its sender's under any flag of a
// client whose files others read too. Claude Code's own payloads have no mark and fall to the flag, and so does the end of a
// session of Codex (agents.md 2.5).
func TestTheClientIsFoundUnderAnyFlag(t *testing.T) {
	t.Parallel()
	for _, s := range samples(t) {
		if s.client == kiro || s.client == opencode {
			continue // known by the flag alone
		}
		flags := []string{claude, anyAgent, codex, copilot}
		switch {
		case s.client == claude:
			flags = flags[:2]
		case s.client == codex && strings.HasPrefix(s.name, "session_end"):
			flags = []string{codex}
		}
		for _, flag := range flags {
			args := slices.Clone(s.args)
			args[slices.Index(args, "--agent")+1] = flag
			if in, _ := decode(parseFlags(args), "/", s.data); in.client.name != s.client {
				t.Errorf("%s/%s under --agent %s is taken for %s", s.client, s.name, flag, in.client.name)
			}
		}
	}
}

func TestTheOrderOfTheQuestions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flag, payload string
		want          client
	}{
		{kiro, `{"conversation_id":"c","hook_event_name":"stop"}`, client{name: kiro}},
		{opencode, `{"hookEventName":"Stop"}`, client{name: opencode}},
		{claude, `{"cursor_version":"3","hookEventName":"Stop"}`, client{name: cursor}},
		{copilot, `{"hookEventName":"Stop","sessionId":"s","timestamp":1}`, client{name: vscode}},
		{claude, `{"sessionId":"s","timestamp":1,"hook_event_name":"BeforeTool"}`, client{name: copilot}},
		{claude, `{"sessionId":"s","timestamp":"1"}`, client{name: copilot, file: true}},
		{qwen, `{"hook_event_name":"BeforeTool","timestamp":"x","permission_mode":"y"}`, client{name: gemini}},
		{claude, `{"hook_event_name":"SessionStart","timestamp":"x","permission_mode":"y","transcript_path":"z"}`, client{name: qwen}},
		{claude, `{"hook_event_name":"Notification","timestamp":"x","transcript_path":"z"}`, client{name: gemini}},
		{claude, `{"hook_event_name":"Stop","timestamp":"x","transcript_path":"z"}`, client{name: copilot, file: true}},
		{claude, `{"hook_event_name":"Stop","turn_id":"t"}`, client{name: codex}},
		{claude, `{"hook_event_name":"MessageDisplay","turn_id":"t"}`, client{name: claude}},
		{claude, `{"hook_event_name":"SessionStart","model":"m","permission_mode":"p"}`, client{name: codex}},
		{claude, `{"hook_event_name":"SessionStart","model":"m"}`, client{name: claude}},
		{codex, `{"hook_event_name":"SessionEnd"}`, client{name: codex}},
		{anyAgent, `{"hook_event_name":"SessionEnd"}`, client{name: claude}},
		{"", `{"hook_event_name":"SessionEnd"}`, client{name: claude}},
	} {
		p := parse([]byte(c.payload))
		if got := detect(c.flag, p, p.text("hook_event_name", "hookEventName")); got != c.want {
			t.Errorf("--agent %s %s: %+v", c.flag, c.payload, got)
		}
	}
}

// A client that this version does not know gets no answer: its shape would be a guess.
func TestAClientOfAnotherVersionIsLeftAlone(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"amp", "zed"} {
		if in, fault := decode(flags{agent: flag}, "/", []byte(`{"hook_event_name":"SessionStart","session_id":"s"}`)); !in.ignored ||
			fault != "" {
			t.Errorf("%s: %+v %q", flag, in, fault)
		}
	}
}
