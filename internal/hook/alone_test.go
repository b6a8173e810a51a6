package hook

import (
	"testing"

	"baton/internal/agentsession"
)

func TestF37_WhoAnswersAClient(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		client, entrypoint string
		alone              bool
		arg                string
	}{
		{claude, "cli", false, ""},
		{claude, "", false, ""}, // an older version
		{claude, "sdk-cli", true, ""},
		{claude, "sdk-ts", true, ""},
		{codex, "sdk-cli", false, "exec"}, // inside of Claude Code: not its own variable
		{gemini, "", false, "-p"},
		{opencode, "", false, ""},
	} {
		e := agentsession.Event{Client: c.client}
		alone(&e, func(name string) string {
			if name == "CLAUDE_CODE_ENTRYPOINT" {
				return c.entrypoint
			}
			return ""
		})
		if e.Alone != c.alone || (c.arg != "") != e.AloneByArgs([]string{"/usr/bin/node", "/x/cli.js", c.arg, "do it"}) {
			t.Errorf("%+v: %+v", c, e)
		}
	}
	e := agentsession.Event{AloneArgs: []string{"-p", "--prompt"}}
	for arg, want := range map[string]bool{"-p": true, "--prompt=x": true, "--prompt-interactive": false, "p": false, "-pro": false} {
		if got := e.AloneByArgs([]string{"gemini", arg}); got != want {
			t.Errorf("%s: %v", arg, got)
		}
	}
	if e.AloneByArgs([]string{"gemini", "--", "-p"}) || e.AloneByArgs(nil) {
		t.Error("text after -- is no argument")
	}
}
